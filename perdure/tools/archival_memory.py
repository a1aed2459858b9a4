"""archival_memory_insert, archival_memory_search, memory_end and memory_correct: the model works on dated facts."""

from __future__ import annotations

from perdure.attributes import Cardinality
from perdure.facts import Action, Operation
from perdure.recall import Query
from perdure.tools.arguments import ArchivalMemoryInsert, ArchivalMemorySearch, MemoryCorrect, MemoryEnd
from perdure.tools.core_memory import WAITS
from perdure.tools.desk import Desk
from perdure.tools.found import told

NOTED = "Noted: it is remembered when this turn is done."


async def insert(desk: Desk, asked: ArchivalMemoryInsert) -> str:
    operation = Operation(
        content=asked.content,
        attribute=asked.attribute,
        value=asked.value,
        valid_from=desk.moment(asked.valid_from),
        evidence=asked.quote,
        trust=desk.trust_in(asked.quote, asked.value or asked.content),
    )
    return NOTED if await desk.note(operation) else WAITS


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
    operation = Operation(
        action=Action.END,
        target=fact.id,
        attribute=fact.attribute,
        value=fact.value if _has_many(desk, fact.attribute) else "",
        valid_from=desk.moment(asked.at),
        evidence=asked.quote,
        trust=desk.trust_in(asked.quote),
    )
    return NOTED if await desk.note(operation) else WAITS


async def correct(desk: Desk, asked: MemoryCorrect) -> str:
    fact = desk.fact(asked.memory_id)
    operation = Operation(
        action=Action.CORRECT,
        target=fact.id,
        attribute=fact.attribute,
        subject=fact.subject,
        cardinality=Cardinality.MANY if _has_many(desk, fact.attribute) else None,
        importance=fact.importance,
        value=(asked.value or asked.content) if fact.attribute else "",
        content=asked.content,
        evidence=asked.quote,
        trust=desk.trust_in(asked.quote, asked.value or asked.content),
    )
    return NOTED if await desk.note(operation) else WAITS


def _has_many(desk: Desk, attribute: str) -> bool:
    uses = {use.name: use.cardinality for use in desk.attributes}
    return bool(attribute) and uses.get(attribute) is Cardinality.MANY
