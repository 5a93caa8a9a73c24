"""Scores bridge and go events, awards federation points and shows why, clause by clause.

>>> import honours
>>> book = honours.rulebook("aga-category")
>>> [awards] = honours.calculate(book, {"mean_rating": "7.93", "players": 20})
>>> awards.schedule[0].shown
'11.9'
>>> "log10 (20 × 20) + (16 + 7.93^2.1) / 10" in honours.explain(awards.schedule[0])
True
>>> variant = book.amend(rating_weight=3)
>>> honours.calculate(variant, {"mean_rating": "7.93", "players": 20})[0].quantities["category"]
'23'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "1.0.0"

if TYPE_CHECKING:
    from honours.engine.award import calculate as calculate
    from honours.engine.event_awards import EventAwards as EventAwards
    from honours.engine.event_awards import award_event as award_event
    from honours.engine.exact.explanation import explain as explain
    from honours.engine.rulebook import Rulebook as Rulebook
    from honours.errors import Asked as Asked
    from honours.errors import HonoursError as HonoursError
    from honours.ledger.api import post as post
    from honours.model import Award as Award
    from honours.model import Awards as Awards
    from honours.model import Entrant as Entrant
    from honours.model import Event as Event
    from honours.model import Field as Field
    from honours.model import Player as Player
    from honours.model import Standing as Standing
    from honours.pipeline.api import award as award
    from honours.pipeline.api import read as read
    from honours.pipeline.api import rule as rule
    from honours.pipeline.api import score as score
    from honours.rulebooks import ids as rulebook_ids  # noqa: F401
    from honours.rulebooks import load as rulebook  # noqa: F401

# Where each public name lives; imported on first use, so that `honours --help` stays quick.
_PUBLIC = {
    "calculate": "honours.engine.award",
    "explain": "honours.engine.exact.explanation",
    "EventAwards": "honours.engine.event_awards",
    "award_event": "honours.engine.event_awards",
    "Rulebook": "honours.engine.rulebook",
    "HonoursError": "honours.errors",
    "Award": "honours.model",
    "Awards": "honours.model",
    "Entrant": "honours.model",
    "Event": "honours.model",
    "Field": "honours.model",
    "Player": "honours.model",
    "Standing": "honours.model",
    "read": "honours.pipeline.api",
    "rule": "honours.pipeline.api",
    "Asked": "honours.errors",
    "score": "honours.pipeline.api",
    "award": "honours.pipeline.api",
    "post": "honours.ledger.api",
    "rulebook_ids": "honours.rulebooks:ids",
    "rulebook": "honours.rulebooks:load",
}

__all__ = sorted(_PUBLIC)  # noqa: PLE0605 -- the table above is the one list of public names


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'honours' has no attribute {name!r}")
    module, _, other = _PUBLIC[name].partition(":")
    return getattr(import_module(module), other or name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
