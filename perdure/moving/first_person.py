"""What others wrote about “the user”, as the user would say it: the rules read what is said in the first person."""

from __future__ import annotations

import re

_VERBS = {"is": "am", "has": "have", "does": "do", "was": "was", "goes": "go", "can": "can"}
_SUBJECT = re.compile(r"^(?:the )?user(?P<whose>['’]s)? ", re.IGNORECASE)
_ALONE = re.compile(
    r"^(?P<verb>(?:is|has|lives|works|likes|loves|enjoys|prefers|hates|dislikes|speaks|owns|studies) )", re.IGNORECASE
)
_NAMED = re.compile(
    r"^(?=(?:name|birthday|job|hometown|email|phone number|major|favou?rite [a-z ]+) is )", re.IGNORECASE
)
_KOREAN = ((re.compile(r"^사용자(?:님)?(?:은|는|이|가) ?"), "나는 "), (re.compile(r"^사용자(?:님)?의 "), "내 "))


def first_person(sentence: str) -> str:
    """The sentence with “I” for “the user”, “User” or nobody; any other sentence as it is."""
    for pattern, mine in _KOREAN:
        sentence = pattern.sub(mine, sentence)
    if found := _SUBJECT.match(sentence):
        rest = sentence[found.end() :]
        return f"My {rest}" if found["whose"] else _said_by_me(rest)
    if _ALONE.match(sentence):
        return _said_by_me(sentence)
    return f"My {sentence[:1].lower()}{sentence[1:]}" if _NAMED.match(sentence) else sentence


def _said_by_me(rest: str) -> str:
    """What is told of somebody, beginning with the verb."""
    verb, space, others = rest.partition(" ")
    return f"I {_base(verb.lower())}{space}{others}"


def _base(verb: str) -> str:
    if verb in _VERBS:
        return _VERBS[verb]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
