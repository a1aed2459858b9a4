"""What was of use: which memories replies were shown, how often and when last."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from perdure.facts import Source, exchange_id
from perdure.scope import Scope
from perdure.stores.pool import Connection
from perdure.stores.scoped import ScopedStatements

_SQL = ScopedStatements("uses")


async def record_uses(
    connection: Connection, scope: Scope, memories: Sequence[UUID], source: Source, at: datetime
) -> None:
    """Count one use of each, within the caller's transaction and before the exchange of the message is appended.

    A message whose exchange is kept already has been counted: a retry, a resume or a backfill counts nothing.
    """
    if not memories:
        return
    await _SQL.run(
        connection,
        scope,
        "record",
        memories=list(dict.fromkeys(memories)),
        exchange=exchange_id(scope, source),
        message=source.message,
        at=at,
    )
