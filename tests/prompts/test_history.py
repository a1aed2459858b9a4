from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from perdure.history import HistoryFit, fit_history
from perdure.tokens import estimate_message_tokens


def human(name: str, tokens: int = 96) -> HumanMessage:
    return HumanMessage("a" * 4 * tokens, id=name)


def ai(name: str, tokens: int = 96) -> AIMessage:
    return AIMessage("a" * 4 * tokens, id=name)


def tool_use(name: str) -> list[AnyMessage]:
    call = {"name": "search_memory", "args": {"query": "city"}, "id": name, "type": "tool_call"}
    return [
        AIMessage("", tool_calls=[call], id=f"{name}-call"),
        ToolMessage("Seoul", tool_call_id=name, id=f"{name}-result"),
    ]


def names(messages: tuple[AnyMessage, ...]) -> list[str]:
    return [message.id or "" for message in messages]


THREAD: list[AnyMessage] = [human("h1"), ai("a1"), human("h2"), ai("a2"), human("h3"), ai("a3"), human("h4")]
"""100 tokens each."""


def test_what_fits_is_kept() -> None:
    assert fit_history(THREAD, "", 700) == HistoryFit(tuple(THREAD), ())


def test_beyond_the_budget_it_is_cut_to_half() -> None:
    fit = fit_history(THREAD, "", 699)
    assert names(fit.kept) == ["h3", "a3", "h4"]
    assert names(fit.overflow) == ["h1", "a1", "h2", "a2"]


def test_what_is_summarised_no_longer_counts() -> None:
    assert names(fit_history(THREAD, "a2", 300).kept) == ["h3", "a3", "h4"]
    assert names(fit_history(THREAD, "a2", 299).kept) == ["h4"]
    assert names(fit_history(THREAD, "a2", 299).overflow) == ["h3", "a3"]


def test_an_unknown_summary_end_leaves_everything() -> None:
    assert fit_history(THREAD, "gone", 700) == fit_history(THREAD, "", 700)


def test_the_last_human_message_stays_whatever_it_costs() -> None:
    fit = fit_history([*THREAD, human("book", 50_000)], "", 700)
    assert names(fit.kept) == ["book"]
    assert fit_history([human("book", 50_000)], "", 700) == HistoryFit((human("book", 50_000),), ())


def test_a_turn_of_many_tool_calls_is_not_cut() -> None:
    working = [*THREAD, *tool_use("t1"), *tool_use("t2"), *tool_use("t3")]
    fit = fit_history(working, "", 100)
    assert names(fit.kept) == ["h4", *(message.id or "" for message in working[7:])]


def test_no_messages() -> None:
    assert fit_history([], "", 700) == HistoryFit((), ())


@st.composite
def threads(draw: st.DrawFn) -> list[AnyMessage]:
    messages: list[AnyMessage] = []
    for turn in range(draw(st.integers(1, 8))):
        messages.append(human(f"h{turn}", draw(st.integers(1, 120))))
        for use in range(draw(st.integers(0, 3))):
            messages += tool_use(f"t{turn}.{use}")
        messages.append(ai(f"a{turn}", draw(st.integers(1, 120))))
    return messages[: draw(st.integers(1, len(messages)))]


@given(threads(), st.integers(200, 1_000))
def test_laws_of_fitting(messages: list[AnyMessage], budget: int) -> None:
    fit = fit_history(messages, "", budget)
    assert [*fit.overflow, *fit.kept] == messages
    assert isinstance(fit.kept[0], HumanMessage)
    humans = [message for message in fit.kept if isinstance(message, HumanMessage)]
    assert humans
    within = estimate_message_tokens(fit.kept) <= (budget // 2 if fit.overflow else budget)
    assert within or len(humans) == 1, "only the last turn may exceed it"
    again = fit_history(messages, fit.overflow[-1].id or "" if fit.overflow else "", budget)
    assert again == HistoryFit(fit.kept, ()) or len(humans) == 1
