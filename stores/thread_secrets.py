"""What checkpoints must not hold: the credentials that are told in the turns which run in this process."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from perdure.redaction import secrets_of, withheld

Place = tuple[str, str]
"""A thread, and the graph or subgraph of it."""
THREADS = 1_000
"""So many threads are known at a time; of one that is forgotten, a secret is still redacted where it is called one."""


class ThreadSecrets:
    """Takes credentials out of what a thread's saver is given, and knows them again in what the turn writes later.

    The turn that runs goes on with what was said. One that is resumed has only what was saved. What was a secret in one
    turn is a word like any other in the next.
    """

    def __init__(self) -> None:
        self._told: OrderedDict[Place, Mapping[str, str]] = OrderedDict()

    def forget(self, thread: str) -> None:
        """Forget what was told on a thread that is erased."""
        for place in [place for place in self._told if place[0] == thread]:
            del self._told[place]

    def begin(self, place: Place) -> None:
        """A new turn begins."""
        self._told.pop(place, None)

    def out_of_values(self, place: Place, values: Mapping[str, Any], changed: Collection[str]) -> dict[str, Any]:
        """The values of all channels, as they may be kept. What has not changed is not saved again, unless it is text."""
        saved = {name: value for name, value in values.items() if name in changed or isinstance(value, str)}
        secrets = self._known(place, saved)
        return {**values, **{name: withheld(value, secrets) for name, value in saved.items()}}

    def out_of_writes(self, place: Place, writes: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """The writes of one node, as they may be kept."""
        secrets = self._known(place, [value for _, value in writes])
        return [(channel, withheld(value, secrets)) for channel, value in writes]

    def _known(self, place: Place, values: Any) -> Mapping[str, str]:
        """The secrets of the turn until now, with those that the values tell."""
        secrets = {**self._told.pop(place, {}), **secrets_of(values)}
        if secrets:
            self._told[place] = secrets
        if len(self._told) > THREADS:
            self._told.popitem(last=False)
        return secrets
