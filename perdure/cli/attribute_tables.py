"""What people see of a vocabulary, and of what a merge has done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from perdure.attributes import BUILT_IN, Attribute, Vocabulary
from perdure.cli.render import shown, table_of
from perdure.learned import LearnedName, Suggestion
from perdure.renaming import RenamingReport

if TYPE_CHECKING:  # rich.table is slow to import, and `--help` does without it
    from rich.table import Table


def attribute_document(attribute: Attribute) -> dict[str, Any]:
    return {
        "name": attribute.name,
        "origin": "built in" if attribute.name in BUILT_IN else "own",
        "cardinality": attribute.cardinality,
        "kind": attribute.kind,
        "english": attribute.english,
        "korean": attribute.korean,
    }


def attributes_table(vocabulary: Vocabulary, learned: Sequence[LearnedName]) -> Table:
    """The attributes, then the names that no attribute has, with how much uses them."""
    table = table_of("attribute", "origin", "values", "called")
    for attribute in vocabulary:
        origin = "built in" if attribute.name in BUILT_IN else "own"
        called = ", ".join((*attribute.english, *attribute.korean))
        table.add_row(shown(attribute.name), origin, attribute.cardinality.value, shown(called))
    for name in learned:
        left = f"; left over from a merge into {name.merged_into}: merge it again" if name.merged_into else ""
        used = f"{name.facts} facts of {name.users} users{left}"
        table.add_row(shown(name.name), "learned", name.cardinality.value, used)
    for old, new in vocabulary.merged.items():
        table.add_row(shown(old), "merged", "", f"into {shown(new)}")
    return table


def suggestions_table(found: Sequence[Suggestion]) -> Table | str:
    if not found:
        return "nothing to merge"
    table = table_of("old", "new", "because of", "facts", "users")
    for one in found:
        table.add_row(shown(one.old), shown(one.new), shown(one.alias), str(one.facts), str(one.users))
    return table


def renaming_line(done: str, report: RenamingReport) -> str:
    """What was done, and to how much."""
    cut = f"; {report.shortened} facts of the two hold for less time now, since values met" if report.shortened else ""
    return f"{shown(done)}: {report.facts} facts of {report.users} users moved{cut}"
