"""Terms as sparse vectors, so that one inner product tells which terms of a question a row has.

A row's vector is 1 at each of its terms. In a question's, the n-th term weighs 2^n: their inner product is a number
whose n-th bit says whether the row has the n-th term. pgvector sums in single precision, which is exact to 24 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pgvector import SparseVector

from perdure.attributes import told_names
from perdure.terms import query_terms, term_hash

DIMENSIONS = 1_000_000_000
"""The most that pgvector allows: the hash of a term is its index."""
MOST_ROW_TERMS = 16_000
"""The most elements that pgvector stores."""
MOST_TERMS = 23
"""So many distinct terms of a question are looked for: the longest, which as a rule are the rarest."""


@dataclass(frozen=True, slots=True)
class QuestionWords:
    hashes: tuple[int, ...]
    """Of the n-th term, as `terms_of` rows are hashed."""
    vector: SparseVector | None


def fact_text(content: str, value: str, attribute: str) -> str:
    """What a fact is found by: also the names of its attribute, which its sentence need not hold."""
    return f"{content} {value} {told_names(attribute) if attribute else ''}"


def row_words(hashes: Sequence[int]) -> SparseVector:
    return SparseVector(dict.fromkeys(map(_index, hashes[:MOST_ROW_TERMS]), 1.0), DIMENSIONS)


def question_words(question: str) -> QuestionWords:
    terms = sorted(dict.fromkeys(query_terms(question)), key=len, reverse=True)
    by_index = {_index(number): number for number in map(term_hash, terms[:MOST_TERMS])}
    vector = SparseVector({index: float(1 << n) for n, index in enumerate(by_index)}, DIMENSIONS)
    return QuestionWords(tuple(by_index.values()), vector if by_index else None)


def _index(term: int) -> int:
    return term % DIMENSIONS
