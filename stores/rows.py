"""Rows to records and back."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from typing import Any

from perdure.attributes import Cardinality
from perdure.facts import Action, Fact, Statement, Trust
from perdure.projection import Belief

Row = dict[str, Any]


def statement_of(row: Row) -> Statement:
    return Statement(
        **row
        | {
            "action": Action(row["action"]),
            "cardinality": Cardinality(row["cardinality"]),
            "trust": Trust(row["trust"]),
            "targets": tuple(row["targets"]),
        }
    )


def fact_of_row(row: Row) -> Fact:
    return Fact(**row | {"cardinality": Cardinality(row["cardinality"]), "trust": Trust(row["trust"])})


def belief_of(row: Row) -> Belief:
    known_to = row.pop("known_to")
    return Belief(fact_of_row(row), known_to)


def row_of(record: Statement | Fact) -> Row:
    return {field.name: _plain(getattr(record, field.name)) for field in fields(record)}


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case tuple():
            return list(value)
        case _:
            return value
