"""Names of threads. A user's thread is kept under one text key, in which no two scopes can meet."""

from __future__ import annotations

from urllib.parse import quote, unquote

from perdure.errors import InvalidScope
from perdure.scope import Scope, check_name


def thread_key(scope: Scope, thread: str) -> str:
    """``tenant/user/thread``, each percent-escaped: reversible, and equal for equal names only.

    The agent is no part of it: agents of one user may speak in one thread. Raises `InvalidScope`.
    """
    return thread_prefix(scope) + quote(check_name(thread, "thread"), safe="")


def thread_prefix(scope: Scope) -> str:
    """What the keys of all threads of this tenant and user begin with, and no other key does."""
    return f"{quote(scope.tenant, safe='')}/{quote(scope.user, safe='')}/"


def known_name(key: str) -> str:
    """The name that the user gave the thread, where Perdure made the key; else the key."""
    try:
        return parse_thread_key(key)[1]
    except InvalidScope:
        return key


def parse_thread_key(key: str) -> tuple[Scope, str]:
    """The scope, of no agent in particular, and the thread. Raises `InvalidScope` for what is no such key."""
    parts = key.split("/")
    if len(parts) != 3:
        raise InvalidScope("the thread id is not of the form tenant/user/thread: it was not made by Perdure")
    tenant, user, thread = map(unquote, parts)
    scope = Scope(user=user, tenant=tenant)
    if thread_key(scope, thread) != key:
        raise InvalidScope("the thread id is not escaped as Perdure escapes it: it was not made by Perdure")
    return scope, thread
