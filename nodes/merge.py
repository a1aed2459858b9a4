"""merge: what is worded is written, each group in one transaction, unless something was said of it meanwhile."""

from __future__ import annotations

from typing import Any

from perdure.alike import Group
from perdure.consolidation_ports import ConsolidationStore
from perdure.graph.consolidation_context import ConsolidationContext
from perdure.graph.consolidation_state import ConsolidationState, Json, group_of
from perdure.merging import Canonical, Merging
from perdure.ports import Embeddings


async def merge(state: ConsolidationState, *, store: ConsolidationStore, embeddings: Embeddings) -> dict[str, Any]:
    """A group that was merged already, before a kill, is not merged again."""
    context = ConsolidationContext.model_validate(state["context"])
    done = [await _merged(proposal, context, store, embeddings) for proposal in state["proposals"]]
    return {"proposals": [], "merges": state["merges"] + [one.to_json() for one in done]}


async def _merged(
    proposal: Json, context: ConsolidationContext, store: ConsolidationStore, embeddings: Embeddings
) -> Merging:
    group: Group = group_of(proposal["group"])
    canonical = Canonical.of(context.scope, group, proposal["sentence"])
    planned = Merging(group.merge, "would merge", proposal["why"], group.facts, canonical.content)
    if not proposal["same"]:
        return planned.left_alone(proposal["why"])
    if context.dry_run:
        return planned
    vectors = await embeddings.documents(context.scope, [canonical.content])
    done = await store.merge(context.scope, group, proposal["sentence"], vectors)
    return done.because(done.why or proposal["why"])
