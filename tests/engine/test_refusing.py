"""Refusals of many fields at once: by their words, by their shape, by their players in the loop."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from honours.engine.award import award
from honours.engine.compiled.award_columns import award_columns
from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import QuantityColumn
from honours.engine.compiled.kept_forms import form_of_batch, kept_form
from honours.engine.compiled.refusals import why_refused
from honours.engine.compiled.rule_cache import WorkedOut, worked_out
from honours.engine.rulebook import Rulebook
from honours.model import Field
from honours.rulebooks import load
from tests.engine.fused_books import FIELDS, TOML, WEIGHED, agree, agree_in_units, field, made
from tests.uncompiled import without_compiling

BY_MEAN = """
@refuses("a mean of {mean_of_strength} is above {most}", "§2")
def too_strong(mean_of_strength: Number, most: Number) -> bool:
    return mean_of_strength > most


@refuses("{sessions} sessions", "§2")
def too_long(sessions: Number, most: Number) -> bool:
    return sessions > most
"""
BY_ROOT = BY_MEAN.replace(
    "most: Number) -> bool:\n    return mean_of_strength > most",
    "most: Number, third: Number) -> bool:\n    return power(mean_of_strength, third) > most",
)
MOST = 'most = { value = 5, clause = "§2" }\n'
MANY = [
    field([(9, 3), (7, 7, 1), (5,), (1, 2)], sessions=1),
    field([(40, 30), (2, 2)], {1: 2}, sessions=1),
    field([(36, 12), (28, 4), (20, 20)], sessions=2),  # a mean of 5 in quarters: just not refused
    field([(36, 12), (28, 4), (20, 24)], sessions=2),
    field([(500, 500), (500, 500)], sessions=1),  # a root of 5
    field([(1, 1), (2, 2)], sessions=9),
]


@pytest.fixture(autouse=True)
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    without_compiling(monkeypatch)


@pytest.mark.parametrize("rules", [BY_MEAN, BY_ROOT], ids=["mean", "root"])
def test_a_refusal_by_players_is_asked_in_the_loop(tmp_path: Path, rules: str) -> None:
    book = made(tmp_path, WEIGHED + rules, TOML + MOST)
    agree(book, MANY)
    agree_in_units(book, MANY)
    batch = Batch.of(MANY, [])
    ready = kept_form(book, batch)
    assert [rule.name for rule in ready.in_loop] == ["too_strong"]
    assert [rule.name for rule in ready.by_shape] == ["too_long"]
    assert ready.loop is not None


def test_what_lies_on_a_limit_is_decided_exactly(tmp_path: Path) -> None:
    book = made(tmp_path, WEIGHED + BY_ROOT, TOML + MOST)
    awards = award_columns(book, Batch.of(MANY, []))
    assert awards.refused.tolist() == [False, False, False, False, False, True]
    assert awards.derived >= 1


def test_a_refusal_that_speaks_of_words_is_asked_before_the_loop(tmp_path: Path) -> None:
    rules = (
        WEIGHED
        + """
@refuses("too strong for {grade}", "§2")
def too_strong(mean_of_strength: Number, most: Number, grade: str) -> bool:
    return grade == "low" and mean_of_strength > most
"""
    )
    toml = TOML.replace("[parameters]", GRADE + "[parameters]") + MOST
    book = made(tmp_path, rules, toml)
    for grade in ("low", "high"):
        agree(book, [_graded(one, grade) for one in MANY])


GRADE = """
[inputs.grade]
about = "the grade"
type = "word"
words = ["low", "high"]
default = "low"
"""


def _graded(one: Field, grade: str) -> Field:
    return Field({**one.facts, "grade": grade}, one.standings)


def test_words_that_are_refused_have_one_form(tmp_path: Path) -> None:
    rules = (
        WEIGHED
        + """
@refuses("{grade}: only low grades", "§2")
def too_high(grade: str) -> bool:
    return grade == "high"
"""
    )
    book = made(tmp_path, rules, TOML.replace("[parameters]", GRADE + "[parameters]"))
    batch = Batch.of([_graded(one, "high") for one in FIELDS], ["grade"])
    assert form_of_batch(book, batch).refused
    assert award_columns(book, batch).refused.all()
    agree(book, [_graded(one, grade) for one in FIELDS for grade in ("low", "high")])


# --- kept between runs --------------------------------------------------------------------------

ROOTED = (
    WEIGHED
    + '''
@rule("§3", rounds=nearest("cent"))
def root_of_size(entrants: Number, third: Number) -> Number:
    """A root."""
    return power(entrants, third)
'''
)


def _book(folder: Path) -> Rulebook:
    return made(folder, ROOTED)


def test_what_was_worked_out_is_kept_for_the_next_run(tmp_path: Path) -> None:
    book = _book(tmp_path)
    rule = next(r for r in book.rules if r.name == "root_of_size")
    sizes = tuple(Fraction(n) for n in range(1, 300))
    arguments, cases = (sizes, (Fraction(1, 3),)), [(n, 0) for n in range(len(sizes))]
    first = WorkedOut(tmp_path / "kept")
    values = first.values(rule, ("nearest", Fraction(1, 100)), arguments, cases)
    assert values[7] == 2
    first.keep()
    again = WorkedOut(tmp_path / "kept")
    assert again.values(rule, ("nearest", Fraction(1, 100)), arguments, cases) == values
    assert again.new == 0
    assert again.values(rule, None, arguments, cases[:1]) == [1]
    assert again.new == 1, "another rounding is another table"


def test_a_file_that_cannot_be_read_is_worked_out_again(tmp_path: Path) -> None:
    (tmp_path / "kept").write_bytes(b"\xe9 no such thing")
    assert WorkedOut(tmp_path / "kept")._tables == {}
    (tmp_path / "kept").write_bytes(b"")
    assert WorkedOut(tmp_path / "kept")._tables == {}
    in_the_way = WorkedOut(tmp_path / "kept" / "below")
    in_the_way.new = 1000
    in_the_way.keep()
    assert in_the_way.new == 1000


def test_amended_numbers_are_arguments_and_another_text_is_another_file(tmp_path: Path) -> None:
    book, other = _book(tmp_path / "a"), made(tmp_path / "b", ROOTED + "\n")
    assert worked_out(book) is worked_out(book.amend(third="1/2"))
    assert worked_out(book).path != worked_out(other).path


@pytest.mark.parametrize("rules", [BY_MEAN, BY_ROOT], ids=["mean", "root"])
def test_of_each_field_it_is_told_which_refusal_holds_first(tmp_path: Path, rules: str) -> None:
    book = made(tmp_path, WEIGHED + rules, TOML + MOST)
    codes, reasons = why_refused(book, Batch.of(MANY, []))
    texts = [str(reasons[code]) if code >= 0 else "" for code in codes]
    assert {"", "… sessions"} <= set(texts) <= {"", "a mean of … is above 5", "… sessions"}
    for one, reason in zip(MANY, texts, strict=True):
        exactly = award(book, one).refusal
        pattern = re.escape(reason).replace("…", r"[\d.]+")
        assert re.fullmatch(pattern, str(exactly.reason) if exactly else "")


def test_reasons_tell_the_words_of_each_field() -> None:
    book = load("acbl-sof-2011")
    fields = [
        Field({"kind": kind, "class_": class_, "tables": Fraction(9), "sessions": Fraction(1)})
        for kind, class_ in (("individual", "regional"), ("knockout", "regional"))
    ]
    batch = Batch.of(fields, ["kind", "class_"])
    kinds = QuantityColumn.coding(np.array([0, 1]), ("individual", "knockout"))
    batch = replace(batch, facts={**batch.facts, "field": {**batch.facts["field"], "kind": kinds}})
    codes, reasons = why_refused(book, batch)
    assert [str(reasons[code]) for code in codes] == [
        "individual: only pairs and Swiss teams are covered",
        "knockout: only pairs and Swiss teams are covered",
    ]
