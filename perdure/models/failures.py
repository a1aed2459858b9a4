"""What a failed model call means to the person who has to do something about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from perdure.errors import ModelReplyInvalid, ModelUnavailable, PerdureError
from perdure.turn import Purpose

_SETTINGS: dict[Purpose, str] = {
    "reply": "PERDURE_REPLY_MODEL",
    "extract": "PERDURE_EXTRACT_MODEL",
    "summarise": "PERDURE_SUMMARY_MODEL",
    "question": "PERDURE_EXTRACT_MODEL",
    "embed": "PERDURE_EMBEDDING_MODEL",
}

_NAMES: dict[Purpose, str] = {
    "reply": "reply",
    "extract": "extraction",
    "summarise": "summary",
    "question": "question",
    "embed": "embedding",
}


@contextmanager
def model_failures(purpose: Purpose, model: str) -> Iterator[None]:
    """Raise whatever a model's client raises as `ModelUnavailable`, or `ModelReplyInvalid` for an unusable answer.

    The message says nothing of what was sent or answered, nor the key; the client's own, which may, is not shown.
    """
    try:
        yield
    except PerdureError:
        raise
    except Exception as error:  # noqa: BLE001 - the errors of openai, httpx and LangChain have no other base
        raise _failure(error, purpose, model) from None


def _failure(error: Exception, purpose: Purpose, model: str) -> ModelUnavailable:
    happened, advice, kind = _diagnosis(error, _SETTINGS[purpose])
    finish = "; then `perdure resume THREAD` finishes the turn" if purpose == "reply" else ""
    return kind(f"the {_NAMES[purpose]} model {model!r} {happened} ({_signature(error)}): {advice}{finish}")


def _diagnosis(error: Exception, setting: str) -> tuple[str, str, type[ModelUnavailable]]:
    import openai
    from langchain_core.exceptions import ContextOverflowError

    address = "check OPENAI_BASE_URL"
    match error:
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            return "refused the API key", "set OPENAI_API_KEY to a key that this server accepts", ModelUnavailable
        case openai.NotFoundError():
            return "is not known to the server", f"check {setting} and OPENAI_BASE_URL", ModelUnavailable
        case openai.RateLimitError():
            return "is over its rate limit or quota", "wait, or raise the limit", ModelUnavailable
        case ContextOverflowError():
            return "was given more than it can read", "lower recall_tokens or history_tokens", ModelUnavailable
        case openai.APITimeoutError() | TimeoutError():
            return "did not answer in time", "try again, or raise PERDURE_MODEL_TIMEOUT", ModelUnavailable
        case openai.APIStatusError(status_code=status) if status >= 500:
            return "failed on the server", f"try again later, or {address}", ModelUnavailable
        case openai.APIStatusError():
            return "refused the request", f"check that {setting} and OPENAI_BASE_URL fit together", ModelUnavailable
        case openai.APIConnectionError():
            return "cannot be reached, or the connection broke", f"{address} and the network", ModelUnavailable
        case _:
            return "answered with something else than asked for", f"{address} and {setting}", ModelReplyInvalid


def _signature(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    return f"{type(error).__name__}, HTTP {status}" if status else type(error).__name__
