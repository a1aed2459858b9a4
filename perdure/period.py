"""A period as people are told of it: by its first and its last day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line shows periods too, and `--help` must not wait for LangChain
    from perdure.turn import Language

_INSTANT = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Form:
    between: str
    since: str
    until: str


ARROWS = Form("{0} → {1}", "{0} →", "→ {0}")
WORDS: Mapping[Language, Form] = {
    "en": Form("{0} to {1}", "from {0}", "until {0}"),
    "ko": Form("{0}부터 {1}까지", "{0}부터", "{0}까지"),
}


def period(since: datetime | None, until: datetime | None, day: Callable[[datetime], str], form: Form) -> str:
    """The days from `since` to before `until`, as `day` writes them; a single one stands by itself.

    None is no bound on that side. What has no bounds at all is an empty text.
    """
    first, last = day(since) if since else "", day(until - _INSTANT) if until else ""
    if first == last:
        return first
    if first and last:
        return form.between.format(first, last)
    return form.since.format(first) if first else form.until.format(last)
