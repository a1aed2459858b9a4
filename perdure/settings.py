"""Where everything is, read once from the environment (or `.env`); an explicit argument always wins."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from platformdirs import user_data_path
from pydantic import AliasChoices, Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from perdure.budget import Budget
from perdure.prices import Price

LOCAL_EMBEDDER = "local"


def _variable(name: str) -> AliasChoices:
    return AliasChoices(name.lower(), name)


class Settings(BaseSettings):
    """Settings of a process. What belongs to one run (scope, budgets, language) is in `Context`."""

    model_config = SettingsConfigDict(env_prefix="PERDURE_", env_file=".env", extra="ignore", populate_by_name=True)

    home: Path = Field(default_factory=lambda: user_data_path("perdure", appauthor=False))
    """Folder of the embedded PostgreSQL."""
    database_url: SecretStr | None = Field(default=None, validation_alias=_variable("DATABASE_URL"))
    memory_url: SecretStr | None = None
    checkpoint_url: SecretStr | None = None
    pool_size: Annotated[int, Field(ge=1, le=200)] = 10

    openai_api_key: SecretStr | None = Field(default=None, validation_alias=_variable("OPENAI_API_KEY"))
    openai_base_url: str | None = Field(default=None, validation_alias=_variable("OPENAI_BASE_URL"))
    reply_model: str = "gpt-4.1-mini"
    extract_model: str = ""
    """Empty: the reply model."""
    summary_model: str = ""
    """Empty: the reply model."""
    model_timeout: Annotated[float, Field(gt=0)] = 60.0
    """Seconds that one model call may take."""
    model_retries: Annotated[int, Field(ge=0, le=10)] = 2

    session_idle: Annotated[float, Field(gt=0)] = 30.0
    """Minutes of silence after which a conversation has ended."""

    embedding_model: str = LOCAL_EMBEDDER
    """`local`, or the name of an embedding model of the OpenAI-compatible server."""
    embedding_dimensions: Annotated[int, Field(ge=1, le=16000)] | None = None

    prices: Annotated[dict[str, Price], NoDecode] = Field(default_factory=dict)
    """By model, USD per million tokens: `{"gpt-x": {"input": 0.4, "cached_input": 0.1, "output": 1.6}}`."""
    daily_budget: Annotated[Decimal, Field(gt=0, allow_inf_nan=False)] | None = None
    """USD that one user may spend on models in a day of UTC."""
    daily_tokens: Annotated[int, Field(gt=0)] | None = None
    """Tokens, input and output, that one user may use in a day of UTC."""

    @field_validator("prices", mode="before")
    @classmethod
    def _read_prices(cls, given: Any) -> Any:
        if not isinstance(given, str):
            return given
        try:
            return json.loads(given)
        except ValueError:
            raise ValueError('it is not JSON such as {"gpt-x": {"input": 0.4, "output": 1.6}}') from None

    @model_validator(mode="before")
    @classmethod
    def _unset(cls, given: dict[str, Any]) -> dict[str, Any]:
        """What is set to nothing, as `PERDURE_HOME=` does, is not set: an empty path would be the current folder."""
        return {name: value for name, value in given.items() if not (isinstance(value, str) and not value.strip())}

    @property
    def budget(self) -> Budget:
        return Budget(self.daily_budget, self.daily_tokens)

    @property
    def offline(self) -> bool:
        """No chat model is configured: rules extract, and replies only quote what is remembered."""
        return not (self.openai_api_key and self.openai_api_key.get_secret_value()) and not self.openai_base_url
