"""Two embedding models of the scripted server, and whether the vectors that a database holds are of one of them."""

from __future__ import annotations

import psycopg
import pytest
from pgvector.psycopg import register_vector
from scripted_openai import DIMENSION, Request, ScriptedOpenAI, Vectors, hash_vector

from perdure.stores.vectors import text_hash


def embed_by_model(server: ScriptedOpenAI) -> None:
    """From now on a vector depends on the model too, not on the text alone."""
    server.always("embed", by_model)


def by_model(request: Request) -> Vectors:
    dimension = request.body.get("dimensions", DIMENSION)
    return Vectors(tuple(tuple(vector_by(request.model, text, dimension)) for text in request.body["input"]))


def vector_by(model: str, text: str, dimension: int) -> list[float]:
    return hash_vector(f"{model}: {text}", dimension)


def check_all_of(dsn: str, model: str, dimension: int) -> int:
    """Every fact, episode and kept text has its vector of this model, and there is no trace of another; how many rows."""
    with psycopg.connect(dsn) as connection:
        register_vector(connection)
        told = connection.execute("select model, dimension from perdure.embedder").fetchall()
        assert told == [(f"{model}/{dimension}", dimension)]
        rows = connection.execute(
            "select content, embedding from perdure.facts union all select content, embedding from perdure.episodes"
        ).fetchall()
        for content, embedding in rows:
            assert embedding.to_list() == pytest.approx(vector_by(model, content, dimension), abs=1e-6)
        kept = connection.execute("select model, tenant, user_id, text_hash from perdure.embeddings").fetchall()
        texts = connection.execute(
            "select tenant, user_id, content from perdure.statements where content <> ''"
        ).fetchall()
        assert {row[0] for row in kept} <= {f"{model}/{dimension}"}
        assert {(t, u, text_hash(content)) for t, u, content in texts} <= {(t, u, bytes(h)) for _, t, u, h in kept}
        leftover = connection.execute(
            "select attname from pg_attribute where attrelid in"
            " ('perdure.facts'::regclass, 'perdure.episodes'::regclass, 'perdure.statements'::regclass)"
            " and attname in ('embedding_next', 'reembedded')"
            " union all select relname from pg_class where relname ~ '_(left|near_next_.*)$'"
            " union all select tgname from pg_trigger where tgname = 'fill_next'"
            " union all select conname from pg_constraint where conname in ('facts_embedding', 'episodes_embedding')"
            " union all select model from perdure.reembedding"
        ).fetchall()
        assert leftover == []
        required = "select count(*) from information_schema.columns where table_schema = 'perdure'"
        found = connection.execute(f"{required} and column_name = 'embedding' and is_nullable = 'NO'").fetchone()
        assert found == (3,)
    return len(rows)
