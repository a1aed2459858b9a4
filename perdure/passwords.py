"""Passwords, passphrases and codes that somebody tells, in English and Korean, or sets in a configuration.

What stands after the word decides: “my password is hunter2” tells one, “my password is too short” does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from perdure.credential_spans import Credential, Span
from perdure.password_words import NO_PASSWORD, NO_PASSWORD_KO, PLACEHOLDER

_FOR_WHAT = r"(?:\s(?:for|to|of|on|at)\s[^\n.:=,;!?]{1,40}?)?"
_ENGLISH = re.compile(
    r"(?:password|passwd|(?<![a-z])(?:passcode|pass\scode|pwd|pw|pass(?=\s?[:=])))\b[\"'`]?"
    rf"(?:{_FOR_WHAT}\s{{0,3}}(?P<set>:=|[:=]|->|→)\s{{0,3}}|{_FOR_WHAT}\s(?P<told>is|was|will be|to|as)\s(?:now\s)?|\s)",
    re.IGNORECASE,
)
_PHRASE = re.compile(
    rf"(?:pass\s?phrase|(?:seed|recovery|secret)\s(?:phrase|words)|mnemonic)\b{_FOR_WHAT}\s{{0,2}}(?:is|was|:|=)\s{{0,2}}"
    r"(?P<secret>\"[^\"\n]{1,200}\"|(?!(?:too|not|the|a|an|very|so|in|on|stored|saved|kept)\b)[^\s.,;!?]{2,40}(?:[ -][a-z0-9]{2,20}){0,24})",
    re.IGNORECASE,
)
_CODE = re.compile(
    r"\b(?:(?:pin|otp|passcode|(?:verification|access|door|gate|entry|unlock|alarm|login|one-time|2fa|voicemail|lock)"
    rf"\s(?:code|pin))(?:\s(?:code|number))?{_FOR_WHAT}\s{{0,2}}(?:is|was|:|=|->)\s{{0,2}}|(?-i:PIN)\s)"
    r"(?P<secret>\d(?:[ -]?\d){2,11}[#*]?)(?![\w-])",
    re.IGNORECASE,
)
_KOREAN = re.compile(
    r"(?:비밀\s?번호|비번|패스워드|패스프레이즈|암호(?!화)|핀\s?번호|핀\s?코드|인증\s?(?:번호|코드)|(?:접속|출입)\s?코드|"
    r"(?:비밀번호|비번|패스워드|암호)를?)\s?(?P<particle>은|는|이|가|을|를|:|=|->|→)?\s?"
)
_QUOTED = re.compile(
    r"\"([^\"\n]{1,100})\"|'([^'\n]{1,100})'|`([^`\n]{1,100})`|[“‘]([^”’\n]{1,100})[”’]|「([^」\n]{1,100})」"
)
_TOKEN = re.compile(r"[!-~]{1,200}|[^\s!-~]{1,40}")
_ASCII = re.compile(r"[!-~]{3,200}")
_HANGUL = re.compile(r"([가-힣]{2,12}?)(?:이야|야|이에요|예요|입니다|이다)(?=[.!?~,\s]|$)")
_HANGUL_WORD = re.compile(r"([가-힣]{2,12})(?=[.!?,\s]|$)")
_TRAILING = ".,;:?)…\"'`}]>"
_ENDS_CLAUSE = re.compile(r"[\"'`)}\]]{0,2}\s{0,2}(?:$|[.,;!?)\n]|(?:and|but|so)\b)")
_KOREAN_ENDING = re.compile(
    r"\s?(?:이야|야|입니다|예요|이에요|이다|임|(?:으|이)?로|(?:이)?라고|(?:이)?고|(?:이)?니까|[.!?,;\n]|$)"
)
_KOREAN_NOT = re.compile(
    r"\s?(?:에서?(?![가-힣\s]*(?:으?로)\s)|와|과|보다|앱|자(?![가-힣])|자리|글자|자\s?이|개|회|년|분|초|시간|명|번(?:이나|째|\s))"
)
_CHANGED = re.compile(r"\s?에서\s(?P<new>[!-~]{3,100}?)(?:으)?로")
_LABELS = ("pass", "pw", "pin", "otp", "code", "phrase", "seed", "mnemonic", "recovery")
_KOREAN_LABELS = ("비번", "비밀", "패스", "암호", "핀", "인증", "접속", "출입")


def passwords(text: str, lowered: str) -> Iterator[Span]:
    """Passwords and codes in the text; `lowered` is the text in lower case."""
    if any(label in lowered for label in _LABELS):
        yield from _english(text)
    if any(label in lowered for label in _KOREAN_LABELS):
        yield from _korean(text)


def _english(text: str) -> Iterator[Span]:
    for label in _ENGLISH.finditer(text):
        strength = "set" if label["set"] else "told" if label["told"] else "bare"
        if quoted := (strength != "bare" and _QUOTED.match(text, label.end())):
            yield from _quoted(text, quoted)
        elif (token := _TOKEN.match(text, label.end())) and (end := _secret_end(text, token, strength)):
            yield Span(token.start(), end, Credential.PASSWORD)
    for pattern, kind in ((_PHRASE, Credential.PASSWORD), (_CODE, Credential.PIN)):
        for match in pattern.finditer(text):
            yield Span(*match.span("secret"), kind)


def _secret_end(text: str, token: re.Match[str], strength: str) -> int | None:
    """Where the password ends that the token is; None if it is a word like any other."""
    word = token[0].rstrip(_TRAILING)
    if not any(character.isdecimal() for character in word):
        word = word.rstrip("!")
    end = token.start() + len(word)
    if len(word) < 3 or word.lower() in NO_PASSWORD or PLACEHOLDER.fullmatch(word):
        return None
    mixed = not word.replace("-", "").replace("'", "").isalpha() or not (word.islower() or word.istitle())
    if strength == "bare":
        telling = len(word) >= 6 and any(map(str.isdecimal, word)) and any(map(str.isalpha, word))
        return end if telling else None
    if strength == "set" or (mixed and not (word.isdecimal() and len(word) < 4)):
        return end
    return end if _ENDS_CLAUSE.match(text, end) and not word.lower().endswith(("ed", "ing", "able", "ible")) else None


def _korean(text: str) -> Iterator[Span]:
    for label in _KOREAN.finditer(text):
        at = label.end()
        if quoted := _QUOTED.match(text, at):
            yield from _quoted(text, quoted)
        elif token := _ASCII.match(text, at):
            yield from _korean_token(text, token, label["particle"])
        elif (word := _hangul(text, at, label["particle"])) and word[1] not in NO_PASSWORD_KO:
            yield Span(*word.span(1), Credential.PASSWORD)


def _korean_token(text: str, token: re.Match[str], particle: str | None) -> Iterator[Span]:
    word = token[0].rstrip(_TRAILING)
    end = token.start() + len(word)
    if word.lower() in NO_PASSWORD or PLACEHOLDER.fullmatch(word) or (word.isdecimal() and len(word) < 4):
        return
    if changed := _CHANGED.match(text, end):
        yield Span(token.start(), end, Credential.PASSWORD)
        yield Span(*changed.span("new"), Credential.PASSWORD)
    elif _KOREAN_NOT.match(text, end):
        return
    elif (particle not in {"을", "를"} and not word.isalpha()) or _KOREAN_ENDING.match(text, end):
        yield Span(token.start(), end, Credential.PASSWORD)


def _hangul(text: str, at: int, particle: str | None) -> re.Match[str] | None:
    """A Korean word that is told to be the password: at the end of a sentence, or after a sign."""
    if particle in {":", "=", "->", "→"}:
        return _HANGUL_WORD.match(text, at)
    return _HANGUL.match(text, at) if particle else None


def _quoted(text: str, quoted: re.Match[str]) -> Iterator[Span]:
    start, end = quoted.span(quoted.lastindex or 0)
    if not PLACEHOLDER.fullmatch(text, start, end):
        yield Span(start, end, Credential.PASSWORD)
