"""The choices in an address: how an event is scored, and by which rulebook it is awarded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from honours.errors import WrongValue
from honours.pipeline.options import CLUB, IN_A_REQUEST, Option, chosen_options, options_changed
from honours.scoring.profiles import profile_names

WORDS = tuple(option.name for option in IN_A_REQUEST)
_FIRST = ("profile", "winners", "tie_break", "minimum_boards", "sections_apart", "handicap")


def _usual(club: str = "") -> dict[str, str]:
    """The conventions the club scores by, where a file shows no others; those said where the server
    is started are every club's, as they are for commands."""
    return {CLUB: club} if club else {}


@dataclass(frozen=True, slots=True)
class ScoringChoices:
    """The choices of how an event is scored and which section is awarded: ``chosen`` has the
    options that were chosen, the others have their defaults; ``usual`` is the club's profile."""

    chosen: tuple[tuple[str, Any], ...] = ()
    usual: str = ""

    @classmethod
    def of(cls, given: Mapping[str, object]) -> ScoringChoices:
        """The choices of a request; what says nothing is left out."""
        values = chosen_options(
            {**_usual(), **{name: text for name, text in given.items() if text}}, IN_A_REQUEST
        )
        if values["profile"] and values["profile"] not in profile_names():
            known = ", ".join(profile_names())
            raise WrongValue("profile", values["profile"], "expected one of {known}", known=known)
        return cls(tuple(options_changed(IN_A_REQUEST, given).items()))

    def confirming(self, as_usual: bool) -> ScoringChoices:
        """The same, where somebody confirms that nothing is unusual."""
        return replace(self, chosen=(*self.chosen, ("as_usual", True))) if as_usual else self

    @property
    def values(self) -> dict[str, Any]:
        """Every option with what holds for it."""
        return chosen_options({**_usual(self.usual), **dict(self.chosen)}, IN_A_REQUEST)


def choosable() -> tuple[tuple[Option, ...], tuple[Option, ...]]:
    """The options a form offers: those most people look for, and all the others."""
    known = {option.name: _with_words(option) for option in IN_A_REQUEST}
    first = tuple(known.pop(name) for name in _FIRST)
    return first, tuple(known.values())


def _with_words(option: Option) -> Option:
    words = profile_names() if option.name == "profile" else option.words
    return replace(option, words=words, kind="word" if words else option.kind)


def choices_of(request: Request) -> ScoringChoices:
    """Return how the address asks for the event to be scored."""
    return choices_in(request.query_params)


def choices_in(said: Mapping[str, str]) -> ScoringChoices:
    """Return how the fields of an address ask for an event to be scored."""
    return ScoringChoices.of({name: said.get(name) for name in WORDS})


def query_of(said: Mapping[str, str]) -> str:
    """The fields of an address that say how to score, to go on with."""
    kept = [(key, said[key]) for key in WORDS if said.get(key)]
    return f"?{urlencode(kept)}" if kept else ""
