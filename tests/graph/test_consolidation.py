"""The consolidation as an application runs it: by rule or by a model, over whole memories, cut short, undone."""

from __future__ import annotations

import asyncio
import json

import pytest
from clock import SetClock
from openai_script import Answer, Request
from scripted_openai import Fail, Hang, Say, ScriptedOpenAI

from perdure import Context, Memory
from perdure.consolidation import Progress
from perdure.errors import ModelUnavailable, NotFound
from perdure.merging import CHANGED
from perdure.nodes.propose import BY_MODEL, BY_RULE, LONGEST, NOT_THE_SAME, UNREADABLE
from perdure.stores import consolidation as store

SAME = ("에디터는 Neovim 쓰고 있어", "에디터는 Neovim 씁니다.", "에디터는 Neovim 쓴다")
OTHERS = ("에디터는 Helix 쓰고 있어", "에디터는 Neovim 안 써", "에디터는 Neovim 11 쓰고 있어", "에디터는 Neovim 썼어")
ENGLISH = ("I live in Seongsu-dong these days", "These days I live in Seongsu-dong")
SENTENCE = "에디터는 Neovim 써요"


async def tell(memory: Memory, *contents: str, user: str = "u1") -> None:
    for content in contents:
        await memory.remember(content, user=user)


async def told(memory: Memory, user: str = "u1") -> set[str]:
    return {fact.content for fact in await memory.facts.facts(Context(user=user).scope)}


def worded(sentence: str, *, same: bool = True) -> str:
    return json.dumps({"same": same, "sentence": sentence}, ensure_ascii=False)


async def test_by_rule_what_says_the_same_is_one_and_nothing_else_is(memory: Memory, clock: SetClock) -> None:
    await tell(memory, *SAME, *OTHERS, *ENGLISH)
    before = await memory.facts.facts(Context(user="u1").scope)
    preview = await memory.consolidation.run(user="u1", similarity=0.5, dry_run=True)
    assert (preview.merged, preview.left_alone, preview.surveyed) == (2, 0, 9)
    assert {one["outcome"] for one in preview.merges} == {"would merge"}
    assert await memory.facts.facts(Context(user="u1").scope) == before
    heard: list[Progress] = []
    report = await memory.consolidation.run(user="u1", similarity=0.5, tell=heard.append)
    assert (report.merged, {one["why"] for one in report.merges}) == (2, {BY_RULE})
    assert [one["merge"] for one in report.merges] == [one["merge"] for one in preview.merges]
    assert [one for step in heard for one in step.done] == report.merges and heard[
        -1
    ].surveyed >= 9  # what was merged may be looked at again
    assert await told(memory) == {SAME[0], ENGLISH[0], *OTHERS}
    assert (await memory.facts.rebuild(Context(user="u1").scope, check=True)).identical
    assert await memory.threads(user="u1") == []
    assert (await memory.consolidation.run(user="u1", similarity=0.5)).merges == []
    for merge in await memory.consolidation.list(user="u1"):
        assert (await memory.consolidation.undo(merge.merge, user="u1")).undone
    assert await told(memory) == {*SAME, *OTHERS, *ENGLISH}
    assert (await memory.consolidation.run(user="u1", similarity=0.5)).merges == []
    with pytest.raises(NotFound):
        await memory.consolidation.undo("consolidation-none", user="u1")


@pytest.mark.parametrize(
    ("answer", "left", "why"),
    [
        (worded(SENTENCE), SENTENCE, BY_MODEL),
        (worded(SENTENCE.replace("Neovim", "Helix")), SAME[0], LONGEST),
        (worded(SENTENCE.replace("써요", "11 써요")), SAME[0], LONGEST),
        (worded(SENTENCE.replace("써요", "안 써요")), SAME[0], LONGEST),
        (worded(""), SAME[0], LONGEST),
        (worded("", same=False), "", NOT_THE_SAME),
        ("they are the same", "", UNREADABLE),
    ],
)
async def test_a_model_words_it_as_far_as_the_sources_go(
    modelled: Memory, openai_server: ScriptedOpenAI, answer: str, left: str, why: str
) -> None:
    await tell(modelled, *SAME)
    openai_server.always("extract", Say(answer))
    report = await modelled.consolidation.run(user="u1", similarity=0.5)
    assert [one["why"] for one in report.merges] == [why]
    assert await told(modelled) == ({left} if left else set(SAME))
    (asked,) = openai_server.asked("extract")
    assert sorted(sentences_of(asked)) == sorted(SAME) and "문장 3개" in asked.prompt


async def test_what_is_said_during_the_models_minute_is_never_overwritten(
    modelled: Memory, openai_server: ScriptedOpenAI
) -> None:
    await tell(modelled, *SAME)
    openai_server.always("extract", Hang(then=worded(SENTENCE)))
    running = asyncio.create_task(modelled.consolidation.run(user="u1", similarity=0.5))
    while not openai_server.asked("extract"):  # noqa: ASYNC110  # the server asked is another thread
        await asyncio.sleep(0.02)
    target = next(fact for fact in await modelled.facts.facts(Context(user="u1").scope) if fact.content == SAME[1])
    await modelled.end(str(target.id), user="u1")
    openai_server.release()
    report = await running
    assert [(one["outcome"], one["why"]) for one in report.merges] == [("left alone", CHANGED)]
    assert await told(modelled) == {SAME[0], SAME[2]}


async def test_a_run_that_a_failing_model_cut_short_goes_on_where_it_was(
    modelled: Memory, openai_server: ScriptedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch of one fact a time: many steps, of which those that are done are not done again."""
    monkeypatch.setattr(store, "SEEDS", 1)
    editors = [f"에디터는 {name} {ending}" for name in ("Neovim", "Helix", "Emacs") for ending in ("써", "쓴다")]
    await tell(modelled, *editors)

    def one_fails(request: Request) -> Answer:
        asked_about = {sentences_of(one)[0] for one in openai_server.asked("extract")}
        return Fail(500) if len(asked_about) == 2 else Say(worded(sentences_of(request)[0]))

    openai_server.always("extract", one_fails)
    with pytest.raises(ModelUnavailable):
        await modelled.consolidation.run(user="u1", similarity=0.5)
    assert len(await told(modelled)) == 5
    openai_server.always("extract", lambda request: Say(worded(sentences_of(request)[0])))
    openai_server.requests.clear()
    report = await modelled.consolidation.run(user="u1", similarity=0.5)
    assert (report.merged, len(openai_server.asked("extract"))) == (3, 2)
    assert len(await told(modelled)) == 3 and await modelled.threads(user="u1") == []


def sentences_of(request: Request) -> list[str]:
    return list(json.loads(request.body["messages"][1]["content"])["sentences"])


async def test_a_run_in_another_way_begins_anew(modelled: Memory, openai_server: ScriptedOpenAI) -> None:
    await tell(modelled, *SAME)
    openai_server.always("extract", Fail(500))
    with pytest.raises(ModelUnavailable):
        await modelled.consolidation.run(user="u1", similarity=0.5)
    openai_server.always("extract", Say(worded(SENTENCE)))
    assert (await modelled.consolidation.run(user="u1", similarity=0.5, dry_run=True)).merged == 1
    assert await told(modelled) == set(SAME)


async def test_two_at_once_do_the_work_of_one(memory: Memory) -> None:
    await tell(memory, *SAME)
    reports = await asyncio.gather(*(memory.consolidation.run(user="u1", similarity=0.5) for _ in range(2)))
    assert sorted(report.merged for report in reports) == [0, 1]
