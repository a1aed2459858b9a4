from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perdure.errors import InvalidScope
from perdure.scope import Scope
from perdure.threads import parse_thread_key, thread_key, thread_prefix

names = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=20).map(str.strip).filter(bool)


@given(names, names, names)
def test_a_key_gives_back_its_parts(tenant: str, user: str, thread: str) -> None:
    scope = Scope(user=user, tenant=tenant)
    assert parse_thread_key(thread_key(scope, thread)) == (scope, thread)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((Scope(user="b/c", tenant="a"), "d"), (Scope(user="b", tenant="a"), "c/d")),
        ((Scope(user="a%2Fb"), "c"), (Scope(user="a/b"), "c")),
        ((Scope(user="민수"), "여행 계획"), (Scope(user="민"), "수/여행 계획")),
    ],
)
def test_two_scopes_never_meet(one: tuple[Scope, str], other: tuple[Scope, str]) -> None:
    assert thread_key(*one) != thread_key(*other)
    assert not thread_key(*one).startswith(thread_prefix(other[0]))


def test_agents_of_a_user_share_a_thread() -> None:
    assert thread_key(Scope(user="u", agent="cook"), "t") == thread_key(Scope(user="u"), "t") == "default/u/t"


@pytest.mark.parametrize("key", ["", "t", "a/b", "a/b/c/d", "a//c", "a/b/%2f", "a/b/%", "a/b/c d", "a/b/%0A"])
def test_what_is_no_key_is_refused(key: str) -> None:
    with pytest.raises(InvalidScope):
        parse_thread_key(key)


def test_a_thread_needs_a_name() -> None:
    with pytest.raises(InvalidScope, match="thread is empty"):
        thread_key(Scope(user="u"), "")
