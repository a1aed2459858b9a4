"""The vocabulary: what people call an attribute leads to one name, and names that only look different are told."""

from __future__ import annotations

import pytest

from perdure.attributes import BUILT_IN, Attribute, Cardinality
from perdure.errors import InvalidInput
from perdure.learned import LearnedName, suggestions

GRADE = Attribute("work.grade", Cardinality.SINGLE, "profile", ("job grade",), ("직급",))
TENANT = BUILT_IN.extended([GRADE], {"desk.floor": "work.floor", "rank": "work.grade"})


@pytest.mark.parametrize("attribute", list(BUILT_IN), ids=lambda attribute: attribute.name)
def test_every_name_and_alias_leads_to_its_attribute_and_to_no_other(attribute: Attribute) -> None:
    for name in (attribute.name, *attribute.english, *attribute.korean):
        assert BUILT_IN.find(name) is attribute
        assert BUILT_IN.canonical(name.upper().replace(" ", "_")) == attribute.name


@pytest.mark.parametrize(
    ("said", "canonical"),
    [
        ("직급", "work.grade"),
        ("Job Grade", "work.grade"),
        ("job_grade", "work.grade"),
        ("Rank", "work.grade"),
        ("desk.floor", "work.floor"),
        ("Desk.Floor", "work.floor"),
        ("사는 곳", "home.city"),
        ("사는_곳", "home.city"),
        ("책상 위치", "책상_위치"),
        ("Shoe  Size", "shoe_size"),
    ],
)
def test_whatever_it_is_called_it_is_stored_under_one_name(said: str, canonical: str) -> None:
    assert TENANT.canonical(said) == canonical
    assert TENANT.canonical(canonical) == canonical


@pytest.mark.parametrize("name", ["", "   ", "???", "a--b", ".", "🏠", "a\x00"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        TENANT.canonical(name)


def test_older_facts_are_found_under_the_names_that_were_merged() -> None:
    assert TENANT.names_of("직급") == ("work.grade", "rank")
    assert TENANT.names_of("desk.floor") == ("work.floor", "desk.floor")
    assert TENANT.names_of("home") == ("home.city",)


def test_a_label_that_is_missing_in_one_language_is_lent_by_the_other() -> None:
    english = Attribute("work.grade", Cardinality.SINGLE, "profile", ("job grade",), ())
    assert (english.label("en"), english.label("ko")) == ("job grade", "job grade")
    assert Attribute("work.grade", Cardinality.SINGLE, "profile", (), ()).label("ko") == "work.grade"


def suggested(*names: str) -> dict[str, str]:
    """What is suggested for learned names, of which each has fewer facts than the one before."""
    learned = [LearnedName(name, Cardinality.SINGLE, facts=99 - n, users=1) for n, name in enumerate(names)]
    return {one.old: one.new for one in suggestions(learned, TENANT)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("floor.desk", "floor.of.desk"),
        ("favourite_colour", "favorite.color"),
        ("shoe_sizes", "shoe.size"),
        ("the_shoe_size", "shoe.size"),
        ("books.reading", "reading_book"),
        ("책상_위치", "위치.책상"),
    ],
)
def test_names_that_only_look_different_are_suggested_the_more_used_one_first(old: str, new: str) -> None:
    assert suggested(new, old) == {old: new}


@pytest.mark.parametrize(
    ("old", "known"),
    [("birth_date", "birthday"), ("grade.job", "work.grade"), ("city.home", "home.city"), ("곳_사는", "home.city")],
)
def test_what_is_like_an_alias_is_suggested_for_its_attribute(old: str, known: str) -> None:
    assert suggested(old) == {old: known}


@pytest.mark.parametrize(
    "names",
    [
        ("desk.floor.number", "floor.number"),
        ("eats",),  # food.avoids is called "does not eat"
        ("favourite.colour", "favourite.car"),
        ("책상_위치", "의자_위치"),
        ("work.email",),
    ],
)
def test_what_may_be_something_else_is_not_suggested(names: tuple[str, ...]) -> None:
    assert suggested(*names) == {}


def test_what_was_merged_already_is_not_suggested_again() -> None:
    left = LearnedName("grade.work", Cardinality.SINGLE, facts=1, users=1, merged_into="work.grade")
    assert suggestions([left], TENANT) == []
