"""Changes of memory that a person or an application makes itself, not by what is said in a conversation."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from perdure.attributes import Cardinality
from perdure.errors import NotFound
from perdure.facts import USER, Action, Kind, Operation, Receipt, Source
from perdure.graph.context import Context, run_context
from perdure.layer import MemoryLayer
from perdure.scope import Scope
from perdure.stores.facts import PostgresFactStore
from perdure.stores.vocabulary import PostgresVocabularies
from perdure.text import check_text
from perdure.time import check_future, check_term


@dataclass(frozen=True)
class ByHand:
    """The part of `Memory` that changes facts. No policy is asked: whoever calls it has decided."""

    layer: MemoryLayer
    facts: PostgresFactStore
    attributes: PostgresVocabularies

    async def remember(
        self,
        content: str,
        *,
        attribute: str = "",
        value: str = "",
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        kind: Kind = "fact",
        importance: int = 5,
        expires_at: datetime | None = None,
        user: str | None = None,
        context: Context | None = None,
    ) -> Receipt:
        """Assert a fact. With an attribute it supersedes what held; without one it is a note of its own.

        From `expires_at` on it is in no answer, as if it had never been told. Raises `InvalidTime` if that is past.
        """
        run = run_context(user, context)
        check_term(valid_from or self.layer.clock.now(), valid_to)
        check_future(expires_at, self.layer.clock.now())
        open_ended = bool(attribute and valid_from and not valid_to)
        operation = Operation(
            attribute=attribute,
            value=value,
            content=check_text(content, "the content"),
            valid_from=valid_from,
            valid_to=valid_to,
            kind=kind,
            importance=importance,
            expires_at=expires_at,
            target=await self._superseded(run.scope, attribute) if open_ended else None,
        )
        return await self._apply(operation, run)

    async def correct(
        self,
        target: str,
        content: str,
        *,
        value: str = "",
        valid_from: datetime | None = None,
        user: str | None = None,
        context: Context | None = None,
    ) -> Receipt:
        """The fact was never true; this was. ``target`` is a fact's id, the beginning of one, or an attribute."""
        run = run_context(user, context)
        old = await self.facts.find(run.scope, target)
        operation = Operation(
            action=Action.CORRECT,
            target=old.id,
            attribute=old.attribute,
            cardinality=old.cardinality,
            subject=old.subject,
            kind=old.kind,
            importance=old.importance,
            value=(value or content) if old.attribute else "",
            content=check_text(content, "the content"),
            valid_from=valid_from,
        )
        return await self._apply(operation, run)

    async def end(
        self, target: str, *, at: datetime | None = None, user: str | None = None, context: Context | None = None
    ) -> Receipt:
        """The fact stopped being true at `at` (default now); nothing takes its place."""
        run = run_context(user, context)
        old = await self.facts.find(run.scope, target)
        return await self._apply(Operation(action=Action.END, target=old.id, valid_from=at), run)

    async def retract(self, target: str, *, user: str | None = None, context: Context | None = None) -> Receipt:
        """The fact was never true; what it had closed is open again."""
        run = run_context(user, context)
        old = await self.facts.find(run.scope, target)
        return await self._apply(Operation(action=Action.RETRACT, target=old.id), run)

    async def undo(
        self, statement: str, *, apart: bool = False, user: str | None = None, context: Context | None = None
    ) -> Receipt:
        """Take one statement back, by its id or the beginning of it: as if it had not been made. Can itself be undone.

        ``apart`` also states anew, as a value of its own, what was taken for another saying of a known value. Raises
        `NotFound`.
        """
        run = run_context(user, context)
        found = await self.facts.find_statement(run.scope, statement)
        source = Source(at=self.layer.clock.now(), author=run.reviewer or USER)
        (receipt,) = await self.facts.take_back(run.scope, [found.id], source, apart=apart)
        return receipt

    async def _superseded(self, scope: Scope, attribute: str) -> UUID | None:
        """The fact that now holds for a single attribute: what was told of it without a date gives way to a date."""
        vocabulary = await self.layer.vocabularies.of(scope)
        if vocabulary.cardinality(vocabulary.canonical(attribute)) is Cardinality.MANY:
            return None
        current = await self.facts.facts(scope, attribute=attribute)
        return next((fact.id for fact in current), None)

    async def _apply(self, operation: Operation, run: Context) -> Receipt:
        (receipt,) = await self.layer.save(run.scope, [operation], Source(at=self.layer.clock.now()))
        if receipt.outcome == "dropped":
            raise NotFound(f"{operation.action.value}: {receipt.why}; nothing was written")
        return receipt
