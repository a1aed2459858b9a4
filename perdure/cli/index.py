"""`perdure index`: indexes for users who have very many memories."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from perdure.cli.output import Output
from perdure.cli.render import shown
from perdure.cli.run import runs

if TYPE_CHECKING:
    from perdure.stores.large_users import Indexed

Least = Annotated[
    int | None,
    typer.Option("--least", min=1, metavar="N", help="Users with so many memories; those whom it helps, if left out."),
]


@runs
async def index(*, least: Least = None, output: Output) -> None:
    """Make indexes of their own for users with very many memories, and drop those of users who have fewer.

    It takes minutes for a hundred thousand memories; searches and writes go on meanwhile.
    """
    with output.working("opening the database"):
        from perdure.database import open_databases
        from perdure.models.embedder import open_embedder
        from perdure.settings import Settings
        from perdure.stores.large_users import LARGE, index_large_users
        from perdure.stores.migrations import migrate
        from perdure.stores.pool import connect
        from perdure.time import SystemClock

        settings, least = Settings(), least or LARGE
    done: list[Indexed] = []
    async with open_databases(settings) as databases:
        output.remark(databases.place)
        embedder = await open_embedder(settings)
        await migrate(databases.memory, embedder.model, embedder.dimension)
        async with await connect(databases.memory) as connection:
            users = index_large_users(connection, SystemClock(), least=least)
            while user := await _next(users, output):
                output.remark(_line(user))
                done.append(user)
    output.answer(done, _summary(done, least))


async def _next(users: AsyncIterator[Indexed], output: Output) -> Indexed | None:
    from perdure.stores.pool import translate_errors

    with output.working("indexing"), translate_errors():
        return await anext(users, None)


def _line(user: Indexed) -> str:
    done = "indexed" if user.indexed else "indexes dropped"
    return f"{shown(user.user)} of tenant {shown(user.tenant)}: {done} ({user.rows} memories)"


def _summary(done: Sequence[Indexed], least: int) -> str:
    made = sum(user.indexed for user in done)
    dropped = f"; {len(done) - made} with fewer, whose indexes are dropped" if len(done) > made else ""
    return f"users with {least} memories or more: {made}{', indexed' if made else ''}{dropped}"
