"""Compared with real files beside the repository: formats go."""

from collections import Counter
from fractions import Fraction

import pytest

from honours.errors import FileProblems
from honours.formats.aga import read_aga_report
from honours.formats.go import GoTournament, Winner, rank
from honours.formats.opengotha import read_opengotha
from honours.formats.wall_lists import read_h9
from tests.support import cases, shared


def test_juvisy_equals_its_wall_list() -> None:
    tournament = read_opengotha(shared("real/opengotha/juvisy.xml"))
    wall = read_h9(shared("real/opengotha/juvisy.h9"))
    ours, theirs = rank(tournament).standings, wall.places
    assert len(ours) == len(theirs) == 19
    for mine, printed in zip(ours, theirs, strict=True):
        assert mine.entrant.players[0].name == printed.entrant.players[0].name
        assert (mine.place, mine.tied, mine.score) == (printed.place, printed.tied, printed.score)
    lines = shared("real/opengotha/juvisy.h9").read_text("latin-1").splitlines()
    figures = [tuple(map(int, line.split()[6:9])) for line in lines if not line.startswith(";")]
    assert figures == [
        tuple(int(s.facts[name]) for name in ("MMS", "SOSM", "SOSOSM")) for s in ours
    ]


def test_the_wall_list_has_the_same_games() -> None:
    def told(t: GoTournament) -> Counter[tuple[int, str, str, Winner, int]]:
        names = {p.key: p.player.name for p in t.players}
        return Counter(
            (g.round, names[g.white], names[g.black], g.winner, g.handicap) for g in t.games
        )

    wall = read_h9(shared("real/opengotha/juvisy.h9"))
    assert len(wall.games) == 36
    assert told(wall) == told(read_opengotha(shared("real/opengotha/juvisy.xml")))


@cases
def test_real_tournaments(name: str, players: int, games: int, rounds: int, first: int) -> None:
    tournament = read_opengotha(shared(f"real/opengotha/{name}.xml"))
    assert (len(tournament.players), len(tournament.games)) == (players, games)
    assert tournament.rounds == rounds
    standings = rank(tournament).standings
    assert (len(standings), standings[0].place) == (players, 1)
    assert standings[0].score == first
    assert all("rating" in p.facts for s in standings for p in s.entrant.players)


def test_an_unfinished_event_names_its_games() -> None:
    tournament = read_opengotha(shared("real/opengotha/CdFO2020.xml"))
    assert (len(tournament.players), len(tournament.games)) == (23, 77)
    with pytest.raises(FileProblems) as caught:
        rank(tournament)
    assert len(caught.value.problems) == 11
    assert "round 7, table 1: Surname0005 Given0005 – Surname0020" in str(caught.value)


def test_the_real_report() -> None:
    tournament = read_aga_report(shared("real/aga/tournament-report.txt"))
    assert (len(tournament.players), len(tournament.games), tournament.rounds) == (41, 91, 5)
    assert tournament.title == "Fall Tournament 2005"
    assert str(tournament.date) == "2005-10-22"
    standings = rank(tournament).standings
    assert len(standings) == 41
    assert sum(int(s.facts["won"]) for s in standings if isinstance(s.facts["won"], Fraction)) == 91
