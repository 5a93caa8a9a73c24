"""Conventions of programs as switches: read from a file, set otherwise, and what is wrong told."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblems, InputError
from honours.model import Citation
from honours.scoring.imps import (
    Datum,
    DatumTie,
    Divisor,
    ImpRules,
    imp_convention,
)
from honours.scoring.profiles import Profile, profile, profile_names
from honours.scoring.switches import amend, read_sets
from honours.scoring.victory_points import Band, ScaleTable, TableScale, read_scale
from tests.support import cases

TEXT = """
[one]
title = "One"
clause = "§1"
words = "so"
per_score_beaten = 2
factor_missing = true
factor_adjusted = false
unit = "0.1"
small_groups = { 1 = ["60%"], 2 = ["65%", "55%"] }
larger_exempt = [2, 3]

[two]
title = "Two"
like = "one"
half = "even"
totals_unit = "0.01"
"""


def test_a_profile_takes_over_what_another_says() -> None:
    profiles = read_sets(Profile, TEXT)
    assert profiles["one"] == Profile(
        "one",
        "One",
        2,
        True,
        False,
        Fraction(1, 10),
        small_groups={1: (Fraction(3, 5),), 2: (Fraction(13, 20), Fraction(11, 20))},
        larger_exempt=frozenset({2, 3}),
        clause="§1",
        words="so",
    )
    assert (profiles["two"].name, profiles["two"].title, profiles["two"].half) == (
        "two",
        "Two",
        "even",
    )
    assert profiles["two"].totals_unit == Fraction(1, 100)
    assert profiles["two"].small_groups == profiles["one"].small_groups
    assert profiles["one"].citation == Citation("§1", "so")
    plain = Profile("p", "P", 1, True, True, Fraction(0))
    assert plain.citation == Citation("scoring profile p", "")
    assert [plain.top(n) for n in (0, 1, 4)] == [0, 0, 3]
    assert profiles["one"].top(4) == 6


@cases
def test_a_wrong_switch_says_what_would_be_right(changes: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as error:
        amend(profile("ebu"), changes)
    assert str(error.value) == message


def test_a_profile_is_amended_and_says_so() -> None:
    made = amend(
        profile("ebu"),
        {
            "unit": '"0.01"',
            "half": "up",
            "session_rule": "false",
            "larger_exempt": "[3]",
            "totals_unit": "0.1",
            "small_groups": '{ 1 = ["50%"] }',
            "per_score_beaten": "1",
        },
    )
    assert (made.unit, made.half, made.session_rule) == (Fraction(1, 100), "up", False)
    assert (made.totals_unit, made.per_score_beaten) == (Fraction(1, 10), 1)
    assert made.larger_exempt == frozenset({3})
    assert made.small_groups == {1: (Fraction(1, 2),)}
    assert made.name.startswith('ebu, unit="0.01", half=up, session_rule=false, ')
    assert amend(profile("ebu"), {}) is profile("ebu")
    assert amend(profile("ebu"), {"unit": "0.1"}).unit == Fraction(1, 10)


def test_an_unknown_profile_names_those_there_are() -> None:
    assert profile_names()[:3] == ("ebu", "ebuscore", "acbl")
    with pytest.raises(InputError) as error:
        profile("ebuu")
    assert str(error.value) == (
        f"unknown scoring profile 'ebuu'; did you mean 'ebu'? Known: {', '.join(profile_names())}"
    )


# --- IMPs ---------------------------------------------------------------------------------------


def test_a_convention_is_read_and_gives_its_rules() -> None:
    text = """
[one]
title = "One"
divisor = "n"
average_plus = "2.5"
line_unit = "0.1"
total_unit = "0.5"
prorated = true
datum = { trim = 2, trim_share = "1/10", tie = "towards zero", unit = 5, trim_from = 6 }
[two]
title = "Two"
"""
    conventions = read_sets(ImpRules, text)
    datum = Datum(2, Fraction(1, 10), 6, 5, DatumTie.TOWARDS)
    assert conventions["one"] == ImpRules(
        "one", "One", Divisor.SCORES, datum, Fraction(5, 2), Fraction(1, 10), True, Fraction(1, 2)
    )
    assert str(conventions["one"]) == "one"
    assert conventions["two"] == ImpRules("two", "Two")


def test_rules_say_what_they_compare_with() -> None:
    assert ImpRules().comparison == "divided by n-1"
    assert ImpRules(divisor=Divisor.SCORES).comparison == "divided by n"
    assert ImpRules(divisor=Divisor.NOTHING).comparison == "a sum"
    assert ImpRules(butler=True).comparison == "datum to 10, 1 off each end"
    assert str(Datum(0, Fraction(1, 10), unit=0)) == "datum exact, 10% off each end"


def test_a_convention_is_amended_and_says_so() -> None:
    changes = {
        "divisor": "sum",
        "datum.trim": "2",
        "datum.tie": "towards North-South",
        "prorated": "TRUE",
        "line_unit": "0.5",
    }
    made = amend(imp_convention("compscore"), changes)
    before = imp_convention("compscore")
    assert (made.divisor, made.prorated, made.line_unit) == (
        Divisor.NOTHING,
        True,
        Fraction(1, 2),
    )
    assert (made.datum.trim, made.datum.tie) == (2, DatumTie.UP)
    assert (made.datum.unit, made.datum.trim_from) == (before.datum.unit, before.datum.trim_from)
    assert made.name == (
        "compscore, divisor=sum, datum.trim=2, datum.tie=towards North-South, prorated=TRUE, "
        "line_unit=0.5"
    )
    assert amend(before, {}) is before
    assert not amend(made, {"prorated": "false"}).prorated


LIMITS = (
    "what is left out and rounded to cannot be negative, nor half or more of the scores be left "
    "out at each end"
)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"divisr": "n"},
            "unknown switch 'divisr'; did you mean 'divisor'? Known: "
            "divisor, average_plus, line_unit, prorated, total_unit, datum.trim, "
            "datum.trim_share, datum.trim_from, datum.unit, datum.tie",
        ),
        (
            {"divisor": "m"},
            "switch divisor=m: expected sum, n-1 or n",
        ),
        (
            {"prorated": "perhaps"},
            "switch prorated=perhaps: expected true or false",
        ),
        (
            {"datum.tie": "up"},
            "switch tie=up: expected away from zero, "
            "towards zero, towards North-South or towards East-West",
        ),
        (
            {"datum.trim": "x"},
            "switch trim=x: expected a whole number",
        ),
        (
            {"datum.unit": "true"},
            "switch unit=true: expected a whole number",
        ),
        (
            {"datum.trim_from": "1/2"},
            "switch trim_from=1/2: expected a whole number",
        ),
        ({"datum.trim": "-1"}, f"a datum to 10, -1 off each end: {LIMITS}"),
        ({"datum.trim_share": "1/2"}, f"a datum to 10, 50% off each end: {LIMITS}"),
        ({"datum.unit": "-10"}, f"a datum to -10, 1 off each end: {LIMITS}"),
    ],
)
def test_a_wrong_switch_of_imps(changes: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as error:
        amend(imp_convention(), changes)
    assert str(error.value) == message


def test_a_wrong_file_of_conventions() -> None:
    with pytest.raises(InputError) as error:
        read_sets(ImpRules, '[one]\ntitle = "One"\ndivsor = "n"\n')
    assert str(error.value) == (
        "unknown switch 'divsor'; did you mean 'divisor'? Known: name, title, "
        "divisor, datum, average_plus, line_unit, prorated, total_unit"
    )
    with pytest.raises(InputError, match=r"^unknown IMP convention 'exct'; did you mean 'exact'"):
        imp_convention("exct")


# --- scales of victory points as files ------------------------------------------------------------


def told(folder: Path, name: str, text: str | bytes) -> list[str]:
    file = folder / name
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises((FileProblems, InputError)) as error:
        read_scale(file)
    return [line.replace(f"{folder}/", "") for line in str(error.value).splitlines()]


@cases
def test_a_wrong_scale_tells_all_that_is_wrong(
    tmp_path: Path, name: str, text: str, messages: list[str]
) -> None:
    assert told(tmp_path, name, text) == messages


def test_a_scale_that_cannot_be_read(tmp_path: Path) -> None:
    (problem,) = told(tmp_path, "a.csv", b"\xff")
    assert problem.startswith("a.csv: 'utf-8' codec can't decode byte 0xff")
    assert problem.endswith("; expected a text file in UTF-8")
    (problem,) = told(tmp_path, "a.toml", "tables = [")
    assert problem.endswith("; expected a TOML file")
    (problem,) = told(tmp_path, "b.toml", "margin_unit = 1e99999")
    assert problem.startswith("b.toml: '1e99999' is too large or too small a number")


def test_a_scale_is_read(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text(
        'title = "Ours"\nmargin_unit = 0.5\n'
        '[[tables]]\nboards = "6-8"\nbands = [[0, 10, 10], [5, 12.5, 7.5], ["", 20, 0]]\n'
        '[[tables]]\nboards = 12\nbands = [[0, 1, 1], ["", 2, 0]]\n'
    )
    scale = read_scale(file)
    assert (scale.title, scale.margin_unit) == ("Ours", Fraction(1, 2))
    ten, zero = Fraction(10), Fraction(0)
    assert scale.tables[0] == ScaleTable(
        (
            Band(zero, ten, ten),
            Band(Fraction(5), Fraction("12.5"), Fraction("7.5")),
            Band(None, Fraction(20), zero),
        ),
        6,
        8,
    )
    assert (scale.tables[1].fewest, scale.tables[1].most) == (12, 12)
    file.write_text('[[tables]]\nbands = [[0, 1, 1], ["more", 2, 0]]\n')
    assert read_scale(file) == TableScale("own", (replace(scale.tables[1], fewest=0, most=0),))
    file.write_text('[[tables]]\nboards = 1\nbands = [[0, 1, 1], ["more", 2, 0]]\n')
    assert read_scale(file).tables[0].fewest == 1
    sheet = tmp_path / "sheet.CSV"
    sheet.write_text("\ufeffboards,up_to,winner,loser\n,0,1,1\n,,2,0\n", encoding="utf-8")
    read = read_scale(sheet)
    assert (read.title, read.margin_unit) == ("sheet", Fraction(1))
    assert read.tables == (
        ScaleTable((Band(zero, Fraction(1), Fraction(1)), Band(None, Fraction(2), zero))),
    )
