"""Rows of the facts table: an interval as it was believed for a while."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from perdure.facts import Fact
from perdure.sameness import likeness
from perdure.scope import Scope
from perdure.scripts import script_of
from perdure.stores.pool import Connection
from perdure.stores.rows import Row, row_of
from perdure.stores.scoped import ScopedStatements
from perdure.stores.vectors import text_hash
from perdure.stores.words import fact_text, row_words
from perdure.terms import hashed_terms

_SQL = ScopedStatements("facts")


async def close_beliefs(connection: Connection, scope: Scope, facts: Iterable[Fact], known_to: datetime) -> None:
    """These are no longer believed from `known_to` on."""
    await _SQL.run_many(connection, scope, "close_belief", ({"id": fact.id, "known_to": known_to} for fact in facts))


async def open_beliefs(connection: Connection, scope: Scope, beliefs: Sequence[tuple[Fact, datetime | None]]) -> None:
    """Insert facts, each with the moment until which it was believed (None: still). Their vectors must be stored."""
    await _SQL.run_many(connection, scope, "open_belief", (_row(fact, known_to) for fact, known_to in beliefs))


def _row(fact: Fact, known_to: datetime | None) -> Row:
    terms = hashed_terms(fact_text(fact.content, fact.value, fact.attribute))
    return row_of(fact) | {
        "known_to": known_to,
        "terms": terms,
        "words": row_words(terms),
        "script": script_of(fact.content),
        "likeness": likeness(fact.subject, fact.attribute, fact.value),
        "text_hash": text_hash(fact.content),
    }
