"""The lines of a file of Perdure: what begins it, what ends it, and the proof that nothing is missing in between."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from perdure.errors import InvalidInput
from perdure.moving.destination import Destination
from perdure.moving.records import Incoming, Json
from perdure.moving.untrusted import json_object, record_of
from perdure.plain import Record

FORMAT, VERSION, END = "perdure", 1, "end"


@dataclass(frozen=True, slots=True)
class Header(Record):
    format: str
    version: int
    exported_at: datetime
    tenant: str
    user: str | None


@dataclass(frozen=True, slots=True)
class End(Record):
    type: str
    counts: dict[str, int]
    sha256: str


@dataclass(slots=True)
class Tally:
    """What has been written or read so far."""

    counts: Counter[str] = field(default_factory=Counter)
    _digest: Any = field(default_factory=hashlib.sha256)

    def add(self, line: bytes, kind: str = "") -> bytes:
        self._digest.update(line)
        if kind:
            self.counts[kind] += 1
        return line

    @property
    def sha256(self) -> str:
        return str(self._digest.hexdigest())

    def end(self) -> End:
        return End(END, dict(self.counts), self.sha256)


def line_of(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@dataclass(slots=True)
class PerdureLines:
    """Reads one file, a line at a time. Refuses what does not belong in one; `finish` refuses one that has no end."""

    kinds: Mapping[str, type[Record]]
    """The types of records that are known, by name."""
    destination: Destination
    header: Header | None = None
    _tally: Tally = field(default_factory=Tally)
    _ended: bool = False
    _whole: bool = False

    @property
    def begun(self) -> bool:
        return self.header is not None

    async def records(self, line: bytes | Json) -> list[Incoming]:
        assert isinstance(line, bytes)
        if self._ended:
            raise InvalidInput("it stands behind the end of the file: two files in one are not read")
        before = self._tally.sha256
        self._tally.add(line)  # also one that is left out: it was in the file
        data = json_object(line)
        if self.header is None:
            header = _header(data)
            self.destination.check_tenant(header.tenant)
            self.header = header
            return []
        if data.get("type") == END:
            self._ended, self._whole = True, record_of(End, data).sha256 == before
            return []
        return [self._record(data.pop("type", None), data.pop("user", None), data)]

    def finish(self) -> None:
        """Raises `InvalidInput` for a file that was cut short or changed."""
        if not self._ended:
            raise InvalidInput(
                "the file has no end: it was cut short. What stood in it so far is imported; import the whole file again"
            )
        if not self._whole:
            raise InvalidInput(
                "the file is not what was exported: lines are missing or were changed. What could be used is imported"
            )

    def _record(self, kind: Any, user: Any, data: Json) -> Incoming:
        if not isinstance(kind, str) or kind not in self.kinds:
            raise InvalidInput(f"its type is none of {', '.join(self.kinds)}: a newer release may know it")
        if not isinstance(user, str):
            raise InvalidInput("it does not tell its user")
        return Incoming(kind, user, record_of(self.kinds[kind], data))


def _header(data: Json) -> Header:
    if data.get("format") != FORMAT:
        raise InvalidInput("it is no file of `perdure export`: say where it is from with --from")
    if data.get("version") != VERSION:
        raise InvalidInput(f"the file has another version than {VERSION}: import it with the release that wrote it")
    return record_of(Header, data)
