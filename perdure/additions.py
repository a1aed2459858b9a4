"""What a tenant adds to its vocabulary, checked: an attribute of its own, or more aliases for a built-in one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import get_args

from perdure.attributes import BUILT_IN, Attribute, Vocabulary, learned_name
from perdure.credentials import check_holds_no_credential
from perdure.errors import InvalidInput
from perdure.facts import Kind
from perdure.text import VALUE_LIMIT, check_text

LABELS_LIMIT = 50
"""Most labels and aliases of an attribute in one language."""


def checked_addition(attribute: Attribute, vocabulary: Vocabulary) -> Attribute:
    """The addition as it is kept, beside all that the tenant has already.

    Raises `InvalidInput` for a name or an alias that another attribute has or that holds a credential, for a name that was merged into another,
    and for a built-in attribute whose number of values would change.
    """
    name = learned_name(attribute.name)
    if target := vocabulary.merged.get(name):
        raise InvalidInput(f"{name} is merged into {target}: split it first")
    known = next((one for one in BUILT_IN if one.name == name), None)
    if known and known.cardinality is not attribute.cardinality:
        raise InvalidInput(
            f"{name} is built in and holds {known.cardinality} value{'s' * (known.cardinality == 'many')}:"
            " only aliases can be added to it; give an attribute of your own another name"
        )
    kind = known.kind if known else attribute.kind
    if kind not in get_args(Kind):
        raise InvalidInput(f"{kind[:80]!r} is not a kind: choose one of {', '.join(get_args(Kind))}")
    english, korean = _labels(attribute.english, "English"), _labels(attribute.korean, "Korean")
    if not (known or english):
        english = (name.replace(".", " ").replace("_", " "),)
    for alias in (name, *english, *korean):
        check_holds_no_credential(alias, "a name of the attribute")
        owner = vocabulary.owner(alias)
        if owner and owner != name:
            raise InvalidInput(f"{alias[:80]!r} already names {owner}: choose another alias, or add yours to {owner}")
    return replace(attribute, name=name, kind=kind, english=english, korean=korean)


def _labels(labels: Iterable[str], language: str) -> tuple[str, ...]:
    told = tuple(dict.fromkeys(check_text(label, f"the {language} label", limit=VALUE_LIMIT) for label in labels))
    if len(told) > LABELS_LIMIT:
        raise InvalidInput(f"{len(told)} {language} labels: at most {LABELS_LIMIT} are kept of an attribute")
    return told
