"""A tenant's own attributes from outside: they must fit into the vocabulary that is there."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from perdure.additions import checked_addition
from perdure.attributes import Attribute, Vocabulary, learned_name
from perdure.errors import InvalidInput
from perdure.moving.checks import check_recorded
from perdure.moving.destination import Move
from perdure.moving.records import MovedAttribute
from perdure.text import VALUE_LIMIT, check_text


def placed_attribute(added: MovedAttribute, move: Move, vocabulary: Vocabulary, now: datetime) -> MovedAttribute:
    """Raises `InvalidInput` for what cannot be an attribute. `addition_of` looks at what is there already."""
    for name in filter(None, (added.name, added.merged_into)):
        if learned_name(name) != name:
            raise InvalidInput("its name is not spelled as one is stored")
    check_text(added.author, "the author", limit=VALUE_LIMIT)
    return replace(added, recorded_at=check_recorded(added.recorded_at, now))


def addition_of(added: MovedAttribute, vocabulary: Vocabulary) -> Attribute:
    """What is added beside the rest of the vocabulary. Raises `InvalidInput` where it contradicts that."""
    attribute = Attribute(added.name, added.cardinality, added.kind, added.english, added.korean)
    if not added.merged_into:
        return checked_addition(attribute, vocabulary)
    if added.name in vocabulary or added.english or added.korean:
        raise InvalidInput(f"{added.name[:80]} is an attribute of the vocabulary: only a learned name can be merged")
    if vocabulary.canonical(added.merged_into) == added.name:
        raise InvalidInput(f"{added.name[:80]} would be merged into itself")
    return attribute
