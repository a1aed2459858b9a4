"""The reply model calls tools: over real HTTP, as servers and models of every kind do it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from scripted_openai import Answer, Body, Fail, Request, Say, ScriptedOpenAI

from perdure.errors import ModelReplyInvalid, ModelUnavailable
from perdure.models.chat import ChatModels
from perdure.models.replier import CALLS, ROUNDS, ChatReplier
from perdure.settings import Settings
from perdure.turn import ReplyRequest

QUESTION = ReplyRequest("Be kind.", (HumanMessage("안녕"),), "안녕", (), "ko", datetime(2026, 11, 30, tzinfo=UTC))
DEFINITIONS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": "look", "description": "Look.", "parameters": {"type": "object"}}}
]


class Looking:
    """Tools of a test: each call is kept, and answered with its number."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, Any]]] = []
        self.definitions = DEFINITIONS

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        self.calls.append((name, arguments))
        return f"seen {len(self.calls)}"


@pytest.fixture
def replier(openai_server: ScriptedOpenAI) -> ChatReplier:
    settings = Settings(openai_base_url=openai_server.url, reply_model="scripted", model_retries=0, model_timeout=5)
    return ChatReplier(ChatModels(settings))


async def test_the_model_sees_what_its_calls_gave_back_before_it_answers(
    replier: ChatReplier, openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("reply", Say(tools=(("look", '{"at": "서울"}'), ("look", "{}"))), "서울이 보입니다.")
    tools = Looking()
    reply = await replier.reply(QUESTION, tools)
    assert tools.calls == [("look", {"at": "서울"}), ("look", {})]
    assert [type(message) for message in reply.messages] == [AIMessage, ToolMessage, ToolMessage, AIMessage]
    assert reply.message.text == "서울이 보입니다."
    assert [(call.input_tokens, call.output_tokens) for call in reply.usage] == [(3, 0), (7, 2)]
    first, second = openai_server.asked("reply")
    assert first.body["tools"] == DEFINITIONS and first.body["tool_choice"] == "auto"
    told = [(message["role"], message["content"]) for message in second.body["messages"][-2:]]
    assert told == [("tool", "seen 1"), ("tool", "seen 2")]


@pytest.mark.parametrize("arguments", ['{"at": ', "[1]", "null", ""])
async def test_arguments_that_are_no_object_are_told_to_the_model(
    replier: ChatReplier, openai_server: ScriptedOpenAI, arguments: str
) -> None:
    openai_server.script("reply", Say(tools=(("look", arguments),)), "네.")
    tools = Looking()
    reply = await replier.reply(QUESTION, tools)
    assert reply.message.text == "네."
    told = [message.text for message in reply.messages if isinstance(message, ToolMessage)]
    assert told == ["seen 1"] if tools.calls else "error" in json.loads(told[0])


async def test_a_model_that_only_calls_tools_has_to_answer_in_the_end(
    replier: ChatReplier, openai_server: ScriptedOpenAI
) -> None:
    def calling(request: Request) -> Answer:
        call = (("look", "{}"),)
        return Say("이제 답합니다.", tools=call) if request.body["tool_choice"] == "none" else Say(tools=call)

    openai_server.always("reply", calling)
    tools = Looking()
    reply = await replier.reply(QUESTION, tools)
    assert len(tools.calls) == ROUNDS
    assert reply.message.text == "이제 답합니다."
    assert isinstance(reply.message, AIMessage) and not reply.message.tool_calls
    answered = {message.tool_call_id for message in reply.messages if isinstance(message, ToolMessage)}
    asked = {call["id"] for message in reply.messages if isinstance(message, AIMessage) for call in message.tool_calls}
    assert answered == asked


async def test_so_many_calls_of_one_round_are_made_and_no_more(
    replier: ChatReplier, openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("reply", Say(tools=(("look", "{}"),) * (CALLS + 2)), "네.")
    tools = Looking()
    reply = await replier.reply(QUESTION, tools)
    told = [message.text for message in reply.messages if isinstance(message, ToolMessage)]
    assert len(tools.calls) == CALLS and len(told) == CALLS + 2
    assert all("not made" in text for text in told[CALLS:])


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (400, "scripted does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice'),
        (404, "No endpoints found that support tool use"),
        (422, "functions: extra fields not permitted"),
    ],
)
async def test_a_server_that_refuses_tools_is_asked_without_them_from_then_on(
    replier: ChatReplier, openai_server: ScriptedOpenAI, status: int, says: str
) -> None:
    openai_server.always(
        "reply", lambda request: Fail(status, message=says) if "tools" in request.body else Say("도구 없이.")
    )
    for _ in range(2):
        assert (await replier.reply(QUESTION, Looking())).message.text == "도구 없이."
    assert ["tools" in request.body for request in openai_server.asked("reply")] == [True, False, False]


async def test_a_request_that_is_bad_for_another_reason_does_not_cost_the_tools(
    replier: ChatReplier, openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("reply", Fail(400), "다시.")
    with pytest.raises(ModelUnavailable):
        await replier.reply(QUESTION, Looking())
    assert (await replier.reply(QUESTION, Looking())).message.text == "다시."
    assert "tools" in openai_server.asked("reply")[-1].body


async def test_a_thread_that_the_server_refuses_whatever_is_offered_does_not_cost_the_others_their_tools(
    replier: ChatReplier, openai_server: ScriptedOpenAI
) -> None:
    broken = Fail(400, message="messages with role 'tool' must follow a message with 'tool_calls'")
    openai_server.script("reply", broken, broken, "다시.")
    with pytest.raises(ModelUnavailable):
        await replier.reply(QUESTION, Looking())
    await replier.reply(QUESTION, Looking())
    assert "tools" in openai_server.asked("reply")[-1].body


async def test_half_a_surrogate_pair_is_neither_kept_nor_sent_again(
    replier: ChatReplier, openai_server: ScriptedOpenAI
) -> None:
    openai_server.script("reply", Say("봐요 \udc00", tools=(("look", r'{"at": ["\ud800"]}'),)), Say("보입니다 \ud800."))
    reply = await replier.reply(QUESTION, Looking())
    assert [message.text for message in reply.messages] == ["봐요 \ufffd", "seen 1", "보입니다 \ufffd."]
    first = reply.messages[0]
    assert isinstance(first, AIMessage) and first.tool_calls[0]["args"] == {"at": ["\ufffd"]}


async def test_a_call_without_an_id_is_answered_by_the_one_it_is_given(
    replier: ChatReplier, openai_server: ScriptedOpenAI
) -> None:
    call = {"id": None, "type": "function", "index": 0, "function": {"name": "look", "arguments": "{}"}}
    chunks = [{"delta": {"role": "assistant", "tool_calls": [call]}, "finish_reason": None, "index": 0}]
    event = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "x", "choices": chunks}
    openai_server.script(
        "reply", Body(f"data: {json.dumps(event)}\n\ndata: [DONE]\n\n", "text/event-stream"), "보입니다."
    )
    await replier.reply(QUESTION, Looking())
    called, told = openai_server.asked("reply")[-1].body["messages"][-2:]
    assert called["tool_calls"][0]["id"] == told["tool_call_id"] != ""


async def test_calls_without_any_answer_are_no_reply(replier: ChatReplier, openai_server: ScriptedOpenAI) -> None:
    openai_server.always("reply", Say(tools=(("look", "{}"),)))
    with pytest.raises(ModelReplyInvalid):
        await replier.reply(QUESTION, Looking())
