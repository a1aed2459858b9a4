"""Where the words stand that an extraction quotes, and what they are there: the user's own statement, or something else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from perdure.errors import InvalidInput
from perdure.facts import Trust
from perdure.language import detect_language
from perdure.offline.english import english_relative
from perdure.offline.gate import Speech, asks_to_remember, speech
from perdure.offline.korean import korean_other, korean_relative
from perdure.offline.sentences import clauses, own_text, sentences, straight, without_quotations
from perdure.turn import Language, Turn

_LATIN = "0-9A-Za-z\u00c0-\u024f"
_EDGE = ".,;:!?。！？、…\"'“”‘’()[]<>*_`~-"
"""What may stand around a word and is not part of it: an answer punctuates, or marks, as it likes."""
_MARKS = re.compile(r"[\"「」『』«»]|(?<![0-9a-z])'|'(?![0-9a-z])")
_DASH = re.compile(r"\s-+\s|[\u2012-\u2015]+|--+")
_GAP = re.compile(r"\[?\.{3,}\]?|\(\.{3,}\)")
"""Where a quotation leaves something out."""
_SPACED = re.compile(r"(?<=[가-힣]) (?=[가-힣])")
_FORGET = re.compile(r"\b(?:forget|delete|remove|erase)\b|잊어|지워|삭제", re.IGNORECASE)
_FIRST_PERSON = re.compile(r"\b(?:I|me|my|mine|myself|we|us|our|ours)\b", re.IGNORECASE)
_FIRST_PERSON_TOPIC = re.compile(r"(?:^|\s)(?:나는|난|나도|저는|전|저도|내가|제가)\s")
_THIRD_PERSON = re.compile(
    r"^(?:and |but |so )?(?:he|she|they)\b|^\w+(?: \w+)?(?:'s allergic| is allergic| lives| works| likes| loves| hates"
    r"| prefers| speaks| eats| studies| plays| owns)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A clause of the user's own in which the quoted words stand."""

    text: str
    language: Language
    speech: Speech


@dataclass(frozen=True, slots=True)
class Passage:
    """The quoted words, where they were found, and what stands around them."""

    quote: str
    trust: Trust
    """USER for the user's own words, DOCUMENT for what the user pasted or quotes, TOOL for what a tool gave back."""
    source: str
    """All that was said there."""
    surroundings: str
    """The sentence around the quote; the quote itself where the words are not the user's own."""
    spoken: tuple[Spoken, ...] = ()

    def objection(self) -> str:
        """Why nothing is stated there, or "": a question, a supposition, what others said."""
        if not self.spoken or any(one.speech is Speech.STATEMENT for one in self.spoken):
            return ""
        if asks_to_remember(self.surroundings):
            return ""
        return self.spoken[0].speech.value

    def asks_to_forget(self) -> bool:
        """Whether it asks to forget something: the one request that is about memory."""
        return self.trust is Trust.USER and bool(_FORGET.search(self.surroundings))

    def somebody(self) -> str | None:
        """Whom it is about: None for the user, a relation ("sister", "동생"), or "" for somebody unnamed."""
        others = [_somebody(one) for one in self.spoken if one.speech is Speech.STATEMENT]
        return others[0] if others and None not in others else None


def find_passage(quote: str, claimed: Literal["user", "tool"], turn: Turn) -> Passage:
    """The passage that holds the quote. Who claims the user's words for a tool's, or the reverse, is not believed.

    Punctuation, case, spaces between Korean words and what "…" leaves out need not be as they were said.
    Raises `InvalidInput` for a quote that neither the user nor a tool said.
    """
    if not (keys := _keys(quote)):
        raise InvalidInput("no evidence")
    if claimed == "tool" and (told := _first(keys, turn.tool_texts)):
        return Passage(quote, Trust.TOOL, told, quote)
    own, unquoted, said = _own(turn.user_text)
    if (bare := _keys(without_quotations(straight(quote)))) and _stand_in(bare, unquoted):
        return _own_passage(quote, bare, own, said)
    if _stand_in(keys, turn.user_text):
        return Passage(quote, Trust.DOCUMENT, turn.user_text, quote)
    if told := _first(keys, turn.tool_texts):
        return Passage(quote, Trust.TOOL, told, quote)
    if _stand_in(keys, turn.assistant_text):
        raise InvalidInput("evidence that only the assistant said")
    raise InvalidInput("evidence that the user did not say")


def _own_passage(quote: str, keys: Sequence[str], own: str, said: Sequence[str]) -> Passage:
    """The passage of all parts of the quote; that of one part alone where nothing is stated there."""
    parts = [_part(quote, key, own, said) for key in keys]
    if refused := next((part for part in parts if part.objection()), None):
        return refused
    around = dict.fromkeys(part.surroundings for part in parts)
    return Passage(quote, Trust.USER, own, " ".join(around), tuple(one for part in parts for one in part.spoken))


def _part(quote: str, key: str, own: str, said: Iterable[str]) -> Passage:
    around: list[str] = []
    spoken: list[Spoken] = []
    for sentence in said:
        whole = _key(without_quotations(straight(sentence)))
        if whole and (_stand_in([key], whole) or _stand_in([whole], key)):
            around.append(sentence)
            spoken += _spoken(key, sentence)
    return Passage(quote, Trust.USER, own, " ".join(around) or quote, tuple(spoken))


def _spoken(key: str, sentence: str) -> list[Spoken]:
    """The clauses in which the quote stands; all of the sentence if it stands across them."""
    language = detect_language(sentence)
    parts = clauses(sentence, language)
    found: list[tuple[str, Spoken]] = []
    supposed = False
    for part in parts:
        kind = speech(part, language, last=part is parts[-1])
        # "If I lived in Paris, I would eat well": what follows a supposition is supposed too.
        supposed = supposed or kind is Speech.SUPPOSITION
        said = Speech.SUPPOSITION if supposed and kind is Speech.STATEMENT else kind
        found.append((_key(without_quotations(straight(part))), Spoken(part, language, said)))
    touched = [one for part, one in found if part and (_stand_in([key], part) or _stand_in([part], key))]
    return touched or [one for _, one in found]


def _somebody(one: Spoken) -> str | None:
    text = straight(one.text)
    if one.language == "ko":
        relation = korean_relative(text)
        if relation and _FIRST_PERSON_TOPIC.search(text[text.index(relation) :]):
            return None
        return relation or ("" if korean_other(text) == "" else None)
    if relation := english_relative(text):
        return relation
    return "" if _THIRD_PERSON.search(text) and not _FIRST_PERSON.search(text) else None


def _first(keys: Sequence[str], texts: Iterable[str]) -> str:
    return next((text for text in texts if _stand_in(keys, text)), "")


def _stand_in(keys: Sequence[str], text: str) -> bool:
    """Whether the text holds the keys, in order; a Latin word or number is not found inside a longer one."""
    within, start = _key(text), 0
    for key in keys:
        begins = rf"(?<![{_LATIN}])" if re.match(f"[{_LATIN}]", key) else ""
        ends = rf"(?![{_LATIN}])" if re.search(f"[{_LATIN}]$", key) else ""
        if not (found := re.compile(begins + re.escape(key) + ends).search(within, start)):
            return False
        start = found.end()
    return True


def _keys(quote: str) -> list[str]:
    """The parts of a quotation between which something is left out."""
    return [key for part in _GAP.split(unicodedata.normalize("NFKC", quote)) if (key := _key(part))]


@lru_cache(maxsize=64)
def _key(text: str) -> str:
    """The words in the form in which they are compared."""
    plain = _DASH.sub(" ", _MARKS.sub("", straight(unicodedata.normalize("NFKC", text).casefold())))
    return _SPACED.sub("", " ".join(bare for word in plain.split() if (bare := word.strip(_EDGE))))


@lru_cache(maxsize=8)
def _own(message: str) -> tuple[str, str, tuple[str, ...]]:
    """The user's own words in a message, the same without what they quote, and their sentences."""
    own = own_text(message)
    return own, without_quotations(straight(own)), tuple(sentences(message))


def forget_texts() -> None:
    """Forget the messages and quotations that were read last."""
    _key.cache_clear()
    _own.cache_clear()
