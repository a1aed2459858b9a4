"""What the rules of a policy make of an operation."""

from __future__ import annotations

from uuid import uuid4

import pytest
from pydantic import ValidationError

from perdure.attributes import BUILT_IN, Cardinality
from perdure.facts import Action, Operation, Trust
from perdure.operations import checked
from perdure.policy import Policy, Rule, RunPolicy
from perdure.sensitivity import Sensitivity
from perdure.staging import stage

HOME = Operation(attribute="home.city", value="부산", content="나는 부산에 살아.", evidence="나는 부산에 살아")
ALLERGY = Operation(attribute="health.allergy", value="땅콩", content="나는 땅콩 알레르기가 있어.")


def ruled(operation: Operation, run: RunPolicy = "auto", policy: Policy | None = None) -> tuple[str, str]:
    ruling = (policy or Policy()).ruling(checked(operation), run)
    return ruling.verdict, ruling.why


@pytest.mark.parametrize(
    "operation",
    [
        HOME,
        Operation(attribute="work.employer", value="Acme", content="I work at Acme."),
        Operation(attribute="name", value="Ada", content="My name is Ada."),
        Operation(attribute="ui.theme", value="dark", kind="preference"),
        Operation(attribute="family.child", value="daughter", content="I have a daughter."),
        Operation(content="The launch is on Friday.", confidence=0.5),
    ],
    ids=lambda operation: operation.attribute or "note",
)
def test_plain_facts_and_preferences_are_applied_at_once(operation: Operation) -> None:
    assert ruled(operation) == ("apply", "no rule speaks against it")


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (ALLERGY, "delicate: health"),
        (Operation(action=Action.CORRECT, attribute="health.allergy", value="새우"), "delicate: health"),
        (Operation(action=Action.EPISODE, content="지난주에 무릎 수술을 받았어."), "delicate: health"),
        (Operation(action=Action.CONFIRM, attribute="health.allergy", value="땅콩"), "delicate: health"),
        (Operation(action=Action.END, attribute="health.condition", value="우울증"), "delicate: health"),
        (Operation(attribute="family.child", value="Jiho"), "delicate: minors"),
        (Operation(attribute="work.salary", value="6천만 원", evidence="내 연봉은 6천만 원"), "delicate: finance"),
        (Operation(attribute="home.address", value="somewhere"), "delicate: location"),
        (HOME.model_copy(update={"sensitivity": {Sensitivity.LOCATION}}), "delicate: location"),
        (Operation(action=Action.RETRACT, attribute="home.city"), "it would strike what is remembered"),
        (HOME.model_copy(update={"trust": Trust.TOOL}), "from a tool, not from the user"),
        (HOME.model_copy(update={"trust": Trust.DOCUMENT}), "from a document, not from the user"),
        (HOME.model_copy(update={"confidence": 0.49}), "not sure that it was meant so"),
    ],
)
def test_a_person_is_asked_and_told_why(operation: Operation, why: str) -> None:
    assert ruled(operation) == ("ask", why)


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        (HOME.model_copy(update={"trust": Trust.ASSISTANT}), "from the assistant's own words"),
        (HOME.model_copy(update={"confidence": 0.29}), "hardly sure that it was meant so"),
        (HOME.model_copy(update={"sensitivity": {Sensitivity.CREDENTIALS}}), "a credential, which is never stored"),
    ],
)
def test_what_nobody_should_be_asked_about_is_dropped_in_every_run(operation: Operation, why: str) -> None:
    assert {ruled(operation, run) for run in ("auto", "apply", "ask")} == {("drop", why)}


@pytest.mark.parametrize("action", [Action.CONFIRM, Action.END])
def test_saying_again_what_is_stored_or_that_it_is_over_adds_nothing_delicate(action: Action) -> None:
    operation = ALLERGY.model_copy(update={"action": action, "target": uuid4()})
    ruling = Policy().ruling(operation)
    assert (ruling.verdict, ruling.sensitivity) == ("apply", (Sensitivity.HEALTH,))


def test_a_run_may_apply_what_would_be_asked_ask_what_would_be_applied_or_drop_everything() -> None:
    assert ruled(ALLERGY, "apply")[0] == "apply"
    assert ruled(HOME, "ask") == ("ask", "the run's policy is to ask")
    assert ruled(ALLERGY, "ask") == ("ask", "delicate: health")
    for operation in (HOME, ALLERGY):
        assert ruled(operation, "drop") == ("drop", "the run's policy is to write nothing")


def test_the_first_rule_that_is_met_decides_and_else_what_the_policy_says() -> None:
    careful = Policy(
        rules=(
            Rule(verdict="apply", why="about work", attributes=frozenset({"work"})),
            Rule(verdict="drop", why="trifle", importance_below=3, kinds=frozenset({"other"})),
        ),
        otherwise="ask",
    )
    role = Operation(attribute="work.role", value="engineer", importance=1, kind="other")
    assert ruled(role, policy=careful) == ("apply", "about work")
    assert ruled(Operation(content="x", importance=2, kind="other"), policy=careful) == ("drop", "trifle")
    assert ruled(Operation(content="x", importance=3, kind="other"), policy=careful)[0] == "ask"
    assert ruled(Operation(attribute="workshop", value="garage"), policy=careful)[0] == "ask"


def test_the_default_policy_is_nothing_in_json_and_any_comes_back_as_it_was() -> None:
    assert Policy().model_dump(mode="json", exclude_defaults=True) == {}
    assert Policy.model_validate(Policy().model_dump(mode="json")) == Policy()
    rule = Rule(verdict="ask", why="w", actions=frozenset(Action), sensitivity=frozenset(Sensitivity))
    policy = Policy(version=3, rules=(rule,), otherwise="drop", question_hours=1.5)
    dumped = policy.model_dump(mode="json", exclude_defaults=True)
    assert dumped["rules"][0]["actions"] == sorted(action.value for action in Action)
    assert Policy.model_validate(dumped) == policy


@pytest.mark.parametrize(
    "wrong",
    [
        {"otherwise": "maybe"},
        {"rules": [{"verdict": "ask"}]},
        {"rules": [{"verdict": "ask", "why": "w", "sensitivity": ["gossip"]}]},
        {"rules": [{"verdict": "ask", "why": "w", "confidence_below": 2}]},
        {"question_hours": 0},
        {"question_hours": float("inf")},
        {"questions": 1},
    ],
    ids=str,
)
def test_a_policy_that_says_what_no_policy_can_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Policy.model_validate(wrong)


def test_a_name_in_a_rule_is_for_what_lies_below_it_too() -> None:
    rule = Rule(verdict="drop", why="no pets", attributes=frozenset({"Pet"}))
    policy = Policy(rules=(rule,))
    pet = Operation(attribute="pet.name", value="초코", cardinality=Cardinality.MANY)
    assert ruled(pet, policy=policy)[0] == "drop"
    assert ruled(Operation(attribute="petition", value="parks"), policy=policy)[0] == "apply"


@pytest.mark.parametrize("called", ["집", "Lives In", "dwelling", "home"])
def test_a_rule_is_met_by_what_its_name_is_an_alias_of_or_was_merged_into(called: str) -> None:
    vocabulary = BUILT_IN.extended((), {"dwelling": "home.city"})
    policy = Policy(rules=(Rule(verdict="drop", why="nobody's business", attributes=frozenset({called})),))
    told = [HOME, Operation(attribute="work.role", value="cook")]
    assert [one.ruling.verdict for one in stage(told, vocabulary, policy, "auto").staged] == ["drop", "apply"]


@pytest.mark.parametrize("name", ["health.*", "", "*"])
def test_a_rule_about_what_no_attribute_can_be_called_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="attributes"):
        Rule(verdict="drop", why="never met", attributes=frozenset({name}))
