"""archival_memory_insert, archival_memory_search, memory_end and memory_correct: the model works on dated facts."""

from __future__ import annotations

from typing import Literal

from perdure.attributes import Cardinality
from perdure.errors import InvalidInput
from perdure.facts import USER, Action, Operation, Trust
from perdure.prompts.extract import ExtractedEvidence, ExtractedOperation
from perdure.recall import Query
from perdure.tools.arguments import ArchivalMemoryInsert, ArchivalMemorySearch, MemoryCorrect, MemoryEnd
from perdure.tools.core_memory import WAITS
from perdure.tools.desk import Desk
from perdure.tools.found import told

NOTED = "Noted: it is remembered when this turn is done."


async def insert(desk: Desk, asked: ArchivalMemoryInsert) -> str:
    told = ExtractedOperation(
        action="assert",
        content=asked.content,
        subject=asked.subject.strip() or USER,
        attribute=asked.attribute,
        cardinality=_cardinality(desk, asked.attribute),
        value=asked.value,
        valid_from=asked.valid_from,
        evidence=ExtractedEvidence(quote=asked.quote),
    )
    own = Operation(
        content=asked.content,
        subject=told.subject,
        attribute=asked.attribute,
        value=asked.value,
        valid_from=desk.moment(asked.valid_from),
        trust=Trust.ASSISTANT,
    )
    return NOTED if await desk.told(told, own) else WAITS


async def search(desk: Desk, asked: ArchivalMemorySearch) -> str:
    query = Query(
        asked.query,
        k=asked.top_k,
        as_of=desk.moment(asked.as_of, "end") or desk.as_of,
        as_known_at=desk.as_known_at,
        kinds=("session", "task", "decision", "tool_result", "event", "lesson"),
    )
    return told(desk, await desk.memory.search(desk.scope, query, at=desk.at, language=desk.language))


async def end(desk: Desk, asked: MemoryEnd) -> str:
    fact = desk.fact(asked.memory_id)
    if fact.past:
        raise InvalidInput("this memory is past already: it stays as it is")
    told = ExtractedOperation(action="end", valid_from=asked.at, evidence=ExtractedEvidence(quote=asked.quote))
    own = Operation(
        action=Action.END,
        target=fact.id,
        attribute=fact.attribute,
        value=fact.value if fact.attribute else "",
        subject=fact.subject,
        valid_from=desk.moment(asked.at),
        trust=Trust.ASSISTANT,
    )
    return NOTED if await desk.told(told, own, fact) else WAITS


async def correct(desk: Desk, asked: MemoryCorrect) -> str:
    fact = desk.fact(asked.memory_id)
    value = (asked.value or asked.content) if fact.attribute else ""
    told = ExtractedOperation(
        action="correct",
        subject=fact.subject,
        attribute=fact.attribute,
        cardinality=_cardinality(desk, fact.attribute),
        value=value,
        content=asked.content,
        importance=fact.importance,
        evidence=ExtractedEvidence(quote=asked.quote),
    )
    own = Operation(
        action=Action.CORRECT,
        target=fact.id,
        subject=fact.subject,
        attribute=fact.attribute,
        cardinality=Cardinality.MANY if told.cardinality == "many" else None,
        value=value,
        content=asked.content,
        importance=fact.importance,
        trust=Trust.ASSISTANT,
    )
    return NOTED if await desk.told(told, own, fact) else WAITS


def _cardinality(desk: Desk, attribute: str) -> Literal["one", "many"]:
    uses = {use.name: use.cardinality for use in desk.attributes}
    return "many" if attribute and uses.get(attribute) is Cardinality.MANY else "one"
