"""What one run is given: whose memory, as of when, in which language, within which budgets.

The command line's flags, the Studio form and the embedding API are made from this model.
"""

from __future__ import annotations

from datetime import tzinfo
from typing import TYPE_CHECKING, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, field_validator

from perdure.policy import RunPolicy
from perdure.presets import PRESETS, preset_of
from perdure.scope import Scope
from perdure.time import zone_of

if TYPE_CHECKING:  # the command line builds its flags from this model, and `--help` must not wait for LangGraph
    from langgraph.runtime import Runtime


class Context(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    user: str = Field(default="default", description="Whose memory it is.")
    tenant: str = Field(default="default", description="The customer or workspace that the user belongs to.")
    agent: str = Field(default="", description="The agent whose own memory is used beside the shared one.")
    as_of: AwareDatetime | None = Field(default=None, description="Recall what was true then, instead of now.")
    as_known_at: AwareDatetime | None = Field(default=None, description="Recall what was believed then.")
    language: Literal["auto", "en", "ko"] = Field(default="auto", description="Language of prompts and replies.")
    recall_k: int = Field(default=8, ge=0, le=100, description="How many memories are recalled at most.")
    preset: str = Field(default="balanced", description=f"How memories are ranked: {', '.join(PRESETS)}.")
    recall_tokens: int = Field(default=1500, ge=0, description="Budget of the recalled memories in the prompt.")
    memory_tools: Literal["on", "off"] = Field(
        default="on", description="Whether the reply model may search memory itself, and ask for changes of it."
    )
    history_tokens: int = Field(default=6000, ge=200, description="Budget of the messages in the prompt.")
    time_zone: str = Field(
        default="UTC",
        description="Where the user is, such as Asia/Seoul: what “today” means. While it is UTC, the offset that a "
        "message's own time tells is used for that message.",
    )
    time_reader: Literal["rules", "model"] = Field(
        default="rules",
        description="Who reads which time a question speaks of: rules alone, or also the extraction model, where rules "
        "leave words of time unread (“last Christmas”).",
    )
    policy: RunPolicy = Field(
        default="auto", description="Memory writes: as the scope's policy says, or apply, ask about, or drop them all."
    )
    reviewer: str = Field(default="", description="The person who decides about writes that wait.")
    reply_model: str = Field(default="", description="Chat model of the reply; empty for the configured one.")
    extract_model: str = Field(default="", description="Chat model of the extraction; empty for the configured one.")
    summary_model: str = Field(default="", description="Chat model of the summary; empty for the configured one.")

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        zone_of(name)
        return name

    @field_validator("preset")
    @classmethod
    def _known_preset(cls, name: str) -> str:
        return preset_of(name).name

    @property
    def zone(self) -> tzinfo:
        return zone_of(self.time_zone)

    @property
    def time_model(self) -> str | None:
        """The chat model that may be asked which time a question speaks of, empty for the configured one; None for none."""
        return self.extract_model if self.time_reader == "model" else None

    @property
    def scope(self) -> Scope:
        """Raises `InvalidScope` for a name that cannot be one."""
        return Scope(user=self.user, tenant=self.tenant, agent=self.agent)


def context_of(runtime: Runtime[Context]) -> Context:
    """LangGraph leaves the context None when a caller passes none, even though every field has a default."""
    return runtime.context or Context()


def run_context(user: str | None, context: Context | None) -> Context:
    """The context of a call that names the user, or hands in a whole context; the name wins."""
    context = context or Context()
    return context if user is None else context.model_copy(update={"user": user})
