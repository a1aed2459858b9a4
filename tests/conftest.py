"""Fixtures that every test may use: real PostgreSQL, a database of its own for each test that asks for one."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

import pytest
from databases import create_database, drop_database, open_folder
from stored import Store, store_over
from vectors import DIMENSION, MODEL

from perdure.embedded import EmbeddedPostgres
from perdure.models.local_embedder import LocalEmbedder
from perdure.settings import Settings
from perdure.stores.migrations import migrate
from perdure.stores.pool import open_pool

if TYPE_CHECKING:  # at run time it is the plugin below, whose assertions pytest rewrites
    from scripted_openai import ScriptedOpenAI

pytest_plugins = ["scripted_openai", "opened_memory"]


@pytest.fixture(scope="session")
def postgres() -> Iterator[EmbeddedPostgres]:
    """A running server, destroyed with its data at the end of the session."""
    with open_folder() as home, EmbeddedPostgres(home, ephemeral=True) as server:
        yield server
        server.destroy()


_OF_THE_SHELL = {"DATABASE_URL", "COLUMNS", "LINES"}
"""The database of whoever runs the tests, and how wide that one's terminal is."""


@pytest.fixture(scope="session", autouse=True)
def clean_environment() -> None:
    """No test reaches a paid model, or a database of the person who runs it, by accident."""
    for name in list(os.environ):
        if name.startswith(("PERDURE_", "OPENAI_", "LANGSMITH_", "LANGCHAIN_")) or name in _OF_THE_SHELL:
            del os.environ[name]


@pytest.fixture(scope="session")
def migrated(postgres: EmbeddedPostgres) -> str:
    """The name of a template database that is migrated for the vectors of the tests."""
    return _template(postgres, MODEL, DIMENSION)


@pytest.fixture(scope="session")
def migrated_local(postgres: EmbeddedPostgres) -> str:
    """The name of a template database that is migrated for the local embedder."""
    embedder = LocalEmbedder()
    return _template(postgres, embedder.model, embedder.dimension)


@pytest.fixture
def database(postgres: EmbeddedPostgres, migrated: str) -> Iterator[str]:
    """DSN of a migrated database that nobody else uses."""
    dsn = create_database(postgres, migrated)
    yield dsn
    drop_database(postgres, dsn)


@pytest.fixture
def local_database(postgres: EmbeddedPostgres, migrated_local: str) -> Iterator[str]:
    """DSN of a database for the whole application with the local embedder."""
    dsn = create_database(postgres, migrated_local)
    yield dsn
    drop_database(postgres, dsn)


@pytest.fixture
def scripted_settings(postgres: EmbeddedPostgres, openai_server: ScriptedOpenAI) -> Iterator[Settings]:
    """Of an application whose models are all the scripted server, on a database that nobody else uses."""
    dsn = create_database(postgres)
    yield Settings(
        database_url=dsn,  # type: ignore[arg-type]  # pydantic makes a secret of it
        openai_base_url=openai_server.url,
        embedding_model="scripted-embedding",
        embedding_dimensions=64,
        model_retries=0,
    )
    drop_database(postgres, dsn)


@pytest.fixture(scope="module")
def run() -> Iterator[Callable[[Any], Any]]:
    """Runs coroutines on one event loop, for property tests, whose functions cannot be async."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture(scope="module")
def store(postgres: EmbeddedPostgres, migrated: str, run: Callable[[Any], Any]) -> Iterator[Store]:
    """A store shared by the tests of a module: each uses a user of its own."""
    dsn = create_database(postgres, migrated)
    stack = AsyncExitStack()
    pool = run(stack.enter_async_context(open_pool(dsn)))
    yield store_over(pool)
    run(stack.aclose())
    drop_database(postgres, dsn)


def _template(postgres: EmbeddedPostgres, model: str, dimension: int) -> str:
    dsn = create_database(postgres, None)
    asyncio.run(migrate(dsn, model, dimension))
    return dict(part.split("=", 1) for part in dsn.split())["dbname"]
