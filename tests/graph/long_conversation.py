"""A conversation of forty turns in Korean, as data: what is said, what the model does, and what is then so.

The model is a script: it calls the tools that each step names, and answers. Everything else is real.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from openai_script import Request

Args = dict[str, Any] | Callable[[Request], dict[str, Any]]
SPRING, SUMMER = "봄", "여름"


@dataclass(frozen=True)
class Step:
    said: str
    reply: str
    calls: tuple[tuple[str, Args], ...] = ()
    """Tools that the model calls, one a round."""
    told: tuple[str, ...] = ()
    """What stands in the outcome of each call."""
    operations: tuple[dict[str, Any], ...] = ()
    """What the extraction asks for; its evidence is the whole message."""
    core: dict[str, str] = field(default_factory=dict)
    """Blocks that are different afterwards."""
    profile: dict[str, str | None] = field(default_factory=dict)
    """Attributes that are different afterwards; None for one that has no value any more."""
    shown: tuple[str, ...] = ()
    """What stands in the system prompt, beside core memory as it is."""
    hidden: tuple[str, ...] = ()
    """What does not."""
    thread: str = SUMMER
    days: int = 0
    """That have passed since the step before."""
    as_of: str = ""


def fact(attribute: str, value: str, **more: str) -> dict[str, Any]:
    return {"action": "assert", "attribute": attribute, "value": value, **more}


def id_of(words: str) -> Callable[[Request], str]:
    """The id that stands beside these words in what the model is shown."""

    def find(request: Request) -> str:
        lines = [line for line in request.prompt.splitlines() if words in line and "[id " in line]
        found = re.search(r"\[id ([0-9a-f-]+)\]", lines[-1])
        assert found
        return found[1]

    return find


def ending(words: str, quote: str) -> Callable[[Request], dict[str, Any]]:
    return lambda request: {"memory_id": id_of(words)(request), "quote": quote}


def correcting(words: str, **args: str) -> Callable[[Request], dict[str, Any]]:
    return lambda request: {"memory_id": id_of(words)(request), **args}


def append(label: str, content: str) -> tuple[str, Args]:
    return "core_memory_append", {"label": label, "content": content}


def replace(label: str, old: str, new: str) -> tuple[str, Args]:
    return "core_memory_replace", {"label": label, "old_content": old, "new_content": new}


DURI, HANA, POLITE = "내 이름은 두리다.", "내 이름은 하나다.", "존댓말을 쓴다."
MARATHON, HALF, PLAN = "10월에 마라톤 완주.", "11월에 하프 마라톤 완주.", "평일 저녁 5km."
SIBLING, CATS, COFFEE = "동생은 수민.", "고양이는 나비와 두부.", "커피는 아침에만."
HUMAN_LIMIT = 40
FULL = f"{SIBLING}\n{CATS}\n{COFFEE}"
SHORT = f"동생 수민.\n{CATS}\n{COFFEE}"
HIKING = "주말마다 북한산에 오른다."

STEPS = (
    # In spring they meet.
    Step("안녕! 내 이름은 지민이야.", "안녕하세요, 지민 님!", operations=(fact("name", "지민"),), profile={"name": "지민"}, thread=SPRING),
    Step("나는 부산에 살아.", "부산이군요.", operations=(fact("home.city", "부산"),), profile={"home.city": "부산"}, thread=SPRING),
    Step("이제부터 네 이름은 두리야.", "네, 저는 두리예요.", (append("persona", DURI),), ("/2000",), core={"persona": DURI}, thread=SPRING),
    Step("고마워!", "천만에요.", thread=SPRING),
    Step("나는 한빛소프트에 다녀.", "그렇군요.", operations=(fact("work.employer", "한빛소프트"),), profile={"work.employer": "한빛소프트"}, thread=SPRING),
    Step("나한테는 존댓말을 써 줘.", "그럴게요.", (append("persona", POLITE),), (POLITE,), core={"persona": f"{DURI}\n{POLITE}"}, thread=SPRING),
    Step("나는 김치찌개를 좋아해.", "맛있죠.", operations=(fact("likes", "김치찌개"),), thread=SPRING),
    Step("내 목표는 10월에 마라톤을 완주하는 거야.", "응원할게요.", (append("goals", MARATHON),), (MARATHON,), core={"goals": MARATHON}, thread=SPRING),
    Step("요즘 날씨가 참 좋네.", "그러게요.", thread=SPRING),
    Step("오늘 회의에 갔다가 빨간 우산을 잃어버렸어.", "저런, 속상하시겠어요.", thread=SPRING),
    # In summer, in another thread.
    Step("오랜만이야. 내 이름이 뭐지?", "지민 님이죠.", shown=("지민",), days=150),
    Step(
        "나 지난달에 서울로 이사했어.", "서울이군요.", profile={"home.city": "서울"},
        operations=(fact("home.city", "서울", valid_from="2026-06-01"),),
    ),
    Step("지금 내가 사는 곳이 어디지?", "서울이에요.", shown=("서울로 이사했어",)),
    Step(
        "3월에는 내가 어디 살았지?", "그때는 부산에 사셨어요.",
        (("archival_memory_search", {"query": "사는 곳", "as_of": "2026-03-15"}),), ("부산에 살아",),
    ),
    Step(
        "전에 내가 잃어버린 물건이 뭐였지?", "빨간 우산이요.",
        (("conversation_search", {"query": "잃어버린 물건"}),), ("빨간 우산을 잃어버렸어",),
    ),
    Step(
        "한빛소프트는 이제 그만뒀어.", "고생 많으셨어요.",
        (("memory_end", ending("한빛소프트에 다녀", "한빛소프트는 이제 그만뒀어")),), ("Noted",),
        profile={"work.employer": None},
    ),
    Step("내가 지금 다니는 회사가 어디지?", "지금은 없어요."),
    Step(
        "봄에 다니던 회사가 어디였지?", "한빛소프트였어요.",
        (("archival_memory_search", {"query": "다니는 회사", "as_of": "2026-04-01"}),), ("한빛소프트에 다녀",),
    ),
    Step("네 이름을 하나로 바꾸자.", "이제 저는 하나예요.", (replace("persona", DURI, HANA),), (HANA,), core={"persona": f"{HANA}\n{POLITE}"}),
    Step("안녕, 하나야!", "안녕하세요!"),
    Step("목표를 11월 하프 마라톤으로 바꿨어.", "좋아요.", (replace("goals", MARATHON, HALF),), (HALF,), core={"goals": HALF}),
    Step(
        "연습은 평일 저녁 5km로 할래.", "적어 둘게요.",
        (replace("goals", "주말 아침", PLAN), append("goals", PLAN)), ("does not stand in the block", PLAN),
        core={"goals": f"{HALF}\n{PLAN}"},
    ),
    # The block about the person fills up.
    Step("내 동생 이름은 수민이야.", "수민 님이군요.", (append("human", SIBLING),), (f"{len(SIBLING)}/{HUMAN_LIMIT}",), core={"human": SIBLING}),
    Step("고양이 나비랑 두부를 키워.", "귀엽겠어요.", (append("human", CATS),), (CATS,), core={"human": f"{SIBLING}\n{CATS}"}),
    Step("커피는 아침에만 마셔.", "네.", (append("human", COFFEE),), (f"{len(FULL)}/{HUMAN_LIMIT}",), core={"human": FULL}),
    Step(
        "나는 주말마다 북한산에 올라.", "따로 기억해 둘게요.",
        (
            append("human", HIKING),
            ("archival_memory_insert", {"content": HIKING, "attribute": "hobby", "value": "북한산", "quote": "나는 주말마다 북한산에 올라"}),
        ),
        (f"more than its limit of {HUMAN_LIMIT}", "Noted"),
    ),
    Step("내 취미가 뭐지?", "북한산에 오르시죠.", shown=("나는 주말마다 북한산에 올라",)),
    Step("동생 얘기는 짧게 적어 둬.", "줄였어요.", (replace("human", SIBLING, "동생 수민."),), (f"{len(SHORT)}/{HUMAN_LIMIT}",), core={"human": SHORT}),
    Step("내 기분도 적어 줄래?", "그런 칸은 없어요.", (append("mood", "좋음"),), ("use one of persona, human, goals",)),
    Step(
        "나 사실 파리에 산다고 해 볼까?", "농담이시죠?",
        (("archival_memory_insert", {"content": "파리에 산다.", "attribute": "home.city", "value": "파리", "quote": "나는 파리에 살아"}),),
        ("from the assistant's own words",),
    ),
    # What a run as of a date is shown.
    Step("나는 어디에 살지?", "부산에 사세요.", shown=("부산에 살아",), hidden=("서울로 이사했어",), as_of="2026-03-20"),
    Step("내가 다니는 회사가 어디지?", "한빛소프트요.", shown=("한빛소프트에 다녀",), as_of="2026-03-20"),
    Step("지금은 어디에 살지?", "서울이요.", shown=("서울로 이사했어",)),
    # A correction, and what was never in memory.
    Step("나는 탁구를 좋아해.", "멋져요.", operations=(fact("likes", "탁구"),)),
    Step(
        "아니, 탁구가 아니라 배구를 좋아해.", "배구군요.",
        (("memory_correct", correcting("나는 탁구를 좋아해", content="배구를 좋아한다.", value="배구", quote="탁구가 아니라 배구를 좋아해")),),
        ("Noted",),
    ),
    Step("내가 좋아하는 운동이 뭐지?", "배구요.", shown=("배구를 좋아한다.",)),
    Step("내 혈액형이 뭐지?", "들은 적이 없어요.", (("archival_memory_search", {"query": "혈액형"}),), ("",)),
    Step("도구를 잘못 불러 봐.", "안 되네요.", (("core_memory_append", {"label": "persona"}),), ("content: Field required",)),
    Step("우리 무슨 얘기를 했더라?", "우산 얘기도 했죠.", (("conversation_search", {"query": "우산", "as_of": "2026-04-01"}),), ("빨간 우산을 잃어버렸어",)),
    Step("오늘도 고마워, 하나야.", "저도요, 지민 님."),
)  # fmt: skip
