"""English: how to be answered, what somebody wants, likes and cannot stand, and what their body needs."""

from __future__ import annotations

from typing import Final

from perdure.offline.english_words import (
    ADV,
    AM,
    CONDITION,
    DIET,
    GAME,
    I_HAVE,
    LIST,
    NAMES,
    NOT,
    STATE,
    THING,
    THING_SAID,
    TONGUE,
    I,
    V,
)
from perdure.offline.rules import Rule, rule

_TELL = (
    r"(?:use|write|call|answer|reply|respond|say|give|add|include|explain|speak|talk|apologi[sz]e|repeat|start|end"
    r"|format"
    r"|cite|check|show|be|keep|mention|convert|translate|assume|refer)"
)
_TELLING = (
    r"(?:using|writing|calling|answering|saying|giving|adding|including|explaining|apologi[sz]ing|repeating"
    r"|starting|being"
    r"|mentioning|assuming|jargon|emojis?|slang|passive voice)"
)

POLICIES: Final[tuple[Rule, ...]] = (
    rule(
        "name.preferred",
        8,
        r"(?<!n't )(?<!not )(?<!never )\bcalls? me (?!(?:back|later|when|if|at|tomorrow|on|again|a|an|anything"
        r"|whatever|crazy)\b)"
        r"(?P<value>[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?)",
        rf"\bI (?:usually )?go by {NAMES}",
    ),
    rule(
        "language.reply",
        8,
        rf"\b(?:answer|reply|respond|speak|talk|write)(?: to me)?(?: only)? in (?P<value>{TONGUE})\b",
        timeless=True,
    ),
    rule(
        "reply.style",
        8,
        r"^(?:(?:from now on|in (?:the )?future|going forward|and|also|so|but|hey|oh|honestly)[, ]+)*"
        rf"(?:please )?(?P<value>(?:(?:always|never|don't|do not) {_TELL}|(?:stop|avoid) {_TELLING})\b.*)$",
        r"(?P<value>\b(?:please )?(?:keep|make|give|use|write|answer|reply|respond|format|explain|speak|talk|be)\b.*"
        r"\b(?:answers?|replies|reply|responses?|emojis?|sentences?|bullet\w*|tone|formal\w*|short|concise|brief"
        r"|briefly"
        r"|markdown|metric|celsius|step by step|in detail)\b.*)$",
        r"(?P<value>\b(?:please )?(?:use|keep|answer|reply|respond|write|give|show|avoid|be|call"
        r"|speak)\b.*) from now on",
        r"from now on,? (?P<value>.+)$",
        rf"{I} (?:prefer|like|want) (?P<value>(?:short|brief|concise|long|detailed|formal|informal|direct)[\w -]*"
        r" (?:answers?|replies|responses|explanations)\b.*)$",
        timeless=True,
    ),
)

GOALS: Final[tuple[Rule, ...]] = (
    rule(
        "goal",
        7,
        rf"\b(?:I|we){ADV} (?:want|hope|intend|plan|aim|'d like|would like|'d love|would love|wanna|decided)(?: to)? "
        r"(?!(?:know|ask|see|hear|say|tell|talk|you|it|a|an|some|that|the|clarify|thank)\b)(?P<value>\w.*)$",
        rf"{AM} (?P<value>(?:saving(?: up)?|training|preparing|studying) (?:for|to) .+)$",
        rf"{AM} (?:planning|hoping|trying|aiming|going) to (?!(?:ask|need|say|tell|understand|find|figure|the|an?"
        rf"|my|bed|work|school|sleep|lunch|dinner|town)\b)(?P<value>\w.*)$",
        rf"{AM} (?P<value>(?:planning on|thinking (?:about|of)|learning|looking for a new|moving to) .+)$",
        r"\bmy (?:\w+ )?(?:goal|plan|dream|resolution)s? (?:is|are)(?: to)? (?P<value>.+)$",
        timeless=True,
    ),
)

BODY: Final[tuple[Rule, ...]] = (
    rule(
        "health.allergy",
        9,
        r"\bI(?:'ve| have| suffer from)? (?:an? )?(?:severe |bad |mild )?(?P<value>[\w ]+?) allerg(?:y|ies)\b",
        rf"{AM}(?: severely| very| deathly| mildly)? allergic to (?!(?:nothing|anything)\b){LIST}",
    ),
    rule(
        "health.condition",
        9,
        rf"{I_HAVE}(?: got| have| suffer from)* (?P<value>{CONDITION})\b",
        rf"{I_HAVE}(?: was| been| got)* diagnosed with {V}",
        rf"{AM}(?: an?)? (?P<value>{STATE})\b",
    ),
    rule(
        "food.diet",
        9,
        rf"\b(?:I|we)(?:'m| am|'ve|'re| are)?{ADV}"
        rf"(?: (?:have|been|went|gone|become|became|turned|eat|keep|follow|an?|on|strictly|strict))* "
        rf"(?P<value>{DIET})\b",
    ),
    rule(
        "food.avoids",
        8,
        rf"\bI(?: really| just| still)? {NOT}(?: really| ever)? (?:eat|drink|tolerate|have(?= (?:any |much )?"
        rf"(?:dairy|gluten|milk|lactose|nuts|eggs|meat|alcohol|caffeine|sugar|wheat|soy))) (?!(?:out|that|this|it"
        rf"|much)\b){LIST}",
        rf"\bI avoid (?:eating |drinking )?{LIST}",
    ),
)

TASTE: Final[tuple[Rule, ...]] = (
    rule(
        "ui.theme",
        6,
        rf"(?:{I_HAVE} (?:use|prefer|like|love|want|switched(?: back)? to)|{AM} using) (?:the |a )?"
        r"(?P<value>(?:dark|light) (?:mode|theme))",
        r"\b(?:use|switch to|set) (?:the )?(?P<value>(?:dark|light) (?:mode|theme))",
    ),
    rule(
        "dislikes",
        7,
        rf"\bI(?:'m| am)?{ADV} (?:hate|dislike|detest|can't stand|cannot stand|can't bear"
        rf"|don't(?: really| particularly)? (?:like|enjoy|care for)|not (?:a )?(?:big )?(?:fan of|into)) {THING_SAID}",
    ),
    rule(
        "hobby",
        6,
        r"\bmy (?:\w+ )?hobb(?:y|ies)(?: is| are|'s) (?P<value>[^;!?]+)",
        r"\bin my (?:free|spare) time,? I (?:usually |often )?(?:like|love|enjoy|do|go)?(?: to| going| doing)? ?"
        r"(?P<value>[^;!?]+)",
        rf"{I} (?:play|enjoy playing|like playing|love playing|like to play|love to play) (?P<value>{GAME})\b",
        rf"{AM}(?: really| very)? into {THING_SAID}",
        rf"{I} (?:do|practi[sc]e) (?P<value>yoga|pilates|judo|taekwondo|karate|meditation|calligraphy|pottery)\b",
    ),
    rule(
        "likes",
        6,
        r"\bmy (?:(?:all-time|absolute) )?favou?rite (?:[\w-]+ ){1,4}?(?:is|are) (?P<value>[^,;!?]+)",
        rf"\bI(?:'d| would)?{ADV} rather (?P<value>[^,;!?]+?)(?= than\b|[,;!?.]|$)",
        rf"\bI{ADV} (?:prefer|love|like|enjoy|adore) {THING_SAID}",
        rf"{AM}(?: a)?(?: big| huge)? fan of {THING_SAID}",
    ),
    rule(
        "language.speaks",
        7,
        rf"{I}(?: can)?(?: fluently)? speak (?!(?:to|with|up|at|for|about)\b){LIST}",
        rf"{AM} (?:fluent|bilingual|conversational) in {LIST}",
        r"\bmy (?:native language|mother tongue|first language)(?: is|'s) (?P<value>\w+)",
    ),
    rule(
        "possession",
        6,
        rf"{I_HAVE}(?: got| have| own| drive| bought)+ (?:an? |the |my )(?:new |own )?(?P<value>{THING})\b",
    ),
)
