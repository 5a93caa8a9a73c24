"""What the columns of a table of standings show binds, as what results show does."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import honours
from honours.errors import InputError
from honours.pipeline import Report
from honours.reports.convert import converted_file
from tests.pipeline.thirty import paired, pairs
from tests.support import table

SBU, G2011 = "sbu-clubs-2016", "acbl-sof-2011"
ROWS = table(__file__, "ROWS")
PAIRS, SECTIONS, STRATA = (
    ROWS[name]["text"] for name in ("mean-option", "sections-apart", "holdings")
)


def write(tmp_path: Path, text: str, name: str = "night.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def read(tmp_path: Path, row: dict[str, Any]) -> Report:
    account = honours.read(write(tmp_path, row["text"]))
    report = honours.score(account, **row.get("choices", {}))
    return honours.award(report, row.get("rulebook", SBU), row.get("given", {}), as_usual=True)


@pytest.mark.parametrize("name", ROWS)
def test_what_a_table_shows_binds(name: str, tmp_path: Path) -> None:
    row = ROWS[name]
    if "refused" in row:
        assert row["refused"] in refusal(tmp_path, row)
        return
    awards = read(tmp_path, row).awards
    assert awards is not None
    assert {who: awards.amount(who) for who in row["awards"]} == {
        who: Fraction(amount) for who, amount in row["awards"].items()
    }


def refusal(tmp_path: Path, row: dict[str, Any]) -> str:
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
    given = {"class": "regional", "sessions": sessions}
    assert len(honours.award(report, G2011, given, as_usual=True).notes) == notes
