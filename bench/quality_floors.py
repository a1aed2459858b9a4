"""The floors, without a database: plain BM25, exact vectors, and reciprocal rank fusion of both."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

import numpy

from bench.cached_vectors import CachedVectors
from bench.rankers import Found, Memory, Question, Ranking

_RUN = re.compile(r"[가-힣]+|[^\W가-힣]+")
K1, B = 1.2, 0.75
FUSED = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke & Büttcher 2009)."""


def words(text: str) -> list[str]:
    """Plain lower-case words; of Hangul, which attaches its particles, the character bigrams."""
    runs = _RUN.findall(text.lower())
    return [word for run in runs for word in ([run] if run[0] < "가" or run[0] > "힣" else _bigrams(run))]


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(max(1, len(run) - 1))]


class Floor:
    """What the floors share: whose memories a question may see. Terms they do not know, but what was said by when."""

    def __init__(self) -> None:
        self._by_user: dict[str, list[Memory]] = {}

    async def load(self, memories: Sequence[Memory], tick: Callable[[int], object]) -> None:
        by_user = defaultdict(list)
        for memory in memories:
            by_user[memory.user].append(memory)
        self._by_user = dict(by_user)
        self._index()
        tick(len(memories))

    async def rank(self, question: Question, k: int) -> Ranking:
        memories = self._by_user.get(question.user, [])
        seen = {"", *question.agents}
        scored = [
            Found(memories[place].id, score)
            for place, score in self._scores(question)
            if memories[place].agent in seen and (not question.as_of or memories[place].at <= question.as_of)
        ]
        return sorted(scored, key=lambda found: -found.relevance)[:k]

    def _index(self) -> None:
        raise NotImplementedError

    def _scores(self, question: Question) -> Iterable[tuple[int, float]]:
        """By the place of a memory among the user's; those that are missing did not match."""
        raise NotImplementedError


class Words(Floor):
    """BM25 (Robertson & Zaragoza 2009) over each user's memories."""

    name = "BM25"

    def _index(self) -> None:
        self._postings: dict[str, dict[str, list[tuple[int, float]]]] = {}
        for user, memories in self._by_user.items():
            counted = [Counter(words(memory.text)) for memory in memories]
            usual = sum(count.total() for count in counted) / len(counted)
            postings = self._postings[user] = defaultdict(list)
            for place, count in enumerate(counted):
                norm = K1 * (1 - B + B * count.total() / usual)
                for word, times in count.items():
                    postings[word].append((place, times * (K1 + 1) / (times + norm)))

    def _scores(self, question: Question) -> Iterable[tuple[int, float]]:
        postings, count = self._postings.get(question.user, {}), len(self._by_user.get(question.user, []))
        scores: dict[int, float] = defaultdict(float)
        for word in set(words(question.text)):
            matched = postings.get(word, [])
            rarity = math.log(1 + (count - len(matched) + 0.5) / (len(matched) + 0.5))
            for place, weight in matched:
                scores[place] += rarity * weight
        return scores.items()


class Vectors(Floor):
    """The cosine of every memory, exactly."""

    name = "vectors"

    def __init__(self, vectors: CachedVectors) -> None:
        super().__init__()
        self._vectors = vectors

    def _index(self) -> None:
        self._rows = {
            user: numpy.stack([self._vectors.document(memory.text) for memory in memories])
            for user, memories in self._by_user.items()
        }

    def _scores(self, question: Question) -> Iterable[tuple[int, float]]:
        if question.user not in self._rows:
            return []
        return enumerate((self._rows[question.user] @ self._vectors.query(question.text)).tolist())


class Fused(Floor):
    """Reciprocal rank fusion of the two."""

    name = "RRF"

    def __init__(self, vectors: CachedVectors) -> None:
        super().__init__()
        self._legs = (Words(), Vectors(vectors))

    def _index(self) -> None:
        for leg in self._legs:
            leg._by_user = self._by_user
            leg._index()

    def _scores(self, question: Question) -> Iterable[tuple[int, float]]:
        scores: dict[int, float] = defaultdict(float)
        for leg in self._legs:
            ordered = sorted(leg._scores(question), key=lambda scored: -scored[1])
            for rank, (place, _) in enumerate(ordered, 1):
                scores[place] += 1 / (FUSED + rank)
        return scores.items()
