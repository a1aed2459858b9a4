"""What a tenant has added to the built-in vocabulary, and the names that its users have facts of; within a transaction."""

from __future__ import annotations

from datetime import datetime

from perdure.attributes import BUILT_IN, Attribute, Cardinality, Vocabulary
from perdure.learned import LearnedName
from perdure.scope import Scope
from perdure.stores.pool import Connection
from perdure.stores.rows import Row
from perdure.stores.scoped import ScopedStatements
from perdure.text import VALUE_LIMIT, check_text

_SQL = ScopedStatements("attributes")


async def lock_vocabulary(connection: Connection, scope: Scope) -> None:
    """Nobody else changes the tenant's vocabulary until the transaction ends."""
    await _SQL.run(connection, scope, "lock_vocabulary")


async def load_vocabulary(connection: Connection, scope: Scope) -> Vocabulary:
    """One statement. A tenant that has added nothing has the built-in vocabulary itself, not a copy."""
    rows = await own_rows(connection, scope)
    merged = {row["name"]: row["merged_into"] for row in rows if row["merged_into"]}
    additions = [_attribute(row) for row in rows if not row["merged_into"]]
    return BUILT_IN.extended(additions, {old: _last(old, merged) for old in merged}) if rows else BUILT_IN


async def own_rows(connection: Connection, scope: Scope) -> list[Row]:
    """Attributes and aliases of the tenant's own, and names that were merged, in the order in which they came."""
    return await (await _SQL.run(connection, scope, "of_tenant")).fetchall()


async def names_in_use(connection: Connection, scope: Scope, name: str | None = None) -> dict[str, Row]:
    """The names of which the tenant's users have believed facts: `cardinality`, `cardinalities`, `facts`, `users`."""
    cursor = await _SQL.run(connection, scope, "in_use", attribute=name)
    return {row["name"]: row async for row in cursor}


async def learned_names(connection: Connection, scope: Scope, vocabulary: Vocabulary) -> list[LearnedName]:
    """Those of the names in use that no attribute has, the most used first."""
    return [
        LearnedName(
            name,
            Cardinality(row["cardinality"]),
            facts=row["facts"],
            users=row["users"],
            merged_into=vocabulary.merged.get(name, ""),
        )
        for name, row in (await names_in_use(connection, scope)).items()
        if name not in vocabulary
    ]


async def save_attribute(
    connection: Connection, scope: Scope, attribute: Attribute, author: str, at: datetime, merged_into: str = ""
) -> None:
    """Add or replace the row of this name."""
    await _SQL.run(
        connection,
        scope,
        "put",
        attribute=attribute.name,
        cardinality=attribute.cardinality.value,
        kind=attribute.kind,
        english=list(attribute.english),
        korean=list(attribute.korean),
        merged_into=merged_into,
        author=check_text(author, "the author", limit=VALUE_LIMIT),
        recorded_at=at,
    )


async def remove_attribute(connection: Connection, scope: Scope, name: str) -> None:
    await _SQL.run(connection, scope, "remove", attribute=name)


def _attribute(row: Row) -> Attribute:
    return Attribute(
        row["name"], Cardinality(row["cardinality"]), row["kind"], tuple(row["english"]), tuple(row["korean"])
    )


def _last(old: str, merged: dict[str, str]) -> str:
    """Where a chain of merges ends: none is a circle, since a name is merged into what its target stands for."""
    new = merged[old]
    return _last(new, merged) if new in merged else new
