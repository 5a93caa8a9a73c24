"""The entries for a board at a table: in the notation of a traveller, with who entered them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple

from honours.errors import InputError, message_of
from honours.formats.notation import read_spelled, spelled
from honours.formats.typed_in import with_outcome
from honours.language import DEFAULT
from honours.model import Result
from honours.model.cards import contract_words
from honours.model.message import Message, word
from honours.scoring.contracts import can_be_scored, write_contract, write_tricks
from honours.scoring.scored import table_score

ENTERED, CONFIRMED, DISPUTED = "entered", "confirmed", "disputed"
"""Entered by one side, confirmed by both, or disputed by the other side; what a director or
scorer enters is confirmed."""
_LONGEST = 40
_SUITS, _RANKS = "SHDC", "AKQJT98765432"


class BoardPlace(NamedTuple):
    """The round, table and board of a result."""

    round: int
    table: int
    board: int


class WhoseScore(InputError):
    """A score without a sign, where either side may have it: ``offers`` are the two it may be."""

    def __init__(self, score: int) -> None:
        self.offers = (f"{score:+d}", f"{-score:+d}")
        super().__init__(
            Message(
                "whose is {score}? {ns} is North-South's, {ew} East-West's",
                score=score,
                ns=self.offers[0],
                ew=self.offers[1],
            )
        )


@dataclass(frozen=True, slots=True)
class BoardLine:
    """The line that holds for a board at a table; ``version`` counts the entries so far.

    ``text`` is what happened, as on a traveller (``3NTx S +1``, ``pass``, ``np``, ``+420``); empty
    if it was removed again. ``sure`` means that a doubt was answered. ``by`` is a table's side
    (``NS``) or a person. ``reopened`` means that a table changed it after it was confirmed, when it
    may have seen what others made of the board. ``rival`` is what a device says otherwise, until
    the director decides.
    """

    place: BoardPlace
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
    rival: str = ""

    @property
    def result(self) -> Result:
        """The entry as a line of a traveller."""
        return _result(self.place, self.ns, self.ew, self.lead, self.text)

    @property
    def shown(self) -> str:
        """The result as players write it in their own language: ``4♠ W +1``."""
        codes = {"pass": Message("passed out"), "np": Message("not played"), "": "–"}
        if self.text in codes:
            return codes[self.text]
        contract, tricks = self.result.contract, self.result.tricks
        if contract is None or tricks is None:
            return self.text
        over = write_tricks(contract, tricks)
        return Message("{contract} {over}", contract=contract_words(contract), over=over)

    @property
    def is_there(self) -> bool:
        return bool(self.text)

    @property
    def is_settled(self) -> bool:
        """True if nobody has to do anything about it any more."""
        return self.is_there and self.state == CONFIRMED

    @property
    def score(self) -> int | None:
        """North-South's score, if there is one."""
        return table_score(self.result) if self.text else None


def tidy_outcome(text: str, language: str = DEFAULT) -> str:
    """Return what happened in the one notation that is stored, from the letters of a language. An
    InputError uses those letters to say what is wrong."""
    plain = read_spelled(" ".join(str(text).split()), language)
    in_own_letters = partial(spelled, language=language)
    if not plain or len(plain) > _LONGEST:
        fault = Message(
            "{text!r} is not a result; expected e.g. {one}", text=plain[:40], one="4S N ="
        )
        raise InputError(fault.with_values(in_own_letters))
    try:
        result = with_outcome(Result(1, ("1",), ("2",)), plain)
    except ValueError as error:
        fault = word(message_of(error))
        raise InputError(fault.with_values(in_own_letters)) from error
    if result.contract is not None and result.tricks is not None:
        return f"{write_contract(result.contract)} {write_tricks(result.contract, result.tricks)}"
    if result.passed_out:
        return "pass"
    if result.score is not None:
        return f"{result.score:+d}"
    return plain if result.adjusted else "np"


def scored_outcome(text: str, board: int, language: str = DEFAULT) -> str:
    """As :func:`tidy_outcome`, from somebody who may enter a bare score; one without a sign is
    taken as the only one that the board can have, and asked about where it can have both."""
    outcome = tidy_outcome(text, language)
    if not text.strip().isdecimal() or not (score := int(outcome)):
        return outcome
    possible = [one for one in (score, -score) if can_be_scored(one, board)]
    if len(possible) != 1:
        raise WhoseScore(score)
    return f"{possible[0]:+d}"


def from_a_phone(text: str) -> bool:
    """Return whether a table may enter this: a contract with its result, passed out, or not played.
    Only a scorer or director may enter a bare or an adjusted score."""
    result = with_outcome(Result(1, ("1",), ("2",)), text)
    told = result.passed_out or result.contract is not None or result.score is None
    return result.adjusted is None and told


def tidy_lead(lead: Any) -> str:
    """A card as ``SA`` or ``HT``; empty if none was given."""
    text = str(lead or "").strip().upper().replace("10", "T")
    if not text:
        return ""
    if len(text) != 2 or text[0] not in _SUITS or text[1] not in _RANKS:
        raise InputError("{text!r} is not a card; expected e.g. SA or HT", text=text[:10])
    return text


@lru_cache(20_000)
def _result(
    place: BoardPlace, ns: tuple[str, ...], ew: tuple[str, ...], lead: str, text: str
) -> Result:
    bare = Result(place.board, ns, ew, round=place.round)
    return with_outcome(replace(bare, table=place.table, lead=lead), text)
