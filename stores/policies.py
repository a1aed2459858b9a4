"""The policies of scopes: every version is kept, the newest of the narrowest scope is in force."""

from __future__ import annotations

from psycopg.types.json import Jsonb

from perdure.credentials import check_holds_no_credential
from perdure.policy import Policy, PolicyVersion
from perdure.scope import Scope, check_name
from perdure.stores.pool import Pool, borrowed
from perdure.stores.rows import Row
from perdure.stores.scoped import ScopedStatements
from perdure.time import Clock

_SQL = ScopedStatements("policies")


class PostgresPolicyStore:
    """Who may change a policy is for the application to say. A turn keeps the policy that it began with."""

    def __init__(self, pool: Pool, clock: Clock) -> None:
        self._pool = pool
        self._clock = clock

    async def in_force(self, scope: Scope) -> Policy:
        """The user's policy before the tenant's, and of each the agent's before the one for all agents; else the default."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "in_force")
            return policy_of_row(await cursor.fetchone())

    async def versions(self, scope: Scope) -> list[PolicyVersion]:
        """Every version that was ever made for this scope or one that it lies in; the one in force first."""
        async with borrowed(self._pool) as connection:
            cursor = await _SQL.run(connection, scope, "versions")
            return [
                PolicyVersion(policy=policy_of_row(row), **{name: row[name] for name in _TOLD}) async for row in cursor
            ]

    async def put(self, scope: Scope, policy: Policy, author: str, *, whole_tenant: bool = False) -> Policy:
        """Make the policy a new version: of this user (and agent, if the scope names one), or of all users of the tenant.

        It has its number when it comes back. Raises `InvalidScope` for an author without a name, `CredentialRefused`
        for a reason that holds a credential.
        """
        check_name(author, "author")
        for number, rule in enumerate(policy.rules, 1):
            check_holds_no_credential(" ".join((rule.why, *sorted(rule.attributes))), f"rule {number}")
        rules = Jsonb(policy.model_dump(mode="json", exclude_defaults=True, exclude={"version"}))
        async with borrowed(self._pool) as connection, connection.transaction():
            await _SQL.run(connection, scope, "lock_policies", whole_tenant=whole_tenant)
            cursor = await _SQL.run(
                connection, scope, "put", whole_tenant=whole_tenant, policy=rules, author=author, now=self._clock.now()
            )
            row = await cursor.fetchone()
        assert row is not None
        return policy.model_copy(update={"version": row["version"]})


_TOLD = ("user", "agent", "author", "recorded_at")


def policy_of_row(row: Row | None) -> Policy:
    """The default one if the scope has none."""
    return Policy.model_validate(row["policy"] | {"version": row["version"]}) if row else Policy()
