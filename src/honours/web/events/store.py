"""Events being scored, on disk: a folder each, with the file as it came and the rulings beside it.

A file's own name is remembered and shown, never used as a path. The events of a file appear all
or not at all, so that a server killed in the middle of an upload leaves nothing half done: they are
written into one folder beside, which gets its name when all is there, and then moved out of it.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
import shutil
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from fastapi import UploadFile

from honours import clock
from honours.errors import FileProblem
from honours.files import flush, make_folder, write_whole
from honours.formats.rulings import rulings_path
from honours.model.message import Message, mark
from honours.model.rights import READ, SCORE
from honours.web.http.access import Requester
from honours.web.http.problems import InTheWay, NotThere

_ID = re.compile(r"[0-9a-f]{12}")
_MEMBERS = "members.json"
_RESULTS, _ABOUT, _SUMMARY = "results", "about.json", "summary.json"
_OF_A_VERSION = ("name", "title", "added", "digest", "index", "file")
_DAMAGED = "damaged-"
_PUBLISHED = ".published"
"""The folder that says, by address, which event is published there."""
_ADDRESS = re.compile(r"[A-Za-z0-9_-]{1,40}")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event: ``index`` is which of a file's events, ``digest`` that of the file, ``club`` whose
    it is on a server with accounts.

    ``said`` is what a person says of it that the file does not (title, date, club). ``file`` is the
    name of the file in the event's folder, ``earlier`` what it replaced, the latest last.
    ``answers`` is what was said last of how it is awarded, as an address has it, ``posted`` how its
    awards were held or posted last, ``address`` where it is published,
    ``sent`` when the file for each receiver was fetched."""

    id: str
    name: str
    title: str
    added: str
    digest: str
    index: int = 0
    club: str = ""
    said: dict[str, str] = field(default_factory=dict, hash=False)
    file: str = _RESULTS
    earlier: tuple[dict[str, Any], ...] = ()
    answers: str = ""
    posted: dict[str, Any] = field(default_factory=dict, hash=False)
    address: str = ""
    sent: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came. ``key`` is what a client calls this request, so that asking again is
    not doing again; ``club`` is said where somebody scores for several."""

    name: str
    content: bytes
    key: str = ""
    club: str = ""

    @classmethod
    def sent(cls, file: UploadFile, name: str, key: str = "", club: str = "") -> Upload:
        """The file of a form or a request; ``name`` is what to call one without a name."""
        return cls((file.filename or name)[:200], file.file.read(), key, club)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @contextmanager
    def as_file(self) -> Iterator[str]:
        """The path of a file to read it from, before anything is kept."""
        with tempfile.TemporaryDirectory(prefix="honours-") as folder:
            file = Path(folder) / "sent"  # closed: on Windows nobody reads what another has open
            file.write_bytes(self.content)
            yield str(file)


class EventStore:
    """The events in a data folder, as somebody with an account sees them; without accounts
    everything is seen."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "events"
        self.account: Requester | None = None
        self._lock = threading.Lock()
        self._about: dict[str, tuple[int, StoredEvent]] = {}

    def seen_by(self, account: Requester | None) -> EventStore:
        """The same events, with the eyes of somebody else."""
        other = copy(self)
        other.account = account
        return other

    def tidy(self) -> None:
        """Finish what a server that was killed had written whole, and take away what it had not
        finished writing or removing."""
        for whole in self.folder.glob(".whole-*"):
            self._move_out(whole)
        for path in (*self.folder.glob(".new-*"), *self.folder.glob(".gone-*")):
            shutil.rmtree(path, ignore_errors=True)

    def all(self) -> list[StoredEvent]:
        """Every event, the latest first."""
        there = sorted(path.name for path in self.folder.glob("[0-9a-f]*"))
        events = [kept for name in there if (kept := self._known(name)) and self.sees(kept)]
        return sorted(events, key=lambda kept: (kept.added, kept.index, kept.id), reverse=True)

    def get(self, event_id: str) -> StoredEvent:
        """The event of this id."""
        kept = self._known(event_id)
        if kept is None or not self.sees(kept):
            raise NotThere(mark("there is no event {name}"), name=event_id)
        return kept

    def club_of(self, event_id: str) -> str:
        """Return the club of an event."""
        return self.get(event_id).club

    def sees(self, kept: StoredEvent) -> bool:
        """Return whether the requester may see the event; one of no club is open to everybody."""
        who = self.account
        return who is None or not kept.club or who.may(READ, kept.club)

    def file(self, event_id: str) -> Path:
        """The file as it came, in its last version."""
        return self._path(event_id) / self.get(event_id).file

    def ruled_on(self, event_id: str) -> Path:
        """The path that the rulings stand beside, whichever version the file is in."""
        return self._path(event_id) / _RESULTS

    def rulings_text(self, event_id: str) -> str:
        """The rulings file's text, empty where there is none."""
        path = rulings_path(self.ruled_on(event_id))
        if not path.exists():
            return ""
        text = path.read_text(encoding="utf-8")
        if not text.strip():  # which none that was written whole is
            fault = Message("nothing: the rulings that were made on this event are lost")
            raise FileProblem(path.name, fault, "rulings; without the file there are none")
        return text

    def member_list(self, event_id: str) -> str:
        """The member list that is kept with an event, as it was written; empty without one."""
        path = self._path(event_id) / _MEMBERS
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def keep_member_list(self, event_id: str, text: str) -> None:
        """Keep a member list with an event, or none any more."""
        path = self._path(event_id) / _MEMBERS
        if text:
            write_whole(path, text.encode())
        else:
            path.unlink(missing_ok=True)

    def add(self, upload: Upload, titles: Sequence[str]) -> list[StoredEvent]:
        """Keep the events of a file; the same key and file again are the same events."""
        now, club, digest = _now(), self._club(upload), upload.digest
        kept = [
            StoredEvent(self._id(upload, i), upload.name, title, now, digest, i, club)
            for i, title in enumerate(titles)
        ]
        with self._lock:
            ids = [one.id for one in kept if self._path(one.id).exists()]
            there = {event_id: self._again(event_id, digest) for event_id in ids}
            new = [one for one in kept if one.id not in there]
            if new:
                self._write(new, upload.content)
        return [there.get(one.id, one) for one in kept]

    def put(
        self, event_id: str, upload: Upload, title: str, rulings: str | None, answers: str = ""
    ) -> None:
        """Keep an event that may change: whatever was there before is replaced, rulings only if
        some are given. Whoever has it made can make it again, should the power go in between."""
        kept = StoredEvent(
            event_id, upload.name, title, _now(), upload.digest, club=upload.club, answers=answers
        )
        if before := self._known(event_id):  # what was said of it holds
            title, given = before.said.get("title") or title, before.said
            kept = replace(
                kept,
                title=title,
                said=given,
                answers=before.answers or answers,
                posted=before.posted,
                address=before.address,
                sent=before.sent,
            )
        path = self._path(event_id)
        with self._lock:
            make_folder(path)
            write_whole(path / _RESULTS, upload.content)
            if rulings is not None:
                _write_rulings(rulings_path(path / _RESULTS), rulings)
            self._note(kept)

    def holds(self, event_id: str, upload: Upload) -> bool:
        """Return whether an event is there with this very file."""
        kept = self._known(event_id)
        if kept is None or kept.digest != upload.digest:
            return False
        return self.file(event_id).read_bytes() == upload.content

    def keep(self, kept: StoredEvent) -> StoredEvent:
        """Write what is known of an event anew."""
        with self._lock:
            self._note(kept)
        return kept

    def _note(self, kept: StoredEvent) -> None:
        """Write down what is known of an event, and where it is published."""
        if kept.address:
            make_folder(self.folder / _PUBLISHED)
            write_whole(self.folder / _PUBLISHED / kept.address, kept.id.encode())
        write_whole(self._path(kept.id) / _ABOUT, json.dumps(asdict(kept)).encode())

    def at_address(self, address: str) -> StoredEvent | None:
        """The event that is published at an address, found without looking at all others."""
        file = self.folder / _PUBLISHED / address
        if not _ADDRESS.fullmatch(address) or not file.is_file():
            return None
        kept = self._known(file.read_text(encoding="ascii"))
        return kept if kept and kept.address == address else None

    def new_version(self, event_id: str, upload: Upload, index: int, title: str) -> StoredEvent:
        """Keep another version of an event's file; the one before stays beside it. The event has
        the new one once what is known of it names that, so a killed server leaves one or other."""
        kept = self.get(event_id)
        before = {name: getattr(kept, name) for name in _OF_A_VERSION}
        file = f"{_RESULTS}.{len(kept.earlier) + 2}"
        write_whole(self._path(event_id) / file, upload.content)
        return self.keep(
            replace(
                kept,
                name=upload.name,
                title=kept.said.get("title") or title or kept.title,
                added=_now(),
                digest=upload.digest,
                index=index,
                file=file,
                earlier=(*kept.earlier, before),
            )
        )

    def version_before(self, event_id: str) -> StoredEvent:
        """Take back the last new version."""
        kept = self.get(event_id)
        *rest, last = kept.earlier
        title = kept.said.get("title") or last.get("title", kept.title)
        return self.keep(replace(kept, **{**last, "title": title}, earlier=tuple(rest)))

    def summary(self, event_id: str) -> dict[str, Any]:
        """Return what was kept to show of an event in a list; nothing where it cannot be read."""
        try:
            known: dict[str, Any] = json.loads((self._path(event_id) / _SUMMARY).read_bytes())
        except (OSError, ValueError):
            return {}
        return known

    def keep_summary(self, event_id: str, known: dict[str, Any]) -> None:
        """Keep what a list shows of an event, so that it need not be scored for it again."""
        with suppress(OSError):
            write_whole(self._path(event_id) / _SUMMARY, json.dumps(known).encode())

    def remove(self, event_id: str) -> None:
        """Take an event away, its rulings with it."""
        gone = self.folder / f".gone-{secrets.token_hex(6)}"
        with self._lock:
            self.get(event_id)
            self._path(event_id).rename(gone)
            flush(self.folder)  # or it would be there again when the power went
        shutil.rmtree(gone, ignore_errors=True)

    def _club(self, upload: Upload) -> str:
        """The club somebody scores for: the one they say, or the only one they may."""
        return self.account.club_for(SCORE, upload.club) if self.account else upload.club

    def _id(self, upload: Upload, index: int) -> str:
        """The event's id for a client's key; another client's same key is another id."""
        if not upload.key:
            return secrets.token_hex(6)
        who = self.account.name if self.account else ""
        return hashlib.sha256(f"{who}/{upload.key}/{index}".encode()).hexdigest()[:12]

    def _again(self, event_id: str, digest: str) -> StoredEvent:
        kept = self.get(event_id)
        if kept.digest != digest:
            raise InTheWay(Message("this idempotency key was used for another file"))
        return kept

    def _write(self, several: Sequence[StoredEvent], content: bytes) -> None:
        make_folder(self.folder)
        name = secrets.token_hex(6)
        beside, whole = self.folder / f".new-{name}", self.folder / f".whole-{name}"
        try:
            for kept in several:
                event = beside / kept.id
                event.mkdir(parents=True)
                write_whole(event / _RESULTS, content)
                write_whole(event / _ABOUT, json.dumps(asdict(kept)).encode())
        except OSError:  # a full disk gets its room back
            shutil.rmtree(beside, ignore_errors=True)
            raise
        flush(beside)
        beside.rename(whole)
        flush(self.folder)
        self._move_out(whole)

    def _move_out(self, whole: Path) -> None:
        for event in whole.iterdir():
            if self._path(event.name).exists():  # another process has kept the same meanwhile
                shutil.rmtree(event)
            else:
                event.rename(self._path(event.name))
        flush(self.folder)
        whole.rmdir()

    def _path(self, event_id: str) -> Path:
        if not _ID.fullmatch(event_id):
            raise NotThere(mark("there is no event {name}"), name=event_id[:40])
        return self.folder / event_id

    def _known(self, event_id: str) -> StoredEvent | None:
        """Return what is known of an event, if it is there, read again after every change."""
        path = self._path(event_id) / _ABOUT
        try:
            changed = path.stat()
        except OSError:
            self._about.pop(event_id, None)
            return None
        state = hash((changed.st_mtime_ns, changed.st_ino, changed.st_size))
        known, kept = self._about.get(event_id, (0, None))
        if kept is None or known != state:
            try:
                kept = StoredEvent(**json.loads(path.read_text(encoding="utf-8")))
                kept = replace(kept, earlier=tuple(kept.earlier))
            except (OSError, ValueError, TypeError) as error:
                self._set_aside(path.parent, error)
                return None
            self._about[event_id] = state, kept
        return kept

    def _set_aside(self, event: Path, error: Exception) -> None:
        """Set aside what was half-written when the power went, so that it takes no page down: it is
        put beside the others under a name that says so, and nothing of it is deleted."""
        aside = self.folder / f"{_DAMAGED}{event.name}"
        with suppress(OSError):  # another request may have done it already
            event.rename(aside)
            _log.warning("%s could not be read (%s) and was set aside as %s", event, error, aside)

    def damaged(self) -> list[str]:
        """The names of what was set aside."""
        return sorted(path.name for path in self.folder.glob(f"{_DAMAGED}*"))


def _write_rulings(path: Path, text: str) -> None:
    if text.strip():
        write_whole(path, text.encode())
    else:
        path.unlink(missing_ok=True)


def _now() -> str:
    return clock.now().isoformat(" ", "milliseconds")


def check_whole(path: str, name: str, digest: str) -> None:
    """Refuse a file that is not as it was sent."""
    content = Path(path).read_bytes()
    if hashlib.sha256(content).hexdigest() != digest:
        fault = Message("{size} bytes that are not those that were sent", size=len(content))
        raise FileProblem(name, fault, "the file as it came; send it again")
