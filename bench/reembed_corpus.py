"""Memories of one large user and of many others, and for each question what is nearest to it in two models."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import numpy as np

from bench.hash_embeddings import Rows, embedded
from bench.speed_fill import fill, stage
from bench.synthetic import EXPONENT, MEMORY_WORDS, REPEATED_WORDS, VOCABULARY, Corpus, K, Memory
from perdure.stores.large_users import index_large_users
from perdure.stores.migrations import migrate
from perdure.stores.pool import connect, without_limit
from perdure.time import SystemClock

OTHERS = 1_000
"""Memories of each user but the large one, who has indexes."""
QUESTIONS = 300
TIE = 1e-4
"""Similarities that differ by less are equal: vectors are stored in single precision."""


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    dimensions: int

    @property
    def identity(self) -> str:
        return f"{self.name}/{self.dimensions}"

    def vectors(self, texts: list[str]) -> Rows:
        return embedded(self.name, self.dimensions, texts)


@dataclass(frozen=True, slots=True)
class Asked:
    user: str
    text: str
    similar: tuple[dict[str, float], ...]
    """For each model, by text: how similar the memories are that are among the nearest ten, ties included."""

    def recall(self, found: list[str]) -> float:
        """The part of the ten that was found, of the model in which it is more: that which answered."""
        return max(len(nearest.keys() & found) for nearest in self.similar) / K


def draw_memories(number: int, large: int, seed: int) -> list[Memory]:
    """All texts differ."""
    dice = np.random.default_rng(seed)
    frequency = np.arange(1.0, VOCABULARY + 1) ** -EXPONENT
    frequency /= frequency.sum()
    texts = dict[str, None]()
    while len(texts) < number:
        for row in dice.choice(VOCABULARY, size=(number - len(texts), MEMORY_WORDS), p=frequency).tolist():
            texts[" ".join(f"word{word}" for word in row)] = None
    return [
        Memory(UUID(bytes=dice.bytes(16)), "large" if place < large else f"user{(place - large) // OTHERS}", text)
        for place, text in enumerate(texts)
    ]


def draw_questions(memories: list[Memory], models: tuple[Model, ...], seed: int) -> list[Asked]:
    """Half of them of the large user."""
    dice = np.random.default_rng(seed)
    by_user: dict[str, list[str]] = {}
    for memory in memories:
        by_user.setdefault(memory.user, []).append(memory.text)
    users = ["large", *sorted(by_user.keys() - {"large"})]
    matrices = {user: [model.vectors(texts) for model in models] for user, texts in by_user.items()}
    asked = []
    for number in range(QUESTIONS):
        user = "large" if number % 2 or len(users) == 1 else users[1 + number // 2 % (len(users) - 1)]
        about = by_user[user][int(dice.integers(len(by_user[user])))].split()[:REPEATED_WORDS]
        text = " ".join([*about, *(f"word{word}" for word in dice.integers(VOCABULARY, size=REPEATED_WORDS))])
        nearest = tuple(
            _nearest(by_user[user], rows, model.vectors([text])[0])
            for model, rows in zip(models, matrices[user], strict=True)
        )
        asked.append(Asked(user, text, nearest))
    return asked


def _nearest(texts: list[str], rows: Rows, question: Rows) -> dict[str, float]:
    similarity = rows @ question
    least = np.sort(similarity)[-K] - TIE
    return {texts[place]: float(similarity[place]) for place in np.flatnonzero(similarity >= least)}


async def store_memories(dsn: str, memories: list[Memory], model: Model, large: int) -> None:
    """As writes leave them: statements, facts, and the vectors of their texts; and the index of the large user."""
    await migrate(dsn, model.identity, model.dimensions)
    vectors = model.vectors([memory.text for memory in memories])
    await stage(dsn, Corpus(len(memories), tuple(memories), vectors, ()))
    await fill(dsn, "facts")
    async with await connect(dsn) as connection, without_limit(connection):
        await connection.execute(
            "insert into perdure.statements (tenant, user_id, agent, id, slot, action, subject, attribute, cardinality,"
            " value, content, kind, importance, confidence, trust, valid_from, dated, recorded_at, ordinal, targets, thread,"
            " message, author, evidence) select tenant, user_id, agent, id, slot, 'assert', subject, attribute, cardinality,"
            " value, content, kind, importance, confidence, trust, valid_from, dated, known_from, 0, '{}', thread, message,"
            " 'user', '' from perdure.facts"
        )
        await connection.execute(
            "insert into perdure.embeddings (tenant, user_id, model, text_hash, embedding)"
            " select tenant, user_id, (select model from perdure.embedder), sha256(convert_to(content, 'UTF8')), embedding"
            " from perdure.facts"
        )
        await connection.execute("drop table memories")
        await connection.execute("vacuum analyze")
        async for _ in index_large_users(connection, SystemClock(), least=large):
            pass
