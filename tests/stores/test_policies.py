"""The policies of scopes in PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from stored import Store, store_over

from perdure.errors import CredentialRefused, InvalidScope
from perdure.facts import Action
from perdure.policy import Policy, Rule
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.policies import PostgresPolicyStore
from perdure.stores.pool import open_pool
from perdure.stores.sql import statements

ADA, BOB = Scope(user="ada", tenant="acme"), Scope(user="bob", tenant="acme")
COACH = Scope(user="ada", tenant="acme", agent="coach")
STRANGER = Scope(user="ada", tenant="globex")


def hours(number: float) -> Policy:
    """A policy that is known by its number."""
    return Policy(question_hours=number)


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    async with open_pool(database) as pool:
        yield store_over(pool)


@pytest.fixture
def policies(store: Store) -> PostgresPolicyStore:
    return PostgresPolicyStore(store.pool, store.clock)


def test_every_statement_names_the_tenant_and_the_user() -> None:
    named = statements("policies").values()
    assert all("%(tenant)s" in sql and "%(user)s" in sql for sql in named)


async def test_a_scope_without_a_policy_has_the_default_one(policies: PostgresPolicyStore) -> None:
    assert await policies.in_force(ADA) == Policy()
    assert await policies.versions(ADA) == []


async def test_the_narrowest_scope_goes_before_and_nobody_else_is_ruled_by_it(policies: PostgresPolicyStore) -> None:
    await policies.put(ADA, hours(1), "root", whole_tenant=True)
    await policies.put(COACH, hours(2), "root", whole_tenant=True)
    in_force = {scope: (await policies.in_force(scope)).question_hours for scope in (ADA, BOB, COACH, STRANGER)}
    assert in_force == {ADA: 1, BOB: 1, COACH: 2, STRANGER: 168}
    await policies.put(ADA, hours(3), "ada")
    assert (await policies.in_force(COACH)).question_hours == 3
    await policies.put(COACH, hours(4), "ada")
    in_force = {scope: (await policies.in_force(scope)).question_hours for scope in (ADA, BOB, COACH, STRANGER)}
    assert in_force == {ADA: 3, BOB: 1, COACH: 4, STRANGER: 168}
    assert [(one.user, one.agent) for one in await policies.versions(COACH)] == [
        ("ada", "coach"), ("ada", ""), ("", "coach"), ("", "")
    ]  # fmt: skip


async def test_every_version_is_kept_with_who_made_it_and_when(policies: PostgresPolicyStore, store: Store) -> None:
    rule = Rule(verdict="ask", why="careful", actions=frozenset({Action.END, Action.RETRACT}))
    first = await policies.put(ADA, Policy(version=7, rules=(rule,)), "민지")
    later = store.clock.forward(hours=1)
    second = await policies.put(ADA, hours(2), "ada")
    assert (first.version, second.version) == (1, 2)
    newest, oldest = await policies.versions(ADA)
    assert (newest.policy, newest.author, newest.recorded_at) == (second, "ada", later)
    assert (oldest.policy.rules, oldest.author) == ((rule,), "민지")
    assert await policies.in_force(ADA) == second


async def test_writers_at_once_make_a_version_each(policies: PostgresPolicyStore) -> None:
    made = await asyncio.gather(*(policies.put(ADA, hours(number), "ada") for number in range(1, 21)))
    assert sorted(policy.version for policy in made) == list(range(1, 21))
    assert [one.policy for one in await policies.versions(ADA)] == sorted(made, key=lambda policy: -policy.version)


async def test_a_turn_begins_with_the_policy_in_force(policies: PostgresPolicyStore, store: Store) -> None:
    kept = await policies.put(ADA, hours(5), "ada")
    opening = await store.recalls.open_turn(ADA, Query("x", k=0), ())
    assert opening.policy == kept


async def test_an_author_has_a_name(policies: PostgresPolicyStore) -> None:
    with pytest.raises(InvalidScope, match="author"):
        await policies.put(ADA, Policy(), "")


async def test_a_reason_that_holds_a_credential_is_refused(policies: PostgresPolicyStore) -> None:
    rules = (Rule(verdict="ask", why="w"), Rule(verdict="ask", why="my password is hunter2hunter2"))
    with pytest.raises(CredentialRefused, match="rule 2 holds a password") as refused:
        await policies.put(ADA, Policy(rules=rules), "ada")
    assert "hunter2" not in str(refused.value) and await policies.versions(ADA) == []
