"""Compared with real files beside the repository: formats pbn."""

from fractions import Fraction

from honours.formats.pbn import read_pbn
from honours.formats.usebio import read_usebio
from honours.model import AdjustedScore, ArtificialScore, Event
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.profiles import profile
from tests.support import shared


def real(name: str) -> Event:
    return read_pbn(shared(f"real/pbn/{name}.pbn"))


def test_each_side_of_a_split_ruling_has_its_own() -> None:
    event = real("pairs-split-ruling")
    ruled = [r.adjusted for r in event.sessions[0].results if r.adjusted]
    plus, minus = (ArtificialScore(Fraction(n, 5), session_rule=True) for n in (3, 2))
    assert ruled == [AdjustedScore(plus, minus), AdjustedScore(minus, plus)]


def test_pairs_are_scored_as_published() -> None:
    event = real("pairs-split-ruling")
    differ = [
        line.result.board
        for board in score(event, profile("ebu")).boards
        for line in board.lines
        if line.ns is None or line.ns.points != line.result.published["ns_matchpoints"]
    ]
    assert differ == [37, 37]
    total = {e.entrant.id: e.published["total_score"] for e in event.entrants}
    for r in event.sessions[0].results:
        for who, name in ((r.ns[0], "ns_matchpoints"), (r.ew[0], "ew_matchpoints")):
            own, before = r.published[name], total[who]
            assert isinstance(own, Fraction)
            assert isinstance(before, Fraction)
            total[who] = before - own
    assert set(total.values()) == {0}


def test_individuals_are_scored_as_published() -> None:
    event = real("individual")
    assert (event.kind, len(event.entrants)) == ("individual", 20)
    published = {e.entrant.id: e.published for e in event.entrants}
    (list_,) = award_lists(score(event, profile("ebu")))
    for standing in list_.standings:
        theirs = published[standing.entrant.id]
        assert standing.place == theirs["place"]
        assert standing.score is not None
        assert round(standing.score, 2) == theirs["percentage"]


def test_matches_of_teams() -> None:
    event = real("teams")
    assert (event.kind, len(event.sessions[0].matches)) == ("teams", 16)
    assert event.facts["matches_to_play"] == 12
    first = event.sessions[0].matches[0]
    assert (first.home, first.away, first.home_imps, first.away_imps) == (
        "2",
        "7",
        Fraction(45),
        Fraction(54),
    )
    (list_,) = award_lists(score(event, profile("ebu")))
    published = {e.entrant.id: e.published["total_score"] for e in event.entrants}
    assert {s.entrant.id: s.score for s in list_.standings} == published
    assert event.entrants[0].entrant.players[0].number == "6557"


def test_a_hand_record_with_contracts_has_the_results_of_the_event() -> None:
    event = real("hands-of-shared-usebio-and-pbn")
    (usebio,) = read_usebio(shared("real/usebio/usebio-and-pbn.xml"))

    def told(e: Event) -> set[tuple[object, ...]]:
        return {
            (r.board, r.ns, r.ew, r.contract, r.tricks, r.passed_out)
            for r in e.sessions[0].results
            if not r.adjusted
        }

    assert len(event.sessions[0].boards) == 24
    assert told(event) == told(usebio)
