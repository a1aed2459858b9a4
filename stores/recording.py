"""The moment of a write: it grows with every write of a user, whatever the clock does. It is the order of belief."""

from __future__ import annotations

from datetime import datetime, timedelta

from perdure.stores.rows import Row


def recorded_after(last: Row | None, now: datetime) -> datetime:
    """``last`` is the answer to `last_recorded`, asked for under the user's lock; ``now`` is taken after it was waited for."""
    return max(now, last["recorded_at"] + timedelta(microseconds=1)) if last and last["recorded_at"] else now
