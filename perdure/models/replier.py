"""The reply of a turn, streamed from the chat model."""

from __future__ import annotations

from langchain_core.messages import AIMessage, SystemMessage

from perdure.errors import ModelReplyInvalid
from perdure.models.chat import ChatModels, usage_of
from perdure.models.failures import model_failures
from perdure.turn import Reply, ReplyRequest


class ChatReplier:
    """`perdure.ports.Replier` by a chat model; whoever streams the graph sees its tokens."""

    def __init__(self, models: ChatModels) -> None:
        self._models = models

    async def reply(self, request: ReplyRequest) -> Reply:
        """The answer.

        Raises `ModelUnavailable` when the call failed after its retries, and `ModelReplyInvalid` for no answer.
        """
        name = self._models.name("reply", request.model)
        prompt = [SystemMessage(request.system), *request.messages]
        model = await self._models.get("reply", request.model)
        with model_failures("reply", name):
            answer = await model.ainvoke(prompt)
        if not (isinstance(answer, AIMessage) and answer.text.strip()):
            raise ModelReplyInvalid(
                f"the reply model {name!r} answered with nothing: check its output limit, or choose another model; "
                "then `perdure resume THREAD` finishes the turn"
            )
        return Reply(answer, usage_of(answer, "reply", name))
