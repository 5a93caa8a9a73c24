"""Compared with real files beside the repository: formats usebio."""

from datetime import date
from fractions import Fraction

import pytest

from honours.formats.usebio import read_usebio
from honours.model import ArtificialScore, Event
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.profiles import profile
from tests.beside.usebio import read as read_independently
from tests.formats.test_usebio import REAL
from tests.support import shared

FIGURES = {
    "matchpoints": "ns_matchpoints",
    "cross-imps": "ns_cross_imps",
    "butler": "ns_butler",
    "imps": "ns_cross_imps",
}


def real(name: str) -> Event:
    (event,) = read_usebio(shared(f"real/usebio/{name}.xml"))
    return event


@pytest.mark.parametrize("name", REAL)
def test_real_files(name: str) -> None:
    kind, scoring, winners, entrants, results, matches, deals, program = REAL[name]
    event = real(name)
    (session,) = event.sessions
    assert (event.kind, event.scoring, event.winners) == (kind, scoring, winners)
    assert (len(event.entrants), len(session.results)) == (entrants, results)
    assert (len(session.matches), len(session.boards)) == (matches, deals)
    assert (event.program, event.club) == (program, "A Bridge Club")
    players = [p for e in event.entrants for p in e.entrant.players]
    assert len(players) == entrants * (4 if kind == "teams" else 2)
    assert all(p.name and p.number for p in players)
    ids = {e.entrant.id for e in event.entrants}
    assert len(ids) == entrants
    assert all({*r.ns, *r.ew} <= ids for r in session.results)
    figure = FIGURES[scoring]
    assert all(figure in r.published for r in session.results)
    assert all("place" in e.published for e in event.entrants)


def test_what_programs_do_differently() -> None:
    mitchell = real("mp-pairs-mitchell-adjusted")
    assert mitchell.entrants[0].entrant.id == "1NS"
    assert [e.line for e in mitchell.entrants].count("EW") == 21
    ruled = [r for r in mitchell.sessions[0].results if r.adjusted is not None]
    assert [r.adjusted.ns for r in ruled if r.adjusted] == [
        ArtificialScore(Fraction(3, 5)),
        ArtificialScore(Fraction(1, 2)),
    ]
    flat, nested = real("usebio-and-pbn"), real("mp-pairs")
    awards = [e.published.get("masterpoints") for e in flat.entrants]
    assert [award for award in awards if award] == [24, 18, 12, 6]
    assert sum("masterpoints" in e.published for e in nested.entrants) == 8
    assert flat.date == date(2025, 4, 9)
    mistyped = [r for r in real("cross-imp-pairs").sessions[0].results if r.remark]
    assert [(r.score, r.contract) for r in mistyped] == [(480, None)]
    assert "'42'" in mistyped[0].remark


def test_teams_and_hands() -> None:
    teams = real("multiple-teams")
    match = teams.sessions[0].matches[0]
    assert (match.round, match.home, match.away, match.boards) == (1, "1", "3", 3)
    assert [match.home_vps, match.away_vps, match.home_imps] == [12, 8, None]
    line = teams.sessions[0].results[0]
    assert (line.round, line.ns, line.ew) == (1, ("1",), ("3",))
    deals = real("multi-section").sessions[0].boards
    assert all(len(deal.deal.replace(".", "").replace(" ", "")) == 54 for deal in deals)


@pytest.mark.parametrize("name", [name for name in REAL if name.startswith("mp-")])
def test_same_as_an_independent_reading(name: str) -> None:
    """The scorer's tests read these files on their own: line by line it is the same."""
    theirs, published = read_independently(f"{name}.xml")
    event = real(name)
    lines = zip(event.sessions[0].results, theirs.sessions[0].results, strict=True)
    names: dict[str, str] = {}
    for mine, other in lines:
        assert (mine.board, mine.score, mine.adjusted) == (other.board, other.score, other.adjusted)
        assert mine.published == other.published
        for own, its in ((mine.ns[0], other.ns[0]), (mine.ew[0], other.ew[0])):
            assert names.setdefault(own, its) == its
    assert len(set(names.values())) == len(names)
    for entrant, listed in zip(event.entrants, published, strict=True):
        assert entrant.published["place"] == listed.place


def test_more_real_files() -> None:
    lin = real("bbo-extractor-with-lin")
    assert (len(lin.entrants), len(lin.sessions[0].results), lin.scoring) == (
        17,
        144,
        "matchpoints",
    )
    assert len(lin.sessions[0].boards) == 18
    half = real("scorebridge-half-table")
    assert sum(not p.number for e in half.entrants for p in e.entrant.players) == 1
    assert [e.published["masterpoints"] for e in half.entrants if "masterpoints" in e.published]


@pytest.mark.parametrize("name", ["bbo-extractor-with-lin", "scorebridge-half-table"])
def test_percentages_are_those_published(name: str) -> None:
    event = real(name)
    lists = award_lists(score(event, profile("ebu")))
    theirs = {e.entrant.id: e.published["percentage"] for e in event.entrants}
    off = [
        abs(standing.score - own)
        for list_ in lists
        for standing in list_.standings
        if standing.score is not None and isinstance(own := theirs[standing.entrant.id], Fraction)
    ]
    assert len(off) == 17
    assert max(off) <= Fraction(5, 1000)
