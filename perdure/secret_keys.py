"""Keys and tokens of programs: by the prefix that their issuer gives them, by what they are called, in addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from perdure.credential_spans import Credential, Span

_ISSUED = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"sk-[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{16,}"
    r"|xox[a-z]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{30,}"
    r"|pypi-[A-Za-z0-9_-]{30,}|lsv2_[a-z]{2}_[A-Za-z0-9_]{16,}|dop_v1_[a-f0-9]{30,}"
    r"|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"
    r")"
)
_ISSUERS = (
    "sk-", "k_live_", "k_test_", "whsec_", "akia", "asia", "aiza", "ya29.", "gocspx-", "ghp_", "gho_", "ghu_", "ghs_",
    "ghr_", "github_pat_", "glpat-", "xox", "xapp-", "hf_", "npm_", "pypi-", "lsv2_", "dop_v1_", "sg.", "eyj",
)  # fmt: skip
_HEADER = re.compile(r"\b(?:bearer|authorization:\s?basic)\s{1,3}([A-Za-z0-9._~+/=-]{16,})", re.IGNORECASE)
_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    # To the end of a text that breaks off in it: nothing is tried a second time, however many begin.
    r"(?:.*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|.*)",
    re.DOTALL,
)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@?#\[\]]{0,100}:([^\s/]{1,200})@")
_LABELLED = re.compile(
    r"(?P<named>(?:api|access|account|auth|client|secret|private|service|session|refresh|encryption|signing)[ _-]?"
    r"(?:access[ _-]?)?(?:keys?|tokens?|secrets?)|secret|api\s?키|시크릿\s?키?|액세스\s?(?:키|토큰)|인증\s?키)"
    r"|(?<![A-Za-z])(?P<bare>key|token)|(?P<korean>토큰)",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"[\"']?(?:\s{0,2}[:=]|\s?(?:is|was|은|는)\s)\s{0,2}[\"'`“]?([A-Za-z0-9+/=_.~-]{16,512})", re.IGNORECASE
)
_NAMED_AFTER = ("key", "token", "secret", "키", "토큰", "시크릿")
_IDENTIFIER = re.compile(r"[0-9a-f]{7,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
"""A uuid or a hash, which what is merely called a key or a token may be."""


def secret_keys(text: str, lowered: str) -> Iterator[Span]:
    """Keys, tokens, private keys, and passwords in addresses; `lowered` is the text in lower case."""
    if any(issuer in lowered for issuer in _ISSUERS):
        yield from _spans(_ISSUED, text)
    if "bearer" in lowered or "basic" in lowered:
        yield from _spans(_HEADER, text)
    if "-----begin" in lowered:
        yield from _spans(_PEM, text)
    if "://" in lowered:
        for match in _ADDRESS.finditer(text):
            yield Span(*match.span(1), Credential.PASSWORD)
    if any(name in lowered for name in _NAMED_AFTER):
        yield from _labelled(text)


def _labelled(text: str) -> Iterator[Span]:
    for label in _LABELLED.finditer(text):
        told = _TOLD.match(text, label.end())
        if told and _is_random(told[1]) and (label["named"] or not _IDENTIFIER.fullmatch(told[1])):
            yield Span(*told.span(1), Credential.KEY)


def _is_random(token: str) -> bool:
    """Whether it looks drawn by chance: letters and digits, and not the same few again and again."""
    begins = token[:64]
    digits = sum(map(str.isdecimal, begins))
    return 2 <= digits < len(begins.replace("-", "")) and len(set(begins)) >= 8


def _spans(pattern: re.Pattern[str], text: str) -> Iterator[Span]:
    for match in pattern.finditer(text):
        yield Span(*match.span(match.lastindex or 0), Credential.KEY)
