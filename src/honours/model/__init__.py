"""The nouns of the house: who competed, what happened, how they stand, what they are awarded.

Everything here is frozen. Numbers that decide anything are ``Fraction``; a float never appears.
An entrant is who competes (a pair, a team, one player); a place is a rank counted from 1.
What can be known of any of them has a name, declared once in :mod:`honours.model.facts`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from honours.model.award import Award as Award
    from honours.model.award import Awards as Awards
    from honours.model.award import Choice as Choice
    from honours.model.award import Citation as Citation
    from honours.model.award import Figure as Figure
    from honours.model.award import Notice as Notice
    from honours.model.award import Refusal as Refusal
    from honours.model.award import Sentence as Sentence
    from honours.model.award import Step as Step
    from honours.model.event import AdjustedScore as AdjustedScore
    from honours.model.event import ArtificialScore as ArtificialScore
    from honours.model.event import AssignedScore as AssignedScore
    from honours.model.event import Board as Board
    from honours.model.event import Contract as Contract
    from honours.model.event import Denomination as Denomination
    from honours.model.event import Event as Event
    from honours.model.event import EventEntrant as EventEntrant
    from honours.model.event import Match as Match
    from honours.model.event import Penalty as Penalty
    from honours.model.event import Result as Result
    from honours.model.event import Seat as Seat
    from honours.model.event import Session as Session
    from honours.model.event import Source as Source
    from honours.model.facts import Facts as Facts
    from honours.model.facts import KnownFact as KnownFact
    from honours.model.facts import Origin as Origin
    from honours.model.facts import Value as Value
    from honours.model.people import Entrant as Entrant
    from honours.model.people import Player as Player
    from honours.model.standing import Field as Field
    from honours.model.standing import Game as Game
    from honours.model.standing import Standing as Standing

# Where each of them lives; imported on first use, because most of `honours --help` is messages.
_NAMES = {
    "award": "Award Awards Choice Citation Figure Notice Refusal Sentence Step",
    "event": "AdjustedScore ArtificialScore AssignedScore Board Contract Denomination Event "
    "EventEntrant Match Penalty Result Seat Session Source",
    "facts": "Facts KnownFact Origin Value",
    "people": "Entrant Player",
    "standing": "Field Game Standing",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

if not TYPE_CHECKING:  # a name that is not here is an error of types still

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module 'honours.model' has no attribute {name!r}")
        value = getattr(import_module(f"honours.model.{_MODULES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_MODULES})
