"""On whose account models are called.

Calls are made deep inside, by code that knows a prompt and no user. Whoever knows the user says so around them:

    with spending(ledger, scope, thread), on_purpose("lesson"):
        await model.ainvoke(prompt)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from perdure.calls import Call
from perdure.scope import Scope

if TYPE_CHECKING:
    from perdure.ports import Ledger


@dataclass(frozen=True, slots=True)
class Account:
    ledger: Ledger
    scope: Scope
    thread: str = ""
    purpose: str = ""
    """What the chat models are called for, where that is not what they were made for."""


_ACCOUNT: ContextVar[Account | None] = ContextVar("perdure_account", default=None)


@contextmanager
def spending(ledger: Ledger, scope: Scope, thread: str = "") -> Iterator[None]:
    """Models are called for this user. Within an account of the same user its thread and its purpose go on."""
    outer = _ACCOUNT.get()
    account = Account(ledger, scope, thread)
    if outer and (outer.scope.tenant, outer.scope.user) == (scope.tenant, scope.user):
        account = replace(account, thread=thread or outer.thread, purpose=outer.purpose)
    token = _ACCOUNT.set(account)
    try:
        yield
    finally:
        _ACCOUNT.reset(token)


@contextmanager
def on_purpose(purpose: str) -> Iterator[None]:
    """Chat models are called for this; embedding stays what it is. Does nothing where nobody pays."""
    outer = _ACCOUNT.get()
    token = _ACCOUNT.set(outer and replace(outer, purpose=purpose))
    try:
        yield
    finally:
        _ACCOUNT.reset(token)


def account() -> Account | None:
    """The account of the moment; None for what belongs to no user, such as a first call that asks for a dimension."""
    return _ACCOUNT.get()


def charge(call: Call) -> None:
    """To the account of the moment."""
    if paying := _ACCOUNT.get():
        paying.ledger.record(paying, call)


async def saving() -> str:
    """Why the account has nothing left for extraction; empty if it has."""
    paying = _ACCOUNT.get()
    return await paying.ledger.saving(paying.scope) if paying else ""


class Unkept:
    """`perdure.ports.Ledger` of a host that keeps none: nothing is counted, and nothing is too much."""

    def record(self, account: Account, call: Call) -> None:
        pass

    async def admit(self, scope: Scope) -> None:
        pass

    async def saving(self, scope: Scope) -> str:
        return ""
