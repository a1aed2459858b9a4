"""The databases that other tests are given."""

from __future__ import annotations

import psycopg
import pytest
from databases import create_database, drop_database
from psycopg.conninfo import conninfo_to_dict

from perdure.embedded import EmbeddedPostgres


def test_a_new_database_has_the_extensions_and_is_its_own(postgres: EmbeddedPostgres) -> None:
    template = create_database(postgres)
    with psycopg.connect(template) as connection:
        connection.execute("create table places (at vector(2))")
    copy = create_database(postgres, str(conninfo_to_dict(template)["dbname"]))
    with psycopg.connect(copy) as connection:
        connection.execute("insert into places values ('[1,2]')")
        connection.commit()
        with psycopg.connect(template) as original:
            assert original.execute("select count(*) from places").fetchone() == (0,)
        drop_database(postgres, copy)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("select 1")
    drop_database(postgres, template)
