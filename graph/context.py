"""What one run is given: whose memory, as of when, in which language, within which budgets.

The command line's flags, the Studio form and the embedding API are made from this model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from perdure.scope import Scope

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
    recall_tokens: int = Field(default=1500, ge=0, description="Budget of the recalled memories in the prompt.")
    history_tokens: int = Field(default=6000, ge=200, description="Budget of the messages in the prompt.")
    policy: Literal["apply", "ask", "drop"] = Field(
        default="apply", description="Memory writes: apply them, ask a person first, or drop them."
    )
    reply_model: str = Field(default="", description="Chat model of the reply; empty for the configured one.")
    extract_model: str = Field(default="", description="Chat model of the extraction; empty for the configured one.")
    summary_model: str = Field(default="", description="Chat model of the summary; empty for the configured one.")

    @property
    def scope(self) -> Scope:
        """Raises `InvalidScope` for a name that cannot be one."""
        return Scope(user=self.user, tenant=self.tenant, agent=self.agent)


def context_of(runtime: Runtime[Context]) -> Context:
    """LangGraph leaves the context None when a caller passes none, even though every field has a default."""
    return runtime.context or Context()
