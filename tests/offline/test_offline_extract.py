"""What the rules make of labelled messages: exactly the labelled operations, and nothing that was not said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from labelled import AT, Case, differences, hit_id, read_cases, recalled_hit

from perdure.attributes import BUILT_IN
from perdure.facts import Operation, Trust
from perdure.language import detect_language
from perdure.offline.extract import RuleExtractor
from perdure.turn import Known, Turn

CASES = [case for name in ("plain", "heldout", "further", "changes") for case in read_cases(name)]
SAYING = [case for case in CASES if case.expect]


async def operations(text: str, *recalled: dict[str, object], assistant: str = "") -> tuple[Operation, ...]:
    turn = Turn("message-1", text, assistant, AT, detect_language(text))
    return (await RuleExtractor().extract(turn, Known(recalled))).operations


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.text[:60])
async def test_labelled_message(case: Case) -> None:
    extraction = await RuleExtractor().extract(case.turn, Known(case.recalled))
    assert differences(case.expect, extraction.operations) == []
    assert extraction.complete and extraction.usage == () and extraction.why


@pytest.mark.parametrize("case", SAYING, ids=lambda case: case.text[:60])
async def test_only_the_users_own_words_are_kept(case: Case) -> None:
    for operation in (await RuleExtractor().extract(case.turn, Known(case.recalled))).operations:
        assert operation.content in case.text
        assert operation.content == operation.content.strip()
        assert operation.evidence in operation.content
        assert operation.trust is Trust.USER


@pytest.mark.parametrize("case", SAYING, ids=lambda case: case.text[:60])
async def test_attributes_and_kinds_are_those_of_the_vocabulary(case: Case) -> None:
    kinds = {attribute.name: attribute.kind for attribute in BUILT_IN}
    for operation in (await RuleExtractor().extract(case.turn, Known(case.recalled))).operations:
        assert operation.kind == (kinds[operation.attribute] if operation.attribute else "fact")


@pytest.mark.parametrize("case", read_cases("unpractised"), ids=lambda case: case.text[:60])
async def test_unpractised_phrases_may_be_missed_but_are_not_misunderstood(case: Case) -> None:
    found = await RuleExtractor().extract(case.turn, Known(case.recalled))
    assert [wrong for wrong in differences(case.expect, found.operations) if wrong.startswith("too much")] == []


async def test_nothing_is_taken_from_what_the_assistant_said() -> None:
    assert await operations("ok, thanks!", assistant="I live in Seoul and I am allergic to peanuts.") == ()


async def test_several_sentences_in_two_languages() -> None:
    found = await operations("I live in Busan. 나는 땅콩 알레르기가 있어. Where is the station?")
    assert [(operation.attribute, operation.value) for operation in found] == [
        ("home.city", "Busan"),
        ("health.allergy", "땅콩"),
    ]


async def test_the_same_said_twice_in_a_message_is_one_operation() -> None:
    assert len(await operations("I live in Busan. As I said, I live in Busan.")) == 1


async def test_dates_are_resolved_against_the_time_of_the_message() -> None:
    turn = Turn("message-1", "지난달에 서울로 이사했어", "", AT, "ko")
    other = replace(turn, at=datetime(2020, 1, 31, 23, 59, tzinfo=UTC))
    extracted = [await RuleExtractor().extract(one, Known()) for one in (turn, other)]
    assert [one.operations[0].valid_from for one in extracted] == [
        datetime(2026, 9, 1, tzinfo=UTC),
        datetime(2019, 12, 1, tzinfo=UTC),
    ]


@pytest.mark.parametrize(
    ("said", "target"), [("지난달에 서울로 이사했어", hit_id(0)), ("2010년에 서울로 이사했어", None)]
)
async def test_a_change_names_what_it_replaces_unless_it_is_a_story_of_long_ago(said: str, target: UUID | None) -> None:
    busan = recalled_hit(0, "home.city", "부산", "나는 부산에 살아.", valid_from="2026-10-01T00:00:00+00:00")
    (moved,) = await operations(said, busan)
    assert (moved.value, moved.target) == ("서울", target)


@pytest.mark.parametrize(
    "changed",
    [{"past": True}, {"subject": "brother"}, {"source": "episode"}],
    ids=["past", "somebody else's", "an episode"],
)
async def test_only_current_facts_about_the_user_are_corrected(changed: dict[str, object]) -> None:
    hit = recalled_hit(0, "home.city", "일산", "나는 일산에 살아.")
    assert await operations("아니, 일산이 아니라 인천이야.", hit) != ()
    assert await operations("아니, 일산이 아니라 인천이야.", {**hit, **changed}) == ()


async def test_leaving_one_employer_does_not_end_another() -> None:
    globex = recalled_hit(0, "work.employer", "Globex", "I work at Globex.")
    assert await operations("I no longer work at Acme.", globex) == ()
