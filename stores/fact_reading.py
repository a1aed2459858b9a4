"""What the facts store is asked: facts and statements, as lists and by the name that a person types."""

from __future__ import annotations

from datetime import datetime

from perdure.errors import NotFound
from perdure.facts import Fact, Statement
from perdure.ports import Vocabularies
from perdure.scope import Scope
from perdure.stores.pool import Pool, borrowed
from perdure.stores.rows import fact_of_row, statement_of
from perdure.stores.scoped import ScopedStatements
from perdure.text import VALUE_LIMIT, check_text, normalise
from perdure.time import Clock, check_instant

_SQL = ScopedStatements("facts")


class FactReader:
    def __init__(self, pool: Pool, clock: Clock, vocabularies: Vocabularies) -> None:
        self._pool = pool
        self._clock = clock
        self._vocabularies = vocabularies

    async def facts(
        self,
        scope: Scope,
        *,
        attribute: str | None = None,
        as_of: datetime | None = None,
        as_known_at: datetime | None = None,
        history: bool = False,
    ) -> list[Fact]:
        """The facts that hold at `as_of`, or with `history` every interval, by attribute and time.

        `as_of` defaults to now, or to `as_known_at`: what was believed then to hold then.
        """
        known = as_known_at and check_instant(as_known_at, "as_known_at")
        at = check_instant(as_of or known or self._clock.now(), "as_of")
        names = await self._names(scope, attribute)
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(
                connection,
                scope,
                "read_facts",
                attributes=names,
                known=known,
                at=None if history else at,
                now=self._clock.now(),
            )
            return [fact_of_row(row) async for row in cursor]

    async def find(self, scope: Scope, name: str) -> Fact:
        """The believed fact with this id, or beginning of an id, or attribute (its current or else latest value).

        Raises `NotFound`, also when the name fits several facts; `InvalidText` for an empty one, which fits them all.
        """
        name = check_text(name, "the name of the fact", limit=VALUE_LIMIT)
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "fact_by_prefix", prefix=name.lower(), now=self._clock.now())
            found = [fact_of_row(row) async for row in cursor] if len(name) >= 4 else []
        if not found:
            intervals = await self.facts(scope, attribute=name, history=True)
            current = [fact for fact in intervals if fact.holds_at(self._clock.now())]
            found = current or intervals[-1:]
        if not found:
            raise NotFound(f"no fact has the id or attribute {name[:80]!r}: `perdure facts --history` lists them")
        if len(found) > 1:
            choices = ", ".join(f"{fact.id.hex[:8]} ({normalise(fact.value)[:40]})" for fact in found[:5])
            raise NotFound(f"{name[:80]!r} names several facts: give one's id, such as {choices}")
        return found[0]

    async def statements(self, scope: Scope, *, attribute: str | None = None) -> list[Statement]:
        """What was said, in the order in which it was recorded."""
        names = await self._names(scope, attribute)
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "user_statements", attributes=names, now=self._clock.now())
            return [statement_of(row) async for row in cursor]

    async def find_statement(self, scope: Scope, name: str) -> Statement:
        """The statement with this id or beginning of an id (4 characters or more). Raises `NotFound`."""
        name = check_text(name, "the id of the statement", limit=VALUE_LIMIT)
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(
                connection, scope, "statement_by_prefix", prefix=name.lower(), now=self._clock.now()
            )
            found = [statement_of(row) async for row in cursor] if len(name) >= 4 else []
        if len(found) != 1:
            count = "several statements have" if found else "no statement has"
            raise NotFound(f"{count} the id {name[:80]!r}: `perdure statements` lists them")
        return found[0]

    async def _names(self, scope: Scope, attribute: str | None) -> list[str] | None:
        """The names under which an attribute's facts are or were stored, however the caller calls it."""
        return list((await self._vocabularies.of(scope)).names_of(attribute)) if attribute else None
