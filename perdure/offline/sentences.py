"""A message cut into sentences and clauses that are the user's own: without pasted code and text handed over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perdure.offline.corrections import only_announces
from perdure.turn import Language

SENTENCE_LIMIT = 500
"""Longer sentences, in characters, are pasted text rather than something said: they are skipped."""
SENTENCES = 100
"""So many sentences of a message are looked at."""

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_QUOTED_LINE = re.compile(r"^[ \t]*(?:>|(?: {4}|\t)\S).*$", re.MULTILINE)
_HANDED_OVER = re.compile(
    r"\b(?:translat\w*|summari[sz]e|proofread|rewrite|rephrase|paraphrase|edit|shorten|analy[sz]e|explain|check)\b"
    r"[^.:\n]{0,80}:|(?:번역|요약|교정|첨삭|고쳐|다듬|바꿔|분석|설명|검토)[^.:\n]{0,40}:",
    re.IGNORECASE,
)
"""A task with a colon hands over the text that follows: it is material, not a statement."""
_QUOTATION = re.compile(r"[\"「『][^\"「」『』\n]{0,500}[\"」』]")
_END = re.compile(r"(?<=[.!?。！？])(?<!\bSt\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bMrs\.)(?<!\b[A-Z]\.)\s+|\n+")
_STRAIGHT = str.maketrans("’‘＇“”", "'''\"\"")

_ENGLISH_CLAUSE = re.compile(
    r"(?:,\s*|\s+)(?:but|so|and)\s+(?=(?:I|I'm|I've|we|my|our|now|please|it's|that's|don't|what|where|how|can|could)\b)"
    r"|[;:]\s+|,\s*(?!I (?:meant|mean)\b)"
    r"(?=(?:I|I'm|I've|we|my|please|what|where|how|can|could|should|is|do|which|leave|don't)\b)"
    r"|\s+(?=(?:because|given that|since)\s+(?:I|I'm|I've|we|my)\b)|\s+(?:and|but)\s+(?=(?:now|mostly|currently)\b)",
    re.IGNORECASE,
)
_KOREAN_CLAUSE = re.compile(
    r"(?<=[이하살팔니우리없않싫좋쓰르두][고])\s+(?!있|싶|계[시신]|나서|보니|말)|(?<=[는은인한었았했던]데)[,\s]+|(?<=지만)[,\s]+"
    r"|(?<=사고)\s+(?!나|가|있)|(?<=[가-힣]니까)[,\s]+|(?<=[해어아]서)[,\s]+(?=이제|지금|앞으로)|[;]\s*|,\s+(?=(?:나는|저는|내|제)\s)"
)


def own_text(message: str) -> str:
    """The message without code, quoted lines, and the text that it hands over to be worked on."""
    text = _QUOTED_LINE.sub("\n", _CODE.sub("\n", message))
    task = _HANDED_OVER.search(text)
    return text[: task.start()] if task else text


def sentences(message: str) -> Iterator[str]:
    """The user's own sentences, none longer than `SENTENCE_LIMIT`, at most `SENTENCES` of them."""
    found = 0
    for sentence in _cut(own_text(message)):
        if sentence and (stripped := sentence.strip()) and len(stripped) <= SENTENCE_LIMIT:
            yield stripped
            found += 1
            if found == SENTENCES:
                return


def _cut(text: str) -> Iterator[str]:
    """The text cut at the ends of its sentences; what only announces a correction stays with what is corrected."""
    start = 0
    for end in _END.finditer(text):
        if not only_announces(text[start : end.start()].strip()):
            yield text[start : end.start()]
            start = end.end()
    yield text[start:]


def clauses(sentence: str, language: Language) -> list[str]:
    """The parts of a sentence that each say one thing."""
    pattern = _KOREAN_CLAUSE if language == "ko" else _ENGLISH_CLAUSE
    parts, start = [], 0
    for joint in pattern.finditer(_veiled(straight(sentence))):
        parts.append(sentence[start : joint.start()])
        start = joint.end()
    return [part for piece in (*parts, sentence[start:]) if (part := piece.strip(" ,;"))]


def straight(text: str) -> str:
    """The text, equally long, with straight quotation marks: the patterns know no others."""
    return text.translate(_STRAIGHT)


def _veiled(sentence: str) -> str:
    """The sentence, equally long, with its quotations made unreadable: nothing is cut inside them."""
    return _QUOTATION.sub(lambda found: "_" * len(found[0]), sentence)


def without_quotations(clause: str) -> str:
    """The clause without quoted speech; a quoted name or word stays, without its marks."""
    return _QUOTATION.sub(lambda found: found[0][1:-1] if len(found[0].split()) < 3 else " ", clause)
