"""Whether what memory does not know is told from what it does, by the relevance of the best that was found.

Six of the twenty questions that the data set holds unanswerable are answered in its facts: they count as answerable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.quality_naia import bank, memories_of, templates
from bench.quality_suite import OURS, Bench, Row, Suite, Target, is_odd
from bench.rankers import Question, Ranking
from bench.scores import mean, roc_auc

_ANSWERED = """
수영 자전거 트위터 와인 등산 유튜브 swimming bicycle Twitter wine hiking YouTube
"""
ANSWERABLE = ("direct_recall", "semantic_search", "entity_disambiguation", "unchanged_persistence")
UNANSWERABLE = ("abstention", "irrelevant_isolation")


async def run(bench: Bench) -> list[Row]:
    rows = []
    for language in ("ko", "en"):
        asked = bench.json(templates(language))["capabilities"]
        doubtful = _queries(bench, asked, UNANSWERABLE)
        known = _queries(bench, asked, ANSWERABLE) + [query for query in doubtful if _is_answered(query)]
        unknown = [query for query in doubtful if not _is_answered(query)]
        questions = [Question(query) for query in [*known, *unknown]]
        found = await bench.contest.run(f"abstention, {language}", memories_of(bench.json(bank(language))), questions)
        rows += _rows(language, len(known), len(unknown), found)
    return rows


def _rows(language: str, known: int, unknown: int, found: dict[str, list[Ranking]]) -> list[Row]:
    best = {who: [_best(ranking) for ranking in rankings] for who, rankings in found.items()}
    auc = {who: roc_auc(scores[:known], scores[known:]) for who, scores in best.items()}
    ours = found[OURS]
    return [
        Row("abstention", f"{language}: ROC AUC of the best one's relevance", known + unknown, auc, Target(0.85)),
        Row("abstention", f"{language}: answerable, and nothing found", known, {OURS: mean(_empty(ours[:known]))}),
        Row("abstention", f"{language}: unanswerable, and nothing found", unknown, {OURS: mean(_empty(ours[known:]))}),
    ]


def _queries(bench: Bench, asked: dict[str, Any], capabilities: Sequence[str]) -> list[str]:
    return [one["query"] for name in capabilities for one in bench.chosen(asked[name]["queries"], is_odd)]


def _is_answered(query: str) -> bool:
    """Whether it is one of the six, which these words are of."""
    return any(word in query for word in _ANSWERED.split())


def _best(ranking: Ranking) -> float:
    return max((found.relevance for found in ranking), default=0.0)


def _empty(rankings: Sequence[Ranking]) -> list[bool]:
    return [not ranking for ranking in rankings]


SUITE = Suite("abstention", tuple(name(language) for language in ("ko", "en") for name in (bank, templates)), run)
