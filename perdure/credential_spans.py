"""Where in a text a credential stands, and what is put in its place."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import NamedTuple


class Credential(StrEnum):
    """A kind of credential. Its value is what a person reads where it stood."""

    CARD = "card number"
    CARD_CODE = "card code"
    PASSWORD = "password"
    PIN = "code"
    KEY = "key"

    @property
    def mark(self) -> str:
        return f"[{self.value}]"


class Span(NamedTuple):
    start: int
    end: int
    credential: Credential


MARK = re.compile(rf"\[(?<![A-Za-z0-9_]\[)(?:{'|'.join(Credential)})\]")
"""What redaction leaves; not an index in a program, such as `settings[key]`."""

_FOLDS: dict[int, int | str] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    **dict.fromkeys([0xA0, 0x3000, *range(0x2000, 0x200B), 0x202F], " "),
    **dict.fromkeys([*range(0x2010, 0x2016), 0x2212, 0xFE63], "-"),
    **{
        code: str(unicodedata.decimal(chr(code)))
        for code in (*range(0x80, 0x10000), *range(0x1D7CE, 0x1D800))
        if unicodedata.category(chr(code)) == "Nd"
    },
}
_PLAIN = re.compile(r"[\x00-\x7f가-힣ㄱ-ㅣ]*")


def folded(text: str) -> str:
    """The text as it is searched, character by character: full-width and other digits, dashes and spaces as in ASCII."""
    return text if _PLAIN.fullmatch(text) else text.translate(_FOLDS)
