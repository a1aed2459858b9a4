"""What `perdure doctor` looks at of the chat models: whether there is one that answers, and what may be spent on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from perdure.cli.check import Check
from perdure.errors import PerdureError

if TYPE_CHECKING:
    from perdure.settings import Settings


async def model_check(settings: Settings, *, online: bool) -> Check:
    if settings.offline:
        advice = "set OPENAI_API_KEY or OPENAI_BASE_URL to have a chat model reply and extract"
        return Check("chat model", "warn", "none: offline mode", advice)
    from perdure.models.chat import ChatModels
    from perdure.models.failures import model_failures

    where = f"{settings.reply_model} at {settings.openai_base_url or 'the default address'}"
    if not online:
        return Check("chat model", "ok", f"{where}; not called (--online does)")
    try:
        with model_failures("reply", settings.reply_model):
            await (await ChatModels(settings).get("reply")).ainvoke("Say OK.")
    except PerdureError as error:
        return Check("chat model", "fail", where, str(error))
    return Check("chat model", "ok", f"{where} answers")


def budget_checks(settings: Settings) -> Iterator[Check]:
    """Nothing without a budget. Of a model without a price nobody knows what it takes from one in USD."""
    from perdure.models.chat import ChatModels
    from perdure.prices import Prices
    from perdure.settings import LOCAL_EMBEDDER

    limits = [f"{settings.daily_budget} USD"] if settings.daily_budget else []
    limits += [f"{settings.daily_tokens} tokens"] if settings.daily_tokens else []
    if not limits:
        return
    models, prices = ChatModels(settings), Prices(settings.prices)
    used = set() if settings.offline else {models.name("reply"), models.name("extract"), models.name("summarise")}
    used |= {settings.embedding_model} - {LOCAL_EMBEDDER}
    unpriced = ", ".join(sorted(model for model in used if prices.of(model) is None))
    found = f"{' and '.join(limits)} per user and day"
    if unpriced and settings.daily_budget:
        advice = "add them to PERDURE_PRICES; PERDURE_DAILY_TOKENS limits models without a price"
        yield Check("budget", "warn", f"{found}; no price is set for {unpriced}, whose calls do not count", advice)
    else:
        yield Check("budget", "ok", found)
