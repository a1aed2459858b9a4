"""Whom an extraction is about: the user only where the words speak of the user."""

from __future__ import annotations

import re
from collections.abc import Collection

from perdure.attributes import Vocabulary
from perdure.coverage import Source
from perdure.errors import InvalidInput
from perdure.facts import USER
from perdure.models.evidence import Passage
from perdure.text import normalise

_OF_OTHERS = {"family", "social", "pet"}
"""Attributes of the user whose values are others: "my sister is Mina" says something of the user."""
_SELF = re.compile("|(?:the )?(?:user|speaker)|me|i|myself|self|(?:사용자|유저)(?: 본인)?|본인|나|저|화자")
"""What a model calls the user."""


def subject_of(
    told: str,
    attribute: str,
    passage: Passage,
    said: Source,
    vocabulary: Vocabulary,
    named: Collection[str],
    own: Collection[str] = (),
) -> str:
    """The subject as the model tells it, unless the words say that it is a relative whom it took for the user.

    ``own`` are the names by which the user is known.

    Raises `InvalidInput` for somebody whom neither the words nor the memories (`named`) know, and for what is said of
    somebody without a name.
    """
    if not is_self(told) and normalise(told) not in own:
        if told in named or said.bears_out(told) or _is_relation(told, said, vocabulary):
            return told
        raise InvalidInput("somebody whom the user did not name")
    known = vocabulary.find(attribute) if attribute else None
    if known is None or known.name.partition(".")[0] in _OF_OTHERS or (who := passage.somebody()) is None:
        return USER
    if not who:
        raise InvalidInput("it is about somebody else")
    return who


def is_self(subject: str) -> bool:
    """Whether this means the user, whatever the user's name is."""
    return bool(_SELF.fullmatch(normalise(subject)))


def _is_relation(told: str, said: Source, vocabulary: Vocabulary) -> bool:
    """Whether the user named the relation in other words: "누나" where the model says "sister"."""
    known = vocabulary.find(told)
    return known is not None and any(said.bears_out(alias) for alias in (*known.english, *known.korean))
