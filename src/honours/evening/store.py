"""Evenings on disk: one folder each, with a journal and the secret from which codes are made."""

from __future__ import annotations

import logging
import os
import re
import secrets
import shutil
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from honours import clock
from honours.errors import FileProblem, InputError, WrongValue
from honours.evening import acts, codes
from honours.evening.evening import Evening
from honours.evening.journal import EveningJournal, begin
from honours.evening.plan import EveningPlan
from honours.files import flush, make_folder, write_whole

_ID = re.compile(r"[0-9a-f]{12}")
_JOURNAL, _SECRET, _FILE = "journal.jsonl", "secret", "file"
_SECRET_BYTES = 32
LONGEST_KEY = 100
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ActOutcome:
    """The evening after an act, and the act's number; ``again`` if it had been done before."""

    evening: Evening
    number: int
    again: bool = False


@dataclass(slots=True)
class _Wanted:
    """An act that somebody waits for: what came of it, or why it was not done."""

    act: dict[str, Any]
    outcome: ActOutcome | None = None
    error: Exception | None = None


class KeptEvening:
    """One stored evening: every act is on disk before anybody is told about it. Acts that come at
    the same moment are written together, by whoever is first."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.id = folder, folder.name
        self._journal = EveningJournal(folder / _JOURNAL)
        self._lock = threading.Lock()
        self._waiting: deque[_Wanted] = deque()
        self._evening: Evening | None = None
        self.secret = (folder / _SECRET).read_bytes()

    def now(self) -> Evening:
        """The evening as it stands."""
        with self._lock:
            return self._caught_up(self._journal.new_acts())

    def _caught_up(self, added: list[acts.Act] | list[dict[str, Any]]) -> Evening:
        evening = self._evening
        for act in added:
            evening = (
                acts.evening_after(evening, act) if evening else acts.begun_evening(self.id, act)
            )
        if evening is None:
            raise FileProblem(self._journal.path, "nothing", "a journal")
        self._evening = evening
        return evening

    def do(
        self, kind: str, by: str, key: str = "", content: Mapping[str, Any] | None = None
    ) -> ActOutcome:
        """Do something once: a repeated key means the same act."""
        if len(key) > LONGEST_KEY:
            raise WrongValue("key", "", "longer than {most} characters", most=LONGEST_KEY)
        own = {"key": key} if key else {}
        wanted = _Wanted({"kind": kind, "at": "", "by": by, **own, **(content or {})})
        self._waiting.append(wanted)
        with self._lock:
            if wanted.outcome is None and wanted.error is None:
                self._do_waiting()
        if wanted.error is not None:
            raise wanted.error
        assert wanted.outcome is not None
        return wanted.outcome

    def _do_waiting(self) -> None:
        several = [self._waiting.popleft() for _ in range(len(self._waiting))]
        try:
            with self._journal.writing() as writing:
                evening = self._caught_up(writing.new_acts())
                done = []
                for one in several:
                    try:
                        one.act["at"] = _now()
                        before = acts.done_before(evening, one.act) if "key" in one.act else 0
                        if before:
                            one.outcome = ActOutcome(evening, before, again=True)
                            continue
                        acts.check(evening, one.act)
                        evening = acts.evening_after(evening, one.act)
                        one.outcome = ActOutcome(evening, evening.number)
                        done.append(one.act)
                    except Exception as error:
                        one.error = error
                writing.append(done)
                self._evening = evening
        except Exception as error:
            for one in several:
                one.error = error

    # --- codes and the watched file -----------------------------------------------------------

    def code(self, table: int) -> str:
        """The code of a table, or of the big screen."""
        return codes.code(self.secret, self.id, table, self.now().generation)

    def opens(self, named: codes.CodeClaim) -> bool:
        """Return whether a code belongs to this evening and is still valid."""
        evening = self.now()
        known = named.table == codes.SCREEN or named.table in evening.tables
        return known and codes.is_true(named, self.secret, evening.generation)

    @property
    def file(self) -> Path:
        """The file of a watched evening, as last received."""
        return self.folder / _FILE

    def keep_file(self, content: bytes) -> None:
        write_whole(self.file, content)


def _now() -> str:
    return clock.now().isoformat(timespec="milliseconds")


class Evenings:
    """All evenings of a data folder."""

    def __init__(self, data: Path) -> None:
        self.folder = data / "evenings"
        self._kept: dict[str, KeptEvening] = {}
        self._lock = threading.Lock()

    def begin(self, plan: EveningPlan, by: str, key: str = "") -> KeptEvening:
        """Start a new evening; it is created whole, or not at all."""
        make_folder(self.folder)
        own = sha256(f"{by}/{key}".encode()).hexdigest()[:12]
        evening_id = own if key else secrets.token_hex(6)
        with self._lock:
            if (self.folder / evening_id).exists():
                return self._open(evening_id)
            beside = self.folder / f".new-{secrets.token_hex(6)}"
            beside.mkdir()
            write_whole(beside / _SECRET, secrets.token_bytes(_SECRET_BYTES))
            (beside / _SECRET).chmod(0o600)
            first = {"kind": "set-up", "at": _now(), "by": by, "plan": asdict(plan)}
            begin(beside / _JOURNAL, first)
            flush(beside)
            os.rename(beside, self.folder / evening_id)
            flush(self.folder)
            return self._open(evening_id)

    def tidy(self) -> None:
        """Remove unfinished evenings left by a server that was killed."""
        for path in self.folder.glob(".new-*"):
            shutil.rmtree(path, ignore_errors=True)

    def get(self, evening_id: str) -> KeptEvening | None:
        """The evening with this id, if there is one."""
        if not _ID.fullmatch(evening_id):
            return None
        with self._lock:
            if not (self.folder / evening_id / _JOURNAL).exists():
                self._kept.pop(evening_id, None)
                return None
            return self._open(evening_id)

    def _open(self, evening_id: str) -> KeptEvening:
        if evening_id not in self._kept:
            self._kept[evening_id] = KeptEvening(self.folder / evening_id)
        return self._kept[evening_id]

    def all(self) -> list[KeptEvening]:
        """Every evening; one whose journal is damaged is left out and logged."""
        evenings = []
        for path in sorted(self.folder.glob("[0-9a-f]*")):
            kept = self.get(path.name)
            try:
                if kept is not None:
                    kept.now()
                    evenings.append(kept)
            except InputError as error:
                _log.warning("%s cannot be read: %s", path, error)
        return evenings

    def opened_by(self, code: str) -> tuple[KeptEvening, int] | None:
        """The evening and table that a code opens, if it is valid."""
        named = codes.claim_of(code)
        kept = self.get(named.evening) if named else None
        if named is None or kept is None or not kept.opens(named):
            return None
        return kept, named.table
