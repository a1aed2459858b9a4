"""The words around the memories in a prompt, in English and Korean."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal

from perdure.turn import Language

Section = Literal["core", "facts", "lessons", "episodes", "tasks"]


@dataclass(frozen=True, slots=True)
class Wording:
    sections: dict[Section, str]
    """The headings, in the order of the sections."""
    since: str
    told: str
    unknown: str
    happened: str
    until: str
    ended: str
    ended_sometime: str
    now: str
    asked: str
    nothing: str
    day: str

    def date(self, instant: datetime, zone: tzinfo) -> str:
        return self.day.format(instant.astimezone(zone))


WORDINGS: dict[Language, Wording] = {
    "en": Wording(
        sections={
            "core": "Always to be kept in mind:",
            "facts": "Facts:",
            "lessons": "What earlier tasks taught:",
            "episodes": "What was said and what happened:",
            "tasks": "How tasks like this one went (approach → outcome):",
        },
        since="since {date}",
        told="as told on {date}",
        unknown="since an unknown date",
        happened="on {date}",
        until=" (until {date})",
        ended=" (no longer true since {date})",
        ended_sometime=" (no longer true)",
        now="now ({date})",
        asked="the time that the question speaks of, {words} ({days})",
        nothing="(none)",
        day="{0:%Y}-{0:%m}-{0:%d}",
    ),
    "ko": Wording(
        sections={
            "core": "늘 염두에 둘 것:",
            "facts": "사실:",
            "lessons": "이전 작업에서 얻은 교훈:",
            "episodes": "나눈 말과 있었던 일:",
            "tasks": "비슷한 작업의 사례(방법 → 결과):",
        },
        since="{date}부터",
        told="{date}에 들은 바로는",
        unknown="언제부터인지 모름",
        happened="{date}",
        until=" ({date}까지 예정)",
        ended=" ({date}까지)",
        ended_sometime=" (이제는 아님)",
        now="지금({date})",
        asked="질문에서 말하는 때인 {words}({days})",
        nothing="(없음)",
        day="{0.year}년 {0.month}월 {0.day}일",
    ),
}
