"""The meter of one model call: who pays, how long it takes, what it is billed."""

from __future__ import annotations

import json
import re
from time import perf_counter
from typing import Any, Final

from perdure.calls import Call, Tokens
from perdure.logs import logger_named
from perdure.spending import account
from perdure.turn import Purpose

_USAGE: Final = re.compile(rb'"usage"\s*:\s*(?=\{)')
_LOG = logger_named(__name__)


class Meter:
    """Started before the call, on the account of that moment: a streamed answer may end in another task."""

    def __init__(self, purpose: Purpose, model: str) -> None:
        self._account = account()
        self._purpose: str = purpose
        if self._account and self._account.purpose and purpose != "embed":
            self._purpose = self._account.purpose
        self._model = model
        self._began = perf_counter()
        self._ended = False

    def end(self, tokens: Tokens | None, *, failed: bool = False) -> None:
        """Charge the call; a second end says nothing new. ``tokens`` are None where nobody knows what is billed."""
        if self._ended:
            return
        self._ended = True
        if self._account is None:
            _LOG.debug("a call of model %s is on nobody's account", self._model)
            return
        seconds = perf_counter() - self._began
        call = Call(self._purpose, self._model, tokens, failed=failed, seconds=seconds)
        self._account.ledger.record(self._account, call)


def tokens_in(body: bytes) -> Tokens | None:
    """The last count that a server tells in an answer, or in the events of one; None if it tells none.

    Found without reading the vectors around it once more. What a model says is never taken for it: within a text of
    JSON, quotation marks are escaped.
    """
    told = None
    for found in _USAGE.finditer(body):
        told = found
    if told is None:
        return None
    try:
        usage, _ = json.JSONDecoder().raw_decode(body[told.end() :].decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
    asked, cached = _count(usage, "prompt_tokens"), _count(usage.get("prompt_tokens_details"), "cached_tokens")
    said = _count(usage, "completion_tokens")
    return None if asked is None else Tokens(asked, min(cached or 0, asked), said or 0)


def _count(usage: Any, name: str) -> int | None:
    count = usage.get(name) if isinstance(usage, dict) else None
    return count if isinstance(count, int) and count >= 0 else None
