"""Memories and questions with the geometry of real embeddings and the word frequencies of real facts.

Isotropic noise has no neighbours, and an HNSW index finds little in it: of the ten nearest of 17,000 vectors with the
defaults of pgvector .25, in as many real ones .92, in these .83; with ef_search 200 .64, .98 and .98. What is drawn here
was fitted, by hand, to centred multilingual-e5-small vectors of 1,000 facts about one person (Korean, English) and 103
questions about them. In brackets are these two, then what this file draws; similarities are cosines, medians unless said.

* two memories: mean .278, .257 [.269], deviation .086, .113 [.086]; of a memory and its nearest .634, .630 [.635], its
  tenth .492, .502 [.492], its hundredth .384, .390 [.371];
* a question and its nearest memory: .451, .427 [.465], its tenth .274, .288 [.285], any .084, .090 [.081];
* participation ratio of the covariance, (Σλ)²/Σλ²: 86.7, 72.6 [74.5]; intrinsic dimension by the estimator of Levina and
  Bickel (2004) over 20 neighbours: 20.5, 21.2 [13.1].

Words follow Zipf's law with the exponent .7, as the terms of these facts do: the commonest is in a fourth of the memories,
the tenth in 6 %, the fiftieth in 2 %; a question's terms occur in 5 % of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384
K = 10
"""Memories that are searched for."""
JUDGED = 50
"""Questions, at most, that recall is measured by: to find what is right takes long."""

FLAT = 5
"""Eigenvalues of the covariance are proportional to 1 / (i + FLAT), i from 0: a power law with a flattened head."""
COMMON = 0.27
"""Part of a memory's squared length that all memories share: what people tell about themselves is alike."""
TOPIC, TOPIC_SIZE = 0.4, 10
"""Part of the rest that the memories of a topic share, and how many these are on average."""
AIM = 0.45
"""Cosine of a question and the memory that it is about, but for what memories share; the rest is drawn like memories."""
ADDRESS = 0.16
"""How much a question has of what all memories share."""

VOCABULARY, EXPONENT = 5_000, 0.7
MEMORY_WORDS = 12
REPEATED_WORDS, OTHER_WORDS = 3, 3
"""A question repeats some words of the memory that it is about; the others are any words."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Memory:
    id: UUID
    user: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    user: str
    text: str
    vector: list[float]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Memory `i` has the vector in row `i`, of unit length. Users take turns, as they do where many talk at a time."""

    users: int
    memories: tuple[Memory, ...]
    vectors: Vectors
    questions: tuple[Question, ...]

    @property
    def judged(self) -> tuple[Question, ...]:
        """The questions that recall is measured by."""
        return self.questions[:JUDGED]

    def nearest(self, question: Question) -> list[UUID]:
        """The `K` memories of the user that are nearest to the question, by exact comparison."""
        first = next(i for i in range(self.users) if self.memories[i].user == question.user)
        similarity = self.vectors[first :: self.users] @ np.array(question.vector, np.float32)
        return [self.memories[first + int(i) * self.users].id for i in np.argsort(-similarity, kind="stable")[:K]]


def draw(users: int, memories: int, questions: int, seed: int) -> Corpus:
    """A corpus of `memories` of each user and `questions` altogether. The same arguments give the same corpus."""
    dice = np.random.default_rng(seed)
    number = users * memories
    shared = _unit(dice.standard_normal((1, DIMENSION), np.float32))
    topics = _spread(dice, max(1, number // TOPIC_SIZE))
    own = np.sqrt(np.float32(1 - TOPIC)) * _spread(dice, number)
    # Topics belong to a user: memory i is of user i % users, and so is topic t of user t % users.
    picked = dice.integers(max(1, len(topics) // users), size=number) * users + np.arange(number) % users
    own += np.sqrt(np.float32(TOPIC)) * topics[picked % len(topics)]
    words = _words(dice, number)
    return Corpus(
        users,
        tuple(
            Memory(UUID(bytes=dice.bytes(16)), f"user{i % users}", " ".join(f"word{word}" for word in row))
            for i, row in enumerate(words.tolist())
        ),
        _unit(np.sqrt(np.float32(COMMON)) * shared + np.sqrt(np.float32(1 - COMMON)) * own),
        _questions(dice, users, own, words, shared, questions),
    )


def _questions(
    dice: np.random.Generator, users: int, own: Vectors, words: NDArray[np.int64], shared: Vectors, number: int
) -> tuple[Question, ...]:
    about = dice.integers(len(own), size=number)
    rest = np.sqrt(np.float32(1 - AIM**2)) * _spread(dice, number)
    vectors = _unit(ADDRESS * shared + AIM * own[about] + rest)
    repeated = dice.permuted(words[about], axis=1)[:, :REPEATED_WORDS]
    asked = np.hstack([repeated, dice.integers(VOCABULARY, size=(number, OTHER_WORDS))])
    return tuple(
        Question(f"user{about[i] % users}", " ".join(f"word{word}" for word in asked[i]), vectors[i].tolist())
        for i in range(number)
    )


def _spread(dice: np.random.Generator, number: int) -> Vectors:
    """Vectors of expected length 1 whose covariance has the spectrum of real embeddings."""
    spectrum = 1 / (np.arange(DIMENSION) + FLAT)
    deviation = np.sqrt(spectrum / spectrum.sum()).astype(np.float32)
    vectors: Vectors = dice.standard_normal((number, DIMENSION), np.float32) * deviation
    return vectors


def _words(dice: np.random.Generator, number: int) -> NDArray[np.int64]:
    frequency = np.arange(1.0, VOCABULARY + 1) ** -EXPONENT
    return dice.choice(VOCABULARY, size=(number, MEMORY_WORDS), p=frequency / frequency.sum())


def _unit(vectors: Vectors) -> Vectors:
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
