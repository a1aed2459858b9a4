"""The words of a saying as two sayings are compared: stems without fillers, numbers as numbers, and what denies."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from perdure.terms import stem

_TOKEN = re.compile(r"[가-힣]+|\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?[+#]*")
_FILLER_WORDS = """
a an the i i'm me my mine we our us am is are be to that so also really very just actually currently now still please
user user's inc corp corporation ltd llc co company gmbh playing music mode theme
나 나는 난 내 내가 저 저는 전 제 제가 우리 사용자 사용자는 사용자의 정말 진짜 너무 아주 매우 지금 현재 요즘 그냥
주식회사 주 음악 모드 테마
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_DENIES = re.compile(r"not|no|never|without|cannot|.*n['’]t|안|못|않.*|.*지않.*|없.*|아니.*|아닌.*|말고")
_NUMBER_WORDS = """
zero|영 one|한|하나 two|두|둘 three|세|셋 four|네|넷 five|다섯 six|여섯 seven|일곱 eight|여덟 nine|아홉 ten|열
"""
_NUMBERS = {name: str(n) for n, names in enumerate(_NUMBER_WORDS.split()) for name in names.split("|")}
_PARTICLE = re.compile(
    r"(?<=..)(?:에서는|에서|에게|한테|으로|이랑|하고|부터|까지|이에요|예요|이야|입니다|은|는|이|가|을|를|에|로|의|도|만|와|과|랑)$"
)
_SORT = re.compile(r"(?<=..)(?:특별자치시|특별시|광역시|시|모드|테마|음악)$")
"""What sort of thing a name is of, which may be said or not."""
_ENDING = re.compile(r"(?<=.)(?:습니다|어요|아요|여요|요)$|(?<=[있없같싶좋많살알])(?:어|아|다)$")
_LANGUAGE = re.compile(r"(?:국|영|일|독|불|아랍|페인|시아|트남|탈리아)어$")


@dataclass(frozen=True, slots=True)
class Saying:
    words: tuple[str, ...]
    numbers: tuple[str, ...]
    denied: bool


@lru_cache(maxsize=4096)
def saying(text: str) -> Saying:
    """The words and the numbers, each in order, and whether something is denied."""
    words: list[str] = []
    numbers: list[str] = []
    denied = False
    for token in _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold()):
        if token[0].isdigit():
            numbers.append(token.replace(",", "").lstrip("0") or "0")
        elif token in _NUMBERS:
            numbers.append(_NUMBERS[token])
        elif _DENIES.fullmatch(token):
            denied = not denied
        elif token not in _FILLERS:
            words.append(_korean(token) if "가" <= token[0] <= "힣" else stem(token.removesuffix("'s")))
    return Saying(tuple(words), tuple(numbers), denied)


def _korean(word: str) -> str:
    """Without particle or polite ending. Of a verb the tense stays; 다녀 and 다니 become one."""
    if (noun := _SORT.sub("", _PARTICLE.sub("", word))) != word:
        return noun
    return word if _LANGUAGE.search(word) else _uncontracted(_ENDING.sub("", word))


def _uncontracted(word: str) -> str:
    """해 is 하 and 어; 셔 is 시 and 어; 봐 is 보 and 아."""
    last = unicodedata.normalize("NFD", word[-1])
    if len(last) != 2:
        return word
    vowel = {"ᅧ": "ᅵ", "ᅪ": "ᅩ", "ᅯ": "ᅮ", "ᅢ": "ᅡ" if last[0] == "ᄒ" else "ᅢ"}.get(last[1], last[1])
    return word[:-1] + unicodedata.normalize("NFC", last[0] + vowel)
