"""Compared with real files beside the repository: scoring usebio events."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from honours.model import AdjustedScore, ArtificialScore, Event, Result, Session
from honours.scoring import ScoredEvent, score
from honours.scoring.movement import propose_winners
from honours.scoring.standings import half_up, shown_score
from tests.beside.usebio import read

PROFILES = {
    "mp-pairs.xml": "ebu",
    "multi-section.xml": "ebuscore",
    "usebio-and-pbn.xml": "unfactored",
    "mp-pairs-howell.xml": "compscore",
    "mp-pairs-mitchell.xml": "compscore",
    "mp-pairs-mitchell-adjusted.xml": "compscore",
}


CENT = Fraction(1, 100)


LINES = dict(zip(PROFILES, (242, 305, 144, 161, 512, 567), strict=True))


def unmatched(scored: ScoredEvent) -> list[Result]:
    """The lines whose published matchpoints are not ours."""
    return [
        line.result
        for board in scored.boards
        for line in board.lines
        if any(
            side is not None and side.points != line.result.published[name]
            for side, name in ((line.ns, "ns_matchpoints"), (line.ew, "ew_matchpoints"))
        )
    ]


@pytest.mark.parametrize("name", [n for n in PROFILES if "adjusted" not in n])
def test_every_matchpoint(name: str) -> None:
    event, _ = read(name)
    scored = score(event, PROFILES[name])
    assert sum(len(board.lines) for board in scored.boards) == LINES[name]
    assert unmatched(scored) == []


def test_the_lines_of_the_file_that_contradicts_itself() -> None:
    """A score of 110 on board 1 is printed beside averages, and all others are matchpointed as if
    it were one; two more lines of the same pair carry matchpoints of no comparison."""
    event, _ = read("mp-pairs-mitchell-adjusted.xml")
    assert {r.board for r in unmatched(score(event, "compscore"))} == {1, 3, 4}
    average = ArtificialScore(Fraction(1, 2))
    mended = with_scores(event, {(1, "NS1"): AdjustedScore(average, average)})
    left = unmatched(score(mended, "compscore"))
    assert [(r.board, r.ns) for r in left] == [(3, ("NS1",)), (4, ("NS1",))]
    assert [sum(r.published.values()) for r in left] == [34, 40]  # type: ignore[arg-type]


def with_scores(event: Event, scores: dict[tuple[int, str], int | AdjustedScore]) -> Event:
    """The event with other scores or rulings on some lines."""

    def changed(result: Result) -> Result:
        new = scores.get((result.board, result.ns[0]), result)
        if isinstance(new, Result):
            return new
        if isinstance(new, AdjustedScore):
            return replace(result, score=None, adjusted=new)
        return replace(result, score=new, adjusted=None)

    session = event.sessions[0]
    return replace(event, sessions=(Session(1, tuple(map(changed, session.results))),))


@pytest.mark.parametrize("name", PROFILES)
def test_every_percentage_and_place(name: str) -> None:
    event, published = read(name)
    profile = PROFILES[name].replace("compscore", "compscore-totals")
    if "adjusted" in name:
        # Its standings were printed before its two rulings: these are the only two scores with
        # which all 42 totals come out.
        event = with_scores(event, {(2, "NS9"): 110, (3, "NS1"): -650})
    scored = score(event, profile)
    other: list[str] = []
    # Totals are printed as if every pair had played every board.
    full = max(tally.possible for tally in scored.tallies)
    ours = {s.entrant.id: s for ranking in scored.rankings for s in ranking.standings}
    for pair in published:
        standing = ours[pair.entrant]
        assert standing.score is not None
        if len(pair.percentage.partition(".")[2]) > 2:
            assert abs(standing.score - Fraction(pair.percentage)) < Fraction(1, 10**5)
        else:
            assert Fraction(shown_score(standing)) == Fraction(pair.percentage), pair
        assert standing.place == pair.place, pair
        if pair.total and half_up(standing.score * full / 100, CENT) != Fraction(pair.total):
            other.append(pair.entrant)
    # On its short board Compscore prints 0.05 for the one bottom, exactly 1/18, and 35.95 for
    # the top against it; every other total is ours to the last digit.
    assert other == (["EW2", "NS8"] if name == "mp-pairs-mitchell.xml" else [])


@pytest.mark.parametrize("name", PROFILES)
def test_winners_are_seen_from_who_met_whom(name: str) -> None:
    event, _ = read(name)
    assert propose_winners(event).winners == event.winners


def test_the_two_sides_share_the_top() -> None:
    event, _ = read("mp-pairs.xml")
    for board in score(event).boards:
        for line in board.lines:
            assert line.ns is not None
            assert line.ew is not None
            assert line.ns.points + line.ew.points == line.ns.top
