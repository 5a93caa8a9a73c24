"""Every option of scoring, awarding and posting an event, declared once in ``options.toml``.

The command line, query parameters, fields of the API, forms and the keyword arguments of
:mod:`honours.pipeline.api` are all made from these declarations.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any, Literal

from honours.errors import UnknownName, WrongValue
from honours.model.message import Message
from honours.scoring.scorer import TIE_BREAKS
from honours.scoring.victory_points import SCALES

Kind = Literal["word", "flag", "count", "text", "file", "table", "pairs"]
"""``word`` is one of a few; ``file`` a file of one's own; ``table`` one of a few words or a file;
``pairs`` any number of ``name=value``."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be chosen: its name, what it means, what it may be, and its default."""

    name: str
    help: Message
    kind: Kind = "text"
    default: Any = ""
    words: tuple[str, ...] = ()
    least: int = 0
    metavar: str = ""
    nothing: str = ""
    """Another way to say that nothing is chosen."""
    label: str = ""
    """What a form calls it."""
    unsaid: str = ""
    """What happens where nothing is chosen, as a form says it."""

    @property
    def flag(self) -> str:
        """Its name on a command line."""
        return f"--{self.name.replace('_', '-')}"

    def read(self, value: object) -> Any:
        """The value, checked; text is taken as an address or a form writes it."""
        if value is None or value in ("", (), self.default) or str(value) == (self.nothing or None):
            return self.default
        if self.kind == "flag":
            return value is True or str(value).casefold() not in ("false", "no", "0", "off")
        if self.kind == "count":
            return self._count(value)
        if self.kind == "pairs":
            return self._pairs(value)
        text = str(value).strip()
        if self.kind == "word" and text not in self.words:
            raise WrongValue(self.name, text, "expected one of {words}", words=tuple(self.words))
        return text

    def _count(self, value: object) -> int:
        text = str(value).strip()
        if not text.isdecimal() or len(text) > 6 or int(text) < self.least:
            raise WrongValue(
                self.name, text, "expected a whole number from {least} on", least=self.least
            )
        return int(text)

    def _pairs(self, value: object) -> tuple[str, ...]:
        if isinstance(value, Mapping):
            return tuple(f"{name}={text}" for name, text in value.items())
        return (value,) if isinstance(value, str) else tuple(map(str, value))  # type: ignore[call-overload]


SECTIONS = ("open", "handicapped")

_WORDS = {"scale": tuple(SCALES), "tie_break": tuple(TIE_BREAKS)}
"""What is declared elsewhere."""
_NOTHING = {"flag": False, "count": 0, "pairs": ()}


def _declared(table: Mapping[str, Mapping[str, Any]]) -> tuple[Option, ...]:
    """The options of one table of ``options.toml``."""
    made = []
    for name, one in table.items():
        texts = {key: Message(one[key]) for key in ("help", "label", "unsaid") if key in one}
        words = _WORDS.get(name, tuple(one.get("words", ())))
        kind = one.get("kind", "text")
        metavar = "|".join((*words, "FILE")) if kind == "table" else one.get("metavar", "")
        own = {**one, **texts, "words": words, "metavar": metavar}
        made.append(Option(**{"name": name, "default": _NOTHING.get(kind, ""), **own}))
    return tuple(made)


_TABLES = tomllib.loads(files(__package__).joinpath("options.toml").read_text("utf-8"))
SCORING, AWARDING, POSTING, DECIDING = map(_declared, _TABLES.values())
"""How results are scored and ranked; what belongs to an event's awards besides the rulebook and
what that asks; what a ledger is told of an event besides its awards; and what is said where an
event stands in the way of a posting."""

OF_EACH = tuple(option for option in (*SCORING, *AWARDING) if option.name != "date")
"""What may be said of many events alike: how each is scored and who its players are."""

PROFILE = "HONOURS_PROFILE"
"""The variable of the environment that names a club's conventions, for commands and the server."""

CLUB = "club_profile"
"""The key of the club's own conventions among the choices: for whatever shows no others."""
PROFILE_UNSAID = "profile_unsaid"
"""The key among the choices that says that nothing decided on a profile, and that it matters."""
SWITCHES = "set"
"""The key of the switches of profile and IMPs among the choices: name → value."""


IN_A_REQUEST = tuple(
    replace(option, kind="word") if option.kind == "table" else option
    for option in (*SCORING, *AWARDING)
    if option.kind not in ("file", "pairs")
)
"""What a request to a server may choose: everything but files of one's own."""


def some(options: Iterable[Option], *names: str) -> tuple[Option, ...]:
    """The options with these names."""
    return tuple(option for option in options if option.name in names)


def option_values(options: Iterable[Option], values: Mapping[str, object]) -> dict[str, Any]:
    """The value of each of these options: as given and checked, or its default."""
    return {option.name: option.read(values.get(option.name)) for option in options}


def options_changed(options: Iterable[Option], values: Mapping[str, object]) -> dict[str, Any]:
    """The options that were given a value other than their default."""
    read = ((option, option.read(values.get(option.name))) for option in options)
    return {option.name: value for option, value in read if value != option.default}


def chosen_options(
    values: Mapping[str, object], options: Iterable[Option] = SCORING
) -> dict[str, Any]:
    """As :func:`option_values`, refusing names that are no option."""
    known = {option.name: option for option in options}
    for name in values:
        if name not in known and name not in (SWITCHES, CLUB):
            raise UnknownName("option", name, (*known, SWITCHES))
    choices = option_values(known.values(), values)
    switches = dict(values.get(SWITCHES) or {})  # type: ignore[call-overload]
    return choices | {
        SWITCHES: switches,
        CLUB: values.get(CLUB) or os.environ.get(PROFILE, ""),
    }
