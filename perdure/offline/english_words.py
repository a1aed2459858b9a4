"""The English words and phrases that the rules are built from. Occupations, illnesses and the like are closed lists."""

from __future__ import annotations

from typing import Final

RELATIVE: Final = (
    r"(?:wife|husband|partner|spouse|girlfriend|boyfriend|fianc[eé]e?|son|daughter|kid|child|baby|mother|father"
    r"|mom|mum|dad"
    r"|parent|brother|sister|sibling|twin|friend|dog|cat|puppy|kitten|hamster|rabbit|parrot|pet)"
)
OTHERS: Final = (
    rf"(?:{RELATIVE}|parents|kids|children|boss|manager|roommate|flatmate|colleague|coworker|grand\w+|uncle|aunt|cousin"
    r"|neighbou?r)"
)
PET: Final = (
    r"(?:dog|cat|puppy|kitten|hamster|rabbit|parrot|goldfish|turtle|pet|retriever|poodle|terrier|labrador|bulldog|corgi"
    r"|beagle|husky|shepherd|dachshund|tabby)s?"
)
ROLE: Final = (
    r"(?:engineer|developer|programmer|nurse|doctor|physician|surgeon|dentist|pharmacist|teacher|professor"
    r"|lecturer|tutor"
    r"|student|designer|architect|lawyer|attorney|chef|cook|baker|barista|waiter|waitress|analyst|manager|director"
    r"|writer"
    r"|author|editor|journalist|scientist|researcher|accountant|auditor|banker|driver|pilot|artist|musician|actor"
    r"|actress"
    r"|photographer|founder|ceo|cto|cfo|consultant|freelancer|entrepreneur|librarian|electrician|plumber|carpenter"
    r"|mechanic"
    r"|farmer|therapist|psychologist|translator|interpreter|recruiter|salesperson|marketer|secretary|assistant|officer"
    r"|firefighter|soldier|paramedic|veterinarian|economist|statistician|biologist|chemist|physicist|intern|lead|head)"
)
FIELD: Final = (
    r"(?:analysis|analytics|engineering|design|marketing|teaching|nursing|development|research"
    r"|consulting|sales|finance|law)"
)
CONDITION: Final = (
    r"(?:type [12] diabetes|diabetes|asthma|(?:chronic )?migraines?|arthritis|hypertension|high blood pressure"
    r"|low blood pressure"
    r"|epilepsy|eczema|an(?:a)?emia|insomnia|adhd|depression|anxiety|c(?:o)?eliac disease|ibs|gout|psoriasis|glaucoma"
    r"|hypothyroidism|lupus|heart disease|(?:chronic )?back pain|tinnitus|lactose intolerance)"
)
STATE: Final = (
    r"(?:diabetic|asthmatic|epileptic|lactose[- ]intolerant|c(?:o)?eliac|gluten[- ]intolerant|colou?r[- ]?blind)"
)
DIET: Final = r"(?:vegan|vegetarian|pescatarian|flexitarian|keto|paleo|halal|kosher|gluten-free|low-carb|dairy-free)"
THING: Final = (
    r"(?:[\w-]+ ){0,3}?(?:car|house|apartment|flat|condo|motorcycle|motorbike|bike|bicycle|boat|piano|guitar|tesla"
    r"|truck|van"
    r"|scooter|camera)"
)
RIDE: Final = r"(?:subway|metro|underground|bus|train|tram|bike|bicycle|car|ferry|scooter|taxi|motorcycle)"
GAME: Final = (
    r"(?:tennis|golf|football|soccer|basketball|baseball|badminton|chess|(?:the )?(?:guitar|piano|violin|drums"
    r"|cello|flute)"
    r"|video games|board games|squash|rugby|hockey|volleyball)"
)
TONGUE: Final = (
    r"(?:English|Korean|Japanese|Chinese|Mandarin|Cantonese|French|German|Spanish|Portuguese|Italian|Russian"
    r"|Arabic|Hindi"
    r"|Vietnamese|Thai|Indonesian|Turkish|Dutch|Polish|Swedish)"
)
NOT_A_NAME: Final = (
    r"(?:Sorry|Happy|Sure|Fine|Here|Not|Back|Tired|Vegan|Vegetarian|Christian|Muslim|Jewish|Buddhist|Catholic"
    r"|Hindu|American"
    r"|British|Canadian|Australian|Indian|Brazilian|Mexican|Danish|Finnish|Irish|Scottish|Ukrainian|Norwegian"
    rf"|{TONGUE})"
)

ADV: Final = (
    r"(?:,? (?:now|just|recently|currently|finally|also|actually|still|already|really|mostly|usually|absolutely"
    r"|honestly"
    r"|both|only|totally|truly|officially|originally|simply|do|particularly|especially|mainly|newly|always))*"
)
I: Final = rf"\b(?:I|we){ADV}"
AM: Final = rf"\b(?:I(?:'m| am)|we(?:'re| are)){ADV}"
HAVE: Final = rf"\b(?:I|we)(?:'ve| have){ADV}"
I_HAVE: Final = rf"\b(?:I|we)(?:'ve| have)?{ADV}"
NOT: Final = r"(?:don't|do not|can't|cannot|can not|won't|never)"
# The words of a value: up to the end of the clause, a list with commas, capitalised names, one name, a place.
V: Final = r"(?P<value>[^,;!?()]+)"
LIST: Final = r"(?P<value>[^;!?()]+)"
NAMES: Final = r"(?P<value>(?-i:[A-Z\uac00-\ud7a3])[\w'&.-]*(?: (?-i:[A-Z&])[\w'&.-]*){0,4})"
PERSON: Final = r"(?P<value>(?-i:[A-Z\uac00-\ud7a3])[\w'-]+)"
PLACE: Final = rf"(?!(?:a|an|my|our|his|her|their|this|that|another|with|there|here|it|on|together|alone)\b){V}"
THING_SAID: Final = (
    rf"(?!(?:it|that|this|these|those|them|him|her|you|your|my \w+$|how|what|when|where|why|to|if|one)\b){V}"
)
ENDED: Final = r"any ?more\b|any longer\b"
RELATION: Final = rf"(?P<relation>{RELATIVE})"
CALLED: Final = r"(?:named|called|whose name is)"
