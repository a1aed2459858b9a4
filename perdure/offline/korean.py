"""What Korean sentences say outright about their speaker: all rules in order, and how words found become values."""

from __future__ import annotations

import re
from typing import Final

from perdure.offline.korean_changes import ENDS, PAST
from perdure.offline.korean_life import FAMILY, NAMES, WHO, WORK
from perdure.offline.korean_wishes import BODY, GOALS, POLICIES, TASTE
from perdure.offline.korean_words import OTHERS
from perdure.offline.rules import Rule, is_listed

RULES: Final[tuple[Rule, ...]] = (*NAMES, *ENDS, *PAST, *POLICIES, *GOALS, *WHO, *FAMILY, *WORK, *BODY, *TASTE)
"""The first rules win: what ended before what holds, the particular before the general."""

_SELF = "나 저 내 제 우리 저희"
_TOPICS = frozenset(
    f"{_SELF} 음식 음악 색 색깔 커피 영화 운동 계절 과일 언어 책 게임 답변 예제 코드 날씨 술 고기 차 음료 스포츠 드라마 노래 가수 밴드 취미 집"
    " 고향 직장 회사 전공 학교 직업 이름 생일 나이 메일 이메일 번호 전화번호 연락처 통근 출근 출퇴근 주말 평일 아침 점심 저녁 밤 오늘 요즘"
    " 지금 이제 현재 원래 사실 예전 옛날 과거 평소 최근 올해 작년 내년 여기 목표 꿈 계획 가족 시간대 화면 테마 식단 알레르기 처음 당시 어릴".split()
)
"""Topics under which people speak of themselves; any other noun before the value may be somebody else."""
_FILLER = re.compile(
    r"^(?:나는|난|저는|전|나도|저도|나|저|내가|제가|우리는|저희는|우리|저희|내|제|참고로|그리고|그런데|근데|사실|솔직히|요즘[은엔]?|지금은?|이제는?"
    r"|현재는?|원래는?|평소[에엔]?|주로|보통|정말|진짜|너무|아주|매우|제일|가장|특히|아직|여전히|앞으로|다시|또|계속|드디어|최근에?|혼자|같이|함께"
    r"|아니|네|응|음|그냥|편하게|완전|거의|조금|좀|많이|꽤|더|이상|더는|역시|심한|예전부터|어릴 때부터),?\s+"
)
_TOPIC = re.compile(r"(?P<stem>[^\s,]+?)(?P<particle>은|는|이|가|께서|도)")
_OTHER = re.compile(
    rf"(?:^|\s)(?P<other>{OTHERS})(?: [가-힣]{{1,4}}?)?(?P<particle>은|는|이|가|도|께서)?\s(?P<rest>.*)$"
    r"|(?:^|\s)(?:걔|그|그녀|쟤|너|당신|그 사람|\S+(?:씨|님))(?:은|는|이|가)\s|(?:^|\s)(?:넌|네가|걔가|그 사람이)\s"
)
_NO_PERSON = ("에", "에서", "로", "부터", "까지", "때", "다", "하", "사", "니", "먹", "쓰", "있", "없", "보")
"""Before a particle these are places, times or verbs ("좋아하는", "다니다가"), not persons."""
_DENIED = re.compile(r"\S+(?:이|가)? ?아니(?:라|고),?\s")
_PERSON = re.compile(r"[가-힣]{2,4}(?:은|는|이|가)")
_CIRCUMSTANCE = re.compile(
    r"(?:이야|야|이에요|예요|입니다|이고|사고|있어|있습|있다|살아|살고|산다|다니|다녀|일하|일해|근무|좋아|싫어|못 ?먹|알레르기|태어|전공|졸업|돼)"
)
_ABOUT_SELF = re.compile(r"^(?:\S+ ?){0,2}(?:있|없|많|생겼|생기|좋아|좋습|싫어|죽었|무지개|세상을|하늘)")
_NOUNS_WITH_PARTICLE_SHAPE = re.compile(
    r"(?:고양이|볶이|놀이|어린이|걸이|거북이|호랑이|원숭이|(?:강원|경기|제주|충청|전라|경상)\S?도|포도|파도|유도|검도|지도|태권도|수도)$"
)
_JOIN = re.compile(r"\s*,\s*|이?랑\s+|(?<=[가-힣])하고\s+|\s*(?:및|그리고)\s+|\s+또는\s+")
_AND = re.compile(r"([가-힣])([와과])\s+")
_THING = re.compile(r"(\S)(?:는|은) (?:걸|거|것|게)(?:을|를|이)?$")
_EMPTY = {"work.employer": {"회사", "직장", "일", "알바", "어제", "오늘", "저", "나"}}
_PHRASES = {"goal", "reply.style", "birthday"}


def korean_values(attribute: str, words: str, before: str) -> list[str] | None:
    """The values in the words that a rule found, without particles, fillers and topics.

    `before` is what stands before them. None if somebody else is the subject; [""] if a word such as "the company"
    names no value.
    """
    if any(_is_somebody(word) for word in _DENIED.sub("", before).split()):
        return None
    if attribute in _PHRASES:
        return [_without_fillers(words).strip(" .!~,")]
    words = _without_fillers(words)
    while len(parts := words.split(" ", 1)) == 2 and (topic := _TOPIC.fullmatch(parts[0])):
        if topic["particle"] in "이가도" or re.match(r"(?:것|걸|거|게)(?:을|를|이)?$", parts[1].split()[0]):
            break
        if topic["stem"] not in _TOPICS:
            return None
        words = _without_fillers(parts[1])
    pieces = _pieces(words) if is_listed(attribute) else [words]
    values = [value for piece in pieces if (value := _trimmed(piece)) and len(value) <= 60]
    return [""] if values and values[0] in _EMPTY.get(attribute, ()) else values


def korean_other(clause: str) -> str | None:
    """Who else the clause is about: a relation ("동생"), "" for somebody without one, None if it is the speaker."""
    found = _OTHER.search(clause)
    if not found:
        return None
    if not found["other"]:
        return ""
    if found["particle"] in {"이", "가"} and _ABOUT_SELF.match(found["rest"]):
        return None
    return found["other"] if found["particle"] else None


def korean_relative(clause: str) -> str:
    """The relation whose own lasting circumstances the clause tells, or ""."""
    return (korean_other(clause) or "") if _CIRCUMSTANCE.search(clause) else ""


def speaks_of_somebody(question: str) -> bool:
    """Whether the question begins with a person as its topic ("민수는 어디 살아?")."""
    first = question.split(maxsplit=1)[0] if question.strip() else ""
    return (bool(_PERSON.fullmatch(first)) and _is_somebody(first)) or korean_other(question) == ""


def _is_somebody(word: str) -> bool:
    topic = _TOPIC.fullmatch(word.strip(",.!"))
    if not topic or topic["particle"] == "도":
        return False
    return topic["stem"] not in _TOPICS and not topic["stem"].endswith(_NO_PERSON)


def _without_fillers(words: str) -> str:
    words = words.strip()
    while (shorter := _FILLER.sub("", words)) != words:
        words = shorter
    return words


def _pieces(words: str) -> list[str]:
    """The members of a list; 와 and 과 join only after a syllable that takes them (사과 is an apple)."""
    joined = _AND.sub(lambda found: f"{found[1]}, " if _takes(found[1], found[2]) else found[0], words)
    return _JOIN.split(joined)


def _trimmed(words: str) -> str:
    """Without closing particle; "-는 걸" becomes "-는 것"."""
    words = _THING.sub(r"\1는 것", words.strip(" .!~,'\""))
    last = words[-1:]
    if (
        len(words) > (1 if last in "을를은는" else 2)
        and last in "을를은는이가도만"
        and not _NOUNS_WITH_PARTICLE_SHAPE.search(words)
        and _takes(words[-2], last)
    ):
        words = words[:-1]
    return words.strip()


def _takes(syllable: str, particle: str) -> bool:
    """Whether this syllable may be followed by the particle: 을, 은, 이, 과 follow a final consonant."""
    if not "가" <= syllable <= "힣":
        return particle not in "와과"
    closed = (ord(syllable) - ord("가")) % 28 != 0
    return particle in "도만" or closed == (particle in "을은이과")
