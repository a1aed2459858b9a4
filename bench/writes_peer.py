"""The rules beside an extractor of whole sentences, on the same messages: who finds what, and who says too much.

The peer is a folder with `extract_rules.py` (`extract(message)` gives kind, key, sentence and importance) and the
messages that it was made for (`heldout.py`, `llm_cases.py`: a message, the kinds expected or None, groups of keywords).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from bench.writes_cases import Case
from perdure.facts import Action
from perdure.language import detect_language
from perdure.offline.extract import RuleExtractor
from perdure.plain import Record
from perdure.text import normalise
from perdure.turn import Known, Turn

SAID_AT = datetime(2026, 10, 15, 9, tzinfo=UTC)
_CASES = {"llm_cases": ("EX_EN", "EX_KO"), "heldout": ("HO_EN", "HO_KO")}


@dataclass(frozen=True, slots=True)
class Asked:
    """A message, and the words of which a memory of it must hold one; none if nothing may be remembered."""

    text: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found(Record):
    """How an extractor fared on some messages."""

    extractor: str
    messages: str
    right: int
    """Memories that hold what the message says."""
    wrong: int
    heard: int
    """Messages of which something right was remembered."""
    saying: int
    """Messages that hold something to remember."""

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.heard / self.saying if self.saying else 1.0


async def compare(folder: Path, cases: Sequence[Case]) -> list[Found]:
    """Both extractors on the peer's messages and on ours. Raises `FileNotFoundError` if the folder is not a peer."""
    peer: Callable[[str], list[tuple[Any, ...]]] = _module(folder, "extract_rules").extract
    ours = [
        Asked(m.said, tuple(value for one in m.operations if not one.ends for value in one.values))
        for case in cases
        for m in case.messages
        if not any(one.ends or one.optional for one in m.operations)
    ]
    found = []
    for name, messages in (("the peer's", list(_messages_of(folder))), ("ours", list(dict.fromkeys(ours)))):
        theirs = [[str(memory[2]) for memory in peer(asked.text)] for asked in messages]
        rules = [await _memories(asked.text) for asked in messages]
        found += [_found("peer", name, messages, theirs), _found("perdure", name, messages, rules)]
    return found


async def _memories(text: str) -> list[str]:
    """What the rules would remember, as sentences."""
    extraction = await RuleExtractor().extract(Turn("message", text, "", SAID_AT, detect_language(text)), Known())
    return [operation.content for operation in extraction.operations if operation.action is not Action.END]


def _found(extractor: str, name: str, messages: Sequence[Asked], memories: Sequence[Sequence[str]]) -> Found:
    right = [[_holds(memory, asked.words) for memory in kept] for asked, kept in zip(messages, memories, strict=True)]
    flat = [one for kept in right for one in kept]
    saying = [any(kept) for asked, kept in zip(messages, right, strict=True) if asked.words]
    return Found(extractor, name, sum(flat), len(flat) - sum(flat), sum(saying), len(saying))


def _holds(memory: str, words: Sequence[str]) -> bool:
    return any(normalise(word) in normalise(memory) for word in words)


def _messages_of(folder: Path) -> Iterator[Asked]:
    for module, names in _CASES.items():
        for name in names:
            for text, kind, groups in getattr(_module(folder, module), name):
                yield Asked(text, tuple(word for group in groups for word in group) if kind else ())


def _module(folder: Path, name: str) -> ModuleType:
    path = folder / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"peer_{name}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError(f"{path} does not exist: give the folder of the peer's rules and messages")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
