"""What people report of other memories about what nobody told them: a confident answer."""

from __future__ import annotations

import pytest

from perdure import Memory

ENGLISH = """
I play the cello in an orchestra. | I work as a nurse at the city hospital. | My sister lives in Lisbon.
| I am allergic to peanuts. | We adopted a grey cat called Miso. | I take the tram to work.
| My favourite film is Stalker. | I am learning to speak Portuguese. | I bake sourdough bread every Sunday.
| My birthday is on the third of March. | I moved to Leeds two years ago. | I go swimming on Thursday mornings.
"""
KOREAN = """
나는 오케스트라에서 첼로를 연주해. | 나는 시립 병원에서 간호사로 일해. | 내 여동생은 리스본에 살아.
| 나는 땅콩 알레르기가 있어. | 우리는 미소라는 회색 고양이를 입양했어. | 나는 전차를 타고 출근해.
| 내가 제일 좋아하는 영화는 스토커야. | 나는 포르투갈어를 배우고 있어. | 나는 일요일마다 사워도우 빵을 구워.
| 내 생일은 3월 3일이야. | 나는 2년 전에 대전으로 이사했어. | 나는 목요일 아침마다 수영하러 가.
"""
KNOWN_IN_ENGLISH = """
Which instrument do I play? | Where do I work? | Where does my sister live? | What am I allergic to?
| What is my cat called? | How do I get to work? | What is my favourite film? | Which language am I learning?
"""
KNOWN_IN_KOREAN = """
내가 연주하는 악기가 뭐야? | 나 어디서 일해? | 여동생은 어디 살아? | 나 무슨 알레르기 있어?
| 우리 고양이 이름이 뭐야? | 나 뭐 타고 출근해? | 내가 제일 좋아하는 영화가 뭐야? | 나 어떤 언어 배우고 있어?
"""
UNKNOWN_IN_ENGLISH = """
What is the licence plate of my car? | When does my passport expire? | Who is my dentist? | How much rent do I pay?
| What is my wifi router's brand? | Which football club do I support? | What did I give my father for his retirement?
| What is the name of my insurance company?
"""
UNKNOWN_IN_KOREAN = """
내 차 번호판이 뭐야? | 내 여권은 언제 만료돼? | 내 치과 의사는 누구야? | 월세를 얼마 내고 있어?
| 우리 집 공유기 상표가 뭐야? | 내가 응원하는 축구팀이 어디야? | 아버지 퇴직 때 뭘 선물했지?
| 내 보험 회사 이름이 뭐야?
"""
PLANTS = {
    "en": (
        "I planted {} in the garden.",
        "What did I plant in the garden?",
        """
        tulips roses lavender basil mint sage thyme peas beans carrots leeks onions garlic kale chard beets radishes
        lettuce spinach rocket parsley dill chives fennel pumpkins marrows melons tomatoes peppers chillies potatoes
        turnips parsnips celery asparagus rhubarb strawberries raspberries currants gooseberries figs grapes plums pears
        apples cherries quinces medlars walnuts hazels lilies irises peonies dahlias asters poppies lupins foxgloves
        """,
    ),
    "ko": (
        "정원에 {} 심었어.",
        "정원에 뭘 심었지?",
        """
        튤립을 장미를 라벤더를 바질을 박하를 세이지를 백리향을 완두를 강낭콩을 당근을 대파를 양파를 마늘을 케일을 근대를 비트를
        무를 상추를 시금치를 루콜라를 파슬리를 딜을 쪽파를 회향을 호박을 참외를 수박을 토마토를 피망을 고추를 감자를 순무를
        고구마를 셀러리를 아스파라거스를 대황을 딸기를 산딸기를 까치밥나무를 구스베리를 무화과를 포도를 자두를 배를 사과를
        앵두를 모과를 매실을 호두를 개암을 백합을 붓꽃을 작약을 달리아를 과꽃을 양귀비를 루핀을 국화를
        """,
    ),
}


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("|")]


async def tell(memory: Memory, told: str, how: str) -> None:
    """As notes by hand, or in a conversation each, where the ones that need a person are approved."""
    for line in lines(told):
        if how == "by hand":
            await memory.remember(line, user="me")
            continue
        answer = await memory.ask(line, user="me", thread=line)
        asked = [request for interrupt in answer.interrupts for request in interrupt["action_requests"]]
        if asked:
            await memory.resume(line, user="me", decisions=[{"type": "approve"}] * len(asked))


@pytest.mark.parametrize("how", ["by hand", "in conversations"])
@pytest.mark.parametrize(
    ("told", "known", "unknown"),
    [(ENGLISH, KNOWN_IN_ENGLISH, UNKNOWN_IN_ENGLISH), (KOREAN, KNOWN_IN_KOREAN, UNKNOWN_IN_KOREAN)],
    ids=["en", "ko"],
)
async def test_abstain_finds_nothing_of_what_was_never_told(
    memory: Memory, how: str, told: str, known: str, unknown: str
) -> None:
    """FC58: at the default threshold; and the relevance of what is not meant is below that of all that is."""
    await tell(memory, told, how)
    for question in lines(unknown):
        assert await memory.recall(question, user="me") == []
        assert await memory.conversations(question, user="me") == []
    true, false = [
        [(await memory.recall(question, user="me", threshold=0))[0].relevance for question in lines(questions)]
        for questions in (known, unknown)
    ]
    assert min(true) > max(false)
    for question, line in zip(lines(known), lines(told), strict=False):
        assert any(line in hit.content for hit in await memory.recall(question, user="me")), question


@pytest.mark.parametrize(
    ("told", "unknown"), [(KOREAN, UNKNOWN_IN_ENGLISH), (ENGLISH, UNKNOWN_IN_KOREAN)], ids=["en of ko", "ko of en"]
)
async def test_abstain_in_another_language_than_the_memories(memory: Memory, told: str, unknown: str) -> None:
    """FC58"""
    await tell(memory, told, "in conversations")
    for question in lines(unknown):
        assert await memory.recall(question, user="me") == []


@pytest.mark.parametrize("language", PLANTS)
async def test_abstain_gives_as_many_as_are_asked_for_of_what_is_known(memory: Memory, language: str) -> None:
    """FC58: fifty of the fifty-eight that are meant; all of them, and nothing else, to whoever asks for more."""
    sentence, question, plants = PLANTS[language]
    meant = {sentence.format(plant) for plant in plants.split()}
    assert len(meant) == 58
    for content in (*meant, *lines(ENGLISH if language == "en" else KOREAN)):
        await memory.remember(content, user="me")
    for k, count in ((1, 1), (50, 50), (100, 58)):
        hits = await memory.recall(question, user="me", k=k)
        assert len(hits) == count and {hit.content for hit in hits} <= meant
