"""Tasks that are alike, by what was to be done: groups whose members are on average as near to each other as is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line reads the default, and `--help` must not wait for LangChain
    from perdure.ports import Vector

ALIKE = 0.7
"""Average cosine between the tasks of two groups from which on they are one. Measured (`python -m bench.task_groups`):
nearby tasks of another sort, such as a release and its rollback, are kept apart; some paraphrases are, too."""


def task_groups(vectors: Sequence[Vector], alike: float = ALIKE) -> list[list[int]]:
    """Positions of the vectors (of unit length) that belong together, in order.

    Average linkage (Sokal & Michener 1958): what belongs together does not depend on the order in which it came.
    """
    import numpy

    if not vectors:
        return []
    rows = numpy.asarray(vectors, dtype=float)
    near = rows @ rows.T
    numpy.fill_diagonal(near, -numpy.inf)
    groups: dict[int, list[int]] = {position: [position] for position in range(len(rows))}
    while len(groups) > 1:
        first, second = sorted(divmod(int(near.argmax()), len(rows)))
        if near[first, second] < alike:
            break
        sizes = len(groups[first]), len(groups[second])
        joined = numpy.average(near[[first, second]], axis=0, weights=sizes)
        near[first], near[:, first] = joined, joined
        near[second], near[:, second] = -numpy.inf, -numpy.inf
        near[first, first] = -numpy.inf
        groups[first] += groups.pop(second)
    return [sorted(group) for group in groups.values()]
