"""Turns in which the model calls tools, as those see them who listen, and as later turns remember them."""

from __future__ import annotations

import json

from scripted_openai import Say, ScriptedOpenAI

from perdure import Context, Memory
from perdure.graph.turns import Token

SEARCH = json.dumps({"query": "garden"})


async def test_what_is_said_before_a_call_stands_apart_from_the_answer(
    modelled: Memory, openai_server: ScriptedOpenAI
) -> None:
    looking = Say("Let me look.", tools=(("archival_memory_search", SEARCH),))
    openai_server.script("reply", looking, looking, "You live in Seoul.")
    events = [event async for event in modelled.stream("Where do I live?", user="u1", thread="t1")]
    said = "".join(event.text for event in events if isinstance(event, Token))
    assert said == "Let me look.\n\nLet me look.\n\nYou live in Seoul."


async def test_what_was_looked_up_for_an_earlier_reply_takes_no_room_and_is_not_summarised(
    modelled: Memory, openai_server: ScriptedOpenAI
) -> None:
    await modelled.remember(f"The garden has {'many flowers ' * 60}.", user="u1")
    openai_server.script("reply", "A fine name.", Say(tools=(("archival_memory_search", SEARCH),) * 8), "Flowers.")
    context = Context(user="u1", history_tokens=400)
    await modelled.ask("I call my boat Nora.", thread="t1", context=context)
    await modelled.ask("What of my garden?", thread="t1", context=context)
    assert "many flowers" in openai_server.asked("reply")[-1].prompt
    await modelled.ask("And the name of the boat?", thread="t1", context=context)
    told = openai_server.asked("reply")[-1].body["messages"][1:]
    assert [message["content"] for message in told] == [
        "I call my boat Nora.", "A fine name.", "What of my garden?", "Flowers.", "And the name of the boat?"
    ]  # fmt: skip


async def test_what_a_tool_was_told_is_not_kept_a_person_is_told_too(
    modelled: Memory, openai_server: ScriptedOpenAI
) -> None:
    lie = {"content": "파리에 산다.", "attribute": "home.city", "value": "파리", "quote": "나는 파리에 살아"}
    unknown = {"label": "mood", "content": "좋음"}
    calls = (("archival_memory_insert", json.dumps(lie)), ("core_memory_append", json.dumps(unknown)))
    openai_server.script("reply", Say(tools=(*calls, ("archival_memory_search", json.dumps({"query": ""})))), "네.")
    answer = await modelled.ask("오늘 날씨가 좋네.", user="u1", thread="t1")
    refused = [(one["what"], one["should_save"]) for one in answer.decisions]
    assert refused == [("나는 파리에 살아", False), ("좋음", False)]
    assert "persona, human, goals" in answer.decisions[1]["reason"] and answer.written == []
    again = await modelled.ask("고마워.", user="u1", thread="t1")
    assert again.decisions == []
