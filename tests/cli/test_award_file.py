"""`honours award` on files: good ones, strange ones and wrong ones."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from honours.cli import cli
from tests.support import cases

HEADER = "pair,player1,player2,masterpoints1,masterpoints2,score"
ROWS = [
    "1,Ann,Bob,1500,2500,61.2",
    "2,Cid,Dot,300,40,58.1",
    "3,Eve,Fay,19500,500,58.1",
    "4,Gil,Hal,750,1000,49.0",
    "5,Ian,Joy,5000,100,44.4",
    "6,Kim,Leo,2000,2000,40.0",
]
SAID = ("kind=pairs", "sessions=2", "class=regional", "limit=none")


def award(file: Path, *arguments: str, rulebook: str = "acbl-sof-2020") -> Result:
    return CliRunner().invoke(
        cli, ["award", str(file), "--as-usual", "--rulebook", rulebook, *arguments]
    )


def write(tmp_path: Path, text: str, encoding: str = "utf-8", name: str = "s.csv") -> Path:
    file = tmp_path / name
    file.write_bytes(text.encode(encoding))
    return file


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return write(tmp_path, "\n".join([HEADER, *ROWS]) + "\n")


def data(result: Result) -> Any:
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


def test_ties_are_found_from_equal_scores(good: Path) -> None:
    answer = data(award(good, *SAID, "--json"))
    by_id = {a["entrant"]: a for a in answer["awards"]}
    assert by_id["2"]["place"] == by_id["3"]["place"] == 2
    assert by_id["2"]["award"] == by_id["3"]["award"]
    assert float(by_id["1"]["award"]) > float(by_id["2"]["award"]) > 0
    assert by_id["6"]["award"] == "0.00"


def test_the_reason_is_given(good: Path) -> None:
    text = award(good, *SAID, "--explain", "3").output
    assert "Why" in text
    assert "Eve & Fay" in text
    assert "over 12 players" in text
    assert "[" in text
    for name in ("Fay", "pair 3"):
        assert award(good, *SAID, "--explain", name).output == text


def test_csv_has_a_row_a_player(good: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(award(good, *SAID, "--csv").output)))
    assert len(rows) == 12
    assert rows[0]["player"] == "Ann"
    assert rows[0]["place"] == "1"
    assert rows[2]["place"] == "2="


@pytest.mark.parametrize(
    ("encoding", "newline"),
    [("utf-8-sig", "\n"), ("utf-8", "\r\n"), ("cp1252", "\n"), ("utf-16", "\n")],
)
def test_encodings_and_line_ends_change_nothing(
    tmp_path: Path, good: Path, encoding: str, newline: str
) -> None:
    text = newline.join([HEADER, *ROWS]).replace("Ann", "Änn") + newline
    strange = data(award(write(tmp_path, text, encoding, "t.csv"), *SAID, "--json"))
    plain = data(award(good, *SAID, "--json"))
    assert [a["award"] for a in strange["awards"]] == [a["award"] for a in plain["awards"]]
    assert strange["awards"][0]["players"][0]["name"] == "Änn"


@cases
def test_wrong_files_name_the_line(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    file = write(tmp_path, "\n".join([HEADER, *ROWS]).replace(*change) + "\n")
    result = award(file, *SAID)
    assert result.exit_code in (2, 3), result.output
    assert message in result.output


def test_no_file_and_an_empty_one(tmp_path: Path) -> None:
    assert award(tmp_path / "none.csv", *SAID).exit_code == 2
    empty = award(write(tmp_path, ""), *SAID)
    assert empty.exit_code == 2
    assert "s.csv" in empty.output
    only_header = award(write(tmp_path, HEADER + "\n"), *SAID)
    assert only_header.exit_code == 2


def test_strata_pay_the_best_of_those_earned(tmp_path: Path) -> None:
    strata = ["A", "C", "A", "B", "B", "C"]
    rows = [f"{row},{s}" for row, s in zip(ROWS, strata, strict=True)]
    file = write(tmp_path, "\n".join([HEADER + ",stratum", *rows]) + "\n")
    answer = data(award(file, *SAID, "--json"))
    assert [entry["stratum"] for entry in answer["lists"]] == ["A", "B", "C"]
    assert [entry["entrants"] for entry in answer["lists"]] == [6, 4, 2]
    best = {a["entrant"]: a["award"] for a in answer["awards"]}
    earned = [
        float(i["award"])
        for entry in answer["lists"]
        for i in entry["schedule"]
        if i["entrant"] == "2"
    ]
    assert float(best["2"]) == max(earned)


def test_two_lines_of_a_scottish_club(tmp_path: Path) -> None:
    rows = [f"{i},{line},{70 - i}" for line in ("NS", "EW") for i in range(1, 10)]
    file = write(tmp_path, "\n".join(["pair,line,score", *rows]) + "\n")
    answer = data(award(file, "kind=pairs", "winners=2", "--json", rulebook="sbu-clubs-2016"))
    paid = {
        entry["line"]: [i["award"] for i in entry["schedule"] if i["award"] != "0"]
        for entry in answer["lists"]
    }
    assert paid == {"NS": ["30", "20", "10"], "EW": ["30", "20", "10"]}


@pytest.mark.slow
def test_a_list_as_long_as_a_federation(tmp_path: Path) -> None:
    """It is read, ranked and answered, or said to be too long."""
    rows = "\n".join(f"{i},{200_000 - i}" for i in range(200_000))
    result = award(
        write(tmp_path, f"pair,score\n{rows}\n"),
        "kind=pairs",
        "winners=1",
        rulebook="sbu-clubs-2016",
    )
    assert result.exit_code == 2
    assert "must be at most" in result.output


def test_a_section_is_paid_by_its_own_value_before_the_one_for_all(tmp_path: Path) -> None:
    """``winners=2 winners.B=1`` is a Mitchell in A and a Howell in B, each paid as one."""
    rows = [f"{'A' if n < 7 else 'B'},{n},Player {n} & Partner {n},{70 - n}" for n in range(1, 13)]
    file = write(tmp_path, "\n".join(["section,pair,players,score", *rows]) + "\n")

    def firsts(*said: str) -> list[str]:
        answer = data(award(file, "game=club", *said, "--json", rulebook="acbl-clubs-2017"))
        by_id = {a["entrant"]: a["award"] for a in answer["awards"]}
        return [by_id["1"], by_id["7"]]

    of_two, of_one = firsts("winners=2")[1], firsts("winners=1")[1]
    assert of_two != of_one
    assert firsts("winners=2", "winners.B=1") == [of_two, of_one]
    assert firsts("winners=1", "winners.B=2") == [of_one, of_two]


def test_a_section_in_one_list_is_no_line_of_a_mitchell_beside_it(tmp_path: Path) -> None:
    """The lines of eight pairs are paid as alone, whoever plays in another section."""
    rows = [
        f"A,{line},{n},{70 - n}"
        for line, first in (("NS", 1), ("EW", 5))
        for n in range(first, first + 4)
    ]
    howell = [f"B,,{n},{70 - n}" for n in range(11, 17)]
    head = "section,direction,pair,score"

    def paid(lines: list[str], *said: str) -> dict[str, str]:
        file = write(tmp_path, "\n".join([head, *lines]) + "\n")
        answer = data(award(file, "kind=pairs", *said, "--json", rulebook="sbu-clubs-2016"))
        return {a["entrant"]: a["award"] for a in answer["awards"]}

    alone, howell_alone = paid(rows), paid(howell, "winners=1")
    assert len(set(alone.values())) > 1
    assert paid([*rows, *howell]) == alone | howell_alone
