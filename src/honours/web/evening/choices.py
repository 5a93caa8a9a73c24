"""The wording of an evening's choices."""

from __future__ import annotations

from honours.model.message import Message
from honours.movements.generators import KINDS
from honours.reports.movements import NAMES

SHOW = (
    ("board", Message("every result of the board so far")),
    ("nothing", Message("nothing but its own score")),
)
STANDINGS = (
    ("half", Message("from half-way")),
    ("always", Message("always")),
    ("never", Message("when play has ended")),
)
SCORING = (
    ("matchpoints", Message("matchpoints")),
    ("cross-imps", Message("cross-IMPs")),
    ("butler", Message("Butler")),
    ("imps", Message("IMPs")),
)
PLAYS = (
    ("pairs", Message("pairs")),
    ("teams", Message("teams")),
    ("individual", Message("players, each for themselves")),
)
MISSING = (
    ("", Message("whichever is better")),
    ("ns", Message("a North-South pair")),
    ("ew", Message("an East-West pair")),
)
MOVEMENTS = tuple((kind, Message(NAMES[kind])) for kind in KINDS)
