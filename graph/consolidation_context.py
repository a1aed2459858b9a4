"""What a run of the consolidation is given: whose memory, and how alike facts must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, Field

from perdure.alike import SIMILARITY
from perdure.scope import Scope

if TYPE_CHECKING:  # the command line reads its defaults here, and `--help` must not wait for LangGraph
    from langgraph.runtime import Runtime


class ConsolidationContext(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    user: str = Field(default="default", description="Whose memory it is.")
    tenant: str = Field(default="default", description="The customer or workspace that the user belongs to.")
    agent: str = Field(default="", description="Whose own memory is put in order; empty for the shared one.")
    similarity: float = Field(
        default=SIMILARITY, gt=0, le=1, description="Cosine from which on two facts are looked at; their words decide."
    )
    dry_run: bool = Field(default=False, description="Say what would be merged, and write nothing.")
    extract_model: str = Field(
        default="", description="Chat model that words the sentence; empty for the configured one."
    )

    @property
    def scope(self) -> Scope:
        """Raises `InvalidScope` for a name that cannot be one."""
        return Scope(user=self.user, tenant=self.tenant, agent=self.agent)


def consolidation_context(runtime: Runtime[ConsolidationContext]) -> ConsolidationContext:
    """LangGraph leaves the context None when a caller passes none, even though every field has a default."""
    return runtime.context or ConsolidationContext()
