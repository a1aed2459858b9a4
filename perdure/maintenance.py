"""The upkeep of memory: chores, each done for one user after the other, in batches, beside live traffic."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from perdure.errors import DatabaseError, InvalidInput, PerdureError
from perdure.plain import Record
from perdure.scope import Scope
from perdure.stores.upkeep import PostgresUpkeep


@dataclass(frozen=True, slots=True)
class Batch:
    """What one batch of a chore came to."""

    done: int
    left: int = 0
    """What is due and was left alone, because it is in use or waits for somebody."""


class Chore(Protocol):
    """Something that is due from time to time. Every batch is committed: who is killed goes on when run again."""

    @property
    def name(self) -> str: ...

    async def due(self, scope: Scope) -> int:
        """How much there is to do for this user; nothing is done. The scope's agent does not matter."""
        ...

    def batches(self, scope: Scope) -> AsyncIterator[Batch]:
        """Do what is due for this user, a batch at a time. Whoever stops listening stops it."""
        ...


@dataclass(frozen=True, slots=True)
class ChoreReport(Record):
    """What a chore did, or with a dry run, would do (``due``)."""

    chore: str
    users: int
    """For how many there was anything to do."""
    due: int | None
    done: int
    left: int
    failures: tuple[str, ...] = ()
    """The errors of users for whom it failed; the others were done all the same."""


@dataclass(frozen=True, slots=True)
class MaintenanceReport(Record):
    tenant: str
    users: int
    chores: tuple[ChoreReport, ...]

    @property
    def failed(self) -> bool:
        return any(chore.failures for chore in self.chores)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: the chore, and how many users it has done of how many."""

    chore: str
    users: int
    of_users: int
    done: int


Tell = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Maintenance:
    """The part of `Memory` that does what is due."""

    store: PostgresUpkeep
    chores: Sequence[Chore]

    async def run(
        self,
        *,
        tenant: str = "default",
        user: str | None = None,
        only: Sequence[str] = (),
        dry_run: bool = False,
        tell: Tell = lambda _: None,
    ) -> MaintenanceReport:
        """Do the chores (or `only` these) for a user, or for all users of the tenant; with `dry_run` only count.

        An error of one user is told in the report and costs nobody else. Raises `InvalidInput` for a chore that there is
        not, `AlreadyRunning` while somebody else does it, and `DatabaseError`.
        """
        chosen = self._chosen(only)
        Scope(user=user or "default", tenant=tenant)  # a name that cannot be one is refused before anything is done
        if dry_run:
            users = [user] if user else await self.store.users(tenant)
            return MaintenanceReport(tenant, len(users), tuple([await _counted(c, tenant, users) for c in chosen]))
        async with self.store.alone(tenant):
            users = [user] if user else await self.store.users(tenant)
            done = [await _done(chore, tenant, users, tell) for chore in chosen]
        return MaintenanceReport(tenant, len(users), tuple(done))

    def _chosen(self, only: Sequence[str]) -> list[Chore]:
        known = [chore.name for chore in self.chores]
        if unknown := [name for name in only if name not in known]:
            raise InvalidInput(f"there is no chore {unknown[0][:80]!r}: choose from {', '.join(known)}")
        return [chore for chore in self.chores if not only or chore.name in only]


async def _counted(chore: Chore, tenant: str, users: Sequence[str]) -> ChoreReport:
    due = [await chore.due(Scope(user=user, tenant=tenant)) for user in users]
    return ChoreReport(chore.name, sum(map(bool, due)), sum(due), 0, 0)


async def _done(chore: Chore, tenant: str, users: Sequence[str], tell: Tell) -> ChoreReport:
    served = done = left = 0
    failures: list[str] = []
    for count, user in enumerate(users):
        before = done + left
        tell(Progress(chore.name, count, len(users), done))
        try:
            async for batch in chore.batches(Scope(user=user, tenant=tenant)):
                done, left = done + batch.done, left + batch.left
                tell(Progress(chore.name, count, len(users), done))
        except DatabaseError:
            raise
        except PerdureError as error:
            failures.append(f"{user}: {error}")
        served += done + left > before
    tell(Progress(chore.name, len(users), len(users), done))
    return ChoreReport(chore.name, served, None, done, left, tuple(failures))
