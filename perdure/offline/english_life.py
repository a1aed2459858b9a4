"""English: who somebody is, where they live, what they do, and who belongs to them."""

from __future__ import annotations

from typing import Final

from perdure.offline.english_words import (
    ADV,
    AM,
    CALLED,
    FIELD,
    HAVE,
    I_HAVE,
    NAMES,
    NOT_A_NAME,
    PERSON,
    PET,
    PLACE,
    RELATION,
    RIDE,
    ROLE,
    I,
    V,
)
from perdure.offline.rules import Rule, rule

WHO: Final[tuple[Rule, ...]] = (
    rule("name", 9, rf"\bmy (?:full |real |first )?name(?:'s| is) {NAMES}", r"\bmy name(?:'s| is) (?P<value>[\w'-]+)"),
    rule(
        "name",
        9,
        rf"^(?:(?:hi|hello|hey|there|everyone)[ ,.!]+)*(?:I'm|I am|this is) (?!{NOT_A_NAME}\b)"
        r"(?P<value>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+){0,2})(?=[.!]?$|, nice|, a\b|, and\b)",
    ),
    rule(
        "birthday",
        9,
        r"\bmy (?:birthday|date of birth)(?:'s| is)(?: on)? (?P<value>[^!?;]+)",
        r"\bI was born on (?P<value>[^!?;]+)",
        r"\bI was born in (?P<value>(?:[A-Za-z]+ )?(?:19|20)\d\d)\b",
        timeless=True,
    ),
    rule("age", 7, rf"{AM} (?P<value>\d{{1,3}})(?: years? old| y/?o|[.!]?$)", r"\bI turned (?P<value>\d{1,3})\b"),
    rule("contact.email", 8, r"\b(?:e-?mail|reach me at|contact)\b.*?(?P<value>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"),
    rule("contact.phone", 8, r"\b(?:phone|number|mobile|cell)\b.*?(?P<value>\+?\d[\d -]{6,}\d)", timeless=True),
    rule(
        "home.city",
        8,
        rf"{I_HAVE}(?: been)?{ADV} (?:live|living|reside|residing) in {PLACE}",
        rf"{AM} (?:living|based|residing|located) in {PLACE}",
        rf"{HAVE}(?: been)?{ADV} lived in {PLACE}",
        rf"(?:^(?:just|recently)|{I_HAVE}) (?:moved|relocated|settled)(?: down| back| over| house| away"
        rf"| from [^,;]+?)* (?:to|in|into) "
        rf"(?!the (?:[\w-]+ )?(?:team|department|role|suburbs|city|office|next)\b){PLACE}",
        r"\bmy (?:new |current )?(?:home|city|address|home city|place)(?: is|'s)(?: now)?(?: in)? " + PLACE,
    ),
    rule(
        "home.origin",
        8,
        rf"{AM}(?: originally)? from {PLACE}",
        rf"\b(?:I|we)(?: originally)? (?:come from|grew up in|was raised in|was born(?: and raised)? in(?! "
        rf"(?:\w+ )?\d)) {PLACE}",
        rf"\bmy (?:hometown|home town|birthplace)(?: is|'s) {V}",
    ),
    rule("time.zone", 7, rf"\bmy time ?zone(?: is|'s) {V}"),
)

WORK: Final[tuple[Rule, ...]] = (
    rule(
        "education.school",
        8,
        rf"\bI(?:'ve| have)?{ADV} graduated(?: [^,;]*?)? (?:from|at) {V}",
        rf"\bI(?:'m| am)?{ADV} (?:stud(?:y|ied|ying)|major(?:ed|ing)?|an? (?:[\w-]+ ){{0,3}}student)"
        rf"(?: [^,;]*?)? at {V}",
        rf"{I_HAVE} (?:attend|attended|go to|went to|enrolled (?:at|in)|got into) "
        r"(?P<value>(?:the )?[\w.' -]*(?:university|college|institute|academy|(?-i:[A-Z]{3,}))[\w' -]*)",
        rf"\bmy (?:school|university|college|alma mater)(?: is|'s) {V}",
    ),
    rule(
        "education.major",
        7,
        rf"\bI(?:'m| am)?{ADV} (?:major(?:ed|ing)? in|stud(?:y|ied|ying)) (?!(?:for|hard|at|abroad|all|until|in"
        rf"|with|there)\b)"
        r"(?P<value>[^,;!?]+?)(?= (?:at|in)\b|[.,;!]|$)",
        r"\bmy major (?:is|was) (?P<value>[^,;!?]+)",
        r"\b(?:degree|phd|master's|bachelor's) in (?P<value>[^,;!?]+?)(?= (?:at|from)\b|[.,;!]|$)",
    ),
    rule(
        "work.role",
        8,
        rf"{AM}(?: working as)? (?:an? |the )?(?P<value>(?:[\w/-]+ ){{0,4}}?(?<!not an )(?<!not a ){ROLE})\b",
        rf"\bI(?:'ve| have)?{ADV} (?:work|worked|started|been working|started working)(?: [^,;]*?)? as an? "
        rf"(?P<value>[^,;!?]+?)(?= (?:at|for|in)\b|[.,;!]|$)",
        rf"{I_HAVE}(?: got| been| was)* promoted to {V}",
        rf"{HAVE} been an? (?P<value>(?:[\w-]+ ){{0,4}}?{ROLE})\b",
        rf"{I_HAVE} (?:become|became) an? (?P<value>(?:[\w-]+ ){{0,4}}?{ROLE})\b",
        rf"{I_HAVE} switched(?: careers?)? to (?P<value>(?:[\w-]+ ){{0,2}}{FIELD})\b",
        r"\bmy (?:job|occupation|profession|job title)(?: is|'s)(?: an?)? (?P<value>[^,;!?]+?)(?= at\b|[.,;!]|$)",
        rf"{AM} (?P<value>retired|unemployed|self-employed)\b",
    ),
    rule(
        "work.employer",
        8,
        rf"{I_HAVE}(?: been)?{ADV} work(?:ing)?(?: [^,;]*?)? (?:at|for) {V}",
        rf"{HAVE} worked(?: [^,;]*?)? (?:at|for) {V}",
        rf"{AM} working(?: [^,;]*?)? (?:at|for) {V}",
        rf"{AM} an? (?!(?:[\w-]+ )*student\b)(?:[\w/-]+ ){{0,4}}?{ROLE} (?:at|for|with) {V}",
        rf"{I_HAVE} (?:started|got|took|accepted|begun|landed)(?: working)?(?: an?| my)?(?: new)?(?: job| role"
        rf"| position| offer)? (?:at|with|from) "
        rf"(?!\d){NAMES}",
        rf"{AM} (?:starting|joining)(?: work| a new job)?(?: at)? {NAMES}",
        rf"{AM} (?:an? |the )?(?:co-?founder|founder|ceo|cto|cfo|director|head|president) of {NAMES}",
        rf"{I_HAVE} (?:joined|switched jobs to|been hired by) {NAMES}",
        r"\bmy (?:new |current )?(?:employer|company|workplace)(?: is|'s) (?P<value>[^,;!?]+)",
    ),
    rule(
        "commute",
        5,
        rf"{I}(?: to)? (?P<value>bike|cycle|walk|drive|commute by \w+) to (?:work|the office|school)\b",
        rf"{I} (?:take|ride|catch|use) (?:the |a |my )?(?P<value>{RIDE}) to (?:work|the office|school)\b",
        r"\b(?:I commute|my commute is)(?: to work)? by (?P<value>[\w ]+)",
        rf"{I} (?:go|get|commute) to (?:work|the office) by (?P<value>[\w ]+)",
    ),
    rule("project", 7, rf"{AM} (?:working on|building|developing) (?!(?:it|that|this|them)\b){V}"),
)

FAMILY: Final[tuple[Rule, ...]] = (
    rule(
        "family.status",
        8,
        rf"(?:{AM}|{I_HAVE})(?: got| happily)* (?P<value>married|divorced|engaged|widowed)\b",
    ),
    rule("family.status", 8, r"\bI(?:'m| am)(?: currently| still)? (?P<value>single)\b(?! \w)"),
    rule("family.partner", 8, rf"(?:{AM}|{I_HAVE}) (?:married to|dating|engaged to|got married to) {PERSON}"),
    rule(
        "",
        8,
        rf"\b(?:my|our) {RELATION}(?:'s name(?: is|'s)| is (?:named|called)|'s (?:named|called)) {PERSON}",
        rf"\b(?:my|our) {RELATION},? {PERSON}(?=,| \w)",
        rf"(?P<value>(?-i:[A-Z])[\w'-]+) is my {RELATION}\b",
        timeless=True,
    ),
    rule(
        "",
        8,
        rf"{I_HAVE}(?: got| have| adopted| own)* (?:an? )(?:[\w-]+ ){{0,3}}?{RELATION},? {CALLED} {PERSON}",
    ),
    rule(
        "family.child",
        8,
        rf"{I_HAVE}(?: got| have)? (?:\w+ )?(?:kids|children|sons|daughters)[,:]? (?:named |called )?(?P<value>"
        rf"(?-i:[A-Z]).+)",
        r"\b(?:my|our) (?:kids|children|sons|daughters)(?:' names)? are (?:named |called )?(?P<value>(?-i:[A-Z]).+)",
    ),
    rule(
        "family.child",
        8,
        rf"{I_HAVE}(?: got| have)? (?P<value>(?:an?|\w+) (?:kids?|child|children|sons?|daughters?))\b",
    ),
    rule(
        "family.sibling",
        7,
        rf"{I_HAVE}(?: got| have)? (?P<value>(?:an?|\w+) (?:\w+ )?(?:brothers?|sisters?|siblings?))\b",
    ),
    rule(
        "pet",
        7,
        rf"{I_HAVE}(?: got| adopted| own| have)+ (?:an?|the|two|three|four) (?:[\w-]+ ){{0,3}}?"
        rf"(?:{PET}),? {CALLED} {PERSON}",
        rf"{I_HAVE}(?: got| adopted| own| have)+ (?P<value>(?:an?|two|three|four) (?:[\w-]+ ){{0,3}}?{PET})\b",
    ),
)
