"""PrecisionMemBench: exactly the beliefs that a query is about, of this user and scope, that still hold.

A scope is an agent (`domain:code` is `code`), `user:universal` is what all share, a query in several scopes the union of
its searches. All beliefs are stored, with the names that they are known by. The benchmark wants pinned beliefs, open
questions and universal ones through other channels: of what is found, only the rest is compared, and pinned beliefs take
their places of the budget. Odd-numbered queries are development.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bench.quality_suite import Bench, Row, Suite, Target, is_odd
from bench.rankers import Memory, Question, Ranking, ids
from bench.scores import mean, set_score

BELIEFS, CASES = "precisionmembench/beliefs.seed.json", "precisionmembench/retrieval.cases.json"
SESSIONS = "precisionmembench/session-retrieval.cases.json"
SHARED = "user:universal"
BUDGET = 12


@dataclass(frozen=True, slots=True)
class Case:
    question: Question
    wanted: frozenset[str]
    forbidden: frozenset[str]
    budget: int


async def run(bench: Bench) -> list[Row]:
    beliefs = bench.json(BELIEFS)
    eligible = {one["_id"] for one in beliefs if _by_search(one)}
    memories = [*memories_of(beliefs)]
    rows: list[Row] = []
    for name, cases in (("single queries", _single(bench, beliefs)), ("sessions", _sessions(bench, beliefs))):
        questions = [case.question for case in cases]
        found = await bench.contest.run(f"precision, {name}", memories, questions, len(memories))
        got = {who: [_compared(*pair, eligible) for pair in zip(r, cases, strict=True)] for who, r in found.items()}
        rows += _rows(name, cases, got)
    return rows


def _rows(name: str, cases: Sequence[Case], got: dict[str, list[list[str]]]) -> Iterator[Row]:
    scores = {
        who: set_score(zip(returned, [case.wanted for case in cases], strict=True)) for who, returned in got.items()
    }
    recall, precision = ({who: getattr(s, part) for who, s in scores.items()} for part in ("recall", "precision"))
    pairs = {who: list(zip(returned, cases, strict=True)) for who, returned in got.items()}
    exact = {who: mean(set(ids) == case.wanted for ids, case in both) for who, both in pairs.items()}
    leaked = {who: mean(not case.forbidden.isdisjoint(ids) for ids, case in both) for who, both in pairs.items()}
    yield Row("precision", f"{name}: recall", len(cases), recall, Target(0.95))
    yield Row("precision", f"{name}: precision", len(cases), precision, Target(0.60))
    yield Row("precision", f"{name}: exactly the set", len(cases), exact)
    yield Row("precision", f"{name}: something forbidden", len(cases), leaked)


def memories_of(beliefs: Iterable[dict[str, Any]]) -> Iterator[Memory]:
    """What was superseded, or resolved, has a term that ended then."""
    beliefs = list(beliefs)
    since = {belief["_id"]: datetime.fromisoformat(belief["created_at"]) for belief in beliefs}
    for belief in beliefs:
        resolved = belief["resolved_at"] and datetime.fromisoformat(belief["resolved_at"])
        yield Memory(
            belief["_id"],
            f"{belief['canonical_name']} {' '.join(belief['aliases'])}: {belief['content']}",
            since[belief["_id"]],
            belief["user_id"],
            _agent(belief["scope"][0]),
            slot=belief["canonical_name"],
            aliases=tuple(belief["aliases"]),
            until=since.get(belief["superseded_by"]) or resolved,
        )


def _by_search(belief: dict[str, Any]) -> bool:
    return not belief["pinned"] and belief["type"] != "open_question" and SHARED not in belief["scope"]


def _agent(scope: str) -> str:
    return "" if scope == SHARED else scope.removeprefix("domain:")


def _compared(ranking: Ranking, case: Case, eligible: set[str]) -> list[str]:
    return [one for one in ids(ranking) if one in eligible or one in case.forbidden][: case.budget]


def _single(bench: Bench, beliefs: Sequence[dict[str, Any]]) -> list[Case]:
    return [
        _case(one, beliefs, one.get("budget", {}).get("maxBeliefs", BUDGET))
        for one in bench.chosen(bench.json(CASES), is_odd)
        if "relevantBeliefs" in one["expect"]
    ]


def _sessions(bench: Bench, beliefs: Sequence[dict[str, Any]]) -> list[Case]:
    """Each turn as a query of its own: what the conversation taught in between is not replayed."""
    return [_case(turn, beliefs, BUDGET) for one in bench.json(SESSIONS) for turn in one["turns"]]


def question_of(told: dict[str, Any]) -> Question:
    """The query, or what the user says, in its scopes."""
    agents = tuple(_agent(scope) for scope in told["scope"])
    return Question(told.get("query") or told.get("userMessage", ""), told.get("userId", "test-user"), agents)


def _case(told: dict[str, Any], beliefs: Sequence[dict[str, Any]], budget: int) -> Case:
    question = question_of(told)
    expected = told["expect"]["relevantBeliefs"]
    pinned = sum(
        one["pinned"]
        and one["type"] != "open_question"
        and one["user_id"] == question.user
        and one["scope"][0] in told["scope"]
        for one in beliefs
    )
    noise = told["expect"].get("noiseCheck", {}).get("mustNotSurface", [])
    return Case(
        question,
        frozenset(expected.get("shouldOnlyInclude", [])),
        frozenset([*expected.get("mustExclude", []), *noise]),
        budget if budget == BUDGET else max(0, budget - pinned),
    )


SUITE = Suite("precision", (BELIEFS, CASES, SESSIONS), run)
