"""What was entered for a board at a table: in the words of a traveller, with who said so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from honours.errors import InputError, message_of
from honours.formats.typed_in import with_outcome
from honours.model import Result
from honours.scoring.contracts import write_contract, write_tricks
from honours.scoring.sides import table_score

ENTERED, CONFIRMED, DISPUTED = "entered", "confirmed", "disputed"
"""By one side, by both, or denied by the other; what a director or scorer enters is confirmed."""
_LONGEST = 40
_SUITS, _RANKS = "SHDC", "AKQJT98765432"


class Place(NamedTuple):
    """Where a board was played."""

    round: int
    table: int
    board: int


@dataclass(frozen=True, slots=True)
class BoardLine:
    """What holds for a board at a table; ``version`` counts what was entered before it.

    ``text`` is what happened, as on a traveller (``3NTx S +1``, ``pass``, ``np``, ``+420``); empty
    where it was taken out again. ``sure`` means that a doubt was answered. ``by`` is a table's
    side (``NS``) or a person. ``reopened`` means that a table changed it after it was confirmed,
    when it may have seen what others made of the board.
    """

    place: Place
    ns: tuple[str, ...]
    ew: tuple[str, ...]
    text: str
    lead: str = ""
    version: int = 1
    state: str = ENTERED
    by: str = ""
    at: str = ""
    sure: bool = False
    reopened: bool = False

    @property
    def result(self) -> Result:
        """As a line of a traveller."""
        bare = Result(self.place.board, self.ns, self.ew, round=self.place.round)
        line = replace(bare, table=self.place.table, lead=self.lead)
        return with_outcome(line, self.text)

    @property
    def is_there(self) -> bool:
        return bool(self.text)

    @property
    def is_settled(self) -> bool:
        """Whether nobody has to do anything about it any more."""
        return self.is_there and self.state == CONFIRMED

    @property
    def score(self) -> int | None:
        """North-South's, if there is one."""
        return table_score(self.result) if self.text else None


def tidy_outcome(text: str) -> str:
    """What happened in the one way it is kept; InputError says what is wrong with it."""
    plain = " ".join(str(text).split())
    if not plain or len(plain) > _LONGEST:
        raise InputError("{text!r} is no result; expected e.g. 4S N =", text=plain[:40])
    try:
        result = with_outcome(Result(1, ("1",), ("2",)), plain)
    except ValueError as error:
        raise InputError(message_of(error)) from error
    if result.contract is not None and result.tricks is not None:
        return f"{write_contract(result.contract)} {write_tricks(result.contract, result.tricks)}"
    if result.passed_out:
        return "pass"
    if result.score is not None:
        return f"{result.score:+d}"
    return plain if result.adjusted else "np"


def from_a_phone(text: str) -> bool:
    """Whether it is something a table may say: a contract with its result, passed out, not
    played. Scores alone and adjusted ones are a scorer's and a director's."""
    result = with_outcome(Result(1, ("1",), ("2",)), text)
    return result.adjusted is None and (result.contract is not None or result.score is None)


def tidy_lead(lead: Any) -> str:
    """A card as ``SA`` or ``HT``; empty where none was said."""
    text = str(lead or "").strip().upper().replace("10", "T")
    if not text:
        return ""
    if len(text) != 2 or text[0] not in _SUITS or text[1] not in _RANKS:
        raise InputError("{text!r} is no card; expected e.g. SA or HT", text=text[:10])
    return text
