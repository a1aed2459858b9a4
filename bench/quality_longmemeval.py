"""A smoke test on sixteen questions of LongMemEval (Wu et al. 2025): all their sessions are one user's conversations."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from bench.quality_suite import Bench, Row, Suite
from bench.rankers import Memory, Question, ids
from bench.scores import mean, recall_at

QUESTIONS, SESSIONS = "longmemeval_subset/questions.jsonl", "longmemeval_subset/sessions.jsonl"
DEPTH = 50
"""Turns that are looked through for the first ten sessions."""


async def run(bench: Bench) -> list[Row]:
    asked, sessions = bench.lines(QUESTIONS), bench.lines(SESSIONS)
    memories = [_memory(turn) for session in sessions for turn in session["turns"]]
    evidence = {
        session["id"]: {turn["id"] for turn in session["turns"] if turn["metadata"]["has_answer"]}
        for session in sessions
    }
    session_of = {memory.id: memory.thread for memory in memories}
    found = await bench.contest.run("longmemeval", memories, [Question(one["question"]) for one in asked], DEPTH)
    turns = {who: [ids(ranking) for ranking in rankings] for who, rankings in found.items()}
    threads = {who: [_distinct(session_of[one] for one in ranking) for ranking in r] for who, r in turns.items()}
    supporting = [one["ground_truth"]["supporting_session_ids"] for one in asked]
    wanted_turns = [{turn for session in one for turn in evidence.get(session, ())} for one in supporting]
    return [
        Row("longmemeval", f"{what}: R@{k}", len(asked), {who: _recall(k, r, wanted) for who, r in rankings.items()})
        for what, rankings, wanted in (("turns", turns, wanted_turns), ("sessions", threads, map(set, supporting)))
        for wanted in [list(wanted)]
        for k in (5, 10)
    ]


def _memory(turn: dict[str, Any]) -> Memory:
    said_at = datetime.strptime(turn["timestamp"], "%Y/%m/%d (%a) %H:%M").replace(tzinfo=UTC)
    text = f"{turn['role']}: {turn['content']}"
    return Memory(turn["id"], text, said_at, thread=turn["session_id"], exchange=True)


def _recall(k: int, rankings: list[list[str]], wanted: list[set[str]]) -> float | None:
    return mean(recall_at(k, ranking, one) for ranking, one in zip(rankings, wanted, strict=True) if one)


def _distinct(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


SUITE = Suite("longmemeval", (QUESTIONS, SESSIONS), run)
