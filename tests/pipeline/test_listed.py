"""What the columns of a table of standings show binds, as what results show does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import honours
from honours.errors import InputError
from honours.pipeline import Report
from honours.reports.convert import converted_file
from tests.pipeline.thirty import paired, pairs

SBU, EBU, G2011, G2020 = "sbu-clubs-2016", "ebu-clubs", "acbl-sof-2011", "acbl-sof-2020"
REGIONAL = {"class": "regional", "sessions": "2"}
ONE = {"winners": "1"}
SWISS = {"competition": "swiss", "boards_per_match": "7", "boards": "21"}


def table(head: str, *rows: str) -> str:
    return "\n".join((head, *rows)) + "\n"


def each(count: int, row: str, first: int = 65) -> list[str]:
    """Rows of entrants, ``{n}`` their number and ``{score}`` going down from the first."""
    return [row.format(n=n, score=first - n) for n in range(1, count + 1)]


def named(count: int) -> str:
    return ",".join(f"P{{n}}x{k} Ash" for k in range(count))


TEAMS = table(
    "team,player1,player2,player3,player4,masterpoints1,masterpoints2,masterpoints3,"
    "masterpoints4,VPs",
    *each(12, f"T{{n}},{named(4)},500,600,700,800,{{score}}"),
)
PAIRS = table("pair,player1,player2,percentage", *each(16, f"{{n}},{named(2)},{{score}}"))
STRATA = table(
    "pair,player1,player2,masterpoints1,masterpoints2,stratum,score",
    *each(8, f"{{n}},{named(2)},3000,2000,TOP,{{score}}"),
    *each(8, f"B{{n}},Q{named(2)},300,200,LOW,{{score}}", first=50),
)
LINED = table("pair,line,score", *each(9, "{n},NS,{score}"), *each(9, "{n},EW,{score}.5"))
SECTIONS = table("section,pair,score", *each(10, "A,{n},{score}"), *each(10, "B,{n},{score}.5"))
MATCHES = table(
    "team,score,won,drawn", *each(4, "T{n},{score},2,1"), *each(12, "U{n},{score},1,1", 50)
)
HANDICAPS = table(
    "pair,percentage,handicap",
    *each(11, "{n},{score},0"),
    "K,66,6",
)
BEFORE = table(
    "place,pair,raw %,handicap,percentage", "1,K,60,6,66", *each(11, "9,{n},{score},0,{score}")
)
EVENINGS = table("evening,pair,score", *each(12, "1,{n},{score}"), *each(12, "2,{n},{score}"))


@dataclass(frozen=True)
class Row:
    """A table of standings, and what some of its entrants are awarded or what it is refused for."""

    text: str
    awards: Mapping[str, str] | str
    rulebook: str = SBU
    given: Mapping[str, str] = field(default_factory=dict)
    choices: Mapping[str, Any] = field(default_factory=dict)


ROWS = {
    "pairs-said-of-teams": Row(TEAMS, "the list is of teams", G2011, {**REGIONAL, "kind": "pairs"}),
    "type-of-teams": Row(TEAMS, "the list is of teams", G2011, REGIONAL, {"type": "pairs"}),
    "limits": Row(
        STRATA.replace("TOP", "2500+").replace("LOW", "0-2500"),
        {"1": "8.43", "B1": "3.13"},
        G2011,
        REGIONAL,
    ),
    "holdings": Row(
        STRATA.replace("TOP", "zest").replace("LOW", "able"),
        {"1": "8.43", "B1": "3.13"},
        G2011,
        REGIONAL,
    ),
    "strata-unsaid": Row(
        STRATA.replace("TOP", "zest").replace("LOW", "able").replace("300,200", ","),
        "which of the strata",
        G2011,
        {**REGIONAL, "average_masterpoints": "500"},
    ),
    "strata-told": Row(
        STRATA.replace("TOP", "zest").replace("LOW", "able"),
        "are not in the order",
        G2011,
        REGIONAL,
        {"strata": "zest,other"},
    ),
    "one-winner-in-lines": Row(LINED, {"1EW": "36", "1NS": "30"}, given=ONE),
    "movement-of-one-winner": Row(LINED, {"1EW": "36"}, given={"movement": "howell"}),
    "winners-as-an-option": Row(LINED, {"1EW": "36"}, choices=ONE),
    "two-winners-of-one-list": Row(PAIRS, "everybody in one", given={"winners": "2"}),
    "twenty-of-sixteen": Row(PAIRS, "makes it 16", given={**ONE, "pairs": "20"}),
    "sections-unsaid": Row(SECTIONS, "rank sections? ", given=ONE),
    "sections-together": Row(
        SECTIONS, {"B1": "42", "A1": "36"}, given=ONE, choices={"rank_sections": "together"}
    ),
    "sections-apart": Row(
        SECTIONS, {"B1": "24", "A1": "24"}, given=ONE, choices={"sections_apart": True}
    ),
    "places-begin-again": Row(
        table(
            "section,pair,place",
            *(f"{section},{n},{n}" for section in "AB" for n in range(1, 11)),
        ),
        {"B1": "24", "A1": "24"},
        given=ONE,
    ),
    "places-go-on-over-lines": Row(
        table("pair,line,place", *(f"{n},{'NSEW'[n % 2 * 2 :][:2]},{n}" for n in range(1, 19))),
        {"1": "36", "2": "30"},
    ),
    "matches-of-teams": Row(MATCHES, "competition? "),
    "swiss-teams": Row(MATCHES, {"T1": "92", "U1": "17"}, given=SWISS),
    "draws-under-a-strange-heading": Row(MATCHES.replace("drawn", "xq"), "column? ", given=SWISS),
    "draws-that-a-column-tells": Row(
        MATCHES.replace("drawn", "xq"), {"T1": "92", "U1": "17"}, SBU, SWISS, {"column": "xq=drawn"}
    ),
    "strata-under-a-strange-heading": Row(
        STRATA.replace("stratum", "xq"), "column? ", G2011, REGIONAL
    ),
    "handicaps-unsaid": Row(HANDICAPS, "ranking_basis", given=ONE),
    "handicaps-in": Row(
        HANDICAPS, {"K": "0", "1": "24"}, given={**ONE, "ranking_basis": "handicapped"}
    ),
    "handicaps-beside": Row(BEFORE, {"K": "0", "1": "24"}, given=ONE),
    "evenings": Row(EVENINGS, {"1": "48"}, given=ONE),
    "evenings-in-sections": Row(EVENINGS, {"1": "2.40"}, "acbl-clubs-2017", {"game": "club"}),
    "handicap-option": Row(PAIRS, "--handicap", given=ONE, choices={"handicap": True}),
    "mean-option": Row(PAIRS, "--mean-of-sessions", choices={"mean_of_sessions": True}),
}


def write(tmp_path: Path, text: str, name: str = "night.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def read(tmp_path: Path, row: Row) -> Report:
    report = honours.score(honours.read(write(tmp_path, row.text)), **row.choices)
    return honours.award(report, row.rulebook, row.given, as_usual=True)


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_what_a_table_shows_binds(row: Row, tmp_path: Path) -> None:
    if isinstance(row.awards, str):
        assert row.awards in refusal(tmp_path, row)
        return
    awards = read(tmp_path, row).awards
    assert awards is not None
    assert {who: awards.amount(who) for who in row.awards} == {
        who: Fraction(amount) for who, amount in row.awards.items()
    }


def refusal(tmp_path: Path, row: Row) -> str:
    try:
        awards = read(tmp_path, row).awards
    except InputError as error:
        return str(error)
    assert awards is not None
    return str(awards.lists[0].refusal)


def test_a_day_and_a_club_are_read_and_a_day_that_differs_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "2023-09-09.csv"
    path.write_text("date,club,pair,score\n20/12/2022,Kelso,1,60\n20/12/2022,Kelso,2,40\n")
    account = honours.read(path)
    assert (str(account.day), account.club) == ("2022-12-20", "Kelso")
    path.write_text("date,pair,score\n2022-12-20,1,60\n2022-12-21,2,40\n")
    with pytest.raises(InputError, match="2022-12-21 after 2022-12-20"):
        honours.read(path)


SWAPPED = re.sub(  # of the first line
    "(1,1,1,1),(1),(9),(.*),(.*),", r"\1,\3,\2,\5,\4,", paired(pairs(16, 8, 3, lines=True)), count=1
)
MISSING = paired(pairs(10, 8, 3)[:-1])


@pytest.mark.parametrize("text", [PAIRS, SECTIONS, SWAPPED, MISSING], ids=range(4))
def test_our_own_list_of_what_is_in_doubt_tells_it(text: str, tmp_path: Path) -> None:
    """A file that looks cut off, sections that may be ranked apart, a line that may be swapped, and
    boards that profiles score otherwise."""
    account = honours.read(write(tmp_path, text))
    again = tmp_path / "again.csv"
    again.write_bytes(converted_file(account, "standings", honours.score(account)).data)
    report = honours.score(honours.read(again))
    with pytest.raises(honours.Asked) as asked:
        honours.award(report, SBU, as_usual=True)
    assert asked.value.names == ("whole",)
    assert report.not_understood == ()
    with pytest.raises(honours.Asked):
        honours.award(report.lists, SBU, as_usual=True)
    assert honours.award(report, SBU, {"whole": "yes"}, as_usual=True).awards


def test_the_name_of_a_file_goes_along_with_its_lists(tmp_path: Path) -> None:
    account = honours.read(write(tmp_path, PAIRS, "celtic-pairs.csv"))
    again = tmp_path / "again.json"
    again.write_bytes(converted_file(account, "json").data)
    with pytest.raises(honours.Asked) as asked:
        honours.award(honours.score(honours.read(again)), SBU, {"whole": "yes"}, as_usual=True)
    assert asked.value.names == ("event",)


@pytest.mark.parametrize(("sessions", "notes"), [("1", 0), ("2", 1)])
def test_sessions_that_are_not_ranked_are_not_passed_over(
    sessions: str, notes: int, tmp_path: Path
) -> None:
    report = honours.score(honours.read(write(tmp_path, STRATA)))
    given = {**REGIONAL, "sessions": sessions}
    assert len(honours.award(report, G2011, given, as_usual=True).notes) == notes
