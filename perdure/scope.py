"""Scope: whose memory a statement belongs to. Every read and write of every store carries one."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from perdure.errors import InvalidScope

NAME_LIMIT = 200
"""Longest tenant, user, agent or thread name, in characters: it is part of every index key."""


def check_name(name: str, what: str, *, allow_empty: bool = False) -> str:
    """Return `name` if it can be a tenant, user, agent or thread name; raise `InvalidScope` otherwise."""
    if not name and not allow_empty:
        raise InvalidScope(f"the {what} is empty: give it a name")
    if len(name) > NAME_LIMIT:
        raise InvalidScope(f"the {what} has {len(name)} characters: at most {NAME_LIMIT} are allowed")
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in name):
        raise InvalidScope(f"the {what} holds a control character or a lone surrogate: remove it")
    if name != name.strip():
        raise InvalidScope(f"the {what} begins or ends with white space: remove it")
    return name


@dataclass(frozen=True, slots=True)
class Scope:
    """Tenant is the isolation boundary; `agent=""` is the memory that all of a user's agents share.

    A read in the scope of an agent sees the shared memory and that agent's own; a write goes to exactly this scope.
    """

    user: str
    tenant: str = "default"
    agent: str = ""

    def __post_init__(self) -> None:
        check_name(self.tenant, "tenant")
        check_name(self.user, "user")
        check_name(self.agent, "agent", allow_empty=True)
