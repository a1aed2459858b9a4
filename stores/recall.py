"""Search over facts and episodes: one statement, exact within the scope of a user whose memories can each be scored.

Of a user who has more than that, the nearest by vector and those with the rarer terms are scored (see `large_users`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, LiteralString

from psycopg import AsyncCursor
from psycopg.rows import DictRow

from perdure.attributes import told_names
from perdure.opening import Opening
from perdure.ports import Vector
from perdure.presets import Preset, preset_of
from perdure.recall import Hit, Query
from perdure.scope import Scope
from perdure.stores.core_blocks import ask_for_blocks, read_blocks
from perdure.stores.hits import hit_of_row, why_of_row
from perdure.stores.large_users import LargeUser, LargeUsers
from perdure.stores.policies import policy_of_row
from perdure.stores.pool import Connection, Pool, borrowed
from perdure.stores.ranking import ranking_parameters
from perdure.stores.scoped import ScopedStatements
from perdure.stores.words import QuestionWords, question_words
from perdure.terms import hashed_terms
from perdure.time import Clock
from perdure.turn import AttributeUse
from perdure.why import Why

_SQL = ScopedStatements("recall")
_FACTS = ScopedStatements("facts")
_POLICIES = ScopedStatements("policies")
_OWN_PLAN: LiteralString = "set local plan_cache_mode = force_custom_plan"
_WIDE_SCAN: tuple[LiteralString, ...] = (
    "set local hnsw.iterative_scan = strict_order",
    "set local hnsw.ef_search = 800",
    "set local hnsw.max_scan_tuples = 1000000",  # else it gives up before it meets what held then, or is this agent's
)
NEAREST = 200
"""So many of the nearest by vector are scored of a large user: with fewer, neighbours and words miss some."""


class PostgresRecallStore:
    """Implements `ports.RecallStore`."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock
        self._large = LargeUsers()

    def forget(self) -> None:
        """Forget who is known to be a large user."""
        self._large.forget()

    async def search(self, scope: Scope, query: Query, vector: Vector) -> list[Hit]:
        """What holds at the time asked for, best first. Raises `InvalidInput` for what cannot be asked for."""
        now = self._clock.now()
        search = _Search.of(query, vector, now, self._large.of(scope))
        async with borrowed(self._pool) as connection:
            async with connection.pipeline():  # nothing is read before it ends: that would be another round trip
                found = await search.send(connection, scope)
                large = await self._large.ask(connection, now)
            await self._large.learn(large, now)
            return await search.hits(found)

    async def latest(self, scope: Scope, query: Query) -> list[Hit]:
        """The episodes that the query allows, whatever its text, the latest first. Raises `InvalidInput`."""
        now = self._clock.now()
        parameters = ranking_parameters(query, preset_of(query.preset), question_words(""), (), now)
        async with borrowed(self._pool) as connection:
            found = await _SQL.run(connection, scope, "latest", **parameters)
            return [hit_of_row(row, now) async for row in found]

    async def open_turn(self, scope: Scope, query: Query, vector: Vector) -> Opening:
        """What a turn begins with, sent together: one round trip."""
        now = self._clock.now()
        search = _Search.of(query, vector, now, self._large.of(scope)) if query.k else None
        async with borrowed(self._pool) as connection:
            async with connection.pipeline():
                used = await _FACTS.run(connection, scope, "attributes_in_use", now=now)
                policy = await _POLICIES.run(connection, scope, "in_force")
                core = await ask_for_blocks(connection, scope, query.as_known_at)
                found = await search.send(connection, scope) if search else None
                large = await self._large.ask(connection, now)
            await self._large.learn(large, now)
            return Opening(
                hits=tuple(await search.hits(found)) if search and found else (),
                attributes=tuple([AttributeUse(**row) async for row in used]),
                policy=policy_of_row(await policy.fetchone()),
                core=tuple(await read_blocks(core)),
            )


@dataclass(frozen=True, slots=True)
class _Search:
    """One search: which statement answers it, with which parameters."""

    preset: Preset
    query: Query
    statement: str
    parameters: dict[str, Any]
    now: datetime
    settings: tuple[LiteralString, ...]

    @classmethod
    def of(cls, query: Query, vector: Vector, now: datetime, large: LargeUser | None) -> _Search:
        preset = preset_of(query.preset)
        if query.fusion:
            preset = replace(preset, fusion=query.fusion)
        words = question_words("" if preset.by_vector_alone else query.text)
        parameters = ranking_parameters(query, preset, words, vector, now)
        wide = large if large and not _is_narrow(query, preset) else None
        statement = _statement(query, preset, by_index=wide is not None)
        if wide and statement == "search_large":
            parameters |= _index_parameters(wide, words, query)
        return cls(preset, query, statement, parameters, now, _settings(statement, by_index=wide is not None))

    async def send(self, connection: Connection, scope: Scope) -> AsyncCursor[DictRow]:
        """Send it, within the pipeline of the caller."""
        if not self.settings:
            return await _SQL.run(connection, scope, self.statement, **self.parameters)
        await connection.execute("begin read only")
        for setting in self.settings:  # for this transaction: a pooler may hand the session to somebody else
            await connection.execute(setting)
        found = await _SQL.run(connection, scope, self.statement, prepare=False, **self.parameters)
        await connection.execute("commit")
        return found

    async def hits(self, found: AsyncCursor[DictRow]) -> list[Hit]:
        return [hit_of_row(row, self.now, self._why(row) if self.query.explain else None) async for row in found]

    def _why(self, row: DictRow) -> Why:
        return why_of_row(row, self.preset, self.parameters["threshold"], self.parameters["floor"])


def _statement(query: Query, preset: Preset, *, by_index: bool) -> str:
    if query.explain or query.as_known_at or preset.fusion != "absolute":
        return "search_in_full"
    if preset.by_vector_alone:
        return "nearest"
    return "search_large" if by_index else "search"


def _settings(statement: str, *, by_index: bool) -> tuple[LiteralString, ...]:
    """A plan for any user knows no indexes of one, and one for any moment reads what was once believed, too."""
    if statement == "search_in_full":
        return (_OWN_PLAN,)
    return (_OWN_PLAN, *_WIDE_SCAN) if by_index else ()


def _is_narrow(query: Query, preset: Preset) -> bool:
    """It asks for a part of the memories that indexes over all of them do not find."""
    at_a_time = query.as_of or query.during or query.period or query.as_known_at
    only_few_kinds = query.kinds or (preset.kinds and "exchange" not in preset.kinds)
    return bool(query.attributes or query.thread or at_a_time or only_few_kinds)


def _index_parameters(large: LargeUser, words: QuestionWords, query: Query) -> dict[str, Any]:
    """A fact has the names of its attribute among its terms, by which those that are asked about are gathered too."""
    names = [term for name in query.asked for term in hashed_terms(told_names(name))]
    return {
        "rows": large.rows,
        "known_rows": [large.common.get(term) for term in words.hashes],
        "rare": [term for term in (*words.hashes, *names) if term not in large.common],
        "nearest": max(NEAREST, 4 * query.k),
    }
