"""The vocabulary of attributes: canonical names, how many values each may hold at a time, and what people call them.

Two statements about the same thing supersede each other only if they name the same attribute; that is what the
vocabulary is for. Names outside it are allowed. A tenant adds attributes of its own, and merges learned names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from perdure.errors import InvalidInput
from perdure.text import VALUE_LIMIT, check_text, normalise


class Cardinality(StrEnum):
    SINGLE = "single"
    """One value at a time: a new one supersedes the old."""
    MANY = "many"
    """Any number of values at a time: each has a timeline of its own."""


@dataclass(frozen=True, slots=True)
class Attribute:
    name: str
    cardinality: Cardinality
    kind: str
    english: tuple[str, ...]
    """Labels, the first one for display, the rest as aliases."""
    korean: tuple[str, ...]

    def label(self, language: str) -> str:
        """What it is called in this language, else in the other one, else its name."""
        told, other = (self.korean, self.english) if language == "ko" else (self.english, self.korean)
        return next(iter((*told, *other, self.name)))

    def with_aliases(self, other: Attribute) -> Attribute:
        """This attribute, which is also called what the other is."""
        return replace(
            self, english=_distinct(*self.english, *other.english), korean=_distinct(*self.korean, *other.korean)
        )


def _one(name: str, kind: str, english: str, korean: str) -> Attribute:
    return _attribute(name, Cardinality.SINGLE, kind, english, korean)


def _many(name: str, kind: str, english: str, korean: str) -> Attribute:
    return _attribute(name, Cardinality.MANY, kind, english, korean)


def _attribute(name: str, cardinality: Cardinality, kind: str, english: str, korean: str) -> Attribute:
    return Attribute(name, cardinality, kind, tuple(english.split("|")), tuple(korean.split("|")))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Attributes by name and by alias. Of two that claim one name or alias, the first has it."""

    attributes: tuple[Attribute, ...]
    merged: Mapping[str, str] = field(default_factory=dict)
    """Learned names that a person has declared to be another attribute's: name to canonical name."""
    _by_name: dict[str, Attribute] = field(init=False, repr=False, compare=False, default_factory=dict)
    _by_alias: dict[str, Attribute] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        for attribute in self.attributes:
            self._by_name.setdefault(attribute.name, attribute)
            for alias in (*attribute.english, *attribute.korean):
                self._by_alias.setdefault(_spelled(alias), attribute)

    def __iter__(self) -> Iterator[Attribute]:
        return iter(self._by_name.values())

    def __contains__(self, name: str) -> bool:
        """Whether this is the canonical name of an attribute."""
        return name in self._by_name

    def extended(self, additions: Iterable[Attribute], merged: Mapping[str, str]) -> Vocabulary:
        """With a tenant's attributes after these; one that has the name of one of these is more aliases for it."""
        added = {addition.name: addition for addition in additions}
        known = [one.with_aliases(added.pop(one.name)) if one.name in added else one for one in self]
        return Vocabulary((*known, *added.values()), {**self.merged, **merged})

    def find(self, name: str) -> Attribute | None:
        """The attribute with this canonical name or English or Korean alias, or None."""
        key = _spelled(name)
        key = self.merged.get(key, key)
        return self._by_name.get(key) or self._by_alias.get(key)

    def owner(self, name: str) -> str | None:
        """The canonical name of the attribute that is called so, or into which the name was merged, or None."""
        return known.name if (known := self.find(name)) else self.merged.get(_spelled(name))

    def canonical(self, name: str) -> str:
        """The name under which an attribute is stored: canonical where known, else dotted lower case.

        Raises `InvalidInput` for a name without letters or digits.
        """
        return self.owner(name) or learned_name(name)

    def names_of(self, name: str) -> tuple[str, ...]:
        """The canonical name, and those that were merged into it, under which older facts were believed."""
        canonical = self.canonical(name)
        return (canonical, *(old for old, new in self.merged.items() if new == canonical))

    def cardinality(self, name: str, default: Cardinality = Cardinality.SINGLE) -> Cardinality:
        """How many values the attribute may hold at a time; `default` for one outside the vocabulary."""
        return known.cardinality if (known := self._by_name.get(name)) else default


def told_names(name: str) -> str:
    """The words by which an attribute is asked for: those of its name, and its built-in aliases."""
    known = BUILT_IN.find(name)
    aliases = (*known.english, *known.korean) if known else ()
    return " ".join((re.sub(r"[._-]+", " ", name), *aliases))


def learned_name(name: str) -> str:
    """The form in which a name outside the vocabulary is stored: dotted lower case.

    Raises `InvalidInput` for a name without letters or digits.
    """
    key = _spelled(check_text(name, "the attribute", limit=VALUE_LIMIT))
    if not _NAME.fullmatch(key.replace("_", "-")):
        raise InvalidInput(f"the attribute {name[:80]!r} is not a name: use words joined by dots, such as desk.floor")
    return key


def _spelled(name: str) -> str:
    """The form in which names and aliases are compared: `Home City` is `home_city`."""
    return re.sub(r"[\s_]+", "_", normalise(name))


def _distinct(*labels: str) -> tuple[str, ...]:
    """Without those that are spelled like an earlier one."""
    first: dict[str, str] = {}
    for label in labels:
        first.setdefault(_spelled(label), label)
    return tuple(first.values())


_NAME = re.compile(r"[^\W_]+(?:[._-][^\W_]+)*", re.UNICODE)
_BUILT_IN: tuple[Attribute, ...] = (
    _one("name", "profile", "name|full name", "이름|성함|본명"),
    _one("name.preferred", "preference", "preferred name|nickname", "호칭|별명|불리는 이름"),
    _one("birthday", "profile", "birthday|date of birth", "생일|생년월일"),
    _one("age", "profile", "age", "나이|연세"),
    _one("home.city", "profile", "home|city|home city|residence|location|lives in", "사는 곳|거주지|집|도시"),
    _one("home.origin", "profile", "hometown|origin|birthplace", "고향|출신|출생지"),
    _one("work.employer", "profile", "employer|company|workplace|works at", "직장|회사|근무지"),
    _one("work.role", "profile", "job|occupation|role|profession|job title|works as", "직업|직책|직무|하는 일"),
    _one("education.school", "profile", "school|university|college", "학교|대학|대학교"),
    _one("education.major", "profile", "major|field of study", "전공|학과"),
    _one("contact.email", "profile", "email|e-mail address", "이메일|메일 주소"),
    _one("contact.phone", "profile", "phone|phone number", "전화번호|휴대폰 번호|연락처"),
    _one("family.status", "profile", "marital status|relationship status", "결혼 여부|혼인 상태"),
    _one(
        "family.partner",
        "profile",
        "partner|spouse|wife|husband|girlfriend|boyfriend|fiancé|fiancée|fiance|fiancee",
        "배우자|아내|남편|애인|와이프|여자친구|남자친구|여친|남친",
    ),
    _many("family.child", "profile", "child|son|daughter|kids|kid|children|baby", "자녀|아이|아들|딸|아기|애들"),
    _many(
        "family.parent", "profile", "parent|mother|father|parents|mom|mum|dad", "부모|엄마|아빠|어머니|아버지|부모님"
    ),
    _many(
        "family.sibling",
        "profile",
        "sibling|brother|sister|siblings|twin",
        "형제|남매|동생|형|누나|언니|오빠|남동생|여동생",
    ),
    _many("social.friend", "profile", "friend|friends", "친구"),
    _many(
        "pet",
        "profile",
        "pet|dog|cat|pets|puppy|kitten|hamster|rabbit|parrot",
        "반려동물|강아지|고양이|반려견|반려묘|햄스터|토끼|앵무새",
    ),
    _many("health.allergy", "profile", "allergy|allergies|allergic to", "알레르기|알러지"),
    _many("health.condition", "profile", "health condition|illness|medical condition", "지병|건강 상태|질환"),
    _one("food.diet", "preference", "diet", "식단|식습관"),
    _many("food.avoids", "preference", "food to avoid|cannot eat|does not eat", "못 먹는 음식|피하는 음식"),
    _many(
        "likes", "preference", "likes|favourite|favorite|enjoys|loves|prefers|preference", "좋아하는 것|취향|좋아하는"
    ),
    _many("dislikes", "preference", "dislikes|hates", "싫어하는 것|싫어하는"),
    _many("hobby", "interest", "hobby|hobbies|interest|interests|pastime", "취미|관심사"),
    _many("language.speaks", "profile", "language|languages|speaks|spoken languages", "언어|구사 언어|할 줄 아는 언어"),
    _one("language.reply", "policy", "reply language|language of answers", "답변 언어|대답 언어"),
    _many("reply.style", "policy", "answer style|reply style", "답변 방식|말투|대답 방식"),
    _one("ui.theme", "preference", "theme|ui theme|colour theme", "테마|화면 테마"),
    _one("time.zone", "profile", "time zone|timezone", "시간대"),
    _one("commute", "profile", "commute|way to work|commuting", "출퇴근|통근|출근 방법"),
    _many("possession", "profile", "possession|owns|has", "소유물|가진 것"),
    _many("goal", "goal", "goal|plan|wants to|goals|plans|dream", "목표|계획|하고 싶은 것"),
    _many("project", "project", "project|working on", "프로젝트|진행 중인 일"),
)

BUILT_IN = Vocabulary(_BUILT_IN)
"""What every tenant has."""
