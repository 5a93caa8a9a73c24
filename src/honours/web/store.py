"""Events being scored, on disk: a folder each, with the file as it came and the rulings beside it.

A file's own name is remembered and shown, never used as a path. A folder appears whole or not at
all, so that a server killed in the middle of an upload leaves nothing half done.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shutil
import threading
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from honours.formats.rulings import rulings_path
from honours.web.problems import InTheWay, NotThere

_ID = re.compile(r"[0-9a-f]{12}")
_RESULTS, _ABOUT = "results", "about.json"


@dataclass(frozen=True, slots=True)
class Kept:
    """One event: ``index`` is which of a file's events, ``digest`` that of the file."""

    id: str
    name: str
    title: str
    added: str
    digest: str
    index: int = 0


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came. ``key`` is what a client calls this request, so that asking again is
    not doing again."""

    name: str
    content: bytes
    key: str = ""

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


class Store:
    """The events in a data folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "events"
        self._lock = threading.Lock()

    def all(self) -> list[Kept]:
        """Every event, the latest first."""
        found = (self._read(path) for path in self.folder.glob(f"*/{_ABOUT}"))
        return sorted(found, key=lambda kept: (kept.added, kept.id), reverse=True)

    def get(self, event_id: str) -> Kept:
        """The event of this id."""
        path = self._path(event_id) / _ABOUT
        if not path.exists():
            raise NotThere(f"there is no event {event_id}")
        return self._read(path)

    def file(self, event_id: str) -> Path:
        """The file as it came."""
        return self._path(event_id) / _RESULTS

    def rulings_text(self, event_id: str) -> str:
        """The rulings file's text, empty where there is none."""
        path = rulings_path(self.file(event_id))
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def add(self, upload: Upload, title: str, index: int = 0) -> Kept:
        """Keep one event of a file; the same key and file again is the same event."""
        digest = upload.digest
        event_id = self._id_for(f"{upload.key}/{index}") if upload.key else secrets.token_hex(6)
        now = datetime.now(UTC).isoformat(" ", "milliseconds")
        kept = Kept(event_id, upload.name, title, now, digest, index)
        with self._lock:
            if self._path(event_id).exists():
                return self._again(event_id, digest)
            self._write(kept, upload.content)
        return kept

    def remove(self, event_id: str) -> None:
        """Take an event away, its rulings with it."""
        gone = self.folder / f".gone-{secrets.token_hex(6)}"
        with self._lock:
            self.get(event_id)
            self._path(event_id).rename(gone)
        shutil.rmtree(gone, ignore_errors=True)

    def _id_for(self, key: str) -> str:
        return hashlib.sha256(key.encode()).hexdigest()[:12]

    def _again(self, event_id: str, digest: str) -> Kept:
        kept = self.get(event_id)
        if kept.digest != digest:
            raise InTheWay("this idempotency key was used for another file")
        return kept

    def _write(self, kept: Kept, content: bytes) -> None:
        beside = self.folder / f".new-{secrets.token_hex(6)}"
        beside.mkdir(parents=True)
        (beside / _RESULTS).write_bytes(content)
        (beside / _ABOUT).write_text(json.dumps(asdict(kept)), encoding="utf-8")
        beside.rename(self._path(kept.id))

    def _path(self, event_id: str) -> Path:
        if not _ID.fullmatch(event_id):
            raise NotThere(f"there is no event {event_id[:40]!r}")
        return self.folder / event_id

    def _read(self, path: Path) -> Kept:
        return Kept(**json.loads(path.read_text(encoding="utf-8")))
