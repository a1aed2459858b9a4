"""English: what is over, because it ended ("I no longer work at …") or was so in the past ("I used to live in …")."""

from __future__ import annotations

from typing import Final

from perdure.facts import Action
from perdure.offline.english_words import ADV, DIET, ENDED, GAME, I_HAVE, NAMES, NOT, PERSON, PET, PLACE, ROLE, THING, V
from perdure.offline.rules import Rule, rule

ENDS: Final[tuple[Rule, ...]] = (
    rule(
        "work.employer",
        8,
        rf"\bI(?:'m| am)? no longer (?:work|working|employed) (?:at|for|by|with) {V}",
        rf"\bI {NOT} work (?:at|for|with) (?P<value>[^,;!?]+?) (?:{ENDED})",
        rf"{I_HAVE} (?:left|quit|resigned from) (?!(?:home|my|the)\b){NAMES}",
        rf"\bI (?:was|got|have been|'ve been)(?: just)? (?:laid off|fired|let go)(?: (?:from|by) {NAMES})?",
        rf"{I_HAVE} (?:quit|left|lost|resigned from) my (?:[\w-]+ )?(?:job|company|position)\b",
        rf"{I_HAVE} (?:resigned|retired)\b(?! (?:to|from)\b)",
        action=Action.END,
    ),
    rule(
        "home.city",
        8,
        rf"\b(?:I|we) no longer live in {V}",
        rf"\b(?:I|we) {NOT} live in (?P<value>[^,;!?]+?) (?:{ENDED})",
        rf"{I_HAVE} moved (?:out of|away from) {PLACE}",
        action=Action.END,
    ),
    rule(
        "pet",
        7,
        rf"\b(?:I|we) no longer (?:have|own) (?:a |an |any |my |our )?(?P<value>{PET})\b",
        rf"\b(?:I|we) {NOT} have (?:a |an |any |my |our |the )?(?P<value>{PET}) (?:{ENDED})",
        rf"\b(?:my|our) (?P<value>{PET})(?: [A-Z]\w+)?(?: has)?(?: just| sadly)? (?:died|passed away)",
        action=Action.END,
    ),
    rule(
        "possession",
        6,
        rf"{I_HAVE} (?:sold|gave away|got rid of) (?:my|our|the) (?P<value>{THING})\b",
        rf"\b(?:I|we) no longer (?:have|own|drive) (?:a |an |my |our |the )?(?P<value>{THING})\b",
        rf"\b(?:I|we) {NOT} (?:have|own|drive) (?:a |an |my |our |the )?(?P<value>{THING}) (?:{ENDED})",
        action=Action.END,
    ),
    rule(
        "health.allergy",
        9,
        rf"\bI(?:'m| am) no longer allergic to {V}",
        rf"\bI(?:'m| am) not allergic to (?P<value>[^,;!?]+?) (?:{ENDED})",
        action=Action.END,
    ),
    rule(
        "food.diet",
        9,
        rf"\bI(?:'m| am) (?:no longer|not) (?:an? )?(?P<value>{DIET})\b",
        rf"\bI(?:'ve| have)? (?:stopped|quit) being (?:an? )?(?P<value>{DIET})\b",
        action=Action.END,
    ),
    rule(
        "likes",
        6,
        rf"\bI no longer (?:like|love|enjoy|prefer) {V}",
        rf"\bI {NOT}{ADV} (?:like|love|enjoy) (?P<value>[^,;!?]+?) (?:{ENDED})",
        action=Action.END,
    ),
    rule("goal", 7, rf"\bI no longer (?:want|plan|hope) to {V}", rf"{I_HAVE} given up on {V}", action=Action.END),
    rule(
        "",
        6,
        rf"{I_HAVE} (?:stopped|quit|given up|gave up) (?:doing |playing |going |practi[sc]ing )?(?P<value>\w+"
        rf"(?:ing|s)(?: [\w ]{{1,30}})?|{GAME})",
        action=Action.END,
    ),
    rule("family.partner", 8, rf"{I_HAVE} (?:broke|broken|split) up(?: with {PERSON})?", action=Action.END),
)

PAST: Final[tuple[Rule, ...]] = (
    rule(
        "home.city",
        8,
        rf"\b(?:I|we) (?:used to|once) live[d]? in {PLACE}",
        rf"\b(?:I|we)(?: also| once)? lived in {PLACE}",
        rf"\b(?:I was|we were) (?:living|based) in {PLACE}",
        past=True,
    ),
    rule(
        "work.employer",
        8,
        rf"\bI (?:used to work|once worked|worked|was working) (?:as [^,;]*? )?(?:at|for) {V}",
        past=True,
    ),
    rule(
        "work.role",
        8,
        rf"\bI (?:used to be|was) an? (?P<value>(?:[\w-]+ ){{0,4}}?{ROLE})\b",
        rf"\bI (?:used to work|worked) as an? {V}",
        past=True,
    ),
)
