"""The progress of an import of files, kept beside the corpus until all files are read."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from honours.errors import InputError
from honours.lab.column_reading import NOT_SAID
from honours.lab.corpus import Corpus
from honours.lab.files.rows import Placed
from honours.lab.tables import LINES

WORK = ".import-files"
_JOB, _STATE = "job.json", "state.json"
_EPOCH = date(1970, 1, 1)


@dataclass
class KnownEvents:
    """The events imported so far, identified by who came where and on which day."""

    events: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    def before(self, mark: str, day: date | None, path: str) -> str:
        """The file that already contained the same people in the same places, on the same day or
        with either undated; if there is none, this file is recorded as the first."""
        when = day.isoformat() if day else ""
        earlier = self.events.setdefault(mark, [])
        same = [file for on, file in earlier if not when or on in ("", when)]
        if not same:
            earlier.append((when, path))
        return same[0] if same else ""

    def forget(self, path: str) -> None:
        """Forget the events of a file."""
        for earlier in self.events.values():
            earlier[:] = [one for one in earlier if one[1] != path]


def mark_of(standings: list[Placed]) -> str:
    """The key that identifies an event: who came where. Nothing if nobody is named."""
    people = [
        (line, s.place, [p.number or p.name for p in s.entrant.players]) for line, _, s in standings
    ]
    return _mark(people) if all(any(names) for _, _, names in people) else ""


def _mark(people: list[tuple[str, int, list[str]]]) -> str:
    rows = sorted((line, place, sorted(names)) for line, place, names in people)
    return hashlib.blake2b(json.dumps(rows).encode(), digest_size=16).hexdigest()


def marks_of_corpus(corpus: Corpus, path: str) -> KnownEvents:
    """The events of a corpus made from tables, to recognise those that files repeat."""
    seen, ids = KnownEvents(), corpus.member_ids()
    for shard in corpus:
        days = shard.events.get("date")
        for row in range(len(shard.ids)):
            people = []
            for k in range(int(shard.entrant_offsets[row]), int(shard.entrant_offsets[row + 1])):
                line = "" if shard.line is None else LINES.get(int(shard.line[k]), "")
                members = shard.player[shard.player_offsets[k] : shard.player_offsets[k + 1]]
                names = [ids.get(int(member), "") for member in members]
                people.append((line, int(shard.place[k]), names))
            if all(any(names) for _, _, names in people):
                known = days is not None and int(days[row]) != NOT_SAID
                day = _EPOCH + timedelta(int(days[row])) if days is not None and known else None
                seen.before(_mark(people), day, path)
    return seen


class ImportState:
    """The folder of an import that may be interrupted."""

    def __init__(self, target: Path, job: Mapping[str, Any]) -> None:
        self._folder = target / WORK
        self._target, self._job = target, json.loads(json.dumps(job))

    def begun(self) -> dict[str, Any] | None:
        """The state of the same import, if it was started before; otherwise nothing."""
        path = self._folder / _JOB
        if not path.exists():
            return None
        if json.loads(path.read_text(encoding="utf-8")) != self._job:
            raise InputError(
                "{folder}: holds another import that is not finished; "
                "take the folder away, or choose another",
                folder=str(self._target),
            )
        state = self._folder / _STATE
        done: dict[str, Any] = json.loads(state.read_text(encoding="utf-8"))
        return done

    def keep(self, done: Mapping[str, Any]) -> None:
        """Write the progress atomically."""
        self._folder.mkdir(exist_ok=True)
        part = self._folder / f"{_STATE}.part"
        part.write_text(json.dumps(done), encoding="utf-8")
        part.replace(self._folder / _STATE)
        job = self._folder / _JOB
        if not job.exists():
            job.write_text(json.dumps(self._job), encoding="utf-8")

    def finished(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
