"""The turn that a state is in, as models and the memory layer see it."""

from __future__ import annotations

from datetime import datetime

from perdure.graph.messages import last_human, reply_text
from perdure.graph.state import State
from perdure.turn import Language, Turn


def turn_of(state: State) -> Turn:
    turn = state["turn"]
    return Turn(
        message=turn["message"],
        user_text=last_human(state["messages"]).text,
        assistant_text=reply_text(state["messages"]),
        at=datetime.fromisoformat(turn["at"]),
        language=language_of(state),
    )


def language_of(state: State) -> Language:
    """The language of prompts and replies of this turn."""
    return "ko" if state["turn"]["language"] == "ko" else "en"
