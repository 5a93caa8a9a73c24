"""Where events are scored, ruled on and awarded: the same for pages and programs."""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from honours.engine.lists import EventAwards, award_event
from honours.errors import InputError
from honours.formats.ruling_words import read_ruling
from honours.formats.rulings import add_ruling, parse_rulings, undo_ruling
from honours.rulebooks import ids, load
from honours.scoring import Options, Scored, score
from honours.scoring.lists import award_lists
from honours.scoring.profiles import DEFAULT, profile_names
from honours.scoring.ruling_kinds import Ruling
from honours.scoring.rulings import apply
from honours.scoring.status import changes, published
from honours.web.calculator import Calculation, State, calculation
from honours.web.problems import NotThere, TooBusy
from honours.web.reading import Found, read_file
from honours.web.store import Kept, Store, Upload

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.model import Event, Field
    from honours.web.accounts import Account
    from honours.web.settings import Limits, Settings

T = TypeVar("T")
_REMEMBERED = 256


@dataclass(frozen=True, slots=True)
class Choices:
    """How an event is scored: what ``honours score`` takes as options."""

    profile: str = DEFAULT
    winners: int = 0
    sections_apart: bool = False
    handicap: bool = False
    minimum_boards: int = 0
    tie_break: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """An event on the desk: what its file holds, and the rulings made on it."""

    kept: Kept
    found: Found
    rulings: tuple[Ruling, ...]
    rulings_text: str

    @property
    def as_read(self) -> Event:
        """The bridge event of the file, before any ruling."""
        if not self.found.events:
            raise InputError(f"{self.kept.name} holds a ranking, not results to score")
        return self.found.events[self.kept.index]

    @property
    def ruled(self) -> Event:
        """The bridge event as ruled."""
        return apply(self.as_read, self.rulings)


class Turns:
    """So many do heavy work at a time; whoever waits longer than ``seconds`` is sent away."""

    def __init__(self, at_once: int, seconds: float) -> None:
        self._places, self._seconds = threading.BoundedSemaphore(at_once), seconds

    @contextmanager
    def taken(self) -> Iterator[None]:
        if not self._places.acquire(timeout=self._seconds):
            raise TooBusy("too much is being read and scored; try again in a minute")
        try:
            yield
        finally:
            self._places.release()


class Desk:
    """Everything a page or a program does with events and rulebooks."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store, self.settings = store, settings
        self._lock = threading.RLock()
        self._found: OrderedDict[Hashable, Any] = OrderedDict()
        self._turns = Turns(settings.reading.at_once, settings.reading.seconds)

    def seen_by(self, account: Account | None) -> Desk:
        """The same desk for somebody: with the events they may see."""
        other = copy(self)
        other.store = self.store.seen_by(account)
        return other

    # --- rulebooks ------------------------------------------------------------------------------

    def rulebooks(self) -> list[Rulebook]:
        """Every rulebook there is."""
        return [self.rulebook(one) for one in ids(self.settings.rulebooks)]

    def rulebook(self, rulebook_id: str) -> Rulebook:
        """The rulebook of this id."""
        if rulebook_id not in ids(self.settings.rulebooks):
            raise NotThere(f"there is no rulebook {rulebook_id[:60]!r}")
        return load(rulebook_id, self.settings.rulebooks)

    def calculation(self, book: Rulebook, state: State) -> Calculation:
        """A calculation; the same one asked again is not worked out again."""
        key = ("calculation", book.hash, state.at(1).query())
        done = self._remembered(key, lambda: calculation(book, state))
        return replace(done, state=state)

    # --- events ---------------------------------------------------------------------------------

    def add(self, upload: Upload) -> list[Kept]:
        """Keep a file that can be read: an event for each that is in it."""
        found = self._read_upload(upload)
        titles = [event.title for event in found.events] or [upload.name]
        return [self.store.add(upload, title, i) for i, title in enumerate(titles)]

    def _read_upload(self, upload: Upload) -> Found:
        """Read it from a file of its own, before anything is kept."""
        with tempfile.NamedTemporaryFile(prefix="honours-") as file:
            file.write(upload.content)
            file.flush()
            return self._read(upload.digest, upload.name, Path(file.name))

    def _read(self, digest: str, name: str, path: Path) -> Found:
        limits = self.settings.reading
        return self._remembered(("file", digest, name), lambda: self._look(path, name, limits))

    def _look(self, path: Path, name: str, limits: Limits) -> Found:
        with self._turns.taken():
            return read_file(path, name, limits)

    def open(self, event_id: str) -> Open:
        """An event with its rulings."""
        kept = self.store.get(event_id)
        found = self._read(kept.digest, kept.name, self.store.file(event_id))
        text = self.store.rulings_text(event_id)
        return Open(kept, found, parse_rulings(text, "rulings"), text)

    def scored(self, opened: Open, choices: Choices) -> Scored:
        """The event scored; worked out once until a ruling changes it."""
        if choices.profile not in profile_names():
            raise InputError(f"profile={choices.profile}: expected one of {profile_names()}")
        kept = opened.kept  # the same file kept twice is scored once
        key = ("scored", kept.digest, kept.name, kept.index, opened.rulings_text, choices)
        return self._remembered(key, lambda: self._score(opened.ruled, choices))

    def _score(self, event: Event, choices: Choices) -> Scored:
        """A few at a time: the others wait a while, and then are told to come back."""
        with self._turns.taken():
            return score(event, choices.profile, _options(choices))

    def lists(self, opened: Open, choices: Choices) -> tuple[Field, ...]:
        """The ranking lists a rulebook is given."""
        if not opened.found.events:
            return opened.found.lists
        return award_lists(self.scored(opened, choices))

    def award(
        self, opened: Open, choices: Choices, book: Rulebook, given: Mapping[str, object]
    ) -> EventAwards:
        """What a rulebook awards for the event."""
        return award_event(book, self.lists(opened, choices), given)

    def proposed(self, opened: Open, choices: Choices) -> str:
        """The rulebook that can award the event as it is; else the first."""
        books = self.rulebooks()
        for book in books:
            try:
                awards = self.award(opened, choices, book, {})
            except InputError:
                continue
            if any(not one.refusal for one in awards.lists):
                return book.id
        return books[0].id

    # --- rulings --------------------------------------------------------------------------------

    def preview(self, event_id: str, words: Mapping[str, Any], choices: Choices) -> list[str]:
        """What a ruling would change, without making it."""
        opened = self.open(event_id)
        ruling = read_ruling(_timed(words))
        after = self._score(apply(opened.ruled, [ruling]), choices)
        return list(changes(published(self.scored(opened, choices)), published(after)))

    def rule(self, event_id: str, words: Mapping[str, Any], choices: Choices) -> list[str]:
        """Make a ruling that can be applied; what it changed."""
        with self._lock:
            told = self.preview(event_id, words, choices)
            add_ruling(self.store.file(event_id), _timed(words))
            return told

    def make_final(self, event_id: str, notes: Mapping[str, Any], choices: Choices) -> None:
        """Make the standings final as they are."""
        with self._lock:
            scored = self.scored(self.open(event_id), choices)
            rows = [list(row) for row in published(scored)]
            words = {**notes, "kind": "final", "scored": scored.chosen, "standings": rows}
            read_ruling(_timed(words))
            add_ruling(self.store.file(event_id), _timed(words))

    def undo(self, event_id: str) -> str:
        """Take the last ruling out again."""
        with self._lock:
            if not self.open(event_id).rulings:
                raise InputError("there is no ruling to undo")
            return undo_ruling(self.store.file(event_id))

    def last_change(self, opened: Open, choices: Choices) -> list[str]:
        """What the last ruling changed."""
        if not opened.rulings:
            return []
        before = apply(opened.as_read, opened.rulings[:-1])
        earlier = published(self._score(before, choices))
        return list(changes(earlier, published(self.scored(opened, choices))))

    def _remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
                known: T = self._found[key]
                return known
        made = make()
        with self._lock:
            self._found[key] = made
            while len(self._found) > _REMEMBERED:
                self._found.popitem(last=False)
        return made


def _options(choices: Choices) -> Options:
    return Options(
        sections_apart=choices.sections_apart,
        rank_sections_apart=choices.sections_apart,
        winners=choices.winners,
        handicap=choices.handicap,
        minimum_boards=choices.minimum_boards,
        tie_break=choices.tie_break,
    )


def _timed(words: Mapping[str, Any]) -> dict[str, Any]:
    """The ruling's words, without those that say nothing, and when it was made."""
    said = {key: value for key, value in words.items() if value not in ("", None, [], {}, False)}
    now = datetime.now().astimezone().isoformat(" ", "seconds")
    return {"kind": said.pop("kind", ""), **said, "when": said.get("when") or now}


def kinds_of(rulings: Sequence[Ruling]) -> list[str]:
    """What each ruling is, in a word."""
    return [type(ruling.what).__name__.lower() for ruling in rulings]
