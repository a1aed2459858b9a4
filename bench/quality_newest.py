"""What changed: the newest value must be found above the old ones, and nothing stale first.

Three data sets tell which statement replaces which. Where the attribute is known, the new value supersedes; the harder
reading, both as notes with their dates or as messages of a conversation, is reported as information. Every change is
asked about as of the moment after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bench.quality_naia import bank, memories_of, templates
from bench.quality_precision import BELIEFS, CASES, question_of
from bench.quality_precision import memories_of as memories_of_beliefs
from bench.quality_suite import Bench, Row, Suite, Target
from bench.rankers import Memory, Question, Ranking, ids
from bench.scores import first_place, hit_at, mean

CHANGED_AT = datetime(2026, 6, 1, tzinfo=UTC)
"""When the person of the Naia facts tells what has changed; the data gives no date."""
LEDGER = "naia_ko/ledger.jsonl"
CRI_TRUTH, CRI_MESSAGES = "cri/ground_truth.json", "cri/conversations.jsonl"
CRI_SLOTS = {
    "occupation": "work.role",
    "residence": "home.city",
    "location": "home.city",
    "relationship": "family.status",
    "diet": "food.diet",
    "political": "political.views",
}
"""The attribute by the word that stands in a fact's topic."""


@dataclass(frozen=True, slots=True)
class Change:
    question: Question
    newest: frozenset[str]
    stale: frozenset[str]


@dataclass(frozen=True, slots=True)
class History:
    """Memories of which some replace others, and what is asked about that."""

    name: str
    memories: Sequence[Memory]
    changes: Sequence[Change]

    def without_slots(self) -> History:
        return replace(self, memories=[replace(one, slot="", value="", until=None) for one in self.memories])


async def run(bench: Bench) -> list[Row]:
    told = [cri(bench), naia(bench), ledger(bench), beliefs(bench)]
    rows = [row for history in told for row in await _measured(bench, history, "slot known", True)]
    for history in told:
        rows += await _measured(bench, history.without_slots(), "notes with dates", False)
    return rows + await _measured(bench, cri_messages(bench), "messages", False)


async def _measured(bench: Bench, history: History, way: str, aimed: bool) -> list[Row]:
    """All places are compared: which one is above the other does not hang on what else is among the first ten."""
    name, changes = f"{history.name}, {way}", history.changes
    questions = [replace(change.question, whole=True) for change in changes]
    found = await bench.contest.run(f"newest: {name}", history.memories, questions, len(history.memories))

    def row(metric: str, holds: Callable[[Ranking, Change], bool], target: Target | None) -> Row:
        figures = {
            who: mean(holds(ranking, change) for ranking, change in zip(rankings, changes, strict=True))
            for who, rankings in found.items()
        }
        return Row("newest", f"{name}: {metric}", len(changes), figures, target if aimed else None)

    return [
        row("newest above the old", _newest_above, Target(0.98)),
        row("stale above the newest", _stale_first, Target(0.01, at_most=True)),
        row("newest among the first 10", lambda ranking, change: hit_at(10, ids(ranking), change.newest), None),
    ]


def _newest_above(ranking: Ranking, change: Change) -> bool:
    newest, stale = (first_place(ids(ranking), wanted) for wanted in (change.newest, change.stale))
    return newest is not None and (stale is None or newest < stale)


def _stale_first(ranking: Ranking, change: Change) -> bool:
    newest, stale = (first_place(ids(ranking), wanted) for wanted in (change.newest, change.stale))
    return stale is not None and (newest is None or stale < newest)


def naia(bench: Bench) -> History:
    """The update takes the place of the fact that it is about. Asked as the templates ask, else by the fact's topic."""
    facts = bench.json(bank("ko"))
    asked = {
        one["update"]: one["verify"]
        for capability in ("contradiction_direct", "contradiction_indirect")
        for one in bench.json(templates("ko"))["capabilities"][capability]["queries"]
    }
    targets = {update["target_fact"]: update for update in facts["updates"]}
    topics = {
        fact["id"]: fact["extractable_facts"][0].split(":")[0] for fact in facts["facts"] if fact["id"] in targets
    }
    before = [replace(one, slot=one.id if one.id in targets else "") for one in memories_of(facts)]
    after = [Memory(one["id"], one["statement"], CHANGED_AT, slot=target) for target, one in targets.items()]
    changes = [
        Change(Question(asked.get(one["statement"], topics[target])), frozenset({one["id"]}), frozenset({target}))
        for target, one in targets.items()
    ]
    return History("naia", [*before, *after], changes)


def ledger(bench: Bench) -> History:
    """Of each attribute what was said last holds. The same value said twice is one."""
    told = [one for one in bench.lines(LEDGER) if "id" in one]
    memories = []
    for one in told:
        attribute, value = one["groundTruthFact"].split(": ", 1)
        said_at = datetime.fromisoformat(one["timestamp"])
        memories.append(Memory(one["id"], one["utterance"], said_at, slot=attribute, value=value))
    changed = {one["id"] for one in told if "contradiction" in one}
    return History("ledger", memories, [_ledger_change(memories, one) for one in memories if one.id in changed])


def _ledger_change(memories: Iterable[Memory], changed: Memory) -> Change:
    known = [one for one in memories if one.slot == changed.slot and one.at <= changed.at]
    question = Question(f"내 {changed.slot.removeprefix('사용자 ')} 뭐야?", as_of=changed.at)
    newest = frozenset(one.id for one in known if one.value == changed.value)
    return Change(question, newest, frozenset(one.id for one in known) - newest)


def cri(bench: Bench) -> History:
    """The facts of a changing life, each from its day on; only those that replace something are asked for."""
    memories = cri_facts(bench.json(CRI_TRUTH)["temporal_facts"])
    changes = []
    for fact, memory in memories:
        before = frozenset(one.id for _, one in memories if one.slot == memory.slot and one.at < memory.at)
        if before:
            question = Question(fact["query_topic"], as_of=memory.at)
            changes.append(Change(question, frozenset({memory.id}), before))
    return History("cri", [replace(memory, until=None) for _, memory in memories], changes)


def cri_facts(facts: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], Memory]]:
    """The facts with their memories, in order of time. One of unknown start held a year before it ended."""
    memories = []
    for fact in facts:
        until = fact["valid_until"] and _day(fact["valid_until"])
        since = _day(fact["valid_from"]) if fact["valid_from"] else until - timedelta(days=365)
        slot = next(name for word, name in CRI_SLOTS.items() if word in fact["query_topic"])
        memory = Memory(fact["fact_id"], fact["description"], since, slot=slot, value=fact["value"], until=until)
        memories.append((fact, memory))
    return sorted(memories, key=lambda pair: pair[1].at)


def beliefs(bench: Bench) -> History:
    """The superseded beliefs of PrecisionMemBench, asked for by name: what took their place is the belief that holds."""
    told = {one["_id"]: one for one in bench.json(BELIEFS)}
    holding = {name: _last(told, name) for name in told}
    memories = [
        replace(one, slot=told[holding[one.id]]["canonical_name"]) for one in memories_of_beliefs(told.values())
    ]
    changes = []
    for case in bench.json(CASES):
        for newest in case["expect"].get("pinnedFacts", {}).get("mustInclude", ()):
            stale = frozenset(name for name, last in holding.items() if last == newest) - {newest}
            if stale and case["query"].strip():
                changes.append(Change(question_of(case), frozenset({newest}), stale))
    return History("beliefs", memories, changes)


def _last(told: dict[str, Any], name: str) -> str:
    """The belief at the end of the chain that superseded this one."""
    newer = told[name]["superseded_by"]
    return _last(told, newer) if newer else name


def cri_messages(bench: Bench) -> History:
    """The conversation itself: of two messages that conflict, the later one holds."""
    memories = [
        Memory(
            str(one["message_id"]),
            f"{one['role']}: {one['content']}",
            datetime.fromisoformat(one["timestamp"]).replace(tzinfo=UTC),
            thread=one["session_id"],
            exchange=True,
        )
        for one in bench.lines(CRI_MESSAGES)
    ]
    conflicts = [(one["topic"], *map(str, one["introduced_at_messages"])) for one in bench.json(CRI_TRUTH)["conflicts"]]
    changes = [Change(Question(topic), frozenset({new}), frozenset({old})) for topic, old, new in conflicts]
    return History("cri", memories, changes)


def _day(date: str) -> datetime:
    return datetime.fromisoformat(date).replace(tzinfo=UTC)


SUITE = Suite("newest", (CRI_TRUTH, CRI_MESSAGES, bank("ko"), templates("ko"), LEDGER, BELIEFS, CASES), run)
