"""A thousand facts about one person among small talk, asked for directly, by meaning, and several at once.

Recall is the share of the fact ids that a question names which stand among the first ten, mean over questions. The
strings that an answer should hold are looked for in the same ten: of a direct question all, else `min_expected` (1).
Odd-numbered questions are development.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from bench.quality_suite import OURS, Bench, Row, Suite, Target, is_odd
from bench.rankers import Memory, Question, Ranking, ids
from bench.scores import mean, recall_at

SAID_AT = datetime(2026, 1, 1, tzinfo=UTC)
TARGETS = {"direct_recall": 0.95, "semantic_search": 0.45, "multi_fact_synthesis": 0.35}
LABELS = {"direct_recall": "direct", "semantic_search": "by meaning", "multi_fact_synthesis": "several facts"}
ACROSS = 0.90
"""The share of the Korean figure that English questions over the same facts must reach."""
LANGUAGES = {"ko": "", "en": ".en"}


def bank(language: str) -> str:
    return f"naia_ko/fact-bank{LANGUAGES[language]}.json"


def templates(language: str) -> str:
    return f"naia_ko/query-templates{LANGUAGES[language]}.json"


async def run(bench: Bench) -> list[Row]:
    rows: list[Row] = []
    korean: dict[str, float | None] = {}
    for asked, stored in (("ko", "ko"), ("en", "ko"), ("en", "en")):
        way = f"{asked} over {stored}"
        questions = {name: _questions(bench, asked, name) for name in LABELS}
        memories = memories_of(bench.json(bank(stored)))
        flat = [Question(one["query"]) for group in questions.values() for one in group]
        rankings = await bench.contest.run(f"naia, {way}", memories, flat)
        texts = {memory.id: memory.text for memory in memories}
        start = 0
        for name, group in questions.items():
            found = {who: ranked[start : start + len(group)] for who, ranked in rankings.items()}
            start += len(group)
            recalled = {who: _recall(group, ranked) for who, ranked in found.items()}
            if way == "ko over ko":
                korean[name] = recalled[OURS]
            bound = TARGETS[name] if asked == stored else ACROSS * (korean[name] or 0.0)
            rows.append(Row("naia", f"{way}, {LABELS[name]}: R@10", len(group), recalled, Target(bound)))
            if asked == stored:
                said = {who: mean(_said(group, ranked, texts)) for who, ranked in found.items()}
                rows.append(Row("naia", f"{way}, {LABELS[name]}: the words are in it", len(group), said))
    return rows


def memories_of(facts: dict[str, Any]) -> list[Memory]:
    """The facts as notes, and what else was said."""
    noise = [Memory(f"noise {place}", text, SAID_AT) for place, text in enumerate(facts["noise_messages"])]
    return [*(Memory(fact["id"], fact["statement"], SAID_AT) for fact in facts["facts"]), *noise]


def _questions(bench: Bench, language: str, capability: str) -> list[Any]:
    return bench.chosen(bench.json(templates(language))["capabilities"][capability]["queries"], is_odd)


def _wanted(question: dict[str, Any]) -> list[str]:
    return question["facts"] if "facts" in question else [question["fact"]]


def _recall(questions: Sequence[dict[str, Any]], rankings: Sequence[Ranking]) -> float | None:
    pairs = zip(questions, rankings, strict=True)
    return mean(recall_at(10, ids(ranking), _wanted(question)) for question, ranking in pairs)


def _said(questions: Sequence[dict[str, Any]], rankings: Sequence[Ranking], texts: dict[str, str]) -> Iterator[bool]:
    """Whether the words of the answer stand in what was found."""
    for question, ranking in zip(questions, rankings, strict=True):
        content = "\n".join(texts[one] for one in ids(ranking)).lower()
        words = question.get("expected_contains") or question["expected_any"]
        held = sum(word.lower() in content for word in words)
        yield held >= (len(words) if "expected_contains" in question else question.get("min_expected", 1))


SUITE = Suite("naia", tuple(name(language) for language in LANGUAGES for name in (bank, templates)), run)
