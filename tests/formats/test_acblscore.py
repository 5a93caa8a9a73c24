"""ACBLscore files, made as the program makes them: what is read, and what is refused by name."""

import contextlib
import random
import re
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.detect import read
from honours.model import AdjustedScore, ArtificialScore, AssignedScore, Event
from honours.pipeline import awarded, ranked, read_account
from honours.rulebooks import load
from tests.formats.acblscore_builder import (
    AVE_MINUS,
    AVE_PLUS,
    FOULED,
    LATE,
    NOT_PLAYED,
    Game,
    Pair,
    Section,
    game_file,
    mitchell,
)

PEOPLE = [("Ann", "Ash", "1234567", 320), ("Bob", "Birch", "NM", 0)]
WON = Pair(
    1,
    "N",
    PEOPLE,
    stratum=2,
    percent=5469,
    session=1094,
    awards={1: [(55, 3, 1)], 2: [(55, 3, 1)]},
    ranks=[(2, 0, 0, 0, 0, 2), (1, 1, 1, 1, 1, 1)],
)
PAIRS = [
    WON,
    Pair(1, "E", [("Cy", "Cook", "7654321", 5), ("Di", "Dow", "2345678", 9)]),
    Pair(2, "N", [("Ed", "Elm", "3456789", 700), ("Fay", "Fir", "4567890", 80)], stratum=1),
    Pair(2, "E", [("Gus", "Gray", "5678901", 60), ("Hal", "Hill", "6789012", 40)], stratum=2),
]
STRATA = (("A", 0), ("B", 500))
GAME = Game([mitchell(PAIRS)], strata=STRATA)
WHOLE = game_file(GAME)
EVENT, DETAILS = (int.from_bytes(WHOLE[at : at + 4], "little") for at in (0x012, 0x142))


def made(folder: Path, data: bytes | bytearray) -> Path:
    path = folder / "game.ace"
    path.write_bytes(data)
    return path


def event(folder: Path, *games: Game) -> Event:
    _, events = read(made(folder, game_file(*games)))
    assert isinstance(events, tuple)
    return events[-1]


def with_lines(*lines: tuple[int, int, int, int, int, int]) -> Game:
    return Game([Section("A", PAIRS, {1: lines})])


def test_an_event_has_strata_holdings_and_what_was_published(tmp_path: Path) -> None:
    game = event(tmp_path, GAME)
    assert (game.title, game.date) == ("Tuesday Pairs", date(2017, 7, 24))
    assert (game.club, game.program, game.winners) == ("Valley Club", "ACBLscore 8.15", 2)
    won = game.entrants[0]
    ann, bob = won.entrant.players
    assert (ann.name, ann.number, ann.facts["masterpoints"]) == (
        "Ann Ash",
        "1234567",
        Fraction(320),
    )
    assert (bob.number, bob.facts["masterpoints"]) == ("", Fraction(0))
    assert won.stratum == "B"
    assert won.published == {
        "percentage": Fraction("54.69"),
        "total_score": Fraction("10.94"),
        "boards_played": 2,
        "section_place.A": 2,
        "place": 2,
        "section_place.B": 1,
        "overall_place.B": 1,
        "qualified.B": 1,
        "masterpoints": Fraction("0.55"),
        "masterpoint_type": "red",
        "masterpoints_for": "section",
        "section_masterpoints": Fraction("0.55"),
    }
    assert {
        "class": "sectional",
        "rated": "Sectional",
        "limit_b": 500,
    }.items() <= game.facts.items()
    assert game.facts["holdings_unknown"] == 1
    first = game.sessions[0].results[0]
    assert (first.score, first.ns, first.ew, first.published["ns_matchpoints"]) == (
        420,
        ("1NS",),
        ("1EW",),
        Fraction(1, 2),
    )


def test_rulings_and_boards_that_were_not_played(tmp_path: Path) -> None:
    game = event(
        tmp_path,
        with_lines(
            (1, 1, 1, AVE_PLUS, 1, AVE_MINUS),
            (1, 2, 2, 5, 2, -98),
            (2, 1, 1, LATE, 2, LATE),
            (2, 2, 2, NOT_PLAYED, 1, NOT_PLAYED),
            (3, 1, 1, 999, 2, 999),
        ),
    )
    averages, split, late, unplayed = game.sessions[0].results
    plus, minus = (ArtificialScore(Fraction(n, 5), session_rule=True) for n in (3, 2))
    assert averages.adjusted == AdjustedScore(plus, minus)
    sides = (AssignedScore(((Fraction(1), score),)) for score in (50, 980))
    assert split.adjusted == AdjustedScore(*sides)
    assert [(r.score, r.remark) for r in (late, unplayed)] == [
        (None, "late play"),
        (None, "not played"),
    ]


def test_carry_over_penalties_phantoms_and_who_is_not_eligible(tmp_path: Path) -> None:
    fined = Pair(1, "N", PEOPLE, adjustment=-1200, carry=950, not_eligible=1)
    section = mitchell([fined, *PAIRS[1:], Pair(3, "E", PEOPLE)])
    section.phantom = -3
    game = event(tmp_path, Game([section], session=2, sessions=2))
    assert game.sessions[0].number == 2
    [penalty] = game.sessions[0].penalties
    assert (penalty.entrant, penalty.amount, penalty.unit) == ("1NS", Fraction(12), "matchpoints")
    assert [p.facts.get("eligible") for p in game.entrants[0].entrant.players] == ["no", "no"]
    assert game.entrants[0].carried == Fraction("9.5")
    assert {e.entrant.id for e in game.entrants} == {"1NS", "1EW", "2NS", "2EW"}


def test_a_club_game_tells_who_may_play_and_what_counts_with_it(tmp_path: Path) -> None:
    unscored = Pair(1, "N", PEOPLE, session=-1)
    section = mitchell([unscored, *PAIRS[1:]])
    game = event(tmp_path, Game([section], rating=1, club_game=4, added=7))
    told = {"game": "club", "membership": "newcomer", "pupils": "yes", "ranked_overall": "no"}
    assert {**told, "added_tables": 3}.items() <= game.facts.items()
    assert game.entrants[0].published == {}


def test_sections_of_both_kinds_that_are_scored_together(tmp_path: Path) -> None:
    """A chain of sections; the Howell has one winner; a second game stands beside the first."""
    first, howell = (
        mitchell(PAIRS),
        Section(
            "B",
            [Pair(n, "", [(f"P{n}", "Oak", "", n)]) for n in (1, 2)],
            {1: [(1, 1, 1, 11, 2, -11)]},
            howell=True,
        ),
    )
    first.scored_with = 2
    game = event(tmp_path, Game([first, howell]))
    assert (game.facts["compared"], game.facts["one_winner_sections"]) == ("A+B", "B")
    assert [e.line for e in game.entrants if e.section == "B"] == ["", ""]
    assert len(read(made(tmp_path, game_file(GAME, GAME)))[1]) == 2  # type: ignore[arg-type]


@pytest.mark.parametrize("rulebook", ["acbl-general", "acbl-sof-2020"])
def test_a_game_of_two_lines_is_awarded_from_the_file_alone(tmp_path: Path, rulebook: str) -> None:
    report = ranked(read_account(made(tmp_path, WHOLE)))
    assert {field.line for field in report.lists} == {"NS", "EW"}
    awards = awarded(report, load(rulebook), {}).awards
    assert awards is not None
    strata = {one.field.stratum for one in awards.lists}
    assert strata == ({""} if rulebook == "acbl-general" else {"A", "B"})
    assert all(one.field.facts["class_"] == "sectional" for one in awards.lists)


@pytest.mark.parametrize(
    ("offset", "piece", "message"),
    [
        (0x0DA, b"\x01", "Teams, scored by Matchpoints: no file of that kind has been seen"),
        (0x10C, b"\x07", "Pairs, scored by Victory Points: no file of that kind"),
        (0x006, b"\x00\x00\x00\x01", "expected 16777216, as it says itself"),
        (0x012, b"\x03\x0b\x00\x00", "damaged: event 1: a pointer to byte 2819"),
        (0x012, b"\x00\x00\x00\x00", "without an event"),
        (0x13E, b"\x00", "no section belongs to it"),
        (0x13E + 4, b"\x00\x00\x00\x00", "section A: a pointer to byte 0"),
        (0x13E + 8, WHOLE[0x012:0x016], "belong to another record too"),
        (0x13E + 0x0F, b"\x01", "in a circle"),
        (EVENT + 0x08D, b"\x01", "handicaps"),
        (EVENT + 0x09E, b"\x09", "9 strata"),
        (DETAILS + 0x018, b"\x02", "the movement Web"),
        (DETAILS + 0x0DD, b"\x02", "were reassigned"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(
    offset: int, piece: bytes, message: str, tmp_path: Path
) -> None:
    data = bytearray(WHOLE)
    data[offset : offset + len(piece)] = piece
    with pytest.raises(FileProblem, match=re.escape(message)):
        read(made(tmp_path, data))


def test_a_fouled_board_and_a_cut_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="a fouled board"):
        event(tmp_path, with_lines((1, 1, 1, FOULED, 1, FOULED)))
    with pytest.raises(FileProblem, match=f"cut short; expected {len(WHOLE)}"):
        read(made(tmp_path, WHOLE[:-10]))


def test_damaged_files_are_read_or_refused(tmp_path: Path) -> None:
    """Bytes changed anywhere, pointers most of all; never another error than ours."""
    dice = random.Random(2017)
    for _ in range(150):
        data = bytearray(WHOLE)
        for _ in range(dice.choice((1, 3, 40))):
            data[dice.randrange(10, len(data))] = dice.choice((0, 1, 255, dice.randrange(256)))
        with contextlib.suppress(InputError):
            read(made(tmp_path, data))
