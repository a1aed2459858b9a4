"""What must never be stored: passwords, keys, card numbers. Found, refused, and redacted.

Models may still see them: what a user says is sent, as it was said, to the models that answer and extract in the turn
in which it is said. It is what is kept that holds none: statements, facts, episodes, checkpoints and logs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from perdure.card_numbers import card_numbers
from perdure.credential_spans import MARK, Span, folded
from perdure.errors import CredentialRefused
from perdure.facts import Operation
from perdure.passwords import passwords
from perdure.secret_keys import secret_keys

SHORTEST_REPEATED = 4
"""Characters. A shorter secret is redacted where it is told, and not wherever the same characters stand."""
MOST_REPEATED = 100
"""So many secrets of one text are looked for in the others."""
_NAME_PARTS = re.compile(r"[._]")
_NAMING = re.compile(
    r"pass|pwd|pw|pin|otp|code|key|token|secret|cv[cv]|비번|비밀|패스|암호|핀|번호|코드|키|토큰", re.IGNORECASE
)
MOST_ROUNDS = 5
"""What is redacted can be what made its neighbour no credential; more than twice, only in a text made for it."""


def check_no_credential(operation: Operation) -> None:
    """Raise `CredentialRefused` for an operation that would store a credential.

    What has been redacted is refused like what it was: a turn that is resumed from its checkpoint, where the credential
    no longer stands, ends as it would have ended.
    """
    texts = (operation.value, operation.content, operation.evidence, operation.subject)
    named = named_credential(operation.attribute, operation.value)
    if found := named or next(filter(None, map(_mark_in, texts)), None):
        raise CredentialRefused(f"a {found[1:-1]} is never stored: say what is to be remembered without it")


def check_holds_no_credential(text: str, what: str) -> None:
    """Raise `CredentialRefused` for a text with a credential that is kept beside the memories, such as a rule's reason."""
    if found := _mark_in(text):
        raise CredentialRefused(f"{what} holds a {found[1:-1]}, which is never stored: say it without")


def named_credential(name: str, value: str) -> str | None:
    """The mark for a value that is a credential only because of its name, such as `door.code`; else None."""
    if not _NAMING.search(name) or _mark_in(value):
        return None
    return _mark_in(f"{_NAME_PARTS.sub(' ', name)}: {value}")


def redacted(text: str) -> str:
    """The text with each credential replaced by what it is, in brackets; doing it again changes nothing."""
    for _ in range(MOST_ROUNDS):
        spans = _spans(text)
        if not spans:
            break
        text = _replaced(text, spans)
    return text


def redacted_all(*texts: str) -> list[str]:
    """The texts with the credentials of each replaced in all: a reply may repeat a password and not call it one."""
    known = {secret: mark for text in texts for secret, mark in secrets_in(text).items()}
    return [redacted(without(text, known)) for text in texts]


def secrets_in(text: str) -> dict[str, str]:
    """The credentials of a text that are long enough to be known again elsewhere, and the mark of each."""
    told = {text[span.start : span.end]: span.credential.mark for span in _spans(text)}
    return {secret: mark for secret, mark in told.items() if len(secret) >= SHORTEST_REPEATED}


def without(text: str, secrets: Mapping[str, str]) -> str:
    """The text with its mark for each of these secrets, wherever it stands as a word of its own."""
    known = [secret for secret in secrets if secret in text]
    if not known:
        return text
    longest_first = sorted(known, key=len, reverse=True)[:MOST_REPEATED]
    alternatives = "|".join(map(re.escape, longest_first))
    words = re.compile(rf"(?<![\w\[])(?:{alternatives})(?![\w\]])", re.ASCII)
    return words.sub(lambda word: secrets[word[0]], text)


def _mark_in(text: str) -> str | None:
    """The mark of the first credential, or one that stands there already."""
    if mark := MARK.search(text):
        return mark[0]
    return next((span.credential.mark for span in _spans(text)), None)


def _spans(text: str) -> list[Span]:
    """Where credentials stand, in order and apart."""
    apart: list[Span] = []
    for span in sorted(_found(text)):
        if not apart or span.start >= apart[-1].end:
            apart.append(span)
        elif span.end > apart[-1].end:
            apart[-1] = apart[-1]._replace(end=span.end)
    return apart


def _found(text: str) -> Iterator[Span]:
    """Marks are looked around, not at: what stands in brackets already is no password."""
    at = 0
    for mark in MARK.finditer(text):
        yield from _between(text, at, mark.start())
        at = mark.end()
    yield from _between(text, at, len(text))


def _between(text: str, start: int, end: int) -> Iterator[Span]:
    part = folded(text[start:end])
    lowered = part.lower()
    for found in (passwords(part, lowered), secret_keys(part, lowered), card_numbers(part)):
        for span in found:
            yield Span(start + span.start, start + span.end, span.credential)


def _replaced(text: str, spans: list[Span]) -> str:
    if not spans:
        return text
    pieces, at = [], 0
    for span in spans:
        pieces += [text[at : span.start], span.credential.mark]
        at = span.end
    return "".join([*pieces, text[at:]])
