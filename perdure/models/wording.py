"""What a model words itself, held against the user's words: the value must be theirs, the sentence may say no more."""

from __future__ import annotations

from perdure.attributes import Vocabulary
from perdure.coverage import Source, words_of
from perdure.errors import InvalidInput
from perdure.models.denial import all_deny, denies
from perdure.models.evidence import Passage
from perdure.models.fitting import fits
from perdure.models.implied import implying
from perdure.models.topics import FRAME, frame_of
from perdure.text import CONTENT_LIMIT
from perdure.words import saying


def check_value(value: str, attribute: str, passage: Passage, said: Source, vocabulary: Vocabulary) -> None:
    """Raises `InvalidInput` for a value that the words do not bear out, that they deny, or that is of another sort."""
    around = passage.surroundings
    borne_out = said.bears_out(value) or _adds_only_frame(value, attribute, said, vocabulary)
    if not (words := value if borne_out else implying(around, attribute, value, vocabulary)):
        raise InvalidInput("a value that the user did not say")
    if denies(passage.spoken, attribute, words):
        raise InvalidInput("the opposite of what the user said")
    if not fits(attribute, value, around):
        raise InvalidInput("a value that does not fit the attribute")


def sentence_of(
    content: str, value: str, attribute: str, passage: Passage, said: Source, vocabulary: Vocabulary, *before: Source
) -> str:
    """The model's sentence, or the user's own where the model's says more than the words do, or the opposite.

    ``before`` is what a memory said that it changes.
    """
    frames = [FRAME, frame_of(attribute, vocabulary), *before]
    if value:
        frames.append(Source(value))  # it was checked: a value that is only implied may be named
    added = not said.adds_nothing(content, *frames)
    denied = saying(content).denied
    opposite = all_deny(passage.spoken) if not denied else not saying(passage.surroundings).denied
    return passage.surroundings[:CONTENT_LIMIT] if added or opposite else content


def _adds_only_frame(value: str, attribute: str, said: Source, vocabulary: Vocabulary) -> bool:
    """Whether what was not said of the value is how such things are put: "eats meat" where meat was spoken of."""
    missing = [word for word in words_of(value) if not said.holds(word)]
    frame = frame_of(attribute, vocabulary) if attribute else FRAME
    return said.shares(value) and all(frame.holds(word) and word.islower() for word in missing)
