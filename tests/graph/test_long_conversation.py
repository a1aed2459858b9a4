"""Forty turns in which the agent keeps its own memory: store and prompt of each are as they should be."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from itertools import count

import pytest
from clock import SetClock
from long_conversation import DURI, HANA, HUMAN_LIMIT, POLITE, SPRING, STEPS, Step
from scripted_openai import Answer, Request, Say, ScriptedOpenAI

from perdure import Context, Memory, Scope, Settings, open_memory

ME = Scope(user="지민")
BEGIN = datetime(2026, 3, 2, 0, tzinfo=UTC)
SUMMARY = "지민과 하나는 이사와 회사에 대해 이야기했다."


@pytest.fixture
async def talk(local_database: str, clock: SetClock, openai_server: ScriptedOpenAI) -> AsyncIterator[Memory]:
    settings = Settings(
        database_url=local_database,  # type: ignore[arg-type]  # pydantic makes a secret of it
        openai_base_url=openai_server.url,
        summary_model="summary-model",
        model_retries=0,
        model_timeout=10,
    )
    clock.set(BEGIN)
    async with open_memory(settings, clock=clock) as memory:
        await memory.core.set("human", "", limit=HUMAN_LIMIT, user=ME.user)
        yield memory


class ScriptedModel:
    """Does in each turn what the step says."""

    def __init__(self, server: ScriptedOpenAI) -> None:
        self.server = server
        server.always("reply", self._reply)
        server.always("extract", self._extract)
        server.always("summarise", Say(SUMMARY))

    def begin(self, step: Step) -> None:
        self.step, self._rounds, self.prompts = step, count(), list[Request]()

    def _reply(self, request: Request) -> Answer:
        self.prompts.append(request)
        number = next(self._rounds)
        if number == len(self.step.calls):
            return Say(self.step.reply)
        name, arguments = self.step.calls[number]
        told = arguments(request) if callable(arguments) else arguments
        return Say(tools=((name, json.dumps(told, ensure_ascii=False)),))

    def _extract(self, request: Request) -> Answer:
        said = {"content": self.step.said, "evidence": self.step.said}
        return Say(json.dumps({"operations": [said | operation for operation in self.step.operations]}))


async def test_forty_turns_in_which_the_agent_keeps_its_memory(
    talk: Memory, clock: SetClock, openai_server: ScriptedOpenAI
) -> None:
    assert len(STEPS) == 40
    model, core, profile = ScriptedModel(openai_server), {"persona": "", "human": "", "goals": ""}, dict[str, str]()
    for number, step in enumerate(STEPS, 1):
        clock.forward(days=step.days, minutes=1)
        model.begin(step)
        before = dict(core)
        answer = await talk.ask(step.said, thread=step.thread, context=_context(step))
        assert answer.text == step.reply and answer.interrupts == [], number
        _check_prompt(model.prompts[0], step, before, number)
        outcomes = [message["content"] for message in model.prompts[-1].body["messages"] if message["role"] == "tool"]
        for told, expected in zip(outcomes[-len(step.calls) :] if step.calls else [], step.told, strict=True):
            assert expected in told, (number, told)
        core |= step.core
        profile = {name: value for name, value in (profile | step.profile).items() if value}
        blocks = await talk.core.blocks(user=ME.user)
        assert {block.label: block.content for block in blocks} == core, number
        assert {name: entry.value for name, entry in (await talk.profile.of(ME.user)).items()} == profile, number
    await _check_what_is_left(talk)
    assert any("메시지" in request.prompt and SUMMARY in request.prompt for request in openai_server.asked("reply"))


def _context(step: Step) -> Context:
    as_of = datetime.fromisoformat(step.as_of).replace(tzinfo=UTC) if step.as_of else None
    return Context(user=ME.user, as_of=as_of, time_zone="Asia/Seoul", history_tokens=300)


def _check_prompt(request: Request, step: Step, core: dict[str, str], number: int) -> None:
    """Every block stands in the system prompt, with its fill, as it was when the turn began."""
    system = request.body["messages"][0]["content"]
    for label, text in core.items():
        limit = HUMAN_LIMIT if label == "human" else 2000
        shown = system.partition(f'<block label="{label}" characters="{len(text)}/{limit}"')[2].partition("</block>")[0]
        assert shown.partition(">")[2].strip() == text, (number, label)
    memories = system.partition("\n<memories>\n")[2].partition("\n</memories>\n")[0]
    assert all(words in memories for words in step.shown), (number, memories)
    assert not any(words in memories for words in step.hidden), (number, memories)


async def _check_what_is_left(talk: Memory) -> None:
    """Nothing was overwritten: earlier versions of a block and past facts can be asked for."""
    persona = await talk.core.history("persona", user=ME.user)
    assert [version.block.content for version in persona] == [f"{HANA}\n{POLITE}", f"{DURI}\n{POLITE}", DURI]
    spring = Context(user=ME.user, as_known_at=datetime(2026, 4, 1, tzinfo=UTC))
    blocks = {block.label: block.content for block in await talk.core.blocks(context=spring)}
    assert blocks["persona"] == f"{DURI}\n{POLITE}" and blocks["human"] == ""
    homes = await talk.facts.facts(ME, attribute="home.city", history=True)
    assert [fact.value for fact in homes] == ["부산", "서울"]
    assert [fact.value for fact in await talk.facts.facts(ME, attribute="work.employer")] == []
    assert [fact.value for fact in await talk.facts.facts(ME, attribute="likes")] == ["김치찌개", "배구"]
    assert (await talk.facts.rebuild(ME, check=True)).identical
    assert SPRING in {thread.thread for thread in await talk.threads(user=ME.user)}
