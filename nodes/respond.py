"""respond: the reply, from the messages, the summary of those that no longer fit, and memory framed as data."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.runtime import Runtime

from perdure.asked import TimeUsed
from perdure.core import BUILT_IN, Block
from perdure.errors import ModelUnavailable
from perdure.graph.context import Context, context_of
from perdure.graph.messages import last_human, spoken
from perdure.graph.state import State, SummaryState
from perdure.graph.thread import thread_name
from perdure.graph.turn import agent_scope, attributes_of, language_of, policy_of, turn_zone
from perdure.graph.upgrade import upgraded
from perdure.history import fit_history
from perdure.layer import MemoryLayer
from perdure.logs import logger_named
from perdure.plain import plain
from perdure.ports import Replier, Summariser
from perdure.recall import Hit, relevant
from perdure.reply_prompt import HistoryNotice, render_reply_system
from perdure.tokens import estimate_message_tokens
from perdure.tools.desk import Desk
from perdure.tools.toolbox import MemoryTools
from perdure.turn import ReplyRequest, Usage

_LOG = logger_named("perdure")


async def respond(
    state: State, runtime: Runtime[Context], *, memory: MemoryLayer, replier: Replier, summariser: Summariser | None
) -> dict[str, Any]:
    """Writes the reply and its usage, the changes of memory that the model asked for, and the summary when the history
    has outgrown its budget.
    """
    context = context_of(runtime)
    state = upgraded(state, thread_name(runtime, context.scope))
    summary, kept, summarising = await _history(state, context, summariser)
    # Without a summariser there is no model either: the offline replier calls nothing.
    tools = MemoryTools(_desk(state, context, memory, kept)) if summariser and context.memory_tools == "on" else None
    request = _request(state, context, memory, summary, kept, tools=tools is not None)
    reply = await replier.reply(request, tools)
    usage = [call.to_json() for call in (summarising, *reply.usage) if call]
    update: dict[str, Any] = {
        "messages": list(reply.messages),
        "noted": [operation.model_dump(mode="json") for operation in tools.noted] if tools else [],
        "refused": plain(tools.refused) if tools else [],
        "usage": state["usage"] + usage,
    }
    return update | ({"summary": summary} if summary["through"] else {})


async def _history(
    state: State, context: Context, summariser: Summariser | None
) -> tuple[SummaryState, Sequence[AnyMessage], Usage | None]:
    """The messages that go into the prompt, and the summary of the ones before; without a summariser those are left out.

    The messages themselves stay in the state: only the prompt is trimmed.
    """
    summary = state.get("summary") or SummaryState(text="", through="")
    fit = fit_history(spoken(state["messages"]), summary["through"], context.history_tokens)
    if not fit.overflow or summariser is None:
        return summary, fit.kept, None
    try:
        made = await summariser.summarise(
            summary["text"], fit.overflow, language_of(state), model=context.summary_model
        )
    except ModelUnavailable as error:
        # The reply matters more: the next turn tries again, with what was left out this time.
        _LOG.warning("the summary failed (%s): older messages are left out of this reply", type(error).__name__)
        return summary, fit.kept, None
    return SummaryState(text=made.text, through=fit.overflow[-1].id or ""), fit.kept, made.usage


def _desk(state: State, context: Context, memory: MemoryLayer, kept: Sequence[AnyMessage]) -> Desk:
    (policy, run), recalled, zone = policy_of(state), state["recalled"], turn_zone(state)
    desk = Desk(
        memory=memory,
        scope=agent_scope(state, context.scope),
        policy=policy,
        run=run,
        language=language_of(state),
        at=datetime.fromisoformat(state["turn"]["at"]).astimezone(zone),
        zone=zone,
        said=[message.text for message in kept if isinstance(message, HumanMessage)],
        as_of=_moment(recalled["as_of"]),
        as_known_at=_moment(recalled["as_known_at"]),
        attributes=attributes_of(state),
        blocks={block.label: block for block in _blocks(state)},
    )
    desk.show(map(Hit.from_json, recalled["hits"]))
    return desk


def _request(
    state: State,
    context: Context,
    memory: MemoryLayer,
    summary: SummaryState,
    kept: Sequence[AnyMessage],
    *,
    tools: bool,
) -> ReplyRequest:
    language, recalled, zone = language_of(state), state["recalled"], turn_zone(state)
    hits = [Hit.from_json(hit) for hit in relevant(recalled["hits"])]
    block = memory.build_context(hits, language=language, budget_tokens=context.recall_tokens, zone=zone)
    at, time = memory.clock.now().astimezone(zone), TimeUsed.from_json(recalled["time"])
    system = render_reply_system(
        block,
        language=language,
        at=at,
        as_of=_moment(recalled["as_of"]),
        as_known_at=_moment(recalled["as_known_at"]),
        time=time,
        summary=summary["text"],
        core=_blocks(state),
        history=HistoryNotice(
            moved=len(spoken(state["messages"])) - len(kept),
            fill=estimate_message_tokens(kept) / context.history_tokens,
        ),
        tools=tools,
    )
    shown = tuple(hit for hit in hits if hit.id in block.ids)
    question = last_human(state["messages"]).text
    return ReplyRequest(system, tuple(kept), question, shown, language, at, time=time, model=context.reply_model)


def _blocks(state: State) -> list[Block]:
    """Of a turn that was begun before there was core memory, those that every scope has."""
    return [Block.from_json(block) for block in state["recalled"]["core"]] or list(BUILT_IN)


def _moment(recalled: str | None) -> datetime | None:
    """The moment that the memories were asked for, which a run that resumes the turn may not know."""
    return datetime.fromisoformat(recalled) if recalled else None
