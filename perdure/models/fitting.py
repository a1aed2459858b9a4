"""Values that cannot be what the attribute is about: a city that a model takes for the user's name."""

from __future__ import annotations

import re

from perdure.text import normalise

_VALUES = {"contact.email": re.compile(r"\S@\S"), "contact.phone": re.compile(r"(?:\d\D*){5}")}
"""What the value must have in it."""
_INTRODUCED = re.compile(
    r"\b(?:nick|sur)?names?\b|\bcall(?:ed|s)?\b|\bknown? (?:me )?as\b|\bgo(?:es)? by\b|\baddress me\b|이름|성함|본명|성은|별명|닉네임|호칭|불러|불리"
    r"|부르|부른|개명",
    re.IGNORECASE,
)
_AROUND_NAME = (
    r"\b(?:i'm|i am|this is|it's|it is|me,|as|meet) (?:\w+ )?{value}(?!\w)|(?<!\w){value}(?:'s)? (?:here|speaking)"
    r"|(?<!\w){value}\s?(?:이에요|예요|이예요|에요|이야|야|입니다|이라고|라고|이라 |라 |임|이요|요)|(?:나는|난|저는|전|내가|제가) {value}(?!\w)"
    r"|^{value}$"
)


def fits(attribute: str, value: str, said: str) -> bool:
    """Whether the value can be one of this attribute; a name must be introduced as one."""
    if attribute in {"name", "name.preferred"}:
        around = _AROUND_NAME.replace("{value}", re.escape(normalise(value)))
        return bool(_INTRODUCED.search(said) or re.search(around, normalise(said.replace("’", "'"))))
    return attribute not in _VALUES or bool(_VALUES[attribute].search(value))
