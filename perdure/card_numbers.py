"""Payment card numbers, and the code on the back of a card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perdure.credential_spans import Credential, Span

_SEPARATOR = r"[ .\-\u200b-\u200d\u2060\ufeff]"
_RUN = re.compile(rf"\d(?<![A-Za-z0-9_]\d)\d+(?:{_SEPARATOR}{{1,2}}\d+)*+")
_GROUP = re.compile(r"\d+")
_GLUED = re.compile(r"[A-Za-z0-9_]")
_CODE = re.compile(
    r"\b(?:cv[cv]2?|card security code|security code)\b(?:\s{0,2}(?:is|[:=은는])\s{0,2}|\s)(\d{3,4})(?!\d)"
    r"|(?:보안\s?코드\s?[는은:=]?|cv[cv]2?(?:\s?번호)?\s?[는은])\s?(\d{3,4})(?!\d)",
    re.IGNORECASE,
)
_OTHER_NUMBER = re.compile(
    r"(?:order|invoice|tracking|shipment|reference|ticket|isbn|주문|송장|운송장|예약|접수|접수증)"
    r"\s{0,2}(?:no\.?|number|id|#|번호)?\s{0,2}(?:is|:|=|는|은)?\s{0,2}#?$",
    re.IGNORECASE,
)
_LOOK_BACK = 40
"""Characters before a number in which it may be said what else it is."""
_SHORTEST, _LONGEST = 13, 19


def card_numbers(text: str) -> Iterator[Span]:
    """Numbers of 13 to 19 digits, together or in groups, that a card of a known kind can have; and codes of cards."""
    for run in _RUN.finditer(text):
        if run.end() - run.start() >= _SHORTEST:
            yield from _cards(text, run)
    for code in _CODE.finditer(text):
        yield Span(*code.span(code.lastindex or 0), Credential.CARD_CODE)


def _cards(text: str, run: re.Match[str]) -> Iterator[Span]:
    groups = [group.span() for group in _GROUP.finditer(text, *run.span())]
    if _GLUED.match(text, run.end()):
        groups.pop()
    first = len(groups) if sum(end - start for start, end in groups) < _SHORTEST else 0
    while first < len(groups):
        last = _card_from(text, groups, first)
        if last is None or _OTHER_NUMBER.search(text[max(0, groups[first][0] - _LOOK_BACK) : groups[first][0]]):
            first += 1
            continue
        yield Span(groups[first][0], groups[last][1], Credential.CARD)
        first = last + 1


def _card_from(text: str, groups: list[tuple[int, int]], first: int) -> int | None:
    """The last of the groups that are a card number from the first on, as long a one as there is."""
    if not _stands_apart(text, groups, first):
        return None
    digits, found = "", None
    for last in range(first, len(groups)):
        start, end = groups[last]
        if end - start + len(digits) > _LONGEST:
            break
        digits += text[start:end]
        whole = last == first or groups[first][1] - groups[first][0] == 4
        if whole and len(digits) >= _SHORTEST and _stands_apart(text, groups, last + 1) and _is_card(digits):
            found = last
    return found


def _stands_apart(text: str, groups: list[tuple[int, int]], index: int) -> bool:
    """Whether a number may begin or end before this group: after a space, not in the middle of an identifier."""
    return index in {0, len(groups)} or " " in text[groups[index - 1][1] : groups[index][0]]


def _is_card(digits: str) -> bool:
    return _is_issued(digits) and _checksum(digits) % 10 == 0


def _is_issued(digits: str) -> bool:
    """Whether a card network, or a Korean issuer, gives out numbers of this beginning and length."""
    two, four, length = int(digits[:2]), int(digits[:4]), len(digits)
    if digits[0] == "4":
        return length in {13, 16, 19}
    if 51 <= two <= 55 or 2221 <= four <= 2720 or two == 35 or two == 94:
        return length == 16
    if two in {34, 37}:
        return length == 15
    if two in {36, 38} or 3000 <= four <= 3059:
        return length == 14
    return (two in {60, 62, 64, 65}) and length >= 16


def _checksum(digits: str) -> int:
    """Luhn's: every second digit from the right is doubled."""
    return sum(sum(divmod(int(digit) * (1 + place % 2), 10)) for place, digit in enumerate(reversed(digits)))
