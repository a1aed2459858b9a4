"""Rows to records and back."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from perdure.attributes import Cardinality
from perdure.facts import Action, Fact, Statement, Trust
from perdure.plain import Record
from perdure.projection import Belief

Row = dict[str, Any]


def statement_of(row: Row) -> Statement:
    return Statement(**statement_fields(row))


def statement_fields(row: Row) -> Row:
    return row | {
        "action": Action(row["action"]),
        "cardinality": Cardinality(row["cardinality"]),
        "trust": Trust(row["trust"]),
        "targets": tuple(row["targets"]),
    }


def fact_of_row(row: Row) -> Fact:
    return Fact(**row | {"cardinality": Cardinality(row["cardinality"]), "trust": Trust(row["trust"])})


def belief_of(row: Row) -> Belief:
    known_to = row.pop("known_to")
    return Belief(fact_of_row(row), known_to)


def row_of(record: Record) -> Row:
    assert is_dataclass(record)
    return {field.name: _plain(getattr(record, field.name)) for field in fields(record)}


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case tuple():
            return list(value)
        case _:
            return value
