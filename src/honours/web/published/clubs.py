"""The settings of each club on disk: ``clubs.json`` of the data folder."""

from __future__ import annotations

import json
import re
import threading
import unicodedata
from datetime import date
from pathlib import Path

from pydantic import BaseModel, Field

from honours.engine.ranks import first_day
from honours.errors import InputError
from honours.files import make_folder, write_whole
from honours.model.message import Message
from honours.pipeline.standing_answers import StandingAnswers
from honours.reports.drawing import Dress, is_colour
from honours.reports.sending import receiver
from honours.scoring.profiles import profile
from honours.web.published.calendar import coming


class ClubSettings(BaseModel):
    """The settings of a club; of changes, what is left out stays."""

    name: str = Field("", max_length=100, description="The name on top of published pages.")
    colour: str = Field("", max_length=20, examples=["#14513a"])
    profile: str = Field(
        "", max_length=100, description="The conventions to score by; empty for the server's."
    )
    year_begins: str = Field(
        "", max_length=10, examples=["09-01"], description="Month and day; empty: the calendar's."
    )
    answers: str = Field(
        "",
        max_length=5000,
        examples=['scale = "A"\n[Tuesday]\nwinners = "1"'],
        description="Standing answers for all events, and for those of a series, in TOML.",
    )
    calendar: str = Field(
        "",
        max_length=5000,
        examples=["Tuesday 19:30 Tuesday pairs\n2026-12-05 10:00 Teams\nnot 2026-12-29"],
        description="What the club will play, a line each.",
    )
    ranks: str = Field(
        "", max_length=3, examples=["yes"], description="Whether everybody may read the ranks."
    )
    receivers: str = Field(
        "", max_length=200, examples=["sbu"], description="For whom files are made after play."
    )

    @property
    def dress(self) -> Dress:
        """The dress of what the club publishes."""
        return Dress(self.name, self.colour)

    def standing(self, club: str) -> StandingAnswers:
        """Return what the club answers alike for all its events."""
        return StandingAnswers.of_text(self.answers, club or Message("the club"))

    def checked(self) -> ClubSettings:
        """The same, tidied; an InputError where a colour, a profile or a day cannot be."""
        if self.colour and not is_colour(self.colour):
            raise InputError("{colour} is no colour like #14513a", colour=self.colour)
        if self.profile:
            profile(self.profile)
        self.standing("")
        coming(self.calendar, date.min, weeks=0)
        for name in self.receivers.split():
            receiver(name)
        begins = first_day(self.year_begins) if self.year_begins.strip() else ""
        return self.model_copy(update={"name": self.name.strip(), "year_begins": begins})


class Clubs:
    """The settings of all clubs; on a server without accounts there is one, ``""``."""

    def __init__(self, data: Path) -> None:
        self._path = data / "clubs.json"
        self._lock = threading.Lock()

    def settings(self, club: str) -> ClubSettings:
        """Return what a club has settled; until it says otherwise it is called by its name."""
        return ClubSettings(**{"name": club, **self._all().get(club, {})})

    def called(self, club: str) -> str:
        """Return the name of a club in addresses."""
        return _slug(self.settings(club).name or club) or "club"

    def every(self) -> list[str]:
        """The clubs that have settled something."""
        return list(self._all())

    def _all(self) -> dict[str, dict[str, str]]:
        try:
            every = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return every if isinstance(every, dict) else {}

    def settle(self, club: str, changes: ClubSettings) -> ClubSettings:
        """Settle something otherwise: all of it, or nothing where something cannot be."""
        with self._lock:
            update = changes.model_dump(exclude_unset=True)
            settled = self.settings(club).model_copy(update=update).checked()
            make_folder(self._path.parent)
            every = {**self._all(), club: settled.model_dump()}
            write_whole(self._path, json.dumps(every).encode())
        return settled


def _slug(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
