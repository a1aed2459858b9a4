"""One user's many writers leave the connections to the others."""

from __future__ import annotations

import asyncio

from stored import store_over

from perdure.facts import Operation
from perdure.recall import Query
from perdure.scope import Scope
from perdure.stores.pool import connect, open_pool
from perdure.stores.sql import statements

BUSY, OTHER = Scope(user="busy"), Scope(user="other")


async def test_writers_of_one_user_hold_one_connection(database: str) -> None:
    async with open_pool(database, size=2) as pool, await connect(database) as elsewhere:
        store = store_over(pool)
        async with elsewhere.transaction():  # another process writes for the same user
            await elsewhere.execute(statements("facts")["lock_user"], {"tenant": BUSY.tenant, "user": BUSY.user})
            home = [Operation(attribute="home.city", value=f"v{number}") for number in range(6)]
            writing = [asyncio.create_task(store.write(BUSY, operation, message=operation.value)) for operation in home]
            await store.write(OTHER, Operation(attribute="home.city", value="Seoul"))
            assert [hit.value for hit in await store.recall(OTHER, Query("home"))] == ["Seoul"]
            assert not any(task.done() for task in writing)
        await asyncio.gather(*writing)
        assert len(await store.facts.statements(BUSY)) == 6
        assert (await store.facts.rebuild(BUSY, check=True)).identical
