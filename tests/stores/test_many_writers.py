"""Many writers of one attribute: nobody sees a violated constraint, one value holds, and nothing of the history is lost."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from stored import store_over
from vectors import vectors

from perdure.facts import Operation, Receipt, Source, content_of
from perdure.scope import Scope
from perdure.stores.pool import open_pool

ME = Scope(user="u1")
WRITERS = 16
TURNS = 50


async def test_sixteen_writers_of_fifty_turns_each_leave_one_value_and_the_whole_history(database: str) -> None:
    async with open_pool(database, size=8) as here, open_pool(database, size=8) as there:
        stores = [store_over(here), store_over(there)]  # as two processes would: each has locks of its own

        async def writer(number: int) -> list[Receipt]:
            store, receipts = stores[number % len(stores)], []
            for turn in range(TURNS):
                operation = Operation(attribute="home.city", value=f"City{number:02}x{turn:02}")
                source = Source(at=store.clock.now(), thread=f"t{number}", message=f"m{turn}")
                texts = vectors([content_of(operation)])
                receipts += await store.facts.apply(ME, [operation], source, texts)
            return receipts

        receipts = [receipt for done in await asyncio.gather(*map(writer, range(WRITERS))) for receipt in done]
        assert {receipt.outcome for receipt in receipts} == {"applied"}
        history = await stores[0].facts.facts(ME, history=True)
        assert sum(fact.valid_to is None for fact in history) == 1
        assert all(one.valid_to == next_.valid_from for one, next_ in pairwise(history))
        statements = await stores[0].facts.statements(ME)
        assert len(statements) == WRITERS * TURNS == len({statement.value for statement in statements})
        assert (await stores[0].facts.rebuild(ME, check=True)).identical
