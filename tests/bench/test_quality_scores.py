"""The measures of a ranking, against values worked out by hand."""

from __future__ import annotations

import pytest

from bench.scores import SetScore, first_place, hit_at, mean, recall_at, reciprocal_rank, roc_auc, set_score

RANKING = ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("k", "wanted", "expected"),
    [(2, {"a"}, 1.0), (2, {"b", "c"}, 0.5), (2, {"c", "d"}, 0.0), (9, {"a", "b", "x"}, 2 / 3), (0, {"a"}, 0.0)],
)
def test_recall_is_the_share_of_what_is_wanted(k: int, wanted: set[str], expected: float) -> None:
    assert recall_at(k, RANKING, wanted) == pytest.approx(expected)


def test_a_question_without_an_answer_has_no_recall() -> None:
    with pytest.raises(ValueError, match="nothing is wanted"):
        recall_at(5, RANKING, [])


def test_what_is_found_twice_counts_once() -> None:
    assert recall_at(2, ["a", "a", "b"], {"a", "b"}) == 0.5


def test_a_place_counts_from_one() -> None:
    assert first_place(RANKING, {"c", "d"}) == 3
    assert first_place(RANKING, {"x"}) is None
    assert reciprocal_rank(RANKING, {"c", "d"}) == pytest.approx(1 / 3)
    assert reciprocal_rank(RANKING, {"x"}) == 0
    assert hit_at(3, RANKING, ["c"]) and not hit_at(2, RANKING, ["c"])


@pytest.mark.parametrize(
    ("positive", "negative", "expected"),
    [
        ([0.9, 0.8], [0.1, 0.2], 1.0),
        ([0.1], [0.2], 0.0),
        ([0.5], [0.5], 0.5),
        ([0.9, 0.4], [0.5, 0.4], 0.625),  # of four pairs 0.9 wins two, 0.4 loses one and ties one
        ([], [0.1], None),
        ([0.1], [], None),
    ],
)
def test_the_area_is_how_often_a_positive_is_above(
    positive: list[float], negative: list[float], expected: float | None
) -> None:
    assert roc_auc(positive, negative) == expected


def test_sets_are_compared_over_all_cases_together() -> None:
    cases: list[tuple[list[str], list[str]]] = [(["a", "b", "c"], ["a"]), ([], ["d"]), (["e"], [])]
    assert set_score(cases) == SetScore(precision=1 / 4, recall=1 / 2)
    assert set_score([([], [])]) == SetScore(None, None)


def test_there_is_no_mean_of_nothing() -> None:
    assert mean([]) is None
    assert mean([True, False, 1.0]) == pytest.approx(2 / 3)
