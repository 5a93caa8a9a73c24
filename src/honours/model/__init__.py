"""The nouns of the house: who competed, what happened, how they stand, what they are awarded.

Everything here is frozen. Numbers that decide anything are ``Fraction``; a float never appears.
An entrant is who competes (a pair, a team, one player); a place is a rank counted from 1.
What can be known of any of them has a name, declared once in :mod:`honours.model.facts`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from honours.model.award import *  # noqa: F403
    from honours.model.event import *  # noqa: F403
    from honours.model.facts import *  # noqa: F403

# Where each of them lives; imported on first use, because most of `honours --help` is messages.
_NAMES = {
    "award": "Award Awards Choice Citation Entrant Field Figure Game Notice Player Refusal "
    "Sentence Standing Step",
    "event": "AdjustedScore ArtificialScore AssignedScore Board Contract Denomination Event "
    "EventEntrant Match Penalty Result Seat Session Source",
    "facts": "Facts KnownFact Origin Value",
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
