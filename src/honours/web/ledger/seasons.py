"""The club's year as the pages keep it: a season's text, and the stored events it counts.

A season file names files; here a name stands for the stored event that came in a file of that
name, so that nothing a season says ever leads to a file of this machine.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from starlette.requests import Request

from honours import clock
from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError
from honours.files import make_folder, toml_of, write_whole
from honours.ledger.season import awards as seasonal
from honours.ledger.season.awards import SeasonAward
from honours.ledger.season.plan import Competition, Season, season_of
from honours.ledger.season.standings import SeasonStandings
from honours.ledger.store import Ledger
from honours.model.message import Message, mark
from honours.pipeline import Report
from honours.processes.threads import begin, side_by_side
from honours.web.events.choices import ScoringChoices
from honours.web.events.service import EventService
from honours.web.events.store import StoredEvent, Upload
from honours.web.http.forms import whole_in
from honours.web.http.problems import NotThere
from honours.web.settings import Settings

_ID = re.compile(r"[0-9a-f]{12}")
_FOLDER = re.compile(r'folder\s*=\s*"[^"\n]*"')
_NOWHERE = Path("events")
"""Where the files of a season seem to be: it is never opened."""
_LONGEST = 100_000
_log = logging.getLogger(__name__)
_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class StoredSeason:
    """A season's text, what it is called, and the ids of the events that came with it.

    ``series`` says of a competition (by its title) which events join it by themselves, ``without``
    which of those were left out."""

    id: str
    title: str
    text: str
    added: str
    events: tuple[str, ...] = ()
    series: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    published: bool = False
    """Whether it is on the club's public page."""

    @property
    def season(self) -> Season:
        """The season its text describes."""
        return season_of(self.text, self.title, _NOWHERE)


@dataclass
class SeasonReading:
    """Events being read, each by a process of its own: how far that is. What was read is
    remembered by the event service, so that a page does not wait for it. ``club`` is whose season
    it is."""

    total: int
    club: str
    done: int = 0
    state: str = "running"
    error: str = ""

    def run(self, read: Callable[[Any], Any], what: Sequence[Any]) -> list[Any]:
        """Read everything, a few at a time."""
        reports = []
        try:
            for one in side_by_side(read, what, _AT_ONCE):
                reports.append(one)
                self.done += 1
        except HonoursError as error:
            self.state, self.error = "failed", error.message
        return reports


class Seasons:
    """The seasons in a data folder."""

    def __init__(self, settings: Settings) -> None:
        self.folder = settings.data / "seasons"
        self._making: dict[str, SeasonReading] = {}
        self._at_hand: set[StoredSeason] = set()

    def all(self) -> list[StoredSeason]:
        """Every season, the latest first."""
        seasons = (self._whole(path) for path in self.folder.glob("*.json"))
        return sorted(filter(None, seasons), key=lambda kept: (kept.added, kept.id), reverse=True)

    def get(self, season_id: str) -> StoredSeason:
        """The season of this id."""
        path = self._path(season_id)
        kept = self._whole(path) if path.exists() else None
        if kept is None:
            raise NotThere(mark("there is no season {name}"), name=season_id)
        return kept

    def club_of(self, season_id: str) -> str:
        """Return the club of a season, also while its events are being read."""
        reading = self._making.get(season_id)
        return reading.club if reading else self.get(season_id).season.club

    def making(self, season_id: str, service: EventService) -> SeasonReading | None:
        """Return the reading of a season's events, begun if need be; nothing once they are read."""
        reading = self._making.get(season_id)
        if reading is not None and reading.state != "done":
            return reading
        kept = self.get(season_id)
        if kept in self._at_hand:
            return None
        known = [one.id for one in service.store.all() if one.id in kept.events]
        if not known:
            return None

        def read(reading: SeasonReading) -> None:
            reading.run(service.open, known)
            self._at_hand.add(kept)

        return self._begin(season_id, SeasonReading(len(known), kept.season.club), read)

    def _begin(
        self, season_id: str, reading: SeasonReading, read: Callable[[SeasonReading], None]
    ) -> SeasonReading:
        self._making[season_id] = reading

        def work() -> None:
            read(reading)
            if reading.state == "running":
                reading.state = "done"

        begin(work, name="season")
        return reading

    def add(self, title: str, text: str, uploads: Sequence[Upload], service: EventService) -> str:
        """Keep a season once its events are stored, which takes a while; its id."""
        names = [upload.name for upload in uploads]
        listed = f"files = {json.dumps(sorted(names), ensure_ascii=False)}"
        content = _FOLDER.sub(lambda _: listed, text) if names else text
        _check(content, title)
        season_id = secrets.token_hex(6)

        def read(reading: SeasonReading) -> None:
            added = reading.run(service.add, uploads)
            if reading.state == "running":
                ids = tuple(kept.id for several in added for kept in several)
                kept = StoredSeason(season_id, title, content, _now(), ids)
                self._at_hand.add(kept)
                self._write(kept)

        if not uploads:
            self._write(StoredSeason(season_id, title, content, _now()))
        else:
            self._begin(season_id, SeasonReading(len(uploads), club_in(content)), read)
        return season_id

    def change(self, season_id: str, text: str) -> None:
        """Another text for a season."""
        kept = self.get(season_id)
        _check(text, kept.title)
        self._keep(kept, replace(kept, text=text))
        self._making.pop(season_id, None)

    def join(self, season_id: str, competition: str, pattern: str) -> None:
        """From now on, events of a series join a competition by themselves; none without one."""
        kept = self.get(season_id)
        others = tuple(one for one in kept.series if one[0] != competition)
        chosen = ((competition, pattern),) if pattern else ()
        self._keep(kept, replace(kept, series=(*others, *chosen)))

    def leave_out(self, season_id: str, event: str, out: bool = True) -> None:
        """An event of a series that is not to join, or may again."""
        kept = self.get(season_id)
        others = tuple(one for one in kept.without if one != event)
        self._keep(kept, replace(kept, without=(*others, *((event,) if out else ()))))

    def _keep(self, kept: StoredSeason, changed: StoredSeason) -> None:
        self._write(changed)
        if kept in self._at_hand:  # its events were read already
            self._at_hand.add(changed)

    def show(self, season_id: str) -> None:
        """Show a season on the public page, or no longer."""
        kept = self.get(season_id)
        self._keep(kept, replace(kept, published=not kept.published))

    def remove(self, season_id: str) -> None:
        """Take a season away; its events stay."""
        self.get(season_id)
        self._path(season_id).unlink()

    def _path(self, season_id: str) -> Path:
        if not _ID.fullmatch(season_id):
            raise NotThere(mark("there is no season {name}"), name=season_id[:40])
        return self.folder / f"{season_id}.json"

    def _whole(self, path: Path) -> StoredSeason | None:
        """A season; one that was half-written when the power went is set aside under a name that
        says so, and takes no page down."""
        try:
            return self._read(path)
        except (OSError, ValueError, TypeError, KeyError) as error:
            aside = path.with_suffix(".json.damaged")
            with suppress(OSError):
                path.rename(aside)
                _log.warning(
                    "%s could not be read (%s) and was set aside as %s", path, error, aside
                )
            return None

    def _read(self, path: Path) -> StoredSeason:
        data = json.loads(path.read_text(encoding="utf-8"))
        series = tuple((title, pattern) for title, pattern in data["series"])
        lists = {"events": tuple(data["events"]), "without": tuple(data["without"])}
        return StoredSeason(**{**data, **lists, "series": series})

    def _write(self, kept: StoredSeason) -> None:
        make_folder(self.folder)
        write_whole(self._path(kept.id), json.dumps(asdict(kept), ensure_ascii=False).encode())


def seasons_of(request: Request) -> Seasons:
    """The seasons of this application."""
    seasons: Seasons = request.app.state.seasons
    return seasons


def club_in(text: str) -> str:
    """The club that a season names, if any."""
    club: object = ""
    with suppress(tomllib.TOMLDecodeError):  # which is told with its place by who reads the rest
        club = toml_of(text).get("club", "")
    if not isinstance(club, str):
        raise InputError(
            "club = {club!r}: expected the name of a club in quotation marks", club=club
        )
    return club


def for_club(text: str, club: str) -> str:
    """A season's text that says of which club it is."""
    return f"club = {quoted(club)}\n{text}"


def _now() -> str:
    return clock.now().isoformat(" ", "milliseconds")


def _check(text: str, title: str) -> None:
    """Refuse a season that is too long, leads to a folder of this machine or cannot be read."""
    if len(text) > _LONGEST:
        raise InputError(
            "a season of {count} characters; at most {longest}", count=len(text), longest=_LONGEST
        )
    with suppress(tomllib.TOMLDecodeError):  # which is told with its place below
        data = toml_of(text)
        tables = data.get("competition", [data])
        for one in tables if isinstance(tables, list) else []:
            events = one.get("events") if isinstance(one, dict) else None
            if isinstance(events, dict) and "folder" in events:
                raise InputError(
                    Message("events: a folder; drop its files here with the season file")
                )
    club_in(text)
    season_of(text, title, _NOWHERE)


# --- worked out -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeasonContext:
    """A season with what it takes to work it out: the stored events and the ledger, if any."""

    kept: StoredSeason
    season: Season
    service: EventService
    ledger: Ledger | None

    @property
    def rulebook(self) -> Rulebook:
        book = self.service.rulebook(self.season.rulebook)
        return book.variant(self.season.variant) if self.season.variant else book

    def standings(self, competition: Competition) -> SeasonStandings:
        return seasonal.standings(self.season, competition, self.ledger, self._event)

    def award(self, competition: Competition) -> list[SeasonAward]:
        return seasonal.award(self.season, competition, self.rulebook, self.ledger, self._event)

    def _event(self, path: Path, options: Mapping[str, Any]) -> Report:
        opened = self.service.open(self._called(path.name).id)
        return self.service.report(opened, ScoringChoices.of(options))

    def _called(self, name: str) -> StoredEvent:
        """The event that came in a file of this name: one of the season's own before others."""
        own = [k for k in self.service.store.all() if name in (k.name, k.id)]
        matching = [k for k in own if k.id in self.kept.events] or own
        if not matching:
            raise InputError(
                "{name}: there is no event of a file called so; drop the file first", name=name
            )
        return matching[0]


# --- the text, as forms change it -----------------------------------------------------------------


_FILES = re.compile(r"files\s*=\s*\[")
_EVENTS_OF = re.compile(r"(?m)^events\s*=\s*\{\s*")


def _of_competition(text: str, number: int) -> tuple[list[str], int]:
    """The parts of a season's text, and which is that of a competition."""
    parts = re.split(r"(?m)^(?=\[\[competition\]\])", text)
    heads = len(parts) - len(re.findall(r"(?m)^\[\[competition\]\]", text))
    place = heads + number
    if place >= len(parts):
        raise InputError("there is no competition {number}", number=number + 1)
    return parts, place


def with_event(text: str, number: int, name: str) -> str:
    """A season's text in which one more event counts for its competition of this number."""
    parts, place = _of_competition(text, number)
    part, listed = parts[place], json.dumps(name, ensure_ascii=False)
    if _FILES.search(part):
        part = _FILES.sub(lambda match: f"{match[0]}{listed}, ", part, count=1)
    elif _EVENTS_OF.search(part):
        part = _EVENTS_OF.sub(lambda match: f"{match[0]}files = [{listed}], ", part, count=1)
    else:
        part = f"{part.rstrip()}\nevents = {{ files = [{listed}] }}\n"
    return "".join([*parts[:place], part, *parts[place + 1 :]])


def without_event(text: str, number: int, names: Collection[str]) -> str:
    """A season's text in which an event, listed under one of these names, counts no more for its
    competition of this number."""
    parts, place = _of_competition(text, number)
    left = parts[place]
    for name in names:
        listed = re.escape(json.dumps(name, ensure_ascii=False))
        left = re.sub(rf"{listed}\s*,\s*|,?\s*{listed}", "", left, count=1)
    changed = "".join([*parts[:place], left, *parts[place + 1 :]])
    if left == parts[place]:
        raise InputError("that event is not among those ticked for this competition")
    return changed


def season_text(form: Mapping[str, str], files: Sequence[str]) -> str:
    """A season file with one competition, from what a form says."""
    lines = [
        *(f"{key} = {quoted(form[key])}" for key in ("club", "rulebook") if form.get(key)),
        *([f"year = {form['year']}"] if form.get("year") else []),
        *("", "[[competition]]"),
        *(f"{key} = {quoted(form[key])}" for key in ("title", "kind") if form.get(key)),
    ]
    if form.get("type", "table") != "table":
        lines.append(f"type = {quoted(form['type'])}")
    if form.get("championship"):
        lines.append(f"championship = {quoted(form['championship'])}")
    ledger = [f"ledger = {quoted(form['ledger'])}"] if form.get("ledger") else []
    listed = (
        [f"files = {json.dumps(list(files), ensure_ascii=False)}"] if files or not ledger else []
    )
    lines.append(f"events = {{ {', '.join([*listed, *ledger])} }}")
    lines += [f"{key} = {whole_in(form, key, 6)}" for key in ("best", "played") if form.get(key)]
    if form.get("score"):
        lines.append(f"score = {quoted(form['score'])}")
    if form.get("type") == "final":
        lines.append(f"final = {{ {', '.join(_final(form))} }}")
    return "\n".join(lines) + "\n"


def _final(form: Mapping[str, str]) -> list[str]:
    lines = [f"file = {quoted(form.get('final', ''))}", f"boards = {whole_in(form, 'boards', 6)}"]
    return lines + ([f"places = {whole_in(form, 'places', 6)}"] if form.get("places") else [])


def quoted(text: str) -> str:
    """A text as TOML has it."""
    return json.dumps(text, ensure_ascii=False)
