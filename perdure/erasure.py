"""Erasure: what must not exist is deleted everywhere, counted, and proved to be gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from uuid import UUID

from perdure.erased_texts import erased_texts
from perdure.erasure_receipt import ErasureReceipt, Proof
from perdure.errors import NotFound
from perdure.graph.context import Context, run_context
from perdure.graph.turns import Turns
from perdure.ports import Elsewhere
from perdure.scope import Scope
from perdure.stores.checkpoints import PooledSaver
from perdure.stores.erasures import PostgresErasures, Subject
from perdure.threads import known_name, thread_key

ROUNDS = 5
"""So often what came meanwhile is erased too. A user who goes on talking begins anew."""

Tell = Callable[[str], None]


def _silent(doing: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Erasure:
    """Erases a user, a thread or a fact. Killed half-way and run again, it goes on, and the receipt counts all runs.

    Threads are erased while nothing runs on them: a turn that is under way ends first, and one that waits for its thread
    begins it anew. So threads go before the tables, which name them. ``caches`` are the memories of this process that
    hold texts; ``elsewhere`` is what is kept outside of the tables. `Tell` hears what is being done.
    """

    erasures: PostgresErasures
    turns: Turns
    checkpointer: PooledSaver
    caches: Sequence[Callable[[], None]]
    elsewhere: Sequence[Elsewhere] = ()

    async def user(
        self, *, user: str | None = None, context: Context | None = None, tell: Tell = _silent
    ) -> ErasureReceipt:
        """Delete all memories and threads of the user, of every agent. Of an unknown one nothing is deleted, and proved.

        Raises `BusyThread` for a turn that does not end, `DatabaseError`; run again, it goes on.
        """
        scope = run_context(user, context).scope
        subject = Subject(scope, "user")
        await self.erasures.begin(subject)
        texts = erased_texts(*await self.erasures.said(scope))
        for _ in range(ROUNDS):
            threads = await self.erasures.threads(scope)
            for number, thread in enumerate(threads, 1):
                tell(f"erasing thread {number} of {len(threads)}")
                async with self.turns.alone(thread):
                    await self._delete_thread(subject, thread)
            tell("erasing memories")
            await self.erasures.add(subject, await self._forget_elsewhere(scope, None))
            if not await self.erasures.delete_user(subject) and not threads:
                break
        return await self._receipt(subject, texts, tell)

    async def thread(
        self, thread: str, *, user: str | None = None, context: Context | None = None, tell: Tell = _silent
    ) -> ErasureReceipt:
        """Delete a thread and what was said in it; facts are what follows from what was said elsewhere.

        What the thread took back or corrected stands again. Raises `NotFound`, `BusyThread`, `DatabaseError`.
        """
        scope = run_context(user, context).scope
        subject, key = Subject(scope, "thread", thread), thread_key(scope, thread)
        async with self._alone([key, *await self._keys(scope, {thread})]) as keys:
            elsewhere = await self._forget_elsewhere(scope, thread)
            told = await self.erasures.said(scope, thread)
            known = any(told) or any(elsewhere.values()) or await self._keys(scope, {thread})
            if not known and not await self.erasures.is_begun(subject):
                raise NotFound(f"this user has no thread {thread!r}: `perdure threads` lists those that there are")
            return await self._erase_part(subject, keys, elsewhere, erased_texts(*told), tell)

    async def fact(
        self, fact: UUID, *, user: str | None = None, context: Context | None = None, tell: Tell = _silent
    ) -> ErasureReceipt:
        """Delete a fact's value, the exchanges in which it was said, and the history of their threads.

        Other facts from those threads stay, without their quotations. Raises `NotFound`, `BusyThread`, `DatabaseError`.
        """
        scope = run_context(user, context).scope
        subject = Subject(scope, "fact", str(fact))
        told, _ = await self.erasures.told(scope, fact)
        if not told and not await self.erasures.is_begun(subject):
            raise NotFound(
                f"no fact has the id {fact} in this scope: `perdure facts --history` lists them. One that has faded is in"
                " the archive: `perdure archive restore` brings it back"
            )
        names = {statement.thread for statement in told if statement.thread}
        for place in self.elsewhere:
            for name in names:
                await place.bring_back(scope, name)
        async with self._alone(await self._keys(scope, names)) as keys:
            told, exchanges = await self.erasures.told(scope, fact)
            return await self._erase_part(subject, keys, Counter(), erased_texts(told, exchanges), tell)

    async def verify(self, *, user: str | None = None, context: Context | None = None, tell: Tell = _silent) -> Proof:
        """Only search every table for the user's id and the keys of the user's threads; nothing is deleted."""
        return await self.erasures.scan(run_context(user, context).scope, (), user=True, tell=_scanning(tell))

    async def _erase_part(
        self, subject: Subject, keys: Sequence[str], elsewhere: Counter[str], texts: Collection[str], tell: Tell
    ) -> ErasureReceipt:
        """A thread or a fact, while nothing runs on the threads; ``elsewhere`` was forgotten already."""
        await self.erasures.begin(subject)
        await self.erasures.add(subject, elsewhere)
        tell(f"erasing {len(keys)} threads")
        for key in keys:
            await self._delete_thread(subject, key)
        tell("erasing memories")
        await self.erasures.delete_part(subject)
        return await self._receipt(subject, texts, tell)

    async def _delete_thread(self, subject: Subject, thread: str) -> None:
        await self.erasures.delete_thread(subject, thread)
        self.checkpointer.forget(thread)

    async def _forget_elsewhere(self, scope: Scope, thread: str | None) -> Counter[str]:
        counts: Counter[str] = Counter()
        for place in self.elsewhere:
            counts.update(await place.forget(scope, thread))
        return counts

    async def _receipt(self, subject: Subject, texts: Collection[str], tell: Tell) -> ErasureReceipt:
        for forget in self.caches:
            forget()
        tell("sampling what is left")
        await self.erasures.forget_statistics()
        theirs = await self.erasures.said_by_others(subject.scope, texts) if subject.what == "user" else set()
        user = subject.what == "user"
        proof = await self.erasures.scan(subject.scope, set(texts) - theirs, user=user, tell=_scanning(tell))
        done = await self.erasures.finish(subject)
        return ErasureReceipt(
            what=subject.what,
            counts=done.counts,
            proof=proof,
            runs=done.runs,
            started_at=done.started_at,
            finished_at=done.finished_at,
            complete=not (user and proof.hits),
        )

    async def _keys(self, scope: Scope, names: Collection[str]) -> list[str]:
        """The checkpointer's ids of the user's threads of these names."""
        return [key for key in await self.erasures.threads(scope) if known_name(key) in names]

    @asynccontextmanager
    async def _alone(self, keys: Collection[str]) -> AsyncIterator[list[str]]:
        """Nothing runs on any of the threads. In one order, so that two who erase do not wait for each other."""
        async with AsyncExitStack() as stack:
            ordered = sorted(set(keys))
            for key in ordered:
                await stack.enter_async_context(self.turns.alone(key))
            yield ordered


def _scanning(tell: Tell) -> Tell:
    return lambda table: tell(f"searching {table}")
