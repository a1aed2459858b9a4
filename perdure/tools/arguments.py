"""What each tool is called with, as the model is told: names and descriptions are those of the field (MemGPT, Letta)."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from perdure.core import LIMIT
from perdure.text import CONTENT_LIMIT, MESSAGE_LIMIT

_QUOTE = "The words of the user that say so, copied exactly. Without them it counts as your own, which is not kept as a fact."
_AS_OF = "A date, such as 2025-03-31 or 'last year', to search memory as of then; leave it empty for now."
_DATE = "YYYY-MM-DD, if the user said since when; else leave it empty."


class Arguments(BaseModel):
    """A tool's arguments; the docstring of each is the tool's description."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class CoreMemoryAppend(Arguments):
    """Add a line to a block of your core memory, which you always see. Its fill is shown: keep below the limit."""

    label: str = Field(description="The block, such as persona, human or goals.")
    content: str = Field(min_length=1, max_length=CONTENT_LIMIT, description="The text to add.")


class CoreMemoryReplace(Arguments):
    """Replace a text in a block of your core memory, or delete it by replacing it with nothing."""

    label: str = Field(description="The block, such as persona, human or goals.")
    old_content: str = Field(
        min_length=1, max_length=CONTENT_LIMIT, description="The text to replace, exactly as the block shows it."
    )
    new_content: str = Field(
        max_length=CONTENT_LIMIT, description="What is to stand there instead; empty to delete it."
    )


class ArchivalMemoryInsert(Arguments):
    """Remember a fact for later conversations, with the time since when it holds."""

    content: str = Field(
        min_length=1, max_length=CONTENT_LIMIT, description="One self-contained sentence, in the user's language."
    )
    attribute: str = Field(
        default="",
        max_length=100,
        description="What it is about, such as home.city or work.employer; empty for a note.",
    )
    value: str = Field(default="", max_length=LIMIT // 2, description="The value of that attribute, such as Seoul.")
    subject: str = Field(
        default="", max_length=100, description="Whom it is about, as the user calls them; empty for the user."
    )
    valid_from: str = Field(default="", max_length=40, description=_DATE)
    quote: str = Field(default="", max_length=MESSAGE_LIMIT, description=_QUOTE)


class ArchivalMemorySearch(Arguments):
    """Search what you remember: facts with their terms, events and past tasks. Past facts are marked as past."""

    query: str = Field(
        min_length=1, max_length=MESSAGE_LIMIT, description="What to look for, as a question or in words."
    )
    as_of: str = Field(default="", max_length=40, description=_AS_OF)
    top_k: int = Field(default=8, ge=1, le=50, description="How many at most.")


class ConversationSearch(Arguments):
    """Search what was said, word for word, in this and in earlier conversations."""

    query: str = Field(min_length=1, max_length=MESSAGE_LIMIT, description="What was spoken of.")
    as_of: str = Field(
        default="", max_length=40, description="A date: leave out what was said after it. Empty for all."
    )
    top_k: int = Field(default=5, ge=1, le=50, description="How many exchanges at most.")


class MemoryEnd(Arguments):
    """A remembered fact stopped being true, and nothing takes its place. It stays in memory as past."""

    memory_id: str = Field(min_length=8, max_length=36, description="Its id, as a memory or a search result shows it.")
    at: str = Field(default="", max_length=40, description="YYYY-MM-DD since when it is over; empty for now.")
    quote: str = Field(min_length=1, max_length=MESSAGE_LIMIT, description=_QUOTE)


class MemoryCorrect(Arguments):
    """A remembered fact was never true: replace it by what is. For what has changed since, use archival_memory_insert."""

    memory_id: str = Field(min_length=8, max_length=36, description="Its id, as a memory or a search result shows it.")
    content: str = Field(
        min_length=1,
        max_length=CONTENT_LIMIT,
        description="One self-contained sentence that is true, in the user's language.",
    )
    value: str = Field(default="", max_length=LIMIT // 2, description="The right value, if the fact has an attribute.")
    quote: str = Field(min_length=1, max_length=MESSAGE_LIMIT, description=_QUOTE)


TOOLS: dict[str, type[Arguments]] = {
    "core_memory_append": CoreMemoryAppend,
    "core_memory_replace": CoreMemoryReplace,
    "archival_memory_insert": ArchivalMemoryInsert,
    "archival_memory_search": ArchivalMemorySearch,
    "conversation_search": ConversationSearch,
    "memory_end": MemoryEnd,
    "memory_correct": MemoryCorrect,
}


def definition(name: str) -> dict[str, Any]:
    """The tool as an OpenAI-compatible server is given it."""
    arguments = TOOLS[name]
    schema = arguments.model_json_schema()
    told = {key: value for key, value in schema.items() if key not in {"title", "description"}}
    for described in told["properties"].values():
        described.pop("title", None)
    return {"type": "function", "function": {"name": name, "description": arguments.__doc__, "parameters": told}}
