"""What an extraction model is shown: the instructions with the vocabulary, and the turn as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from perdure.attributes import Attribute, Cardinality
from perdure.coverage import Source
from perdure.models.memories import Memories, Memory
from perdure.prompts import render
from perdure.prompts.extract import MOST_OPERATIONS, Unreadable
from perdure.time import UNKNOWN_START
from perdure.tokens import clip_tokens, estimate_tokens
from perdure.turn import Known, Language, Turn

ASSISTANT_TOKENS = 1_000
"""What the assistant's answer may take of the prompt: it is context only."""
TOOL_TOKENS = 2_000
"""What the results of the tools may take, all together."""
VOCABULARY_TOKENS = 1_500
"""What the list of attributes may take. The built-in ones take less than half: they are always all there."""
ATTRIBUTES_SHOWN = 50
"""Of the attributes that the user's memories use, those with most facts."""
UNREADABLE_TOKENS = 300
"""What a model is shown again of an answer that could not be read."""


def prompt_of(turn: Turn, known: Known, memories: Memories) -> list[BaseMessage]:
    vocabulary = vocabulary_shown(turn, known)
    instructions = render("extract", turn.language, most=str(MOST_OPERATIONS), vocabulary=vocabulary)
    return [SystemMessage(instructions), HumanMessage(_document(turn, known, memories))]


def repair_of(prompt: Sequence[BaseMessage], answer: str, wrong: Unreadable, language: Language) -> list[BaseMessage]:
    """The same prompt, the answer that could not be read, what is wrong with it, and the demand for JSON alone."""
    demand = render("repair", language, wrong=wrong.in_words(language), most=str(MOST_OPERATIONS))
    said = clip_tokens(answer, UNREADABLE_TOKENS) or "…"
    return [*prompt, AIMessage(said), HumanMessage(demand)]


def vocabulary_shown(turn: Turn, known: Known) -> str:
    """The attributes, one per line, as many as fit: those in use and those that the message names before the others.

    All where all fit, always in the same order, so that a server can cache the prompt up to the turn.
    """
    lines = {attribute.name: _line(attribute, turn.language) for attribute in known.vocabulary}
    if estimate_tokens("\n".join(lines.values())) > VOCABULARY_TOKENS:
        lines = {name: lines[name] for name in _fitting(lines, turn, known)}
    return "\n".join(lines.values())


def _fitting(lines: Mapping[str, str], turn: Turn, known: Known) -> list[str]:
    said = Source(turn.user_text)
    used = {use.name for use in known.attributes}
    ranked = sorted(lines, key=lambda name: (name not in used, not said.shares(lines[name])))
    fitting, left = set[str](), VOCABULARY_TOKENS
    for name in ranked:
        if (tokens := estimate_tokens(lines[name] + "\n")) <= left:
            fitting.add(name)
            left -= tokens
    return [name for name in lines if name in fitting]


def _line(attribute: Attribute, language: Language) -> str:
    labels = attribute.korean if language == "ko" else attribute.english
    return f"- {attribute.name} ({_count(attribute.cardinality)}): {', '.join(labels)}"


def _count(cardinality: Cardinality) -> str:
    return "one" if cardinality is Cardinality.SINGLE else "many"


def _document(turn: Turn, known: Known, memories: Memories) -> str:
    """The turn as one JSON document: within its strings nothing can pass for an instruction's frame."""
    document = {
        "said_at": turn.at.isoformat(timespec="seconds"),
        "weekday": f"{turn.at:%A}",
        "time_zone": str(turn.at.tzinfo),
        "memories": [_memory(identity, fact, turn) for identity, fact in memories.by_id.items()],
        "attributes": [f"{use.name} ({_count(use.cardinality)})" for use in known.attributes[:ATTRIBUTES_SHOWN]],
        "user_said": turn.user_text,
        "assistant_said": clip_tokens(turn.assistant_text, ASSISTANT_TOKENS),
        "tools_said": [clip_tokens(text, TOOL_TOKENS // len(turn.tool_texts)) for text in turn.tool_texts],
    }
    return json.dumps(document, ensure_ascii=False)


def _memory(identity: str, fact: Memory, turn: Turn) -> dict[str, Any]:
    shown = {
        "id": identity,
        "subject": fact["subject"],
        "attribute": fact["attribute"],
        "value": fact["value"],
        "content": fact["content"],
        "since": _moment(fact["valid_from"], turn),
        "until": _moment(fact["valid_to"], turn),
    }
    return {name: value for name, value in shown.items() if value}


def _moment(text: str | None, turn: Turn) -> str:
    """The moment where the user is; nothing for the beginning of what began nobody knows when."""
    if not text or (instant := datetime.fromisoformat(text)) <= UNKNOWN_START:
        return ""
    return instant.astimezone(turn.at.tzinfo).isoformat(timespec="minutes")
