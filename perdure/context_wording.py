"""The words around the memories in a prompt, in English and Korean."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Literal

from perdure.turn import Language

Section = Literal["facts", "lessons", "episodes", "tasks"]


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
    moved: str
    """Of older messages that are no longer in the prompt."""
    nearly: str
    """Before that happens."""

    def date(self, instant: datetime, zone: tzinfo) -> str:
        return self.day.format(instant.astimezone(zone))


WORDINGS: dict[Language, Wording] = {
    "en": Wording(
        sections={
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
        moved="The {count} oldest messages of this conversation no longer stand here: the summary covers them, and"
        " conversation_search finds them word for word.",
        nearly="This conversation fills {percent} % of what you can see of it. Soon its oldest messages will be summarised:"
        " put what must not be lost into core memory.",
    ),
    "ko": Wording(
        sections={
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
        moved="이 대화의 가장 오래된 메시지 {count}개는 더 이상 여기에 없습니다. 요약에 담겨 있고, conversation_search로 원문을 찾을"
        " 수 있습니다.",
        nearly="이 대화가 볼 수 있는 양의 {percent}%를 채웠습니다. 곧 가장 오래된 메시지가 요약됩니다. 잃어서는 안 되는 것은 핵심"
        " 기억에 적어 두세요.",
    ),
}
