"""A club's standing answers: said once for all its events, or for those of a series.

``club.toml`` beside the events has them, on a server the club's page::

    [answers]
    scale = "A"
    [answers.Tuesday]
    winners = "1"
    as_usual = "yes"

A series is named by the day of the week or by words of the event's title. What is said of a series
goes before what is said of all; what the file shows or its title speaks for, before both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from tomllib import TOMLDecodeError

from honours.errors import FileProblem, InputError, WrongValue
from honours.files import toml_of
from honours.model.message import Message

BESIDE = "club.toml"
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_TRUE = ("yes", "true")


@dataclass(frozen=True, slots=True)
class StandingAnswers:
    """Answers by the name of their series; those of all events have none."""

    by_series: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    who: str = ""
    """Whose they are: the club, or the file that has them."""

    @classmethod
    def read(cls, path: str | Path) -> StandingAnswers:
        """Those of a file."""
        try:
            return cls.of_text(Path(path).read_text("utf-8"), Path(path).name, "answers")
        except (OSError, InputError, ValueError) as error:
            raise FileProblem(path, str(error), 'a table [answers], as winners = "1"') from error

    @classmethod
    def of_text(cls, text: str, who: str, table: str = "") -> StandingAnswers:
        """Those of a text in TOML, or of a table in it: texts, and a table of texts for each
        series."""
        try:
            whole = toml_of(text)
        except TOMLDecodeError as error:
            raise WrongValue("answers", text[:40], "no TOML: {error}", error=str(error)) from error
        series: dict[str, dict[str, str]] = {"": {}}
        for name, value in (whole.get(table, {}) if table else whole).items():
            if isinstance(value, Mapping):
                series[name] = {str(key): _text(one) for key, one in value.items()}
            else:
                series[""][name] = _text(value)
        return cls(series, who)

    @classmethod
    def chosen(cls, path: str, event: str | Path) -> StandingAnswers:
        """Those of the file that was named, or of the one beside an event's."""
        beside = Path(event).parent / BESIDE
        if path or beside.is_file():
            return cls.read(path or beside)
        return cls()

    def of_event(self, title: str, day: date | None) -> dict[str, tuple[str, Message]]:
        """Return the answers for an event: each value, and where it was said."""
        answers: dict[str, tuple[str, Message]] = {}
        for series, told in self.by_series.items():
            if not series or _is_of(series, title, day):
                source = (
                    Message("a standing answer of {who} for {series}", who=self.who, series=series)
                    if series
                    else Message("a standing answer of {who}", who=self.who)
                )
                answers |= {name: (value, source) for name, value in told.items()}
        return answers


def is_yes(value: str) -> bool:
    return value.casefold() in _TRUE


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str | int):
        raise InputError("{value!r} is no text", value=str(value))
    return str(value)


def _is_of(series: str, title: str, day: date | None) -> bool:
    """Return whether an event is of a series: played on its day of the week, or called so."""
    if day is not None and series.casefold() == _DAYS[day.weekday()]:
        return True
    return re.search(rf"(?<!\w){re.escape(series)}(?!\w)", title, re.IGNORECASE) is not None
