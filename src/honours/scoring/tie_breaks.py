"""Figures that part a tie, for those who choose to; awards never see them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from honours.errors import MissingInput, UnknownName
from honours.model.message import Message, mark
from honours.scoring.match_totals import MatchScores
from honours.scoring.scored import ScoredEvent
from honours.scoring.standings import Tally


def break_ties(scored: ScoredEvent, tallies: Sequence[Tally], name: str) -> tuple[Tally, ...]:
    """Give every tally the figure of the chosen tie-break; with none chosen, leave them."""
    if not name:
        return tuple(tallies)
    if name not in TIE_BREAKS:
        raise UnknownName("tie-break", name, TIE_BREAKS)
    tied: dict[Fraction, list[str]] = {}
    for tally in tallies:
        tied.setdefault(tally.score, []).append(tally.id)
    figure = TIE_BREAKS[name]
    return tuple(
        replace(tally, tie_break=(figure(scored, tally.id, tied[tally.score]),))
        for tally in tallies
    )


def head_to_head(scored: ScoredEvent, entrant: str, tied: Collection[str]) -> Fraction:
    """What it won from the others in the tie, less what they won, on the boards they met;
    nothing unless it met each of them."""
    others = set(tied) - {entrant}
    if scored.matches is not None:
        return _in_matches(scored.matches, entrant, others)
    met: set[str] = set()
    difference = Fraction(0)
    for _, line, side, score in scored.lines_of(entrant):
        for opponent, against, theirs in line.shares():
            if opponent in others and against is not side:
                met.add(opponent)
                difference += score.points_of(entrant) - theirs.points_of(opponent)
    return difference if met == others else Fraction(0)


def _in_matches(scores: MatchScores, entrant: str, others: set[str]) -> Fraction:
    met: set[str] = set()
    difference = Fraction(0)
    for match in scores.matches:
        side = match.side_of(entrant)
        opponents = {other.entrant for other in match.sides} & others
        if side is not None and opponents:
            met |= opponents
            difference += side.lead
    return difference if met == others else Fraction(0)


def margin(scored: ScoredEvent, entrant: str, tied: Collection[str]) -> Fraction:  # noqa: ARG001
    """By how much it was ahead in all its matches together, in IMPs or boards."""
    own = next(tally for tally in scored.tallies if tally.id == entrant)
    known = own.facts.get("margin", Fraction(0))
    if not isinstance(known, Fraction):
        raise MissingInput(
            "margin",
            Message("of every match of {entrant}", entrant=entrant),
            Message("the tie-break by margin"),
        )
    return known


def tops(scored: ScoredEvent, entrant: str, tied: Collection[str]) -> Fraction:  # noqa: ARG001
    """On how many boards it had the whole top."""
    scores = (score for _, _, _, score in scored.lines_of(entrant))
    return Fraction(sum(score.points_of(entrant) >= score.top > 0 for score in scores))


def above_average(scored: ScoredEvent, entrant: str, tied: Collection[str]) -> Fraction:  # noqa: ARG001
    """On how many boards it did better than average."""
    scores = (score for _, _, _, score in scored.lines_of(entrant))
    return Fraction(sum(2 * score.points_of(entrant) > score.top for score in scores))


TIE_BREAKS: dict[str, Callable[[ScoredEvent, str, Collection[str]], Fraction]] = {
    mark("head-to-head"): head_to_head,
    mark("margin"): margin,
    mark("tops"): tops,
    mark("above-average"): above_average,
}
