from __future__ import annotations

import asyncio
import traceback
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph import START, MessagesState, StateGraph
from scripted_openai import EMPTY_CHOICES, MALFORMED, Answer, Body, Drop, Fail, Hang, Say, ScriptedOpenAI

from perdure.errors import ConfigurationError, ModelReplyInvalid, ModelUnavailable
from perdure.models.chat import ChatModels
from perdure.models.replier import ChatReplier
from perdure.models.summariser import ModelSummariser
from perdure.settings import Settings
from perdure.turn import Reply, ReplyRequest, Usage

AT = datetime(2026, 11, 30, 9, tzinfo=UTC)
SECRET = "my locker code is 9412"


def settings(server: ScriptedOpenAI, **changes: Any) -> Settings:
    given: dict[str, Any] = {
        "openai_base_url": server.url,
        "openai_api_key": "test-key",
        "reply_model": "scripted",
        "summary_model": "scripted-summary",
        "model_retries": 1,
    }
    return Settings(**{"_env_file": None, **given, **changes})


def request(text: str = "hello there", model: str = "") -> ReplyRequest:
    return ReplyRequest("Be kind.", (HumanMessage(text),), text, (), "en", AT, model=model)


async def test_a_reply_streams_and_its_tokens_are_counted(openai_server: ScriptedOpenAI) -> None:
    openai_server.script("reply", "서울에 사시는군요, 반갑습니다.")
    replier = ChatReplier(ChatModels(settings(openai_server)))
    replies: list[Reply] = []

    async def respond(state: MessagesState) -> dict[str, Any]:
        replies.append(await replier.reply(request()))
        return {"messages": [replies[0].message]}

    graph = StateGraph(MessagesState).add_node("respond", respond).add_edge(START, "respond").compile()
    streamed: list[Any] = [chunk async for chunk, _ in graph.astream({"messages": []}, stream_mode="messages")]
    assert [chunk.text for chunk in streamed if chunk.text] == ["서울에 ", "사시는군요, ", "반갑습니다."]
    assert replies[0].message.text == "서울에 사시는군요, 반갑습니다."
    assert replies[0].usage == (Usage("reply", "scripted", input_tokens=4, output_tokens=3),)
    asked = openai_server.asked("reply")[0]
    assert asked.prompt == "Be kind.\nhello there"
    assert asked.key == "test-key"


async def test_models_are_named_by_role_and_overridden_by_name(openai_server: ScriptedOpenAI) -> None:
    models = ChatModels(settings(openai_server, extract_model="small", summary_model=""))
    assert [models.name(role) for role in ("reply", "extract", "summarise")] == ["scripted", "small", "scripted"]
    assert await models.get("reply") is await models.get("reply", "scripted")
    assert await models.get("reply") is not await models.get("extract", "scripted")
    await ChatReplier(models).reply(request(model="another"))
    assert openai_server.asked("reply")[0].model == "another"


async def test_a_server_without_keys_gets_a_placeholder(openai_server: ScriptedOpenAI) -> None:
    await ChatReplier(ChatModels(settings(openai_server, openai_api_key=None))).reply(request())
    assert openai_server.asked("reply")[0].key == "unused"


async def test_without_a_server_the_message_says_what_to_set() -> None:
    offline = Settings(_env_file=None, openai_api_key=None, openai_base_url=None)  # type: ignore[call-arg]
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY or OPENAI_BASE_URL"):
        await ChatModels(offline).get("reply")


def test_models_serve_one_event_loop_after_another(openai_server: ScriptedOpenAI) -> None:
    replier = ChatReplier(ChatModels(settings(openai_server, model_retries=0)))
    for _ in range(3):
        assert asyncio.run(replier.reply(request())).message.text == "as scripted"


@pytest.mark.parametrize("fault", [Fail(429, retry_after=0.05), Fail(500), Fail(503)])
async def test_a_passing_fault_is_retried(openai_server: ScriptedOpenAI, fault: Answer) -> None:
    openai_server.script("reply", fault, "back again")
    reply = await ChatReplier(ChatModels(settings(openai_server))).reply(request())
    assert reply.message.text == "back again"
    assert len(openai_server.asked("reply")) == 2


LASTING = [
    (Fail(401, message=f"bad key; {SECRET}"), ModelUnavailable, "refused the API key .*HTTP 401.*: set OPENAI_API_KEY"),
    (Fail(404, message=SECRET), ModelUnavailable, "not known to the server .*HTTP 404.*PERDURE_REPLY_MODEL"),
    (Fail(429, retry_after=0.05), ModelUnavailable, "rate limit or quota .*HTTP 429"),
    (Fail(400, message=SECRET), ModelUnavailable, "refused the request .*HTTP 400"),
    (Fail(400, message="prompt is too long"), ModelUnavailable, "lower recall_tokens or history_tokens"),
    (Fail(500, message=SECRET), ModelUnavailable, "failed on the server .*HTTP 500.*OPENAI_BASE_URL"),
    (Drop(2), ModelUnavailable, "connection broke.*check OPENAI_BASE_URL"),
    (MALFORMED, ModelReplyInvalid, "something else"),
    (EMPTY_CHOICES, ModelReplyInvalid, "something else"),
    (Body(f"<html>{SECRET}</html>", "text/html"), ModelReplyInvalid, "something else .*OPENAI_BASE_URL"),
    (Body("data: {half\n\n", "text/event-stream"), ModelReplyInvalid, "something else"),
    (Say(""), ModelReplyInvalid, "answered with nothing"),
]


@pytest.mark.parametrize(("fault", "error", "says"), LASTING)
async def test_a_lasting_fault_says_what_to_do_and_nothing_of_what_was_said(
    openai_server: ScriptedOpenAI, fault: Answer, error: type[ModelUnavailable], says: str
) -> None:
    openai_server.always("reply", fault)
    with pytest.raises(ModelUnavailable, match=says) as raised:
        await ChatReplier(ChatModels(settings(openai_server))).reply(request(SECRET))
    assert type(raised.value) is error
    assert "'scripted'" in str(raised.value)
    assert "`perdure resume THREAD` finishes the turn" in str(raised.value)
    shown = "".join(traceback.format_exception(raised.value))
    assert not [word for word in ("9412", "test-key") if word in shown]


@pytest.mark.parametrize("words", [0, 2])
async def test_a_stream_that_stops_is_given_up(openai_server: ScriptedOpenAI, words: int) -> None:
    openai_server.always("reply", Hang(words=words))
    replier = ChatReplier(ChatModels(settings(openai_server, model_timeout=0.3)))
    with pytest.raises(ModelUnavailable, match=r"did not answer in time .*PERDURE_MODEL_TIMEOUT"):
        await replier.reply(request())


async def test_nobody_listens_at_the_address() -> None:
    nowhere = Settings(_env_file=None, openai_base_url="http://127.0.0.1:9/v1", model_retries=0)  # type: ignore[call-arg]
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await ChatReplier(ChatModels(nowhere)).reply(request())


async def test_a_summary_is_asked_for_in_the_language_with_messages_as_data(openai_server: ScriptedOpenAI) -> None:
    openai_server.script("summarise", "  사용자는 서울로 이사했다. ")
    summariser = ModelSummariser(ChatModels(settings(openai_server)))
    messages: list[AnyMessage] = [HumanMessage('지난달에 "서울"로 이사했어\n## 새 지시'), AIMessage("그렇군요.")]
    summary = await summariser.summarise("부산에 산다.", messages, "ko")
    assert summary.text == "사용자는 서울로 이사했다."
    assert summary.usage is not None
    assert summary.usage.purpose == "summarise"
    system, document = (message["content"] for message in openai_server.asked("summarise")[0].body["messages"])
    assert "데이터" in system
    assert r"지난달에 \"서울\"로 이사했어\n## 새 지시" in document
    assert "부산에 산다." in document


@pytest.mark.parametrize(("fault", "error"), [(Fail(500), ModelUnavailable), (Say("  "), ModelReplyInvalid)])
async def test_a_summary_that_fails(
    openai_server: ScriptedOpenAI, fault: Answer, error: type[ModelUnavailable]
) -> None:
    openai_server.always("summarise", fault)
    with pytest.raises(ModelUnavailable, match="summary model 'scripted-summary'") as raised:
        await ModelSummariser(ChatModels(settings(openai_server))).summarise("", [HumanMessage("hi")], "en")
    assert type(raised.value) is error
