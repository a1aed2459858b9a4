"""Every error that Perdure raises on purpose.

    PerdureError
    ├── InvalidInput             what a caller handed in cannot be used; nothing was written
    │   ├── InvalidText          empty, too long, NUL, lone surrogates
    │   ├── InvalidTime          naive, absurd or unreadable instant; an end that is not after its start
    │   ├── InvalidScope         a tenant, user, agent or thread name that cannot be one
    │   ├── InvalidEdit          an edit of core memory that does not fit: no such block, no such text, no room
    │   └── CredentialRefused    a password, key or card number, which is never stored
    ├── NotFound                 no such fact, episode or thread in this scope
    ├── StaleFact                the fact has changed since the caller read it
    ├── InterruptedThread        the thread waits for a person's decision
    ├── NotInterrupted           decisions for a thread that waits for none
    ├── BusyThread               another process runs a turn on the thread, and does not finish
    ├── BudgetExceeded           the user has used up the day's budget for models; nothing was asked or written
    ├── ConfigurationError       a setting that is missing, wrong, or contradicts another
    │   └── EmbedderMismatch     the database holds vectors of another model
    ├── ModelUnavailable         a model call failed after its retries
    │   └── ModelReplyInvalid    a model answered something that is not what was asked for
    └── DatabaseError
        ├── DatabaseUnavailable  cannot connect, or the connection broke
        ├── DatabaseUnsuitable   server too old, without pgvector, read-only, closed to its user, or with a newer schema
        ├── MigrationError       a migration failed, or an applied one was edited
        └── EmbeddedPostgresError  the bundled PostgreSQL cannot be started

A message says what happened, to what, and what to do. It never carries the text of a memory, and never a password.
"""

from __future__ import annotations


class PerdureError(Exception):
    """Base of every error raised by Perdure. ``exit_code`` is what the command line exits with."""

    exit_code = 1


class InvalidInput(PerdureError, ValueError):
    exit_code = 2


class InvalidText(InvalidInput):
    pass


class InvalidTime(InvalidInput):
    pass


class InvalidScope(InvalidInput):
    pass


class InvalidEdit(InvalidInput):
    pass


class CredentialRefused(InvalidInput):
    pass


class NotFound(PerdureError, LookupError):
    exit_code = 3


class StaleFact(PerdureError):
    exit_code = 4


class InterruptedThread(PerdureError):
    exit_code = 5


class NotInterrupted(PerdureError):
    exit_code = 5


class BusyThread(PerdureError):
    exit_code = 5


class BudgetExceeded(PerdureError):
    exit_code = 9


class ConfigurationError(PerdureError):
    exit_code = 6


class EmbedderMismatch(ConfigurationError):
    pass


class ModelUnavailable(PerdureError):
    exit_code = 7


class ModelReplyInvalid(ModelUnavailable):
    pass


class DatabaseError(PerdureError):
    exit_code = 8


class DatabaseUnavailable(DatabaseError):
    pass


class DatabaseUnsuitable(DatabaseError):
    pass


class MigrationError(DatabaseError):
    pass


class EmbeddedPostgresError(DatabaseError):
    pass
