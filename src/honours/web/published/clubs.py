"""What each club has settled for itself, on disk: ``clubs.json`` of the data folder."""

from __future__ import annotations

import json
import re
import threading
import unicodedata
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path

from honours.engine.ranks import first_day
from honours.errors import InputError
from honours.files import make_folder, write_whole
from honours.model.message import Message
from honours.pipeline.standing_answers import StandingAnswers
from honours.reports.drawing import Dress, is_colour
from honours.reports.sending import receiver
from honours.scoring.profiles import profile
from honours.web.published.calendar import coming

_LONGEST = 100


@dataclass(frozen=True, slots=True)
class ClubHabits:
    """A club's usual settings: the conventions it scores by, where these are not the server's, the
    day on which its year begins, where that is not the calendar's, its standing answers as a table
    in TOML, what it will play, a line each, whether everybody may read its members' ranks, and for
    whom files are made after play, by their names."""

    profile: str = ""
    year_begins: str = ""
    answers: str = ""
    calendar: str = ""
    ranks: str = ""
    receivers: str = ""

    def standing(self, club: str) -> StandingAnswers:
        """What the club answers alike for all its events."""
        return StandingAnswers.of_text(self.answers, club or Message("the club"))


class Clubs:
    """How clubs dress what they publish, and what is usual with them; on a server without accounts
    there is one, ``""``."""

    def __init__(self, data: Path) -> None:
        self._path = data / "clubs.json"
        self._lock = threading.Lock()

    def dress(self, club: str) -> Dress:
        """A club's dress; until it has chosen one, its name in the house's colours."""
        kept = self._all().get(club, {})
        return Dress(str(kept.get("name", club)), str(kept.get("colour", "")))

    def habits(self, club: str) -> ClubHabits:
        """A club's usual settings."""
        kept = self._all().get(club, {})
        return ClubHabits(*(str(kept.get(one.name, "")) for one in fields(ClubHabits)))

    def called(self, club: str) -> str:
        """What a club is called in addresses."""
        return _slug(self.dress(club).name or club) or "club"

    def every(self) -> list[str]:
        """The clubs that have settled something."""
        return list(self._all())

    def _all(self) -> dict[str, dict[str, str]]:
        try:
            every = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return every if isinstance(every, dict) else {}

    def settle(self, club: str, dress: Dress, habits: ClubHabits | None = None) -> None:
        """Keep a club's dress and what is usual with it: all of it, or nothing where a colour, a
        profile or a day cannot be."""
        settled = _checked_dress(dress)
        if habits is not None:
            settled |= _checked_habits(habits)
        self._change(club, settled)

    def _change(self, club: str, settled: dict[str, str]) -> None:
        with self._lock:
            every = self._all()
            every[club] = {**every.get(club, {}), **settled}
            make_folder(self._path.parent)
            write_whole(self._path, json.dumps(every).encode())


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _checked_dress(dress: Dress) -> dict[str, str]:
    if dress.colour and not is_colour(dress.colour):
        raise InputError("{colour} is no colour like #14513a", colour=dress.colour[:20])
    return asdict(Dress(dress.name.strip()[:_LONGEST], dress.colour))


def _checked_habits(habits: ClubHabits) -> dict[str, str]:
    if habits.profile:
        profile(habits.profile)
    begins = first_day(habits.year_begins) if habits.year_begins.strip() else ""
    habits.standing("")
    coming(habits.calendar, date.min, weeks=0)
    for name in habits.receivers.split():
        receiver(name)
    return {**asdict(habits), "year_begins": begins}
