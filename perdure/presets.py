"""How memories are ranked: named sets of weights.

The score of a memory is the sum of its legs, each in about 0..1 and weighed. The first two, what is meant and which
words are used, are its *relevance*: an absolute measure that does not depend on what else is stored, so that a threshold
can mean something. The constants are those that the development halves of the benchmarks prefer (`python -m
bench.quality`); no language wanted other ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from perdure.episodes import EpisodeKind
from perdure.errors import InvalidInput

Fusion = Literal["absolute", "minmax", "ranks"]


@dataclass(frozen=True, slots=True)
class Preset:
    name: str
    fusion: Fusion = "absolute"
    """How cosine and coverage become one: as they are; each scaled to the least and greatest of the scope; or as
    reciprocal ranks (Cormack, Clarke & Büttcher 2009, k = 60)."""
    weight: float = 1.0
    """Of the relevance."""
    lexical: float = 1 / 3
    """Share of the words in the relevance of a fact; the rest is the vector's."""
    lexical_exchange: float = 1 / 2
    """The same of an episode: it is longer, so that it says more when it has the words of the question."""
    nearby: float = 0.25
    """Part of each neighbour's relevance that an exchange gets, and half of it of those beyond."""
    asked: float = 0.4
    """For a fact of an attribute that the question is about, and for what was said at a time that is all it asks about."""
    named: float = 0.3
    """For what the one says, or is said of the one, whom the question names."""
    period: float = 0.2
    """For a fact that held, and an episode that was, in the time that the question speaks of."""
    importance: float = 0.02
    recency: float = 0.02
    hourly: float = 0.999
    """What an hour leaves of the recency of what fades; profile, preferences, policies and what is very important do not."""
    corroboration: float = 0.01
    """For what was said more than once."""
    outcome: float = 0.15
    """For a task that went well, and for a lesson: talk of the same task is more like the question than they are."""
    diversity: float = 0.0
    """What is lost by a memory as like a better one as can be (Carbonell & Goldstein 1998, for the best alone)."""
    threshold: float = 0.24
    """Least relevance of the most relevant: below it, nothing is found. A fact of an attribute that is asked about is."""
    floor: float = 0.2
    """Least relevance of any."""
    tail: float = 0.4
    """Least share of the best one's score, of facts: what is far behind is about something else."""
    facts: bool = True
    kinds: tuple[EpisodeKind, ...] = ()
    """Kinds of episodes that are ranked; empty for all."""

    @property
    def by_vector_alone(self) -> bool:
        return self == vector_alone(self.name)


def vector_alone(name: str) -> Preset:
    """Nothing but the cosine."""
    return Preset(
        name,
        lexical=0.0,
        lexical_exchange=0.0,
        nearby=0.0,
        asked=0.0,
        named=0.0,
        period=0.0,
        importance=0.0,
        recency=0.0,
        corroboration=0.0,
        outcome=0.0,
        threshold=0.0,
        floor=0.0,
        tail=0.0,
    )


PRESETS = {
    preset.name: preset
    for preset in (
        # What is asked about, whatever its age; the newer, or the more important, the better.
        Preset("balanced"),
        Preset("recent", recency=0.3, hourly=0.995),
        Preset("important", importance=0.3),
        # What was said, word for word; and tasks like this one, those that went well first.
        Preset("verbatim", facts=False, kinds=("exchange",)),
        Preset("strategies", outcome=0.3, diversity=0.1, facts=False, kinds=("task",)),
        # Park et al. 2023, "Generative Agents": relevance, importance and recency, each scaled to 0..1.
        Preset("generative", fusion="minmax", weight=0.4, asked=0.0, named=0.0, period=0.0, importance=0.3, recency=0.3, hourly=0.995, corroboration=0.0, outcome=0.0),
        # What is meant, whatever the words.
        vector_alone("vector"),
    )
}  # fmt: skip


def preset_of(name: str) -> Preset:
    """Raises `InvalidInput` for a name that is none."""
    if name not in PRESETS:
        raise InvalidInput(f"{name[:40]!r} is no preset of ranking: choose one of {', '.join(PRESETS)}")
    return PRESETS[name]
