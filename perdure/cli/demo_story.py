"""What the demo plays, on the real graph and a real database: each scene does something, and checks what came of it."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from perdure.cli.render import receipt_line, shown, term
from perdure.facts import Fact
from perdure.graph.context import Context
from perdure.threads import thread_key
from perdure.when import parse_when

if TYPE_CHECKING:
    from perdure.memory import Memory

MINJI = Context(user="minji")
ALEX = Context(user="alex")
HOBBY = "내 취미는 등산이야."
ALLERGY = "나는 땅콩 알레르기가 있어."


@dataclass(frozen=True, slots=True)
class Stage:
    memory: Memory
    now: datetime

    async def turn(
        self, who: Context, thread: str, text: str, sent_at: datetime | None = None
    ) -> tuple[str, list[str]]:
        """The reply, and the turn as lines to show."""
        answer = await self.memory.ask(text, thread=thread, context=who, sent_at=sent_at)
        said = f"{who.user}, {thread}{f', {sent_at.date()}' if sent_at else ''}: {text}"
        wrote = [f"  wrote {receipt_line(receipt)}" for receipt in answer.written]
        return answer.text, [said, f"  perdure: {shown(answer.text)}", *wrote]

    async def thread(self, who: Context, thread: str) -> tuple[list[str], list[str]]:
        """The nodes that the thread has still to run, and who said each of its messages."""
        state = await self.memory.graph.aget_state({"configurable": {"thread_id": thread_key(who.scope, thread)}})
        return [task.name for task in state.tasks], [message.type for message in state.values["messages"]]

    async def facts(self, who: Context, attribute: str) -> list[Fact]:
        return await self.memory.facts.facts(who.scope, attribute=attribute, history=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is shown of a scene, what was expected of it, and whether it came so."""

    lines: list[str]
    expected: str
    met: bool


@dataclass(frozen=True, slots=True)
class Scene:
    title: str
    play: Callable[[Stage], Awaitable[Outcome]]


async def _told_in_korean(stage: Stage) -> Outcome:
    _, first = await stage.turn(MINJI, "thread-1", "나는 부산에 살아.", parse_when("two years ago", stage.now))
    _, second = await stage.turn(MINJI, "thread-2", "지난달에 서울로 이사했어.")
    homes = await stage.facts(MINJI, "home.city")
    met = [fact.value for fact in homes] == ["부산", "서울"] and homes[0].valid_to == homes[1].valid_from
    return Outcome([*first, *second], "서울 supersedes 부산, which keeps its term", met)


async def _asked_in_korean(stage: Stage) -> Outcome:
    reply, lines = await stage.turn(MINJI, "thread-3", "나 어디 살아?")
    return Outcome(lines, "a new thread knows that it is 서울", "서울" in reply)


async def _in_english(stage: Stage) -> Outcome:
    _, first = await stage.turn(ALEX, "thread-1", "I live in Busan.", parse_when("two years ago", stage.now))
    _, second = await stage.turn(ALEX, "thread-2", "I moved to Seoul last month.")
    reply, third = await stage.turn(ALEX, "thread-3", "Where do I live?")
    homes = await stage.facts(ALEX, "home.city")
    met = "Seoul" in reply and [fact.value for fact in homes] == ["Busan", "Seoul"]
    return Outcome([*first, *second, *third], "the same in English, for another user: Seoul", met)


async def _across_languages(stage: Stage) -> Outcome:
    reply, lines = await stage.turn(MINJI, "thread-4", "Where do I live?")
    return Outcome(lines, "an English question finds the Korean fact, 서울", "서울" in reply)


async def _killed_and_resumed(stage: Stage) -> Outcome:
    place = (str(stage.memory.settings.home), MINJI.user, "thread-5", HOBBY)
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "perdure.cli.demo_victim", *place, stderr=asyncio.subprocess.PIPE
    )
    _, errors = await child.communicate()
    lines = [f"minji, thread-5: {HOBBY}", f"  the process that took this turn ended with {child.returncode}"]
    if child.returncode != -signal.SIGKILL:
        return Outcome([*lines, *errors.decode(errors="replace").splitlines()[-3:]], "it was to die by SIGKILL", False)
    left, _ = await stage.thread(MINJI, "thread-5")
    answer = await stage.memory.resume("thread-5", context=MINJI)
    lines += [
        f"  thread-5 is unfinished: {', '.join(left)}",
        f"  perdure, resumed: {shown(answer.text)}",
        *(f"  wrote {receipt_line(receipt)}" for receipt in answer.written),
    ]
    after, speakers = await stage.thread(MINJI, "thread-5")
    hobbies = await stage.facts(MINJI, "hobby")
    met = left == ["extract"] and not after and speakers == ["human", "ai"] and len(hobbies) == 1
    return Outcome(lines, "the turn goes on where it stopped: one reply, and its fact once", met)


async def _asked_before_writing(stage: Stage) -> Outcome:
    _, lines = await stage.turn(MINJI, "thread-6", ALLERGY)
    (waiting,) = await stage.memory.pending(context=MINJI)
    before = await stage.facts(MINJI, "health.allergy")
    lines += [f"  thread-6 waits: {shown(request['description'])}" for request in waiting.requests]
    reviewed = MINJI.model_copy(update={"reviewer": "minji"})
    answer = await stage.memory.resume("thread-6", context=reviewed, decisions=[{"type": "approve"}])
    lines += ["  minji approves", *(f"  wrote {receipt_line(receipt)}" for receipt in answer.written)]
    after = await stage.facts(MINJI, "health.allergy")
    met = not before and len(after) == 1 and await stage.memory.pending(context=MINJI) == []
    return Outcome(lines, "nothing is stored of it until a person agrees", met)


async def _as_of_a_year_ago(stage: Stage) -> Outcome:
    moment = parse_when("1년 전", stage.now)
    hits = await stage.memory.recall("어디 살아?", context=MINJI, as_of=moment)
    homes = [hit for hit in hits if hit.attribute == "home.city"]
    lines = [f"recall '어디 살아?' as of {moment.date()}"]
    lines += [f"  {shown(hit.content)} ({term(hit.valid_from, hit.valid_to)})" for hit in homes]
    return Outcome(lines, "what was true then: 부산, and not 서울", [hit.value for hit in homes] == ["부산"])


SCENES = (
    Scene("A fact is told, and later superseded", _told_in_korean),
    Scene("Another thread asks", _asked_in_korean),
    Scene("The same in English", _in_english),
    Scene("An English question over Korean facts", _across_languages),
    Scene("A process is killed in mid-turn, and the thread resumed", _killed_and_resumed),
    Scene("What is delicate waits for a person", _asked_before_writing),
    Scene("Recall as of a year ago", _as_of_a_year_ago),
)
