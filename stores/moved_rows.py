"""What an import saves: the rows that are new, and what follows from them; within the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from pgvector import Vector as PgVector
from psycopg.types.json import Jsonb

from perdure.errors import InvalidInput
from perdure.moving.attributes import addition_of
from perdure.moving.core_blocks import MovedBlock
from perdure.moving.records import MovedAttribute, MovedEpisode, MovedPolicy, MovedStatement
from perdure.ports import Vector
from perdure.scope import Scope
from perdure.scripts import script_of
from perdure.stores.beliefs import open_beliefs
from perdure.stores.own_attributes import load_vocabulary, lock_vocabulary, own_rows, save_attribute
from perdure.stores.pool import Connection
from perdure.stores.rebuild import replay_slots
from perdure.stores.rows import Row, row_of, statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vectors import save_vectors
from perdure.stores.words import row_words
from perdure.terms import hashed_terms

_SQL, _FACTS = ScopedStatements("moving"), ScopedStatements("facts")


async def save_statements(
    connection: Connection,
    scope: Scope,
    told: Sequence[MovedStatement],
    vectors: Mapping[str, Vector],
    shared: bool,
) -> int:
    """Insert the statements whose ids are new, and make the facts of their slots anew.

    Raises `InvalidInput` for an id that a statement of another slot has.
    """
    await _FACTS.run(connection, scope, "lock_user")
    cursor = await _SQL.run(connection, scope, "stored_statements", ids=[statement.id for statement in told])
    stored = {row["id"]: row["slot"] async for row in cursor}
    if other := next((one for one in told if stored.get(one.id, one.slot) != one.slot), None):
        raise InvalidInput(f"the statement {other.id} is in the memory already, of another agent or attribute")
    new = list({statement.id: statement for statement in told if statement.id not in stored}.values())
    await save_vectors(connection, scope, {one.content: vectors[one.content] for one in new if one.content})
    await _FACTS.run_many(connection, scope, "insert_statement", map(row_of, new))
    await _remake_slots(connection, scope, {statement.slot for statement in new})
    return len(new)


async def _remake_slots(connection: Connection, scope: Scope, slots: set[UUID]) -> None:
    """The facts of these slots, past beliefs included, as they follow from all that is stated in them by now."""
    cursor = await _FACTS.run(connection, scope, "slot_statements", slots=list(slots), facts=[], alike=[])
    beliefs = replay_slots([statement_of(row) async for row in cursor])
    await _FACTS.run_many(connection, scope, "delete_slot_beliefs", [{"slot": slot} for slot in slots])
    await open_beliefs(connection, scope, [(belief.fact, belief.known_to) for belief in beliefs])


async def save_episodes(
    connection: Connection,
    scope: Scope,
    kept: Sequence[MovedEpisode],
    vectors: Mapping[str, Vector],
    shared: bool,
) -> int:
    """Insert the episodes whose ids are new, each after what its thread has already."""
    await _FACTS.run(connection, scope, "lock_user")
    cursor = await _SQL.run(connection, scope, "stored_episodes", ids=[episode.id for episode in kept])
    stored = {row["id"] async for row in cursor}
    new = list({episode.id: episode for episode in kept if episode.id not in stored}.values())
    await save_vectors(connection, scope, {episode.content: vectors[episode.content] for episode in new})
    await _SQL.run_many(connection, scope, "insert_episode", [_episode_row(e, vectors[e.content]) for e in new])
    return len(new)


async def save_policies(
    connection: Connection,
    scope: Scope,
    made: Sequence[MovedPolicy],
    vectors: Mapping[str, Vector],
    shared: bool,
) -> int:
    """Insert the versions that are new. Raises `InvalidInput` where another policy has the number."""
    new = 0
    for policy in made:
        row = row_of(policy) | {"policy": Jsonb(policy.policy), "shared": shared}
        inserted = await _SQL.run(connection, scope, "insert_policy", **row)
        new += inserted.rowcount
        if not inserted.rowcount:
            kept = await (await _SQL.run(connection, scope, "stored_policy", **row)).fetchone()
            if kept and kept["policy"] != policy.policy:
                raise InvalidInput(f"there is another policy with the version {policy.version} already")
    return new


async def save_blocks(
    connection: Connection,
    scope: Scope,
    blocks: Sequence[MovedBlock],
    vectors: Mapping[str, Vector],
    shared: bool,
) -> int:
    """Insert the versions whose edits are new. Raises `InvalidInput` where a block has another one of the number."""
    await _FACTS.run(connection, scope, "lock_user")
    new = 0
    for block in blocks:
        row = row_of(block)
        inserted = await _SQL.run(connection, scope, "insert_block", **row)
        new += inserted.rowcount
        if not inserted.rowcount and not await (await _SQL.run(connection, scope, "same_block", **row)).fetchone():
            raise InvalidInput(f"the block {block.label!r} has another version {block.version} already")
    return new


async def save_attributes(
    connection: Connection,
    scope: Scope,
    added: Sequence[MovedAttribute],
    vectors: Mapping[str, Vector],
    shared: bool,
) -> int:
    """Add what is new to the tenant's vocabulary. Raises `InvalidInput` where it contradicts what is there."""
    await lock_vocabulary(connection, scope)
    stored = {row["name"]: _definition(row) for row in await own_rows(connection, scope)}
    new = [attribute for attribute in added if attribute.name not in stored]
    told = {attribute.name: _definition(row_of(attribute)) for attribute in added}
    if other := next((one for one in told if stored.get(one, told[one]) != told[one]), None):
        raise InvalidInput(f"the tenant has another attribute called {other[:80]!r} already")
    for attribute in new:
        addition = addition_of(attribute, await load_vocabulary(connection, scope))
        await save_attribute(
            connection, scope, addition, attribute.author, attribute.recorded_at, attribute.merged_into
        )
    return len(new)


def _definition(row: Row) -> Row:
    return {name: row[name] for name in ("cardinality", "kind", "english", "korean", "merged_into")}


def _episode_row(episode: MovedEpisode, vector: Vector) -> Row:
    terms = hashed_terms(episode.content)
    return row_of(episode) | {
        "details": Jsonb(episode.details),
        "embedding": PgVector(list(vector)),
        "terms": terms,
        "words": row_words(terms),
        "script": script_of(episode.content),
    }
