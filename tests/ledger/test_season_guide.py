"""Examples 21 to 25 of the guide, from files to the ledger."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.ledger import members
from honours.ledger.season import awards as seasonal
from honours.ledger.season.plan import read_season
from honours.ledger.season.standings import figure, standings_table
from honours.ledger.statement import statement
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from honours.reports.drawing import draw_text
from tests.ledger import guide
from tests.ledger.guide import golden, people, write_event
from tests.support import ROOT, cases

HEAD = 'club = "Club"\nrulebook = "sbu-clubs-2016"\nyear = 2016-09-01\noptions.as_usual = true\n'


def season(ledger: Ledger, command: str, file: Path, *more: str) -> Any:
    where = ledger.engine.url.render_as_string(hide_password=False)
    where = ledger.where if ledger.dialect == "sqlite" else where
    done = CliRunner().invoke(
        cli, ["season", command, str(file), "--json", "--ledger", where, *more]
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    return told.get("items", told)


def check_posted(ledger: Ledger, expected: dict[int, int]) -> None:
    """Both players of each pair hold what is expected, and the ledger verifies."""
    with ledger.reading() as connection:
        for pair, points in expected.items():
            for _, number in people(pair):
                held = statement(connection, members.find(connection, number))
                assert sum(held.balances.values()) == points, pair
    assert verify(ledger).sound


def test_21_a_handicapped_championship_goes_by_the_unadjusted_list(
    ledger: Ledger, tmp_path: Path
) -> None:
    printed = golden(21)
    field = printed["given"]["field"]
    scores = {n: p["percentage"] for n, p in enumerate(field, 1)}
    handicaps = {n: f",{p['handicap']}" for n, p in enumerate(field, 1)}
    write_event(tmp_path / "2017-03-01 handicap.csv", scores, handicaps, ",handicap")
    file = tmp_path / "season.toml"
    file.write_text(
        HEAD
        + """
title = "Handicap pairs championship"
kind = "pairs"
type = "session"
file = "2017-03-01 handicap.csv"
facts = { winners = 1, handicapped = "yes", ranking_basis = "unadjusted" }
""",
        encoding="utf-8",
    )
    data = season(ledger, "award", file, "--post")
    assert "the handicapped one is for prizes only" in data[0]["notices"][0]["text"]
    expected = {n: printed["expect"]["awards"].get(p["pair"], 0) for n, p in enumerate(field, 1)}
    check_posted(ledger, expected)
    assert expected[11] == 0  # pair K won the handicap prize


def test_22_the_table_as_printed_and_the_bonus(ledger: Ledger, tmp_path: Path) -> None:
    file = guide.write_example_22(tmp_path)
    data = season(ledger, "standings", file)
    listed = [row for row in data["rows"] if row["qualified"]]
    assert [row["total"] for row in listed] == guide.AVERAGES
    assert [row["played"] for row in listed] == list(guide.PLAYED)
    days = [e["date"] for e in data["events"]]
    for row, line in zip(listed, guide.PRINTED.strip().splitlines(), strict=True):
        printed = [row["scores"][days.index(day)] or "-" for day in guide.PRINTED_DAYS]
        assert printed == line.split()
    season(ledger, "award", file, "--post")
    awards = [*golden(22)["expect"], *[0] * 12]
    check_posted(ledger, dict(enumerate(awards, 1)))


def test_22_as_bundled_is_what_the_script_writes(tmp_path: Path) -> None:
    guide.write_example_22(tmp_path)
    written = sorted(p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file())
    bundled = ROOT / "examples" / "season"
    for name in written:
        assert (tmp_path / name).read_bytes() == (bundled / name).read_bytes(), name


def test_22_prints_like_the_guide() -> None:
    read = read_season(ROOT / "examples" / "season" / "year.toml")
    text = draw_text(standings_table(seasonal.standings(read, read.competition())))
    head = text.splitlines()[1].split()
    assert head[:3] == ["position", "names", "average"]
    assert head[-2:] == ["played", "qualify"]
    assert "Tulloch" not in text
    assert "2 more played fewer than 12 events" in text


# --- example 23 -------------------------------------------------------------------------------


def write_example_23(folder: Path, boards: int, variant: str) -> Path:
    """60 pairs play at least four events, 35 of them average 50% or more; two play only three."""
    for round_ in range(4):
        scores: dict[int, object] = {}
        for pair in range(1, 61):
            middle = Decimal("50.5") if pair <= 35 else Decimal("48.5")
            scores[pair] = middle + Decimal(61 - pair) / 100 + (round_ - Decimal("1.5")) / 10
        if round_:
            scores |= {61: 70, 62: 68}
        write_event(folder / "heats" / f"2016-1{round_ // 2}-0{1 + round_}.csv", scores)
    for name, pairs in (("final", range(1, 36)), ("consolation", range(36, 61))):
        write_event(folder / f"2017-05-01-{name}.csv", {p: 70 - p for p in pairs}, swap=True)
    file = folder / f"season-{boards}-{variant}.toml"
    file.write_text(
        HEAD
        + f"""
variant = "{variant}"
title = "Club pairs"
kind = "pairs"
type = "final"
events = {{ folder = "heats" }}
played = 4
final = {{ file = "2017-05-01-final.csv", boards = {boards}, score = 50 }}
consolation = {{ file = "2017-05-01-consolation.csv", boards = 24 }}
""",
        encoding="utf-8",
    )
    return file


@cases
def test_23_final_and_consolation(
    ledger: Ledger, tmp_path: Path, example: str, boards: int, variant: str, first: int
) -> None:
    file = write_example_23(tmp_path, boards, variant)
    data = season(ledger, "award", file, "--post")
    assert [d["title"] for d in data[:2]] == ["Club pairs, final", "Club pairs, consolation final"]
    assert data[0]["given"]["toe"] == "60"
    check_posted(ledger, dict(enumerate(golden(example)["expect"], first)))


def test_23_by_the_text_rounds_up(file_ledger: Ledger, tmp_path: Path) -> None:
    file = write_example_23(tmp_path, 24, "example-23a")
    file.write_text(file.read_text().replace('variant = "example-23a"\n', ""))
    data = season(file_ledger, "award", file)
    assert [a["award"] for a in data[0]["awards"]][:3] == ["200", "189", "178"]
    assert data[0]["awards"][4]["award"] == "156"
    assert data[0]["awards"][17]["award"] == "12"


# --- examples 24 and 25 -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("example", "kind", "more"),
    [
        (24, "teams", "facts = { boards_per_match = 5, matches = 5, boards = 25 }"),
        (
            25,
            "pairs",
            'championship = "major"\nfacts = { boards_per_match = 6, matches = 4, '
            'boards = 24, permission = "yes" }',
        ),
    ],
)
def test_24_and_25_swiss(
    ledger: Ledger, tmp_path: Path, example: int, kind: str, more: str
) -> None:
    printed = golden(example)
    records = printed["given"]["records"]
    scores = {n: vps for n, (_, _, vps) in enumerate(records, 1)}
    matches = {n: f",{won},{drawn}" for n, (won, drawn, _) in enumerate(records, 1)}
    write_event(tmp_path / "2017-04-01 swiss.csv", scores, matches, ",won,drawn")
    file = tmp_path / "season.toml"
    file.write_text(
        HEAD
        + f"""
title = "Swiss"
kind = "{kind}"
type = "swiss"
file = "2017-04-01 swiss.csv"
{more}
""",
        encoding="utf-8",
    )
    season(ledger, "award", file, "--post")
    check_posted(ledger, dict(enumerate(printed["expect"]["total"], 1)))


def test_figures_are_rounded_half_up() -> None:
    from fractions import Fraction

    assert figure(Fraction(12345, 1000)) == "12.35"
