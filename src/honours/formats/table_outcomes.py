"""What happened at a board, from the columns of a plain table."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction

from honours.formats.contracts import (
    ContractCell,
    average,
    is_not_played,
    is_passed_out,
    is_relative,
    parse_contract,
    parse_ruling,
    parse_score,
    parse_seat,
    parse_tricks,
)
from honours.formats.sheet import Row, Sheet
from honours.model import AdjustedScore, ArtificialScore, AssignedScore, Result, Seat
from honours.model.message import Message
from honours.scoring.contracts import TRICKS


@dataclass(frozen=True, slots=True)
class BoardOutcome:
    """What a line of a table says of a board: a score, a contract and its tricks, or a ruling."""

    score: int | None = None
    call: ContractCell | None = None
    declarer: Seat | None = None
    tricks: int | None = None
    passed_out: bool = False
    adjusted: AdjustedScore | None = None

    def added_to(self, result: Result) -> Result:
        """The result of a board with what happened at it."""
        return replace(
            result,
            score=self.score,
            contract=self.call.played_by(self.declarer) if self.call and self.declarer else None,
            tricks=self.tricks,
            passed_out=self.passed_out,
            adjusted=self.adjusted,
        )


def outcome_of(sheet: Sheet, row: Row, relative: bool) -> BoardOutcome:
    """What happened, from the contract and its result, from the score, or from a ruling."""
    contract, score = sheet.text(row, "contract"), sheet.text(row, "score")
    for text in (score, contract, sheet.text(row, "tricks")):
        if text and is_not_played(text):
            return BoardOutcome()
    if (split := _split_score(sheet, row)) is not None:
        return BoardOutcome(adjusted=split)
    for text in (score, contract, sheet.text(row, "tricks")):
        if text and not is_relative(text) and (ruling := parse_ruling(text)) is not None:
            return BoardOutcome(adjusted=ruling)
    points = parse_score(score) if score else None
    if not contract:
        if points is None:
            raise ValueError(Message("no contract, no score: write NP for a board not played"))
        return BoardOutcome(score=points)
    if is_passed_out(contract):
        return BoardOutcome(score=points or 0, passed_out=True)
    return _played(sheet, row, parse_contract(contract), points, relative)


def _played(
    sheet: Sheet, row: Row, call: ContractCell, points: int | None, relative: bool
) -> BoardOutcome:
    seat = sheet.text(row, "declarer")
    declarer = parse_seat(seat) if seat else call.declarer
    if declarer is None:
        raise ValueError(
            Message(
                "contract {contract!r} without a declarer", contract=sheet.text(row, "contract")
            )
        )
    if call.declarer and declarer is not call.declarer:
        raise ValueError(
            Message(
                "declarer {declarer} in the contract, {beside} beside it",
                declarer=call.declarer,
                beside=declarer,
            )
        )
    result = sheet.text(row, "tricks") or call.result
    if relative and re.fullmatch(r"\d{1,2}", result) and 0 < int(result) <= TRICKS:
        raise ValueError(
            Message("result {result!r} among results like = and +1: write +{result}", result=result)
        )
    if not result:
        if points is None:
            raise ValueError(Message("a contract without its result"))
        return BoardOutcome(points, call, declarer)
    tricks = parse_tricks("=" if relative and result == "0" else result, call.level)
    return BoardOutcome(points, call, declarer, tricks)


def _split_score(sheet: Sheet, row: Row) -> AdjustedScore | None:
    """A ruling that gives the sides different scores, from a score column for either side."""
    ns, ew = sheet.text(row, "score"), sheet.text(row, "ewscore")
    if not ns or not ew:
        return None
    sides = [average(ns) or parse_score(ns), average(ew) or -parse_score(ew)]
    if isinstance(sides[0], int) and sides[0] == sides[1]:
        return None
    given = [_given(side) for side in sides]
    return AdjustedScore(given[0], given[1])


def _given(side: ArtificialScore | int) -> ArtificialScore | AssignedScore:
    return AssignedScore(((Fraction(1), side),)) if isinstance(side, int) else side
