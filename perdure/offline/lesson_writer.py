"""What tasks have taught, without a model: the approaches that went well, and those that did not, with what came of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from perdure.lesson import LessonText, Result, Tried
from perdure.text import normalise
from perdure.turn import Language

APPROACHES = 3
"""So many are told of each sort, those tried most often first."""
EXCERPT = 200
"""Characters of an approach, or of what came of it."""


class RuleLessonWriter:
    """Implements `perdure.ports.LessonWriter` without a model."""

    async def write(self, tried: Sequence[Tried], language: Language, *, model: str = "") -> LessonText:
        return LessonText(
            works=_approaches(tried, "well"), fails=_approaches(tried, "badly"), tried=_approaches(tried, "unknown")
        )


def _approaches(tried: Sequence[Tried], result: Result) -> str:
    """Each approach once, with what came of it the last time."""
    of_result = [one for one in tried if one.result == result]
    often = Counter(normalise(one.approach) for one in of_result)
    last = {normalise(one.approach): one for one in of_result}
    return "; ".join(_told(last[approach]) for approach, _ in often.most_common(APPROACHES))


def _told(one: Tried) -> str:
    came = f"{one.outcome} ({one.error})" if one.error else one.outcome
    return f"{_excerpt(one.approach)} → {_excerpt(came)}"


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…"
