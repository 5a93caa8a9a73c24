"""Refusals of many fields at once: by their words, by their shape, by their players in the loop."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from honours.engine.award import award
from honours.engine.columns.award import award_columns, form_of_batch, why_refused
from honours.engine.columns.batch import Batch, FactColumn
from honours.model import Field
from honours.rulebooks import load
from tests.engine.column_books import FIELDS, TOML, WEIGHED, agree, agree_in_units, field, made

MOST = 'most = { value = 5, clause = "§2" }\n'
BY_MEAN = """
[refuses.too_strong]
message = "a mean of {mean_of_strength} is above {most}"
clause = "§2"
if = "mean_of_strength > most"

[refuses.too_long]
message = "{sessions} sessions"
clause = "§2"
if = "sessions > most"
"""
BY_ROOT = BY_MEAN.replace('"mean_of_strength >', '"power(mean_of_strength, third) >')
MANY = [
    field([(9, 3), (7, 7, 1), (5,), (1, 2)], sessions=1),
    field([(40, 30), (2, 2)], {1: 2}, sessions=1),
    field([(36, 12), (28, 4), (20, 20)], sessions=2),  # a mean of 5 in quarters: just not refused
    field([(36, 12), (28, 4), (20, 24)], sessions=2),
    field([(500, 500), (500, 500)], sessions=1),  # a root of 5
    field([(1, 1), (2, 2)], sessions=9),
]


@pytest.mark.parametrize("refusals", [BY_MEAN, BY_ROOT], ids=["mean", "root"])
def test_a_refusal_by_players(tmp_path: Path, refusals: str) -> None:
    book = made(tmp_path, WEIGHED, TOML + MOST + refusals)
    agree(book, MANY)
    agree_in_units(book, MANY)


def test_what_lies_on_a_limit_is_decided_exactly(tmp_path: Path) -> None:
    book = made(tmp_path, WEIGHED, TOML + MOST + BY_ROOT)
    awards = award_columns(book, Batch.of(MANY, []))
    assert awards.refused.tolist() == [False, False, False, False, False, True]
    assert awards.derived >= 1


def test_a_refusal_that_speaks_of_words(tmp_path: Path) -> None:
    refusal = """
[refuses.too_strong]
message = "too strong for {grade}"
clause = "§2"
if = "grade == 'low' and mean_of_strength > most"
"""
    book = made(tmp_path, WEIGHED, TOML + MOST + GRADE + refusal)
    for grade in ("low", "high"):
        agree(book, [_graded(one, grade) for one in MANY])


GRADE = """
[inputs.grade]
about = "the grade"
type = "word"
words = ["low", "high"]
first = "low"
"""


def _graded(one: Field, grade: str) -> Field:
    return Field({**one.facts, "grade": grade}, one.standings)


def test_words_that_are_refused_have_one_form(tmp_path: Path) -> None:
    refusal = """
[refuses.too_high]
message = "{grade}: only low grades"
clause = "§2"
if = "grade == 'high'"
"""
    book = made(tmp_path, WEIGHED, TOML + GRADE + refusal)
    batch = Batch.of([_graded(one, "high") for one in FIELDS], ["grade"])
    assert form_of_batch(book, batch).refused
    assert award_columns(book, batch).refused.all()
    agree(book, [_graded(one, grade) for one in FIELDS for grade in ("low", "high")])


@pytest.mark.parametrize("refusals", [BY_MEAN, BY_ROOT], ids=["mean", "root"])
def test_of_each_field_it_is_told_which_refusal_holds_first(tmp_path: Path, refusals: str) -> None:
    book = made(tmp_path, WEIGHED, TOML + MOST + refusals)
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
    kinds = FactColumn.coding(np.array([0, 1]), ("individual", "knockout"))
    batch = replace(batch, facts={**batch.facts, "field": {**batch.facts["field"], "kind": kinds}})
    codes, reasons = why_refused(book, batch)
    assert [str(reasons[code]) for code in codes] == [
        "individual: only pairs and Swiss teams are covered",
        "knockout: only pairs and Swiss teams are covered",
    ]


def test_what_only_a_refusal_of_players_reads_tells_events_apart(tmp_path: Path) -> None:
    weak = """
[inputs.rounds]
about = "rounds"

[refuses.weak]
message = "weak"
clause = "§2"
per = "player"
if = "strength < rounds"
"""
    book = made(tmp_path, WEIGHED, TOML + weak)
    agree(book, [field([(9, 3), (7, 1), (5, 5)], rounds=rounds) for rounds in (0, 1, 2, 9)])
