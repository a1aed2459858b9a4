"""What becomes of a write: applied, asked about, or dropped. The rules of a scope, typed and versioned."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_serializer, field_validator

from perdure.attributes import Vocabulary, learned_name
from perdure.delicate import delicate
from perdure.facts import CORE_EDITS, Action, Kind, Operation, Trust
from perdure.plain import Record, plain
from perdure.sensitivity import Sensitivity

Verdict = Literal["apply", "ask", "drop"]
RunPolicy = Literal["auto", "apply", "ask", "drop"]
"""What a run wants: as the scope's policy says, or the same for all of its writes."""

_ELSE = {
    "apply": "no rule speaks against it",
    "ask": "the policy asks about whatever no rule applies",
    "drop": "the policy drops whatever no rule applies",
}


@dataclass(frozen=True, slots=True)
class Ruling(Record):
    """A verdict, and in a few English words why: what a person reads who is asked."""

    verdict: Verdict
    why: str
    sensitivity: tuple[Sensitivity, ...] = ()
    """What is delicate about the operation, whether or not that decided."""


class Rule(BaseModel):
    """Rules the operations that meet every condition it states; an empty condition is met by all."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Verdict
    why: str = Field(min_length=1, max_length=200)
    """The reason that a person is given; what is delicate is added to it."""
    actions: frozenset[Action] = frozenset()
    """A confirmation that names no fact, or an end that only names a value, tells something that may be new: it counts
    as an assertion, too."""
    kinds: frozenset[Kind] = frozenset()
    attributes: frozenset[str] = frozenset()
    """Names, each for itself and for those below it: `health` is for `health.allergy` too. An alias, and a name that was
    merged into another, are for the attribute that it is (see `Policy.by_names_of`)."""
    sensitivity: frozenset[Sensitivity] = frozenset()
    """Met by what is delicate in any of these ways."""
    trust: frozenset[Trust] = frozenset()
    confidence_below: float | None = Field(default=None, ge=0.0, le=1.0)
    importance_below: int | None = Field(default=None, ge=1, le=10)

    @field_validator("attributes")
    @classmethod
    def _names(cls, names: frozenset[str]) -> frozenset[str]:
        """Refused is what no attribute can be called, such as `health.*`: the rule would never be met."""
        return frozenset(map(learned_name, names))

    @field_serializer("actions", "kinds", "attributes", "sensitivity", "trust", when_used="json")
    def _in_order(self, condition: frozenset[str]) -> list[str]:
        """The same rule has the same JSON, whatever the order of a set."""
        return sorted(str(one) for one in condition)

    def by_names_of(self, vocabulary: Vocabulary) -> Rule:
        owners = {owner for name in self.attributes if (owner := vocabulary.owner(name))}
        return self.model_copy(update={"attributes": self.attributes | owners}) if owners else self

    def met_by(self, operation: Operation, sensitivity: frozenset[Sensitivity]) -> bool:
        return (
            (not self.actions or not self.actions.isdisjoint(_actions(operation)))
            and (not self.kinds or operation.kind in self.kinds)
            and (not self.attributes or any(_is_or_is_below(operation.attribute, name) for name in self.attributes))
            and (not self.sensitivity or not self.sensitivity.isdisjoint(sensitivity))
            and (not self.trust or operation.trust in self.trust)
            and (self.confidence_below is None or operation.confidence < self.confidence_below)
            and (self.importance_below is None or operation.importance < self.importance_below)
        )

    def reason(self, sensitivity: frozenset[Sensitivity]) -> str:
        delicate_in = ", ".join(sorted(self.sensitivity & sensitivity))
        return f"{self.why}: {delicate_in}" if delicate_in else self.why


DEFAULT_RULES = (
    # Its core memory is what an assistant writes for itself.
    Rule(
        verdict="drop",
        why="from the assistant's own words",
        actions=frozenset(Action) - CORE_EDITS,
        trust=frozenset({Trust.ASSISTANT}),
    ),
    Rule(verdict="drop", why="hardly sure that it was meant so", confidence_below=0.3),
    Rule(verdict="ask", why="it would strike what is remembered", actions=frozenset({Action.RETRACT})),
    Rule(verdict="ask", why="from a tool, not from the user", trust=frozenset({Trust.TOOL})),
    Rule(verdict="ask", why="from a document, not from the user", trust=frozenset({Trust.DOCUMENT})),
    Rule(
        verdict="ask",
        why="delicate",
        # To say again what is stored, or that it is over, adds nothing delicate.
        actions=frozenset({Action.ASSERT, Action.CORRECT, Action.EPISODE}) | CORE_EDITS,
        sensitivity=frozenset(Sensitivity) - {Sensitivity.CREDENTIALS},
    ),
    Rule(verdict="ask", why="not sure that it was meant so", confidence_below=0.5),
)
"""Plain facts and preferences that the user states are applied at once."""


class Policy(BaseModel):
    """The first rule that applies decides, else `otherwise`. Credentials are dropped before any rule is looked at."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = Field(default=0, ge=0)
    """0: the default policy, which no scope has changed."""
    rules: tuple[Rule, ...] = Field(default=DEFAULT_RULES, max_length=200)
    otherwise: Verdict = "apply"
    question_hours: float = Field(default=168.0, gt=0, le=24 * 3660)
    """A question that nobody answers within so many hours lapses without effect."""

    @property
    def question_lifetime(self) -> timedelta:
        return timedelta(hours=self.question_hours)

    def ruling(self, operation: Operation, run: RunPolicy = "auto") -> Ruling:
        """What becomes of a checked operation in a run. A run never writes what the rules drop."""
        sensitivity = delicate(operation)
        seen = tuple(sorted(sensitivity))
        if run == "drop":
            return Ruling("drop", "the run's policy is to write nothing", seen)
        if Sensitivity.CREDENTIALS in sensitivity:
            return Ruling("drop", "a credential, which is never stored", seen)
        verdict, why = self._decision(operation, sensitivity)
        if verdict == "ask" and run == "apply":
            return Ruling("apply", f"the run's policy is to apply what would be asked about ({why})", seen)
        if verdict == "apply" and run == "ask":
            return Ruling("ask", "the run's policy is to ask", seen)
        return Ruling(verdict, why, seen)

    def by_names_of(self, vocabulary: Vocabulary) -> Policy:
        """The policy whose rules are also met by the attributes that their names are aliases of, or were merged into."""
        return self.model_copy(update={"rules": tuple(rule.by_names_of(vocabulary) for rule in self.rules)})

    def _decision(self, operation: Operation, sensitivity: frozenset[Sensitivity]) -> tuple[Verdict, str]:
        for rule in self.rules:
            if rule.met_by(operation, sensitivity):
                return rule.verdict, rule.reason(sensitivity)
        return self.otherwise, _ELSE[self.otherwise]


@dataclass(frozen=True, slots=True)
class PolicyVersion(Record):
    """A policy that was made for a scope. An empty user or agent stands for all of the tenant's."""

    user: str
    agent: str
    policy: Policy
    author: str
    recorded_at: datetime

    def to_json(self) -> dict[str, Any]:
        told = {name: plain(getattr(self, name)) for name in ("user", "agent", "author", "recorded_at")}
        return {**told, "policy": self.policy.model_dump(mode="json")}


def _actions(operation: Operation) -> frozenset[Action]:
    if operation.target is None and operation.action is Action.CONFIRM:
        return frozenset({Action.ASSERT})
    tells = operation.target is None and operation.action is Action.END and operation.value
    return frozenset({operation.action, Action.ASSERT} if tells else {operation.action})


def _is_or_is_below(attribute: str, name: str) -> bool:
    return attribute == name or attribute.startswith(f"{name}.")
