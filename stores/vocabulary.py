"""The vocabularies of tenants: the built-in attributes, what a tenant has added to them, and what it has merged.

A vocabulary is the tenant's, whichever of its users the scope names. Only a person changes it: no node, no model.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar
from weakref import WeakValueDictionary

from perdure.additions import checked_addition
from perdure.attributes import BUILT_IN, Attribute, Vocabulary, learned_name
from perdure.errors import InvalidInput, NotFound
from perdure.learned import LearnedName, Suggestion, suggestions
from perdure.renaming import RenamingReport
from perdure.scope import Scope
from perdure.stores.merges import declare_merge, users_of_merge, users_of_name, withdraw_merge
from perdure.stores.own_attributes import (
    learned_names,
    load_vocabulary,
    lock_vocabulary,
    names_in_use,
    own_rows,
    remove_attribute,
    save_attribute,
)
from perdure.stores.pool import Connection, Pool, borrowed
from perdure.stores.renaming import move_user, move_user_back
from perdure.time import Clock

LIFETIME = timedelta(minutes=1)
"""How long a process may not know what another one has changed."""
MOST_TENANTS = 1_000
"""So many vocabularies are kept in memory."""

Progress = Callable[[int, int], None]
"""Is told after each user how many are done, of how many."""
_Done = TypeVar("_Done")


class PostgresVocabularies:
    """Implements `ports.Vocabularies`, and changes what it gives."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock
        self._loaded: dict[str, tuple[datetime, Vocabulary]] = {}
        self._loading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def of(self, scope: Scope) -> Vocabulary:
        """The built-in attributes and the tenant's own; one statement where what this process has is a minute old."""
        if known := self._fresh(scope.tenant):
            return known
        async with self._lock(scope.tenant):  # whoever else misses it waits for the one statement
            return self._fresh(scope.tenant) or await self._load(scope)

    async def put(self, scope: Scope, attribute: Attribute, author: str) -> Attribute:
        """Add an attribute, or aliases to a built-in one; what the tenant had under that name is replaced.

        Raises `InvalidInput` for a name or alias that another attribute has, and where stored facts of the name were
        written for another number of values.
        """
        async with self._changing(scope) as connection:
            added = checked_addition(attribute, await load_vocabulary(connection, scope))
            used = await names_in_use(connection, scope, added.name)
            if any(row["cardinalities"] != [added.cardinality.value] for row in used.values()):
                other = "many values" if added.cardinality.value == "single" else "a single value"
                raise InvalidInput(
                    f"{used[added.name]['facts']} stored facts use {added.name}, and it holds {other}: say so, or add"
                    " the attribute under another name and merge this one into it"
                )
            await save_attribute(connection, scope, added, author, self._clock.now())
        return added

    async def remove(self, scope: Scope, name: str) -> None:
        """Take back an attribute of the tenant's own, or its aliases for a built-in one.

        Raises `NotFound`; and `InvalidInput` for an attribute that facts use, since nothing else says how many values
        it holds.
        """
        name = learned_name(name)
        async with self._changing(scope) as connection:
            if name not in {row["name"] for row in await own_rows(connection, scope) if not row["merged_into"]}:
                raise NotFound(
                    f"{name[:80]!r} is not an attribute of the tenant's own: `perdure attributes` lists them"
                )
            used = await names_in_use(connection, scope, name)
            if used and name not in BUILT_IN:
                raise InvalidInput(f"{used[name]['facts']} stored facts use {name}: it must stay")
            await remove_attribute(connection, scope, name)

    async def learned(self, scope: Scope) -> list[LearnedName]:
        """The names outside the vocabulary that the tenant's users have facts of, the most used first."""
        async with borrowed(self._pool) as connection:
            return await learned_names(connection, scope, await load_vocabulary(connection, scope))

    async def suggestions(self, scope: Scope) -> list[Suggestion]:
        """Merges that a person may want to make: of names that only order, endings or spelling tell apart."""
        async with borrowed(self._pool) as connection:
            vocabulary = await load_vocabulary(connection, scope)
            return suggestions(await learned_names(connection, scope, vocabulary), vocabulary)

    async def merge(
        self, scope: Scope, old: str, new: str, author: str, progress: Progress | None = None
    ) -> RenamingReport:
        """Declare a learned name to be another attribute's, and move there what every user of the tenant has of it.

        One transaction per user. Run again, it goes on where it was cut short, and takes up what other processes have
        written under the old name before they knew. Raises `NotFound` for a name that nobody uses, and `InvalidInput`
        for one that is not learned, or is merged into something else.
        """
        async with self._changing(scope) as connection:
            renaming = await declare_merge(connection, scope, learned_name(old), new, author, self._clock.now())
        async with borrowed(self._pool) as connection:
            users = await users_of_name(connection, scope, renaming.old)
        moves = await self._each(
            scope, users, lambda connection, user: move_user(connection, user, renaming, self._clock), progress
        )
        return RenamingReport.of(renaming.old, renaming.new, moves)

    async def split(self, scope: Scope, old: str, author: str, progress: Progress | None = None) -> RenamingReport:
        """Undo a merge: the name stands for itself again, and what was moved is back. What came since stays.

        Run again, it goes on where it was cut short. Raises `NotFound` for a name that is not merged, `InvalidInput`
        where the attribute that it was merged into has been merged itself.
        """
        old = learned_name(old)
        async with self._changing(scope) as connection:
            new = await withdraw_merge(connection, scope, old)
        async with borrowed(self._pool) as connection:
            users = await users_of_merge(connection, scope, old)
        moves = await self._each(
            scope, users, lambda connection, user: move_user_back(connection, user, old, author, self._clock), progress
        )
        if not new and not any(move.facts for move in moves):
            raise NotFound(f"{old[:80]!r} is not merged into an attribute: `perdure attributes` lists what is")
        return RenamingReport.of(old, new, moves)

    async def _each(
        self,
        scope: Scope,
        users: Sequence[str],
        move: Callable[[Connection, Scope], Awaitable[_Done]],
        progress: Progress | None,
    ) -> list[_Done]:
        """One user after the other, each in a transaction of its own."""
        done: list[_Done] = []
        for user in users:
            async with borrowed(self._pool) as connection, connection.transaction():
                done.append(await move(connection, replace(scope, user=user, agent="")))
            if progress:
                progress(len(done), len(users))
        return done

    def forget(self, scope: Scope) -> None:
        """Read the tenant's vocabulary anew when it is needed next: somebody else has changed it."""
        self._loaded.pop(scope.tenant, None)

    async def _load(self, scope: Scope) -> Vocabulary:
        asked_at = self._clock.now()
        async with borrowed(self._pool) as connection:
            vocabulary = await load_vocabulary(connection, scope)
        self._loaded.pop(scope.tenant, None)  # so that the one that was asked for first is the first to go
        if len(self._loaded) >= MOST_TENANTS:
            del self._loaded[next(iter(self._loaded))]
        self._loaded[scope.tenant] = asked_at, vocabulary
        return vocabulary

    def _fresh(self, tenant: str) -> Vocabulary | None:
        asked_at, vocabulary = self._loaded.get(tenant, (None, None))
        return vocabulary if asked_at and timedelta() <= self._clock.now() - asked_at < LIFETIME else None

    def _lock(self, tenant: str) -> asyncio.Lock:
        return self._loading.setdefault(tenant, asyncio.Lock())

    @asynccontextmanager
    async def _changing(self, scope: Scope) -> AsyncIterator[Connection]:
        """A transaction in which nobody else changes the tenant's vocabulary; afterwards this process reads it anew."""
        async with self._lock(scope.tenant):
            async with borrowed(self._pool) as connection, connection.transaction():
                await lock_vocabulary(connection, scope)
                yield connection
            self._loaded.pop(scope.tenant, None)
