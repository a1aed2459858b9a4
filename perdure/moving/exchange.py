"""What the backfill reads of an exchange that is still to be extracted: from a file, it must be what it seems."""

from __future__ import annotations

from typing_extensions import TypedDict  # pydantic reads no other before Python 3.12

from perdure.policy import RunPolicy
from perdure.turn import Language


class ExchangeDetails(TypedDict, total=False):
    user_characters: int
    language: Language
    time_zone: str
    run_policy: RunPolicy
    only_asked: bool
