"""Replies that quote what is remembered, say since when, and say that this is all they do."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from labelled import AT

from perdure.asked import TimeUsed
from perdure.offline.reply import OfflineReplier
from perdure.recall import Hit
from perdure.time import UNKNOWN_START
from perdure.turn import Language, ReplyRequest

OCTOBER = datetime(2026, 10, 1, tzinfo=UTC)


def hit(content: str, attribute: str = "", value: str = "", **more: Any) -> Hit:
    fields: dict[str, Any] = {
        "id": uuid4(),
        "source": "fact",
        "kind": "profile",
        "subject": "user",
        "valid_from": OCTOBER,
        "dated": True,
        "valid_to": None,
        "recorded_at": OCTOBER,
        "thread": "",
        "message": "",
        "trust": "user",
        "importance": 5,
        "corroboration": 1,
        "version": 1,
        "score": 0.5,
        "relevance": 0.5,
        "vector_score": 0.5,
        "lexical_score": 0.5,
        "past": False,
    }
    return Hit(**{**fields, "content": content, "attribute": attribute, "value": value, **more})


SEOUL = hit("서울로 이사했어.", "home.city", "서울")
BUSAN = hit(
    "나는 부산에 살아.",
    "home.city",
    "부산",
    valid_from=datetime(2020, 5, 1, tzinfo=UTC),
    valid_to=OCTOBER,
    past=True,
)
JAZZ = hit("I love jazz.", "likes", "jazz")


LAST_YEAR = TimeUsed("last year", datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC))


async def reply(question: str, *hits: Hit, language: Language = "en", time: TimeUsed | None = None) -> str:
    request = ReplyRequest("system", (), question, hits, language, AT, time)
    answer = await OfflineReplier().reply(request)
    assert answer.usage == ()
    assert answer.message.response_metadata == {"model_name": "perdure-offline"}
    return answer.message.text


async def test_korean_question() -> None:
    frame, *quotes = (await reply("나 어디 살아?", JAZZ, SEOUL, language="ko")).splitlines()
    assert "오프라인 모드" in frame
    assert quotes == ["- “서울로 이사했어.” (2026년 10월 1일부터)"]


async def test_english_question_over_korean_facts() -> None:
    frame, *quotes = (await reply("Where do I live?", JAZZ, SEOUL)).splitlines()
    assert "Offline mode" in frame
    assert quotes == ["- “서울로 이사했어.” (since 1 October 2026)"]


async def test_what_is_past_comes_last_and_is_marked() -> None:
    assert (await reply("Where did I live?", BUSAN, SEOUL)).splitlines()[1:] == [
        "- “서울로 이사했어.” (since 1 October 2026)",
        "- “나는 부산에 살아.” (since 1 May 2020; no longer true since 1 October 2026)",
    ]
    assert (await reply("나 어디 살았어?", BUSAN, language="ko")).splitlines()[1:] == [
        "- “나는 부산에 살아.” (2020년 5월 1일부터 2026년 10월 1일까지)"
    ]


async def test_of_a_time_that_is_asked_about_only_what_was_so_then_is_quoted() -> None:
    told = await reply("Where did I live last year?", SEOUL, JAZZ, BUSAN, time=LAST_YEAR)
    frame, *quotes = told.splitlines()
    assert frame.endswith("Asked about: “last year” (1 January 2025 to 31 December 2025).")
    assert quotes == ["- “나는 부산에 살아.” (since 1 May 2020; no longer true since 1 October 2026)"]
    nothing = await reply("작년에 어디 살았지?", SEOUL, language="ko", time=replace(LAST_YEAR, words="작년에"))
    assert "기억하는 것이 없습니다" in nothing
    assert nothing.endswith("질문한 때: “작년에”(2025년 1월 1일부터 2025년 12월 31일까지).")


async def test_what_happened_at_another_time_is_not_quoted_of_the_time_that_is_asked_about() -> None:
    then, later = (
        hit(f"user: the deploy of {year}", source="episode", valid_from=datetime(year, 6, 1, tzinfo=UTC))
        for year in (2025, 2026)
    )
    quotes = (await reply("What about the deploy last year?", later, then, time=LAST_YEAR)).splitlines()[1:]
    assert quotes == ["- “user: the deploy of 2025” (from the conversation of 1 June 2025)"]


async def test_what_was_told_soon_after_the_time_that_is_asked_about_is_quoted() -> None:
    """The ranking takes it to be of that time, too: “I went to the opera yesterday” is told today."""
    yesterday = TimeUsed("yesterday", AT - timedelta(days=2), AT - timedelta(days=1))
    opera = hit("I went to the opera yesterday.", source="episode", kind="exchange", valid_from=AT)
    quotes = (await reply("What did I see yesterday?", opera, time=yesterday)).splitlines()[1:]
    assert [quote.split("”")[0] for quote in quotes] == ["- “I went to the opera yesterday."]
    long_after = replace(opera, valid_from=AT + timedelta(days=3))
    assert "nothing about that" in await reply("What did I see yesterday?", long_after, time=yesterday)


async def exchange(said: str, *hits: Hit, language: Language = "en") -> Hit:
    answered = await reply(said, *hits, language=language)
    return hit(f"user: {said}\nassistant: {answered}", source="episode", kind="exchange")


@pytest.mark.parametrize(
    ("question", "language", "nothing"),
    [("What is my blood type?", "en", "I remember nothing"), ("내 혈액형이 뭐야?", "ko", "기억하는 것이 없습니다")],
)
async def test_a_question_asked_before_is_no_answer(question: str, language: Language, nothing: str) -> None:
    once = await exchange(question, language=language)
    twice = await exchange(question, JAZZ, language=language)
    assert nothing in await reply(question, once, twice, language=language)


async def test_of_an_exchange_of_its_own_only_the_words_of_the_user_are_quoted() -> None:
    told = await exchange("I use Postgres 16.4 at work.")
    by_model = replace(told, content="user: Which index?\nassistant: A GIN index, for Postgres.")
    quotes = (await reply("Which Postgres is it?", told, by_model)).splitlines()[1:]
    assert quotes == [
        "- “I use Postgres 16.4 at work.” (from the conversation of 1 October 2026)",
        "- “user: Which index? assistant: A GIN index, for Postgres.” (from the conversation of 1 October 2026)",
    ]


async def test_since_when_is_answered_by_what_held_in_order_of_time() -> None:
    always = TimeUsed("언제부터", None, AT)
    frame, *quotes = (await reply("언제부터 서울에 살았지?", SEOUL, BUSAN, language="ko", time=always)).splitlines()
    assert frame.endswith("질문한 때: “언제부터”(2026년 10월 15일까지).")
    assert quotes == [
        "- “나는 부산에 살아.” (2020년 5월 1일부터 2026년 10월 1일까지)",
        "- “서울로 이사했어.” (2026년 10월 1일부터)",
    ]


async def test_an_end_to_come_is_told_without_calling_the_fact_past() -> None:
    lease = hit("I live in Busan until next year.", "home.city", "Busan", valid_to=datetime(2027, 1, 1, tzinfo=UTC))
    assert (await reply("Where do I live?", lease)).endswith("(since 1 October 2026; until 1 January 2027)")


async def test_a_start_that_nobody_told_is_not_called_one() -> None:
    told = replace(SEOUL, dated=False)
    assert (await reply("Where do I live?", told)).endswith("(told on 1 October 2026)")
    assert (await reply("나 어디 살아?", told, language="ko")).endswith("(2026년 10월 1일에 들음)")
    unknown = replace(BUSAN, valid_from=UNKNOWN_START)
    assert (await reply("Where did I live?", unknown)).endswith("(no longer true since 1 October 2026)")
    assert (await reply("나 어디 살았어?", unknown, language="ko")).endswith("(2026년 10월 1일까지)")
    assert (await reply("Where do I live?", replace(SEOUL, valid_from=UNKNOWN_START))).endswith(
        "(since an unknown date)"
    )


async def test_a_note_about_a_relative_answers_a_question_about_them() -> None:
    brother = hit("My brother lives in Chicago.", subject="brother")
    assert (await reply("Where does my brother live?", SEOUL, brother)).splitlines()[1:] == [
        "- “My brother lives in Chicago.” (since 1 October 2026)"
    ]


async def test_a_home_of_somebody_else_does_not_answer_where_the_user_lives() -> None:
    theirs = hit("My brother lives in Chicago.", "home.city", "Chicago", subject="brother")
    quotes = (await reply("Where do I live?", theirs, SEOUL)).splitlines()[1:]
    assert quotes == ["- “서울로 이사했어.” (since 1 October 2026)"]


async def test_a_question_that_names_no_attribute_gets_the_three_best() -> None:
    hits = [hit(f"Memory {number}.") for number in range(5)]
    quotes = (await reply("Anything about the project?", *hits)).splitlines()[1:]
    assert [quote[3:12] for quote in quotes] == ["Memory 0.", "Memory 1.", "Memory 2."]


async def test_an_episode_is_quoted_with_its_day_and_cut() -> None:
    talk = hit("user: the deploy\nfailed " + "x" * 500, source="episode", kind="exchange")
    quote = (await reply("What about the deploy?", talk)).splitlines()[1]
    assert quote.startswith("- “user: the deploy failed xxx") and quote.endswith(
        "…” (from the conversation of 1 October 2026)"
    )
    assert len(quote) < 400


@pytest.mark.parametrize(
    ("language", "words"), [("en", "I remember nothing about that"), ("ko", "기억하는 것이 없습니다")]
)
async def test_nothing_is_remembered(language: Language, words: str) -> None:
    question = "Where do I live?" if language == "en" else "나 어디 살아?"
    assert words in await reply(question, language=language)


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [("en", "I live in Busan.", "Noted."), ("ko", "나는 부산에 살아.", "알겠습니다."), ("en", "hi", "Offline mode")],
)
async def test_when_nothing_is_asked_nothing_is_quoted(language: Language, text: str, words: str) -> None:
    answer = await reply(text, SEOUL, JAZZ, language=language)
    assert answer.startswith(words) and len(answer.splitlines()) == 1
    assert SEOUL.content not in answer and JAZZ.content not in answer
