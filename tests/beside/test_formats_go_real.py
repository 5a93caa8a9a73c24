"""Compared with real files beside the repository: formats go real."""

import math
from collections import Counter

import pytest

import honours
from honours.errors import FileProblem, FileProblems
from honours.formats.detect import read
from honours.formats.go import GoTournament, Winner, rank
from honours.formats.opengotha import plain_key
from honours.model import Awards
from tests.support import shared


def tournament(name: str) -> GoTournament:
    _, content = read(shared(f"real/{name}"))
    assert isinstance(content, GoTournament)
    return content


PUBLISHED = {
    "opengotha/regional-2012.xml": ("opengotha/regional-2012.opengotha.h9", 17),
    "opengotha/clubs-2012.xml": ("opengotha/clubs-2012.h9", 48),
    "opengotha/teams-2020.xml": ("opengotha/teams-2020.opengotha.h9", 38),
    "opengotha/local-2021.xml": ("opengotha/local-2021.h9", 21),
    "opengotha/club-2018.xml": ("opengotha/club-2018.h9", 7),
    "opengotha/aga-2014.xml": ("opengotha/aga-2014.opengotha.h9", 31),
    "opengotha/categories-2012.xml": ("opengotha/categories-2012.opengotha.h9", 16),
    "opengotha/handicap-both-lose-2021.xml": ("opengotha/handicap-both-lose-2021.opengotha.h9", 20),
    "opengotha/sts-2020.xml": ("opengotha/sts-2020.opengotha.h9", 16),
    "opengotha/egc2013.xml": ("opengotha-published/egc2013.h9", 594),
    "opengotha/juvisy.xml": ("opengotha-published/juvisy.h9", 19),
    "macmahon/macmahon-3.10.xml": ("macmahon/macmahon-3.10-egd-export.txt", 12),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_places_are_those_published(name: str) -> None:
    list_, entrants = PUBLISHED[name]
    ours = {
        plain_key(s.entrant.players[0].name): (s.place, s.tied)
        for s in rank(tournament(name)).standings
    }
    theirs = {
        plain_key(s.entrant.players[0].name): (s.place, s.tied) for s in tournament(list_).places
    }
    assert len(theirs) == entrants
    assert ours == theirs


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("opengotha/clubs-2012.h9", "opengotha/clubs-2012.tou"),
        ("opengotha/local-2021.h9", "opengotha/local-2021.tou"),
        ("opengotha-published/juvisy.h9", "opengotha-published/juvisy.tou"),
        ("macmahon/macmahon-3.10-egd-export.txt", "macmahon/macmahon-3.10-wall-list.txt"),
    ],
)
def test_two_lists_of_one_event_tell_the_same(name: str, same: str) -> None:
    def told(list_: GoTournament) -> list[tuple[str, int, int, str]]:
        return [
            (plain_key(s.entrant.players[0].name), s.place, s.tied, str(s.facts["won"]))
            for s in list_.places
        ]

    assert told(tournament(name)) == told(tournament(same))
    assert len(tournament(name).games) == len(tournament(same).games)


def test_one_event_in_two_programs() -> None:
    ours, theirs = (tournament(f"pairgoth/macmahon-2024.{end}") for end in ("tour", "xml"))

    def told(t: GoTournament) -> Counter[tuple[int, str, str, Winner]]:
        names = {p.key: plain_key(p.player.name) for p in t.players}
        return Counter((g.round, names[g.white], names[g.black], g.winner) for g in t.games)

    assert told(ours) == told(theirs)
    assert len(ours.byes) == len(theirs.byes) == 2
    assert {p.player.name for p in ours.players} == {p.player.name for p in theirs.players}
    with pytest.raises(FileProblems, match="round 3 has no games"):
        rank(ours)


def test_wins_of_the_other_program() -> None:
    ours = tournament("pairgoth/finished-2021.tour")
    listed = tournament("pairgoth/finished-2021.opengotha.h9").places
    won = {plain_key(s.entrant.players[0].name): s.facts["won"] for s in rank(ours).standings}
    assert won == {plain_key(s.entrant.players[0].name): s.facts["won"] for s in listed}
    assert len(won) == 175


def awarded(name: str, rulebook: str, given: dict[str, str]) -> Awards:
    report = honours.award(
        honours.score(honours.read(shared(f"real/{name}"))), rulebook, given, as_usual=True
    )
    assert report.awards is not None
    return report.awards.lists[0]


def test_a_wall_list_has_the_games_and_grades_that_ratings_are_made_from() -> None:
    """Against the formula in floats, from the games of the list."""
    name = "h9/default-games-and-byes.h9"
    t = tournament(name)
    gor = {p.key: 2100 + 100 * (p.rank or 0) for p in t.players}
    changes = dict.fromkeys(gor, 0.0)
    for game in t.games:
        for own, other in ((game.white, game.black), (game.black, game.white)):
            if not game.by_default:
                parts = [(3300 - gor[key]) ** 7 for key in (own, other)]
                con = ((3300 - gor[own]) / 200) ** 1.6
                bonus = math.log1p(math.exp((2300 - gor[own]) / 80)) / 5
                changes[own] += con * (game.points(own) - parts[1] / sum(parts)) + bonus
    ours = awarded(name, "egf-2021", {"class": "A"}).schedule
    assert [float(one.amount) for one in ours] == pytest.approx(list(changes.values()), abs=5e-4)


def test_an_unfinished_list_is_not_awarded() -> None:
    with pytest.raises((FileProblem, FileProblems), match="has no result"):
        awarded("opengotha/chinese-names-2020.h9", "egf-2021", {"class": "A"})


def test_a_rating_on_another_scale_is_not_taken_and_said() -> None:
    """The AGA's category takes no rating of the EGF's; the middle of the declared rank counts."""
    category = awarded("opengotha/teams-2020.xml", "aga-category", {"section_kind": "open"})
    known = {one.name: (one.value, one.used) for one in category.known}
    assert known["rating"] == ("of 38 players on the scale EGF", False)
    assert known["rank"] == ("of 38 entrants", True)
    american = awarded("opengotha/aga-2014.xml", "aga-category", {"section_kind": "open"})
    assert {one.name: one.value for one in american.known}["rating"] == "of 31 players"
