"""An event's ranking lists from any file we read: standings as they are, results scored first."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from honours.formats import detect
from honours.formats.rulings import read_rulings
from honours.model import Field
from honours.scoring import score
from honours.scoring.lists import award_lists
from honours.scoring.rulings import apply

_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")


@dataclass(frozen=True, slots=True)
class SourceEvent:
    """What a file tells of an event; a title or day it does not tell is taken from its name."""

    title: str
    day: str
    club: str
    kind: str
    lists: tuple[Field, ...]
    file: str


Reader = Callable[[Path], SourceEvent]
"""How a season comes by the event of a file it names."""


def read_source(path: str | Path) -> SourceEvent:
    """Read an event from a file, with the rulings made on it."""
    file = Path(path)
    if not detect.holds_results(file):
        lists = detect.read_rankings(file).lists
        return SourceEvent(_title(file), day_in(file.stem), "", "", lists, file.name)
    event = apply(detect.read_event(file), read_rulings(file))
    lists = award_lists(score(event))
    day = event.date.isoformat() if event.date else day_in(file.stem)
    return SourceEvent(event.title or _title(file), day, event.club, event.kind, lists, file.name)


def day_in(text: str) -> str:
    """The day in a file's name, ``2017-01-14`` or ``20170114``, if there is one."""
    match = _DAY.search(text)
    try:
        return date(*map(int, match.groups())).isoformat() if match else ""
    except ValueError:
        return ""


def _title(file: Path) -> str:
    words = re.sub(r"[-_.]+", " ", _DAY.sub("", file.stem)).strip()
    return words or file.stem
