"""The statements by which a group of facts becomes one, and by which it is known. Pure: no clock, no database.

Each source is taken back in its slot, and each statement that it followed from is stated again in the canonical slot,
with its own dates, importance and trust: so corroboration adds up, and the term covers all theirs. A restatement names
the statement that it repeats, as those of a merge of attributes do. Taking back these statements undoes the merge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID, uuid5

from perdure.alike import MERGE, Group
from perdure.attributes import Cardinality
from perdure.errors import StaleFact
from perdure.facts import Action, Fact, Source, Statement, slot_of
from perdure.plain import Record
from perdure.reconcile import Plan
from perdure.scope import Scope
from perdure.slots import Slots, Stored
from perdure.text import normalise
from perdure.timeline import standing
from perdure.undo import take_back

AUTHOR = "consolidation"
"""Who says what a merge states."""
CHANGED = "changed meanwhile"
UNDONE = "undone before"
NOTHING = Plan((), (), ())
UNFIT = "their terms do not fit into one"

Outcome = Literal["merged", "would merge", "left alone"]


@dataclass(frozen=True, slots=True)
class Merging(Record):
    """What became of a group. ``why`` tells why it was left alone, or who worded the canonical sentence."""

    merge: str
    outcome: Outcome
    why: str
    sources: tuple[Fact, ...]
    content: str
    """The canonical sentence."""
    after: Fact | None = None
    """The canonical fact, once it is written."""

    def left_alone(self, why: str) -> Merging:
        return replace(self, outcome="left alone", why=why)

    def because(self, why: str) -> Merging:
        return replace(self, why=why)


@dataclass(frozen=True, slots=True)
class Merge(Record):
    """A merge that was made: the sentence, and the facts (by id) that it was made of and that it took back."""

    merge: str
    at: datetime
    attribute: str
    content: str
    sources: dict[UUID, str]
    """The sentence of each."""
    undone: bool


@dataclass(frozen=True, slots=True)
class Canonical:
    """Where and as what a group is stated: in the slot of one of its facts, which stays, or in a new one."""

    slot: UUID
    value: str
    content: str
    like: Fact
    kept: Fact | None

    @classmethod
    def of(cls, scope: Scope, group: Group, sentence: str) -> Canonical:
        """``sentence`` is empty for the one that the rule chooses; only notes are told in a sentence of their own."""
        chosen = group.canonical()
        said = (fact for fact in group.facts if normalise(fact.value) == normalise(sentence))
        kept = next(said, None) if sentence and group.notes else chosen
        if kept:
            return cls(kept.slot, kept.value, kept.content, kept, kept)
        slot = slot_of(scope, chosen.subject, "", Cardinality.MANY, sentence)
        return cls(slot, sentence, sentence, chosen, None)


def plan_merge(group: Group, canonical: Canonical, stored: Stored, recorded_at: datetime) -> tuple[Plan, Merging]:
    """What makes one fact of the group, and what becomes of it; ``stored`` holds the slots of all.

    A group of which anything was said since it was read is left alone: what was said then counts. Planning a merge that
    was made already changes nothing.
    """
    made = Merging(group.merge, "merged", "", group.facts, canonical.content)
    believed = {fact.id: fact for fact in stored.believed}
    slots = Slots(stored, recorded_at)
    at = max(fact.valid_from for fact in group.facts)
    if any(statement.message == group.merge for statement in stored.statements):
        undone = any(fact.id in believed for fact in group.facts if fact != canonical.kept)
        return NOTHING, made.left_alone(UNDONE) if undone else replace(made, after=slots.at(canonical.slot, at))
    fresh = canonical.kept is not None or slots.latest(canonical.slot) is None
    if not fresh or any(believed.get(fact.id) != fact for fact in group.facts):
        return NOTHING, made.left_alone(CHANGED)
    retold: list[Statement] = []
    for fact in group.facts:
        if fact != canonical.kept:
            told = slots.interval(fact).statements
            slots.add(_taken_back(fact, told, group, recorded_at))
            retold += told
    for statement in sorted(retold, key=lambda one: (one.valid_from, one.id)):
        slots.add(_restated(statement, group, canonical, recorded_at))
    after = slots.at(canonical.slot, at)
    if not after or not _stands_for_all(after, group, canonical):
        return NOTHING, made.left_alone(UNFIT)
    return Plan(tuple(slots.new), slots.changes(), ()), replace(made, after=after)


def _stands_for_all(after: Fact, group: Group, canonical: Canonical) -> bool:
    wanted = (
        canonical.content,
        min(fact.valid_from for fact in group.facts),
        group.facts[0].valid_to,
        sum(fact.corroboration for fact in group.facts),
    )
    return (after.content, after.valid_from, after.valid_to, after.corroboration) == wanted


def _taken_back(fact: Fact, told: tuple[Statement, ...], group: Group, recorded_at: datetime) -> Statement:
    return replace(
        told[0],
        id=uuid5(fact.id, f"{group.merge} takes back"),
        action=Action.RETRACT,
        value="",
        content="",
        said="",
        evidence="",
        stated_to=None,
        expires_at=None,
        valid_from=fact.valid_from,
        recorded_at=recorded_at,
        targets=tuple(statement.id for statement in told),
        thread="",
        message=group.merge,
        author=AUTHOR,
    )


def _restated(statement: Statement, group: Group, canonical: Canonical, recorded_at: datetime) -> Statement:
    other = normalise(statement.value) != normalise(canonical.value)
    return replace(
        statement,
        id=uuid5(statement.id, f"{group.merge} states"),
        slot=canonical.slot,
        action=Action.CONFIRM if canonical.kept else Action.ASSERT,
        subject=canonical.like.subject,
        value=canonical.value,
        content=canonical.content,
        said=statement.value if other else statement.said,
        kind=canonical.like.kind,
        stated_to=group.facts[0].valid_to,
        recorded_at=recorded_at,
        targets=(statement.id,),
        thread="",
        message=group.merge,
        author=AUTHOR,
    )


def merges_among(told: Iterable[Statement]) -> list[Merge]:
    """The merges among all statements of the slots that they touched, the latest first."""
    statements = list(told)
    by_id = {statement.id: statement for statement in statements}
    stands = {statement.id for slot in _by(statements, "slot") for statement in standing(slot)}
    made = merges_made(statements)
    # Of a later merge that took one of these slots back, the statement of its sentence stands in a slot of its own.
    whole = (one for one in made if any(told.action is not Action.RETRACT for told in one))
    found = [_merge(one, by_id, stands) for one in whole]
    return sorted(found, key=lambda merge: merge.at, reverse=True)


def undo_plan(scope: Scope, merge: str, source: Source, stored: Stored, recorded_at: datetime) -> tuple[Plan, Merge]:
    """What takes back exactly the statements of the merge, and the merge as it is then. Raises `StaleFact`."""
    made = [one for one in stored.statements if one.message == merge and one.author == AUTHOR]
    found = next((one for one in merges_among(stored.statements) if one.merge == merge), None)
    if found is None:
        raise StaleFact(
            f"what {merge} made has faded: `perdure archive` lists what has, and `perdure archive restore` brings it back,"
            " to be undone then"
        )
    if found.undone:
        return NOTHING, found
    if later := changed_since(merge, stored.statements):
        first = f"undo the merge {later.message}" if _is_of_a_merge(later) else f"`perdure undo {later.id}`"
        raise StaleFact(f"what {merge} made was changed since, by statement {later.id}: {first} first")
    return take_back(scope, made, source, stored, recorded_at), replace(found, undone=True)


def changed_since(merge: str, told: Iterable[Statement]) -> Statement | None:
    """What ended, corrected or retracted the merged fact since: without the merge, that would be lost."""
    for slot in _by(told, "slot"):
        made = [one for one in slot if one.message == merge and one.action is not Action.RETRACT]
        ids = {one.id for one in made}
        since = [one for one in standing(slot) if made and one.recorded_at > made[0].recorded_at]
        changes = (o for o in since if o.action in {Action.END, Action.CORRECT} or not ids.isdisjoint(o.targets))
        if later := next(changes, None):
            return later
    return None


def merges_made(told: Iterable[Statement]) -> Iterator[list[Statement]]:
    """The statements of each merge."""
    return _by(filter(_is_of_a_merge, told), "message")


def _merge(made: list[Statement], by_id: dict[UUID, Statement], stands: set[UUID]) -> Merge:
    taken_back = [one for one in made if one.action is Action.RETRACT]
    stated = next(one for one in made if one.action is not Action.RETRACT)
    firsts = [target for one in taken_back for target in one.targets[:1] if target in by_id]
    sources = {first: by_id[first].content for first in firsts}
    undone = not any(one.id in stands for one in taken_back)
    return Merge(stated.message, stated.recorded_at, stated.attribute, stated.content, sources, undone)


def _is_of_a_merge(statement: Statement) -> bool:
    return statement.author == AUTHOR and statement.message.startswith(MERGE)


def _by(statements: Iterable[Statement], name: Literal["slot", "message"]) -> Iterator[list[Statement]]:
    found: defaultdict[object, list[Statement]] = defaultdict(list)
    for statement in statements:
        found[getattr(statement, name)].append(statement)
    yield from found.values()
