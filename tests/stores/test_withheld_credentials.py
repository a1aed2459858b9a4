"""What a user says that must never be stored is nowhere in the database, however the turn ends."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt
from psycopg import sql
from pydantic import BaseModel
from scripted_openai import Say, ScriptedOpenAI
from typing_extensions import TypedDict

from perdure import Context, open_memory
from perdure.redaction import withheld
from perdure.settings import Settings
from perdure.stores.checkpoints import PooledSaver, open_saver
from perdure.stores.pool import connect

CARD, PASSWORD, PIN = "4111 1111 1111 1111", "hunter2!x", "4821"
SECRETS = (CARD, CARD.replace(" ", ""), PASSWORD)
MESSAGE = f"My card is {CARD}, password: {PASSWORD} and I live in Busan."


async def dumped(dsn: str) -> str:
    """All that the database holds, every column of every table: text as it is, and bytes as the text in them."""
    told = []
    async with await connect(dsn) as connection:
        tables = await connection.execute(
            "select table_schema, table_name from information_schema.tables"
            " where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'"
        )
        for table in await tables.fetchall():
            name = sql.Identifier(table["table_schema"], table["table_name"])
            rows = await connection.execute(sql.SQL("select * from {}").format(name))
            for row in await rows.fetchall():
                told += [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in row.values()]
    return "\n".join(told)


@pytest.mark.parametrize("policy", ["auto", "ask", "drop"])
async def test_a_turn_without_a_model_keeps_no_credential(local_database: str, policy: Any) -> None:
    settings = Settings(database_url=local_database)  # type: ignore[arg-type]  # pydantic makes a secret of it
    context = Context(user="ada", policy=policy)
    async with open_memory(settings) as memory:
        await memory.ask(MESSAGE, thread="t", context=context)
        await memory.ask("비밀번호는 hunter2!x야. 나는 부산에 살아.", thread="ko", context=context)
    kept = await dumped(local_database)
    assert "[card number], password: [password] and I live in Busan" in kept
    assert [secret for secret in SECRETS if secret in kept] == []


async def test_a_turn_with_models_that_repeat_it_keeps_no_credential(
    scripted_settings: Settings, openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("reply", Say(f"I will remember {PASSWORD} and {CARD}!"))
    openai_server.always("extract", Say(f'{{"operations": [{{"attribute": "bank.password", "value": "{PASSWORD}"}}]}}'))
    async with open_memory(scripted_settings) as memory:
        await memory.ask(MESSAGE, thread="t", user="ada")
        state = await memory.graph.aget_state({"configurable": {"thread_id": (await _threads(memory))[0]}})
    for purpose in ("reply", "extract"):  # the turn that runs goes on with what was said
        assert PASSWORD in openai_server.asked(purpose)[0].prompt
    assert state.values["messages"][-1].text == "I will remember [password] and [card number]!"
    assert scripted_settings.database_url is not None
    kept = await dumped(scripted_settings.database_url.get_secret_value())
    assert "[password]" in kept
    assert [secret for secret in SECRETS if secret in kept] == []


async def _threads(memory: Any) -> list[str]:
    return [item.config["configurable"]["thread_id"] async for item in memory.checkpointer.alist(None)]


class Noted(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    line: NotRequired[str]
    notes: NotRequired[dict[str, Any]]
    answer: NotRequired[Any]


class Login(BaseModel):
    name: str
    remark: str


@dataclass(frozen=True, slots=True)
class Door:
    place: str


@pytest.fixture
async def saver(database: str) -> AsyncIterator[PooledSaver]:
    async with open_saver(database) as saver:
        yield saver


async def test_channels_writes_interrupts_errors_and_metadata_are_all_redacted(
    database: str, saver: PooledSaver
) -> None:
    seen: list[str] = []

    def note(state: Noted) -> dict[str, Any]:
        assert PASSWORD in state["messages"][0].text
        call = {"name": "login", "args": {"password": PASSWORD, "pin": PIN}, "id": "call-1"}
        return {
            "line": f"password: {PASSWORD}",
            "messages": [AIMessage("", tool_calls=[call]), ToolMessage(f"used {PASSWORD}", tool_call_id="call-1")],
            "notes": {
                "operations": [{"attribute": "wifi.password", "value": "sunshine-7"}],
                "models": [Login(name="bob", remark=f"it is {PASSWORD}"), Door(f"PIN {PIN}")],
                "nested": ({f"password: {PASSWORD}": [CARD]},),
            },
        }

    def ask(state: Noted) -> dict[str, Any]:
        seen.append(state.get("line", ""))
        return {"answer": interrupt({"question": f"Keep {PASSWORD}?"})}

    def fail(state: Noted) -> dict[str, Any]:
        raise ValueError(f"cannot use the password {PASSWORD}")

    graph = StateGraph(Noted)
    graph.add_sequence([note, ask, fail])
    graph.add_edge(START, "note")
    compiled = graph.compile(checkpointer=saver)
    config = RunnableConfig(configurable={"thread_id": "t"}, metadata={"told": f"password: {PASSWORD}"})
    said = HumanMessage(f"My password is {PASSWORD}, PIN {PIN}.", id="m-1")
    await compiled.ainvoke({"messages": [said]}, config)
    assert said.text == f"My password is {PASSWORD}, PIN {PIN}."
    with pytest.raises(ValueError, match="cannot use"):
        await compiled.ainvoke(Command(resume={"decisions": [f"no, {CARD}"]}), config)

    assert seen == [f"password: {PASSWORD}", "password: [password]"]
    state = await compiled.aget_state(config)
    assert state.values["messages"][0].id == "m-1"
    assert state.values["messages"][1].tool_calls[0]["args"] == {"password": "[password]", "pin": "[code]"}
    assert state.values["messages"][2].text == "used [password]"
    assert state.values["line"] == "password: [password]"
    assert state.values["notes"]["operations"] == [{"attribute": "wifi.password", "value": "[password]"}]
    kept = await dumped(database)
    assert [secret for secret in (*SECRETS, "sunshine-7", f"PIN {PIN}") if secret in kept] == []


async def test_another_thread_and_the_next_turn_keep_the_word_that_was_a_password(saver: PooledSaver) -> None:
    def same(state: Noted) -> dict[str, Any]:
        return {"line": state["messages"][-1].text}

    graph = StateGraph(Noted)
    graph.add_node("same", same)
    graph.add_edge(START, "same")
    compiled = graph.compile(checkpointer=saver)
    for thread, message, kept in (
        ("a", "My password is Seoul2024.", "My password is [password]."),
        ("b", "We met at Seoul2024 once.", "We met at Seoul2024 once."),
        ("a", "We met at Seoul2024 once.", "We met at Seoul2024 once."),
    ):
        config = RunnableConfig(configurable={"thread_id": thread})
        await compiled.ainvoke({"messages": [HumanMessage(message)]}, config)
        assert (await compiled.aget_state(config)).values["line"] == kept


def test_a_value_with_nothing_to_redact_is_given_back_and_none_is_changed() -> None:
    plain = {"messages": [HumanMessage("안녕", id="1")], "n": [1, 2.5, None, b"x", ("a", {"b"})]}
    assert withheld(plain) is plain
    message = HumanMessage(f"password: {PASSWORD}", id="1")
    clean = withheld([message])
    assert (clean[0].text, clean[0].id, message.text) == ("password: [password]", "1", f"password: {PASSWORD}")
