"""What was said wrongly: "I meant Incheon, not Ilsan", "아니, 일산이 아니라 인천이야", "Correction: …", "정정: …"."""

from __future__ import annotations

import re

from perdure.offline.korean_words import COPULA
from perdure.turn import Language

_WORDS = r"[^\s,;!?]+(?: [^\s,;!?]+){0,3}?"
_INSTEAD = {
    "en": re.compile(
        rf"\b(?:meant|mean|I'm|I am|it's|it is|it was|that's|is|in|at|to|no,|sorry,|actually,?) (?!I (?:meant|mean)\b)"
        r"(?:actually |in |at |to )?"
        rf"(?P<new>{_WORDS}),? (?:and )?not (?:in |at |to )?(?P<old>{_WORDS})[.!]*$"
        rf"|\bnot (?:in |at |to )?(?P<old2>{_WORDS}),? (?:but|it's|I meant|it is)(?: in| at)? (?P<new2>{_WORDS})[.!]*$",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        rf"(?:^|\s)(?P<old>[^\s,]{{1,40}}?)(?:이|가)? ?아니(?:라|고|야),? (?:사실은? )?(?P<new>[^,]{{1,40}}?)(?:에 살\S*"
        rf"|{COPULA})[.!~\s]*$"
        rf"|(?:^|\s)(?P<new2>[^\s,]{{1,40}}?)(?:이지|지),? (?P<old2>[^\s,]{{1,40}}?)(?:이|가)? 아니(?:야|에요|예요|입니다)[.!~\s]*$"
    ),
}
_ANNOUNCED = re.compile(
    r"^(?:(?:no|sorry|oops|wait|아니|미안(?:해요?)?|앗)[,.! ]+)*(?:correction|typo|I misspoke(?: earlier)?|let me correct"
    r" (?:that|myself)|정정(?:할게요?|합니다|하자면)?|오타(?:야|예요|였어요?|입니다)?"
    r"|(?:내가 |제가 )?잘못 (?:말했(?:어요?|네요?)|말씀드렸(?:어요|네요|습니다)))\s*[:,.!]?\s+",
    re.IGNORECASE,
)


def instead(clause: str, language: Language) -> tuple[str, str] | None:
    """The new and the old value of "Incheon, not Ilsan", or None."""
    if not (found := _INSTEAD[language].search(clause)):
        return None
    new, old = found["new"] or found["new2"], found["old"] or found["old2"]
    return new.strip(" ."), old.strip(" .")


def without_announcement(sentence: str) -> str | None:
    """The sentence without "Correction:" or "정정:", or None if it announces no correction."""
    rest = _ANNOUNCED.sub("", sentence)
    return rest if rest != sentence else None


def only_announces(sentence: str) -> bool:
    """Whether the sentence is "Correction." or "정정할게요." alone: the next one says what was wrong."""
    return bool(_ANNOUNCED.fullmatch(f"{sentence} "))
