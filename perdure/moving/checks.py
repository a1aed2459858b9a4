"""A record from outside, checked as if it were written here, and placed in the scope where it goes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from perdure.attributes import Cardinality, Vocabulary, learned_name
from perdure.credentials import check_holds_no_credential, check_no_credential, redacted
from perdure.errors import CredentialRefused, InvalidInput, InvalidTime
from perdure.facts import Action, Operation, Source, exchange_id, slot_of
from perdure.moving.destination import Move
from perdure.moving.exchange import ExchangeDetails
from perdure.moving.records import MovedEpisode, MovedPolicy, MovedStatement
from perdure.moving.untrusted import validated
from perdure.policy import Policy
from perdure.scope import NAME_LIMIT, check_name
from perdure.text import CONTENT_LIMIT, MESSAGE_LIMIT, VALUE_LIMIT, check_text
from perdure.time import check_instant, check_term

SKEW = timedelta(days=1)
"""So far the clock of another machine may be ahead. What was recorded later than that is refused: everything that is
written afterwards would be recorded later still."""
_INTEGER = 2**31
_SAYING = {Action.ASSERT, Action.CONFIRM, Action.CORRECT}


def placed_statement(told: MovedStatement, move: Move, vocabulary: Vocabulary, now: datetime) -> MovedStatement:
    """Raises `InvalidInput` for a statement that could not have been made in the scope where it comes from."""
    _check_statement(told, vocabulary)
    valid_from = check_instant(told.valid_from, "valid_from")
    stated_to = told.stated_to and check_instant(told.stated_to, "stated_to")
    check_term(valid_from, stated_to)
    recorded_at = check_recorded(told.recorded_at, now)
    own = told.value or told.slot_value
    if told.cardinality is Cardinality.MANY and not own:
        raise InvalidInput("it tells neither a value nor that of its slot")
    slot, to = (
        slot_of(replace(scope, agent=agent), told.subject, told.attribute, told.cardinality, own)
        for scope, agent in ((move.origin, told.agent), (move.to, move.to.agent))
    )
    if told.slot != slot:
        raise InvalidInput("its slot is not that of its user, agent, subject, attribute and value")
    return replace(
        told, valid_from=valid_from, stated_to=stated_to, recorded_at=recorded_at, slot=to, agent=move.to.agent
    )


def placed_episode(kept: MovedEpisode, move: Move, vocabulary: Vocabulary, now: datetime) -> MovedEpisode:
    """An exchange gets the id that it would have there: by that id it is found when it is extracted later."""
    check_text(kept.content, "the content", limit=2 * MESSAGE_LIMIT)
    if redacted(kept.content) != kept.content:
        raise CredentialRefused("its content holds a credential, which is never stored")
    if kept.kind == "exchange":
        validated(ExchangeDetails, kept.details)
    check_source(kept.thread, kept.message)
    limited(kept.speaker, "the speaker", VALUE_LIMIT)
    limited(kept.invalidated_because, "the reason", CONTENT_LIMIT)
    valid_from, valid_to = check_instant(kept.valid_from, "valid_from"), kept.valid_to
    if valid_to and check_instant(valid_to, "valid_to") < valid_from:
        raise InvalidTime("it ends before it begins")
    source = Source(at=kept.occurred_at, thread=kept.thread, message=kept.message)
    same = kept.kind == "exchange" and kept.id == exchange_id(move.origin, source)
    identity = exchange_id(move.to, source) if same else kept.id
    return replace(
        kept,
        id=identity,
        agent=move.to.agent,
        occurred_at=check_instant(kept.occurred_at, "occurred_at"),
        valid_from=valid_from,
        recorded_at=check_recorded(kept.recorded_at, now),
    )


def placed_policy(made: MovedPolicy, move: Move, vocabulary: Vocabulary, now: datetime) -> MovedPolicy:
    check_version(made.version)
    if "version" in made.policy:
        raise InvalidInput("the version stands beside the policy, not in it")
    check_name(made.author, "author")
    for number, rule in enumerate(validated(Policy, made.policy).rules, 1):
        check_holds_no_credential(" ".join((rule.why, *sorted(rule.attributes))), f"rule {number}")
    return replace(made, recorded_at=check_recorded(made.recorded_at, now), agent=move.to.agent)


def _check_statement(told: MovedStatement, vocabulary: Vocabulary) -> None:
    check_text(told.subject, "the subject", limit=VALUE_LIMIT)
    if told.attribute and learned_name(told.attribute) != told.attribute:
        raise InvalidInput("its attribute is not spelled as one is stored")
    cardinality = vocabulary.cardinality(told.attribute, told.cardinality) if told.attribute else Cardinality.MANY
    if told.cardinality is not cardinality:
        raise InvalidInput(f"{told.attribute or 'a note'} holds {cardinality} values here, not {told.cardinality}")
    if told.action in {Action.END, Action.RETRACT}:
        if told.content or told.stated_to:
            raise InvalidInput(f"{told.action} says nothing that holds, but has content or an end")
    elif told.action not in _SAYING or not (told.content.strip() and told.value.strip()):
        raise InvalidInput(f"{told.action} says nothing")
    limit = VALUE_LIMIT if told.attribute and told.value != told.content else CONTENT_LIMIT
    for text, what, most in (
        (told.value, "the value", limit),
        (told.slot_value, "the value of the slot", CONTENT_LIMIT),
        (told.said, "what was said", CONTENT_LIMIT),
        (told.content, "the content", CONTENT_LIMIT),
        (told.evidence, "the evidence", MESSAGE_LIMIT),
        (told.author, "the author", VALUE_LIMIT),
    ):
        limited(text, what, most)
    check_source(told.thread, told.message)
    if not (1 <= told.importance <= 10 and 0 <= told.confidence <= 1 and 0 <= told.ordinal < _INTEGER):
        raise InvalidInput("its importance, confidence or ordinal is out of bounds")
    for value in {told.value, told.slot_value, told.said} - {""} or {""}:
        texts: dict[str, Any] = {"value": value, "content": told.content, "evidence": told.evidence}
        check_no_credential(Operation.model_construct(attribute=told.attribute, subject=told.subject, **texts))


def check_version(version: int) -> None:
    if not 0 < version < _INTEGER:
        raise InvalidInput("its version is no positive number")


def check_source(thread: str, message: str) -> None:
    limited(thread, "the thread", NAME_LIMIT)
    limited(message, "the message", MESSAGE_LIMIT)


def check_recorded(at: datetime, now: datetime) -> datetime:
    """The moment of record in UTC. Raises `InvalidTime` for a naive one, and for one in the future."""
    if check_instant(at, "recorded_at") > now + SKEW:
        raise InvalidTime("it was recorded in the future: check the clocks of both machines")
    return check_instant(at, "recorded_at")


def limited(text: str, what: str, limit: int) -> None:
    if len(text) > limit:
        raise InvalidInput(f"{what} has {len(text)} characters: at most {limit} are allowed")
