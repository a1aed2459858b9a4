"""Whatever the extraction model answers: the reply reaches the user, nothing wrong is stored, and nothing is lost."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from scripted_openai import MALFORMED, Fail, Hang, Say, ScriptedOpenAI

from perdure import Answer, Memory, Scope, Settings, open_memory

SAID = "I moved to Seoul. My sister is allergic to nuts."
ME = Scope(user="u1")


@pytest.fixture
def settings(scripted_settings: Settings) -> Settings:
    return scripted_settings.model_copy(update={"model_timeout": 5, "pool_size": 4})


@pytest.fixture
async def memory(settings: Settings) -> AsyncIterator[Memory]:
    async with open_memory(settings) as memory:
        yield memory


def answer(*operations: dict[str, Any]) -> str:
    return json.dumps({"operations": operations})


def operation(quote: str, **changes: Any) -> dict[str, Any]:
    return {"action": "assert", "evidence": {"source": "user", "quote": quote}, **changes}


SEOUL = operation("moved to Seoul", attribute="home.city", value="Seoul", content="The user lives in Seoul.")


async def told(memory: Memory, said: str = SAID) -> Answer:
    """The answer to a turn whose reply must have reached the user, and whose words must be kept."""
    reply = await memory.ask(said, user="u1", thread="t1")
    assert reply.text == "as scripted"
    assert said in [episode.content.removeprefix("user: ").split("\nassistant: ")[0] for episode in await kept(memory)]
    return reply


async def kept(memory: Memory) -> list[Any]:
    hits = await memory.recall(SAID, user="u1")
    return [await memory.episode_store.get(ME, hit.id) for hit in hits if hit.kind == "exchange"]


async def values(memory: Memory) -> list[str]:
    return [fact.value for fact in await memory.facts.facts(ME)]


@pytest.mark.parametrize(
    ("lie", "calls"),
    [
        (Say("as;ldkfj 9)(*&"), 2),
        (Say(answer(SEOUL)[:-30]), 2),
        (Say(answer(SEOUL), finish="length"), 2),
        (Say(answer(*[SEOUL] * 10_000)), 2),
        (Say(answer(SEOUL, {**SEOUL, "importance": "vital"})), 2),
        (Say(answer(SEOUL, {**SEOUL, "action": "burn everything"})), 2),
        (Say('{"operations": {"action": "assert"}}'), 2),
        (Say(""), 2),
        (MALFORMED, 1),
        (Fail(500), 1),
        (Fail(429), 1),
    ],
    ids=["garbage", "half a JSON", "at its limit", "10,000 operations", "a wrong type", "an unknown action",
         "no list", "nothing", "a malformed body", "500", "429"],
)  # fmt: skip
async def test_what_cannot_be_read_writes_nothing_and_flags_the_exchange(
    memory: Memory, openai_server: ScriptedOpenAI, lie: Any, calls: int
) -> None:
    openai_server.always("extract", lie)
    assert (await told(memory)).written == []
    assert await memory.facts.statements(ME) == []
    assert [episode.extracted for episode in await kept(memory)] == [False]
    assert len(openai_server.asked("extract")) == calls


async def test_a_model_that_never_answers_is_given_up(settings: Settings, openai_server: ScriptedOpenAI) -> None:
    openai_server.always("extract", Hang())
    async with open_memory(settings.model_copy(update={"model_timeout": 0.5})) as memory:
        assert (await told(memory)).written == []
        assert [episode.extracted for episode in await kept(memory)] == [False]


async def test_a_failed_extraction_never_supersedes_what_is_remembered(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    await memory.remember("I live in Busan.", attribute="home.city", value="Busan", user="u1")
    openai_server.always("extract", Say(answer({**SEOUL, "target": "f1"})[:-5]))
    await told(memory)
    assert await values(memory) == ["Busan"]


@pytest.mark.parametrize(
    "repaired", ["```json\n{}\n```", "Sorry! {}", "<think>{{home}}</think>{}"], ids=["fenced", "with prose", "thinking"]
)
async def test_what_is_repaired_is_written(memory: Memory, openai_server: ScriptedOpenAI, repaired: str) -> None:
    openai_server.script("extract", answer(SEOUL)[:-30], answer(SEOUL).join(repaired.rsplit("{}", 1)))
    reply = await told(memory)
    assert await values(memory) == ["Seoul"]
    assert [call["purpose"] for call in reply.usage] == ["reply", "extract", "extract"]
    assert [episode.extracted for episode in await kept(memory)] == [True]


@pytest.mark.parametrize(
    "lie",
    [
        [],
        [operation("I see Paris", attribute="home.city", value="Paris", content="The user lives in Paris.")],
        [operation("as scripted", attribute="home.city", value="Paris", content="The user lives in Paris.")],
        [operation("moved to Seoul", attribute="home.city", value="Paris", content="The user lives in Paris.")],
        [operation("moved to Seoul", action="end", target="f99")],
        [operation("moved to Seoul", action="retract", target="00000000-0000-0000-0000-000000000001")],
        [operation("moved to Seoul", attribute="home.city", value="Seo\x00ul", content="\x00")],
        [operation("moved to Seoul", attribute="home.city", value="Seoul\ud800", content="\ud800")],
        [operation("moved to Seoul", attribute="\x00", value="Seoul", subject="\ud800")],
        [operation("moved to Seoul", attribute="home.city", value="Seoul" * 1000)],
        [operation("moved to Seoul", attribute="home.city", value="Seoul", valid_from="the day of days")],
        [operation("moved to Seoul", content="A joke.", should_save=False, reason="a \ud800joke\x00")],
    ],
    ids=["nothing", "invented words", "the assistant's words", "an invented value", "an unknown id", "a made-up id",
         "NUL", "half a surrogate pair", "NUL and surrogate in names", "a long value", "no date", "not to be saved"],
)  # fmt: skip
async def test_what_the_user_did_not_say_is_not_written_and_the_turn_is_done(
    memory: Memory, openai_server: ScriptedOpenAI, lie: list[dict[str, Any]]
) -> None:
    openai_server.script("extract", answer(*lie))
    await told(memory)
    assert await memory.facts.statements(ME) == []
    assert [episode.extracted for episode in await kept(memory)] == [True]
    assert len(openai_server.asked("extract")) == 1


async def test_an_operation_that_is_dropped_does_not_cost_the_others(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    unknown = operation("moved to Seoul", action="end", target="f99")
    openai_server.script("extract", answer(unknown, SEOUL))
    await told(memory)
    assert await values(memory) == ["Seoul"]
    state = await memory.graph.aget_state({"configurable": {"thread_id": "default/u1/t1"}})
    assert [(decision["should_save"], decision["reason"]) for decision in state.values["candidates"]["decisions"]] == [
        (False, "an unknown memory"),
        (True, "worth keeping"),
    ]


@pytest.mark.parametrize(
    ("said", "quote"),
    [
        (SAID, "is allergic to nuts"),
        ("서울로 이사했어. 내 동생은 nuts 알레르기가 있어.", "nuts 알레르기가 있어"),
    ],
)
async def test_a_relatives_allergy_is_never_the_users(
    memory: Memory, openai_server: ScriptedOpenAI, said: str, quote: str
) -> None:
    openai_server.script("extract", answer(operation(quote, attribute="health.allergy", value="nuts")))
    reply = await memory.ask(said, user="u1", thread="t1")
    assert reply.text == "as scripted"
    asked = [request["args"] for review in reply.interrupts for request in review["action_requests"]]
    subjects = [fact.subject for fact in await memory.facts.facts(ME)] + [args.get("subject") for args in asked]
    assert len(subjects) == 1 and subjects[0] in {"sister", "동생"}


@pytest.mark.parametrize(
    ("said", "quote", "value"), [("I live in Seoul, as I said.", "live in Seoul", "Seoul"), ("말했듯이 나는 서울에 살아.", "서울에 살아", "서울")]
)  # fmt: skip
async def test_fifty_repetitions_are_one_fact(
    memory: Memory, openai_server: ScriptedOpenAI, said: str, quote: str, value: str
) -> None:
    openai_server.always("extract", Say(answer(operation(quote, attribute="home.city", value=value, content=said))))
    for number in range(50):
        await memory.ask(said, user="u1", thread=f"t{number % 5}")
    assert await values(memory) == [value]
    (fact,) = await memory.facts.facts(ME, history=True)
    assert fact.corroboration == 50
    assert len(openai_server.asked("extract")) == 1, "what only repeats a memory needs no model"


async def test_fifty_assertions_of_one_thing_in_the_models_own_words_are_one_fact(
    memory: Memory, openai_server: ScriptedOpenAI
) -> None:
    openai_server.always("extract", Say(answer(SEOUL)))
    for _ in range(50):
        await memory.ask("I moved to Seoul.", user="u1", thread="t1")
    (fact,) = await memory.facts.facts(ME, history=True)
    assert (fact.value, fact.corroboration) == ("Seoul", 50)


@pytest.mark.parametrize(("said", "value"), [("I live in Seoul.", "Seoul"), ("나는 서울에 살아.", "서울")])
async def test_fifty_repetitions_without_a_model_are_one_fact(
    scripted_settings: Settings, said: str, value: str
) -> None:
    offline = scripted_settings.model_copy(
        update={"openai_base_url": None, "embedding_model": "local", "embedding_dimensions": None}
    )
    async with open_memory(offline) as memory:
        for number in range(50):
            await memory.ask(said, user="u1", thread=f"t{number % 5}")
        (fact,) = await memory.facts.facts(ME, history=True)
        assert (fact.value, fact.corroboration) == (value, 50)
