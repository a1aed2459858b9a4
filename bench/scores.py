"""Measures of a ranking, after Manning, Raghavan & Schütze, Introduction to Information Retrieval (2008), chapter 8.

A ranking is the ids that were found, best first. Every figure is in 0..1.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass


def recall_at(k: int, ranking: Sequence[str], wanted: Collection[str]) -> float:
    """The share of the wanted ids that stand among the first `k`. Raises `ValueError` if nothing is wanted."""
    if not wanted:
        raise ValueError("nothing is wanted: a question without an answer has no recall")
    return len(set(ranking[:k]) & set(wanted)) / len(set(wanted))


def hit_at(k: int, ranking: Sequence[str], ids: Collection[str]) -> bool:
    """Whether one of these ids stands among the first `k`: of forbidden ones, that is a failure."""
    return not set(ids).isdisjoint(ranking[:k])


def first_place(ranking: Sequence[str], ids: Collection[str]) -> int | None:
    """The place of the first of these ids, counted from 1; None if none was found."""
    return next((place for place, found in enumerate(ranking, 1) if found in ids), None)


def reciprocal_rank(ranking: Sequence[str], wanted: Collection[str]) -> float:
    """One over the place of the first wanted id, 0 if none was found; its mean over questions is the MRR."""
    place = first_place(ranking, wanted)
    return 1 / place if place else 0.0


def roc_auc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """How often a positive score is above a negative one, a tie counting half (Mann & Whitney 1947); None without both."""
    if not positive or not negative:
        return None
    ordered = sorted(negative)
    above = sum(bisect_left(ordered, score) + bisect_right(ordered, score) for score in positive)
    return above / (2 * len(positive) * len(negative))


@dataclass(frozen=True, slots=True)
class SetScore:
    """Precision and recall of id sets, over all cases together."""

    precision: float | None
    """None where nothing was found."""
    recall: float | None
    """None where nothing was wanted."""


def set_score(cases: Iterable[tuple[Collection[str], Collection[str]]]) -> SetScore:
    """``cases`` are what was found and what was wanted, case by case."""
    right = found = wanted = 0
    for got, expected in cases:
        right += len(set(got) & set(expected))
        found += len(set(got))
        wanted += len(set(expected))
    return SetScore(right / found if found else None, right / wanted if wanted else None)


def mean(values: Iterable[float]) -> float | None:
    """None for no values."""
    counted = list(values)
    return sum(counted) / len(counted) if counted else None
