"""Go tournaments: the real files whole, placement against the wall list, and bad input."""

from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.aga import read_aga_report
from honours.formats.detect import format_called, read
from honours.formats.go import (
    CRITERIA,
    GoGame,
    GoPlayer,
    GoScores,
    GoTournament,
    Placement,
    Winner,
    fact_of_criterion,
    parse_rank,
    rank,
)
from honours.formats.members import read_members
from honours.formats.opengotha import read_opengotha
from honours.formats.wall_lists import read_h9
from honours.model import Player
from honours.model.message import Message
from tests.support import cases

# --- criteria ---------------------------------------------------------------------------------


def event(*criteria: str) -> GoTournament:
    """Everyone meets everyone: a beats all, the others beat each other in a ring."""
    players = tuple(
        GoPlayer(key, Player(key, facts={"rating": Fraction(n)}), -n)
        for n, key in enumerate("abcd")
    )
    games = tuple(
        GoGame(r, w, b, Winner.WHITE)
        for r, w, b in [
            (1, "a", "b"),
            (1, "c", "d"),
            (2, "a", "c"),
            (2, "d", "b"),
            (3, "a", "d"),
            (3, "b", "c"),
        ]
    )
    return GoTournament("x", players, games, 3, Placement(criteria))


def test_an_exploit_counts_three_times_at_most() -> None:
    """By ranks: the winner of two games, five and two below the players met, one stone apart."""
    ranks = {"a": 0, "b": 5, "c": 2}
    players = tuple(GoPlayer(key, Player(key), rank) for key, rank in ranks.items())
    games = (
        GoGame(1, "b", "a", Winner.BLACK, 1),
        GoGame(2, "c", "a", Winner.WHITE),
        GoGame(3, "b", "c", Winner.WHITE),
    )
    scores = GoScores(GoTournament("x", players, games, 3, Placement(("NBW",))))
    assert [CRITERIA[name](scores, "a") for name in ("EXT", "EXR")] == [3 * 1 + 3 * 1, 3 * 1]


def places(tournament: GoTournament) -> dict[str, tuple[int, int]]:
    return {s.entrant.id: (s.place, s.tied) for s in rank(tournament).standings}


def test_a_ring_stays_tied() -> None:
    for criteria in (("NBW",), ("NBW", "SOSW"), ("NBW", "DC"), ("NBW", "SDC")):
        assert places(event(*criteria)) == {"a": (1, 1), "b": (2, 3), "c": (2, 3), "d": (2, 3)}


def test_direct_comparison_settles_a_chain() -> None:
    tournament = event("NBW", "DC")
    games = [g for g in tournament.games if {g.white, g.black} != {"b", "d"}]
    chain = GoTournament(
        "x",
        tournament.players,
        (*games, GoGame(2, "b", "d", Winner.JIGO)),
        3,
        Placement(("CAT", "DC")),
    )
    assert places(chain) == {"a": (1, 1), "b": (2, 1), "c": (3, 1), "d": (4, 1)}


@pytest.mark.parametrize("order", ["abx", "axb", "xab"])
def test_direct_comparison_lifts_a_winner_over_whom_later_criteria_prefer(order: str) -> None:
    """The one of three who beat another is placed above her, and not below the third."""
    strength = {"a": 1, "b": 3, "x": 2}
    players = tuple(
        GoPlayer(key, Player(key, facts={"rating": Fraction(strength[key])})) for key in order
    )
    games = (GoGame(1, "a", "b", Winner.WHITE), GoGame(2, "x", "b", Winner.BOTH))
    assert places(GoTournament("t", players, games, 2, Placement(("CAT", "DC", "Rating")))) == {
        "a": (1, 1),
        "b": (2, 1),
        "x": (3, 1),
    }


@pytest.mark.parametrize("name", CRITERIA)
def test_every_criterion_answers(name: str) -> None:
    assert len(rank(event(name)).standings) == 4


def test_criteria_by_hand() -> None:
    """a: 3 wins over opponents with one win each; McMahon starting scores 30, 29, 28, 27."""

    def value(name: str) -> Fraction | str:
        (first,) = [s for s in rank(event(name)).standings if s.entrant.id == "a"]
        return first.facts[fact_of_criterion(name)]

    expected = {
        "NBW": 3,
        "MMS": 33,
        "SOSW": 3,
        "SOSW-1": 2,
        "SOSW-2": 1,
        "SODOSW": 3,
        "CUSSW": 6,
        "SOSM": 30 + 29 + 28,
        "SOSM-1": 59,
        "SODOSM": 87,
        "CUSSM": 31 + 32 + 33,
        "SOSOSW": 3 * 5,
        "EXT": 0,
        "EXR": 0,
        "Rank": 0,
    }
    assert {name: value(name) for name in expected} == expected


def test_idle_rounds() -> None:
    one = GoPlayer("a", Player("a"), 0, present=(False, False, True))
    two, three = GoPlayer("b", Player("b"), 0), GoPlayer("c", Player("c"), 0)
    games = (
        GoGame(1, "b", "c", Winner.WHITE),
        GoGame(2, "b", "c", Winner.WHITE),
        GoGame(3, "b", "a", Winner.BLACK),
    )
    half = Fraction(1, 2)
    for floored, mms in ((True, 32), (False, 32)):
        place = Placement(("MMS",), absent_mms=half, floored=floored)
        standings = rank(GoTournament("x", (one, two, three), games, 3, place)).standings
        assert {s.entrant.id: s.score for s in standings}["a"] == mms
    place = Placement(("NBW",), bye_wins=Fraction(1), absent_wins=half)
    byes = frozenset({(3, "c")})
    standings = rank(GoTournament("x", (one, two, three), games, 3, place, byes)).standings
    assert {s.entrant.id: s.score for s in standings} == {"a": 2, "b": 2, "c": 1}


def test_unknown_criteria_are_refused_by_name() -> None:
    with pytest.raises(FileProblem, match="placement by CPS"):
        rank(event("NBW", "CPS"))


def test_ranks() -> None:
    assert [parse_rank(t) for t in ("3D", "1k", "8 kyu", "30K", "9p", "5", "x")] == [
        2,
        -1,
        -8,
        -30,
        8,
        -5,
        None,
    ]


# --- files of our own ---------------------------------------------------------------------------

H9 = """; EV[Spring Open] PC[NL, Utrecht] DT[2024-03-02]
1 Dekker Anna 2D NL Utr 2 1 2+/w0 3+/b1
2 Smit Bo 1 NL Utr 1 2 1-/b0 0=     |12345678
3 Vos Cas 3k DE Ber 0 2 0= 1-!/w1
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "x.txt"
    path.write_bytes(text.encode("iso-8859-15"))
    return path


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        read_h9(write(folder, text))
    return str(caught.value)


@cases
def test_h9_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert message in refusal(tmp_path, H9.replace(old, new))


AGA = """TOURNEY Winter Open, Springfield, 1/5/2024 start=1/5/2024 finish=1/6/2024 rules=AGA
PLAYERS 4
 11 Reed, Alma       5d
 12 Lund, Boris      8 kyu
 13 Nunes, Carla     5.1k
 14 Patel, Dev       rating=4.0
GAMES 1
11 12 W 0 7
13 14 B 2
GAMES 2
11 14 0 7 BF
12 13 W 0 -5 8 5
END
15 Secret, Sam 1d 555-0100
"""


@cases
def test_report_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_aga_report(write(tmp_path, AGA.replace(old, new)))
    assert message in str(caught.value)


def test_an_unfinished_report(tmp_path: Path) -> None:
    t = read_aga_report(write(tmp_path, AGA.replace("12 W 0 7", "12 ? 0 7")))
    with pytest.raises(FileProblem, match="round 1: Reed, Alma – Lund, Boris has no result"):
        rank(t)


MEMBERS = (
    "Reed, Alma\t11\tFull\t5.25\t12/31/2024\tXX\tNY\t0.4\t1/1/2001\nLunt, Boris\t99\tFull\t\t\n"
)


EGF = """\
                European Go Database (01 Mar 2024)
 Pin       Name                                  Co  Club  Grade Prop  GoR
 10000001  Reed Alma                             DE  Bln    3d   ---   2310   12
 10000002  Lund_Holm Boris                       SE  ----   8k   ---   1322    1
"""
FFG = """\
REED Alma                               123 L 1234567 75Pa FR
LUND Boris                             -845 - 7654321 38Gr FR
OAK Cleo                              -9999 e 2345678 xxxx BE
ELM Dora                               -200 - ------- xxxx DE
"""


def test_a_list_of_the_aga_has_nothing_else(tmp_path: Path) -> None:
    assert str(read_members(write(tmp_path, MEMBERS)).latest("11").expires) == "2024-12-31"
    with pytest.raises(FileProblem, match="line 3: 'nonsense' is not a member"):
        format_called("aga-members").read(write(tmp_path, MEMBERS + "nonsense"))


GOTHA = """<?xml version="1.0"?><Tournament><Players>
<Player name="Reed" firstName="Al Ma" rank="3D" rating="2300" participating="11"/>
<Player name="Lund" firstName="Bo" rank="1K" rating="2050" participating="11"/></Players>
<Games><Game roundNumber="1" tableNumber="1" whitePlayer="REEDALMA" blackPlayer="LUNDBO"
 handicap="0" result="RESULT_WHITEWINS_BYDEF"/></Games><TournamentParameterSet>
<GeneralParameterSet name="T" numberOfRounds="1" beginDate="2024-01-01"/></TournamentParameterSet>
</Tournament>"""


def test_a_rating_off_the_scale_is_none_and_said(tmp_path: Path) -> None:
    t = read_opengotha(write(tmp_path, GOTHA.replace('rating="2050"', 'rating="-7800"')))
    assert ["gor" in standing.facts for standing in rank(t).standings] == [True, False]
    assert [note.values.get("rating") for note in t.notices if isinstance(note, Message)] == [
        "-7800",
        None,
    ]


def test_opengotha(tmp_path: Path) -> None:
    t = read_opengotha(write(tmp_path, GOTHA))
    assert (t.games[0].winner, t.games[0].by_default) == (Winner.WHITE, True)
    assert [s.place for s in rank(t).standings] == [1, 2]


@cases
def test_opengotha_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_opengotha(write(tmp_path, GOTHA.replace(old, new)))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "declaration",
    ['<!ENTITY a "b">', '<!ENTITY % p SYSTEM "file:///etc/passwd">', '<!ENTITY x SYSTEM "x">'],
)
def test_entities_are_refused(tmp_path: Path, declaration: str) -> None:
    evil = GOTHA.replace("?><T", f"?><!DOCTYPE Tournament [{declaration}]><T")
    with pytest.raises(FileProblem, match="an entity declaration"):
        read_opengotha(write(tmp_path, evil))


def test_a_doctype_is_accepted_and_never_followed(tmp_path: Path) -> None:
    text = GOTHA.replace("?><T", '?><!DOCTYPE Tournament SYSTEM "http://0.0.0.0/x.dtd"><T')
    assert len(read_opengotha(write(tmp_path, text)).players) == 2
    with pytest.raises(FileProblem, match="the entity &nbsp;"):
        read_opengotha(write(tmp_path, text.replace("<Games>", "&nbsp;<Games>")))


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="more than 64 elements in each other"):
        read_opengotha(write(tmp_path, "<a>" * 100_000))


def test_a_report_is_known_by_its_beginning(tmp_path: Path) -> None:
    """The games of a large congress stand far behind its players."""
    players = "".join(f"{n} Player, Number {n} 3d\n" for n in range(1, 5_001))
    path = write(tmp_path, f"TOURNEY Congress, Boston\nPLAYERS\n{players}GAMES 1\n1 2 W 0 7\n")
    form, content = read(path)
    assert form.name == "aga-report"
    assert isinstance(content, GoTournament)
    assert len(content.players) == 5_000
