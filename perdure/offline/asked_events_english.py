"""Changes by which English questions tell a time ("before I moved"), and words that ask for what was before."""

from __future__ import annotations

import re
from typing import Final

from perdure.offline.asked_reading import named_groups

_JOB = r"(?:jobs?|employers?|company|companies|workplace|position)"
_PET = r"(?:dogs?|cats?|pupp(?:y|ies)|kittens?|pets?)"
_SUBJECT = r"(?:(?:I|we) (?:last |first |had |have )?)?"
_CHANGES: Final = {
    "home.city": (
        rf"{_SUBJECT}(?:moved|moving|relocated|relocating|emigrated|emigrating)\b(?! (?:my|the|a)\b)"
        r"(?: (?:(?:to|from|into) (?-i:[A-Z][\w-]+(?: [A-Z][\w-]+)*)|here|there|away|out|abroad|house))?"
        r"|(?:the|my|our) (?:last |latest )?(?:move|relocation)(?: to (?-i:[A-Z][\w-]+))?"
    ),
    "family.status": (
        rf"{_SUBJECT}(?:(?:got|getting|was|were) (?:married|divorced|engaged|separated)|(?:married|marrying) my \w+)"
        r"|(?:the|my|our) (?:wedding|marriage|divorce|engagement|separation)"
    ),
    "work.role": rf"{_SUBJECT}(?:(?:was|got|getting|being) promoted)|(?:the|my) promotion",
    "work.employer": (
        rf"{_SUBJECT}(?:(?:changed|changing|switched|switching|left|leaving|quit|quitting|lost|losing|got|getting"
        rf"|started|starting|took|taking) (?:(?:my|this|the|a|an) )?(?:(?:current|present|new|old|last) )?{_JOB}"
        r"|(?:joined|joining) (?:(?-i:[A-Z][\w-]+)|(?:my|this|the) (?:current |present |new )?company)"
        r"|(?:started|starting) (?:to work |working )?(?:at|for) (?-i:[A-Z][\w-]+)"
        r"|(?:got|was|getting) (?:hired|fired|laid off)|(?:retired|retiring))"
        rf"|(?:(?:my|our) (?:current|present|new)|this) {_JOB}"
    ),
    "family.child": (
        rf"{_SUBJECT}(?:(?:had|having) (?:kids|children|a (?:baby|child|kid|son|daughter)|my (?:son|daughter|baby))"
        r"|(?:became|becoming) a (?:parent|father|mother|dad|mum|mom))"
        r"|(?:my|our) (?:son|daughter|child|kid|baby|kids|children|first child) (?:was|were) born"
    ),
    "food.diet": (
        rf"{_SUBJECT}(?:(?:went|going|became|becoming|turned|turning) (?:a )?(?:vegan|vegetarian|pescatarian)"
        r"|(?:changed|changing) my diet)"
    ),
    "pet": rf"{_SUBJECT}(?:(?:got|getting|adopted|adopting) (?:(?:my|our|a|the) )?(?:new )?{_PET})",
    "education.school": rf"{_SUBJECT}(?:graduated|graduating)",
    "education.major": rf"{_SUBJECT}(?:(?:changed|changing|switched|switching) (?:my )?majors?)",
    "name": rf"{_SUBJECT}(?:(?:changed|changing) my (?:last |first )?name)",
    "contact.phone": rf"{_SUBJECT}(?:(?:changed|changing|got) my (?:new )?(?:phone )?number)",
    "ui.theme": rf"{_SUBJECT}(?:(?:switched|switching|changed|changing) to (?:dark|light)(?: mode| theme)?)",
}
CHANGES: Final = re.compile(
    rf"\b(?:(?:before|prior to|until|till) (?:{named_groups('before', _CHANGES)})"
    rf"|(?:after|(?:ever )?since) (?:{named_groups('after', _CHANGES)}))\b",
    re.IGNORECASE | re.ASCII,
)
"""As `Grammar.changes`."""

_STEP = (
    "start|begin|move|join|leave|quit|stop|switch|change|become|get|buy|adopt|relocate|graduate|marry|divorce|retire"
)
HISTORY: Final = re.compile(
    "|".join(
        (
            r"\b(?:since when|until when|how many (?:years|months) (?:have|has|had|did))\b",
            r"\b(?:what|which) (?:year|month) did (?:I|we)\b",
            r"\bhow long (?:have|has|had|did|was|were|am|do) (?:I|we|my)\b",
            rf"\bwhen did (?:I|we) (?:first )?(?:{_STEP})\b",
            r"(?<=\bdid I )(?:ever )?used? to\b|(?<=\bdid we )(?:ever )?used? to\b",
            r"(?<=\bI )(?<!\bam I )used to\b|(?<=\bwe )(?<!\bare we )used to\b",
            r"\b(?:my|our) (?:previous|former|old|past|earlier|ex) (?!friends?\b|man\b|lady\b|age\b|self\b)\w+\b",
            r"\b(?:previously|formerly|originally|in the past|back then|have (?:I|we) ever)\b",
            r"\bbefore (?:that|this|here|(?-i:[A-Z][a-z]+)|(?:I|we) (?:lived|worked|came|started|joined))\b",
            r"\bbefore(?=[?.!\s]*$)",
            r"\b(?:a few|several|some|many|a couple of) (?:months|years) ago\b|(?<!\w )\byears ago\b",
            r"(?<!how )\b(?:a )?long (?:time )?ago\b|\ba while (?:ago|back)\b",
            r"\bwhen (?:I|we) (?:was|were|lived|worked|studied)\b|\bas a (?:child|kid|teenager|student|boy|girl)\b",
            r"\b(?:in|during) (?:college|university|high school)\b",
        )
    ),
    re.IGNORECASE | re.ASCII,
)
"""Words that ask for past values, or since when something is so."""
