"""The chat models of the OpenAI-compatible server, one per role and name, built when first asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from langchain_core.messages import AIMessage
from pydantic import SecretStr

from perdure.errors import ConfigurationError
from perdure.models.per_loop import PerLoop
from perdure.settings import Settings
from perdure.turn import Usage

if TYPE_CHECKING:
    from langchain_openai import ChatOpenAI

Role = Literal["reply", "extract", "summarise", "question"]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
NO_KEY = SecretStr("unused")
"""What is sent to a server that wants no key: the client insists on one."""


class ChatModels:
    """Chat models by role. They share the address, key, timeout and retries of the settings."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._models: PerLoop[ChatOpenAI] = PerLoop()

    def name(self, role: Role, override: str = "") -> str:
        """The model that plays the role: the override, else the configured one, else the reply model."""
        configured = {
            "reply": self._settings.reply_model,
            "extract": self._settings.extract_model,
            "summarise": self._settings.summary_model,
            "question": self._settings.extract_model,
        }
        return override or configured[role] or self._settings.reply_model

    async def get(self, role: Role, override: str = "") -> ChatOpenAI:
        """The model for the role. Raises `ConfigurationError` when no server is configured."""
        name = self.name(role, override)
        return await self._models.get((role, name), partial(self._build, role, name))

    def _build(self, role: Role, name: str) -> ChatOpenAI:
        settings = self._settings
        if settings.offline:
            raise ConfigurationError(
                f"no server is configured for model {name!r}: set OPENAI_API_KEY or OPENAI_BASE_URL"
            )
        from langchain_openai import ChatOpenAI

        from perdure.models.metered_client import MeteredClient

        return ChatOpenAI(
            model=name,
            base_url=settings.openai_base_url or DEFAULT_BASE_URL,
            api_key=server_key(settings),
            timeout=settings.model_timeout,
            stream_chunk_timeout=settings.model_timeout,
            max_retries=settings.model_retries,
            streaming=role == "reply",
            stream_usage=True,
            # LangGraph streams every model called inside a node: only the reply is for the user.
            tags=[] if role == "reply" else ["nostream"],
            http_async_client=MeteredClient(role, name),
        )


def server_key(settings: Settings) -> SecretStr:
    """The key to send: the configured one, or a placeholder."""
    key = settings.openai_api_key
    return key if key and key.get_secret_value() else NO_KEY


def usage_of(message: AIMessage, role: Role, model: str) -> Usage | None:
    """The tokens of a call as the server counted them; None if it did not."""
    counted = message.usage_metadata
    return counted and Usage(role, model, counted["input_tokens"], counted["output_tokens"])
