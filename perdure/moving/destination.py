"""Of whom the records of a file must be, and whose they become."""

from __future__ import annotations

from dataclasses import dataclass, replace

from perdure.errors import InvalidInput
from perdure.scope import Scope, check_name

_NOBODY = "-"


@dataclass(frozen=True, slots=True)
class Move:
    """Where a record comes from and where it goes; the agents are those of the record."""

    origin: Scope
    to: Scope


@dataclass(frozen=True, slots=True)
class Destination:
    """What an import may write. Raises `InvalidInput` for what contradicts itself."""

    tenant: str
    user: str | None
    """None: any user of the tenant, and what all of them share."""
    as_tenant: str = ""
    as_user: str = ""
    as_agent: str = ""
    """What agents have of their own becomes this one's; what all agents share stays shared."""

    def __post_init__(self) -> None:
        if self.user is None and self.as_user:
            raise InvalidInput("a file of all users cannot become one user's: name the user whose memory is to move")
        check_name(self.as_tenant, "tenant", allow_empty=True)
        check_name(self.as_user, "user", allow_empty=True)
        check_name(self.as_agent, "agent", allow_empty=True)

    def move(self, user: str, agent: str) -> Move:
        """The way of a record of this user and agent. Raises `InvalidInput` if it is not within what may be written."""
        if self.user is not None and user != self.user:
            raise InvalidInput(
                f"it is of {_named(user)}, not of user {self.user!r}: name that user (and --as-user, to make it another"
                " one's), or import all users"
            )
        origin = Scope(tenant=self.tenant, user=user, agent=agent)
        to = Scope(
            tenant=self.as_tenant or self.tenant, user=self.as_user or user, agent=agent and (self.as_agent or agent)
        )
        return Move(origin, to)

    def shared(self, agent: str) -> Move:
        """The way of what all users of the tenant share. The scopes name a user only because every scope does."""
        if self.user is not None:
            raise InvalidInput(f"it is for all users of the tenant, not only for {self.user!r}: import all users")
        origin = Scope(tenant=self.tenant, user=_NOBODY, agent=agent)
        return Move(origin, replace(origin, tenant=self.as_tenant or self.tenant))

    def check_tenant(self, tenant: str) -> None:
        if tenant != self.tenant:
            raise InvalidInput(
                f"the file is of tenant {tenant[:80]!r}, not of {self.tenant!r}: name that tenant (and --as-tenant, to"
                " move it to another)"
            )


def _named(user: str) -> str:
    return f"user {user[:80]!r}" if user else "all users"
