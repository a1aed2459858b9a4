"""The bundled PostgreSQL: what Perdure stores memories in when no DATABASE_URL is set."""

from __future__ import annotations

from perdure.embedded.server import EmbeddedPostgres

__all__ = ["EmbeddedPostgres"]
