"""The declaration that a learned name is another attribute's, made or withdrawn; within a transaction."""

from __future__ import annotations

from datetime import datetime

from perdure.attributes import Attribute, Cardinality
from perdure.errors import InvalidInput, NotFound
from perdure.renaming import Renaming, merges_of
from perdure.scope import Scope
from perdure.stores.own_attributes import load_vocabulary, names_in_use, own_rows, remove_attribute, save_attribute
from perdure.stores.pool import Connection
from perdure.stores.scoped import ScopedStatements

_SQL = ScopedStatements("attributes")


async def declare_merge(
    connection: Connection, scope: Scope, old: str, new: str, author: str, at: datetime
) -> Renaming:
    """From now on `old` stands for the attribute that `new` names. Declaring it again changes nothing.

    Raises `NotFound` for names that nobody uses, `InvalidInput` for those that cannot be merged.
    """
    vocabulary = await load_vocabulary(connection, scope)
    used = await names_in_use(connection, scope)
    target = vocabulary.canonical(new)
    if old in vocabulary:
        raise InvalidInput(f"{old} is an attribute of the vocabulary: only a learned name can be merged")
    if target == old:
        raise InvalidInput(f"{new[:80]!r} stands for {old} itself: name the attribute that it is to become")
    if (merged_into := vocabulary.merged.get(old, target)) != target:
        raise InvalidInput(f"{old} is merged into {merged_into}: split it first")
    if target not in vocabulary and target not in used:
        raise NotFound(f"no attribute is called {target}, and no fact uses that name: add it first")
    if old not in vocabulary.merged:
        if old not in used:
            raise NotFound(f"no fact uses the name {old}: `perdure attributes` lists those that are in use")
        row = Attribute(old, Cardinality(used[old]["cardinality"]), "other", (), ())
        await save_attribute(connection, scope, row, author, at, merged_into=target)
    learned = Cardinality(used[target]["cardinality"]) if target in used else Cardinality.SINGLE
    return Renaming(old, target, vocabulary.cardinality(target, learned), author)


async def withdraw_merge(connection: Connection, scope: Scope, old: str) -> str:
    """`old` stands for itself again; for what it stood, empty if the merge was withdrawn before.

    Raises `InvalidInput` where that has been merged itself, since what was moved has moved on.
    """
    merged = {row["name"]: row["merged_into"] for row in await own_rows(connection, scope) if row["merged_into"]}
    new: str = merged.get(old, "")
    if new in merged:
        raise InvalidInput(f"{new} has been merged into {merged[new]} since: split {new} first")
    if new:
        await remove_attribute(connection, scope, old)
    return new


async def users_of_name(connection: Connection, scope: Scope, name: str) -> list[str]:
    """The tenant's users who have believed facts of exactly this name."""
    return [row["user_id"] async for row in await _SQL.run(connection, scope, "users_of_name", attribute=name)]


async def users_of_merge(connection: Connection, scope: Scope, old: str) -> list[str]:
    """The tenant's users from whom facts of this name were ever moved."""
    cursor = await _SQL.run(connection, scope, "users_of_merge", attribute=old, merges=merges_of(old))
    return [row["user_id"] async for row in cursor]
