"""Is there anything to remember? Greetings, thanks, questions, one-off requests and small talk say nothing lasting."""

from __future__ import annotations

import re
from enum import StrEnum

from perdure.language import detect_language
from perdure.offline.sentences import clauses, own_text, sentences, straight
from perdure.turn import GateDecision, Language


class Speech(StrEnum):
    """What a clause is, in the words in which the gate gives its reason."""

    STATEMENT = "a statement"
    QUESTION = "only a question or a request"
    SMALL_TALK = "only small talk"
    SUPPOSITION = "a supposition"
    REPORTED = "what somebody else said"


_SMALL_TALK = {
    "en": re.compile(
        r"(?:(?:oh|well|wow|and|ok|okay|hi|hello|hey|there|thanks|thank you|thx|lol|ha|sure|great|nice|cool|awesome"
        r"|perfect|bye|goodbye|yes|yeah|yep|no|nope|got it|i see|right|good (?:morning|night|evening|afternoon|one)"
        r"|so much|very much|a lot|again|everyone|nice to meet you|you're welcome|see you|later|please|welcome"
        r"|how are you|that(?:'s| was| is) (?:really |very |so )?(?:helpful|great|nice|cool|good|funny"
        r"|interesting))[\s,.!~?]*)+",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"(?:(?:고마워요?|고맙습니다|감사합니다|감사해요?|정말|진짜|너무|와|오|아|응|네+|예|넵|그래요?|알겠어요?|알겠습니다"
        r"|오케이|안녕(?:하세요|히)?|반가워요?|반갑습니다|잘 ?자요?|수고(?:했어|하세요|하셨어요)?|좋아요?|좋네요?|대박|굿"
        r"|도움이? ?(?:됐어요?|됐습니다|되었어요?)|[ㅋㅎㅠㅜㅇ])[\s,.!~?]*)+"
    ),
}
_QUESTION_START = re.compile(
    r"(?:(?:and|so|but|ok|okay|hey|hi|well|also|please|then)[, ]+)*"
    r"(?!(?:what|who|when|where|why|how) (?:I|I'm|we|my|our|you|he|she|they)\b)"
    r"(?:what|what's|who|who's|whose|when|where|where's|why|how|how's|which|can|could|would|will|do|does|did|is"
    r"|are|was|were"
    r"|am i|have you|has|should|shall|may i|explain|tell me|show me|write|give me|translate|summari[sz]e|recommend|find"
    r"|list|help|suggest|describe|compare|fix|create|make (?:me|a|an|the)|let's|let me know|proofread|rewrite)\b",
    re.IGNORECASE,
)
_PRESUPPOSED = re.compile(r"(?:because|since|given that|as)\s+(?:I|my|we)\b", re.IGNORECASE)
_KOREAN_QUESTION = re.compile(
    r"(?:뭐야|뭐지|뭐였지|뭘까|어디야|어디지|언제야|언제지|누구야|누구지|몇 ?시야|몇 ?살이야|어때요?|인가요?|일까요?|나요|[을를할갈볼을]까요?|맞지|맞아요?"
    r"|(?:알려|추천해|번역해|요약해|설명해|만들어|찾아|보여|가르쳐|도와|고쳐|골라|정리해|비교해|작성해|교정해|말해|짜|써|읽어)"
    r" ?(?:줘요?|줄래요?|주세요|주실래요|주라|줄 ?수 ?있어요?|달라고)?"
    r"|해줄래요?|줄래요?|주실래요|해주세요|해 주세요)[.!~\s]*$"
)
_KOREAN_HABIT = re.compile(
    r"(?:(?:^|\s)(?:나는|난|나도|저는|전|저도|내가|제가|우리는|우린|매일|매주|항상|늘|자주|주로|보통|평소에?|요즘|가끔)\s.*"
    r"|[은는]\s+(?:\S+\s+)?\S+[을를]\s+)(?:만들어|찾아|고쳐|골라|정리해|짜|써|읽어)요?[.!~\s]*$"
)
"""What somebody does, which in the plain style sounds like a request: "나는 아이폰을 써"."""
_SUPPOSITION = {
    "en": re.compile(
        r"\b(?:if|in case|unless)\s+(?:I|we|my|only)\b|\bI wish\b|\b(?:imagine|suppose|pretend|hypothetically"
        r"|let's say)\b"
        r"|\b(?:I|we)(?: might| may| could|'d have| would have| would be| would live| would work)\b"
        r"|\bI dream(?:ed|t) (?:that|about|of)\b|^(?:maybe|perhaps)\b",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"[가-힣]다면(?=[\s,]|$)|(?:만약|만일|내가|나|제가).*(?:라면|으면|하면|살면|가면|되면)(?=[\s,]|$)|면 좋(?:겠|을)|[았었했였]으면"
        r"|텐데|ㄹ지도|[할갈될을]지도 ?(?:몰|모르)|가정(?:하|해)|(?:꿈에서|꿈을 꿨)"
    ),
}
_KOREAN_WISH = re.compile(r"(?:주면|주시면|[줬셨]으면) 좋")
"""A request, put as a wish: of how to answer from now on it is a policy."""
_REPORTED = {
    "en": re.compile(
        r"\b(?:he|she|they|you|people|someone|everyone|my (?!doctor)\w+"
        r"|(?-i:(?!(?:Previously|Originally|Initially|Formerly|Earlier|Recently|Already|Just|Never|Always|Also|Once)\b)[A-Z][a-z]+))"
        r" (?:said|says?|told|asked|claims?|claimed|wrote|writes|thinks?|reckons?)\b"
        r"|\baccording to\b|\bforget (?:that|about|what)\b",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"(?:[라다자냐]고)\s?(?:했|말했|말하|하더|하던|그러|그랬|들었|물었|물어|썼|적혀|나와|하네|하신|합디)"
        r"|(?:[가-힣](?:이|래)|[가-힣]\s?(?:했|한|산|간|온|된|있|없|다닌))대요?[.!~\s]*$|[가-힣]더라고?요?[.!~\s]*$|잊어 ?(?:줘|주세요|버려)"
    ),
}
_NOT_REPORTED = re.compile(r"\bI (?:\w+ )?(?:said|told|asked|wrote|think|reckon)\b", re.IGNORECASE)
_MIND = re.compile(
    r"^(?:(?:and|also|so|oh|hey)[, ]+)*(?:please )?(?:remember|note|keep in mind|don't forget|fyi"
    r"|for the record)\b[,: ]*(?:that )?"
    r"|(?:꼭 |이거 )?(?:기억해|잊지) ?(?:줘요?|둬|놔|주세요|두세요|마요?|마세요|말아 ?줘?)[.!~\s]*$",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:from now on|in (?:the )?future|going forward|always|never)\b|\bcall me\b|앞으로|항상|언제나|절대|라고 ?(?:불러|부르)"
    r"|\b(?:keep|make) (?:your|the) (?:answers?|replies|responses)\b|(?:답변|대답|응답)(?:은|는|을|할)|[로히게] ?(?:답변?|대답"
    r"|말)해 ?(?:줘|주)|존댓말|반말",
    re.IGNORECASE,
)
"""How to answer from now on is a policy, although it is put as a request."""


def asks_to_remember(clause: str) -> bool:
    return bool(_MIND.search(clause))


def without_asking(clause: str) -> str:
    """The clause without "remember that …" or "… 기억해줘"."""
    return _MIND.sub("", clause).strip(" ,.")


def speech(clause: str, language: Language, *, last: bool = True) -> Speech:
    """What this clause is; `last` if it ends its sentence, so that a closing question mark is its own."""
    clause = straight(clause)
    if _SMALL_TALK[language].fullmatch(clause):
        return Speech.SMALL_TALK
    if not asks_to_remember(clause):
        asked = last and clause.rstrip().endswith(("?", "？")) and not _PRESUPPOSED.match(clause)
        if asked or (_is_request(clause, language) and not _LASTING.search(clause)):
            return Speech.QUESTION
    if _SUPPOSITION[language].search(clause) and not (_KOREAN_WISH.search(clause) and _LASTING.search(clause)):
        return Speech.SUPPOSITION
    if _REPORTED[language].search(_NOT_REPORTED.sub(" ", clause)):
        return Speech.REPORTED
    return Speech.STATEMENT


def gate(message: str) -> GateDecision:
    """Whether the message can hold anything to remember, and why or why not. Cheap; errs on the side of yes."""
    if not message.strip():
        return GateDecision(False, "nothing was said")
    if not own_text(message).strip():
        return GateDecision(False, "only pasted or quoted text")
    found = _speeches(message)
    nothing = [speech for speech in found if speech in {Speech.QUESTION, Speech.SMALL_TALK}]
    if not found or len(nothing) < len(found):
        return GateDecision(True, "something is stated")
    return GateDecision(False, max(nothing, key=nothing.count).value)


def asks(message: str) -> bool:
    """Whether the message asks or requests something."""
    return Speech.QUESTION in _speeches(message)


def _speeches(message: str) -> list[Speech]:
    found: list[Speech] = []
    for sentence in sentences(message):
        language = detect_language(sentence)
        parts = clauses(sentence, language)
        found += [speech(part, language, last=index == len(parts) - 1) for index, part in enumerate(parts)]
    return found


def _is_request(clause: str, language: Language) -> bool:
    if language == "ko":
        return bool(_KOREAN_QUESTION.search(clause)) and not _KOREAN_HABIT.search(clause)
    return bool(_QUESTION_START.match(clause))
