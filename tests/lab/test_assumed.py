"""What a rulebook takes to be so of everybody, because a corpus does not tell it, is said."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from honours.lab.corpus import Corpus
from honours.lab.result import notes_of
from honours.rulebooks import load
from tests.lab.conftest import small_tables

TAKEN = "acbl-sof-2020 takes eligibility_points=0 of everybody: no column of the corpus tells it."


def test_a_default_that_stands_for_a_column_is_named(small: Path) -> None:
    corpus = Corpus.open(small)
    assert notes_of(corpus, load("acbl-sof-2020")) == [TAKEN]
    assert notes_of(corpus, load("acbl-general")) == []


def test_every_question_about_the_rulebook_says_it(corpus: Corpus) -> None:
    book = "acbl-sof-2020"
    results: list[Any] = [
        corpus.compare("acbl-general", book),
        corpus.sweep(book, "first_exponent", ["0.7"]),
        corpus.growth([book], years=2),
    ]
    assert [TAKEN in result.text() for result in results] == [True] * 3


def test_a_column_is_no_assumption(tmp_path: Path) -> None:
    tables, book = small_tables(1, 3), load("sbu-clubs-2016")
    silent = Corpus.of(tmp_path / "silent", unit="corpus", **tables)
    for name in ("won", "drawn"):
        wins = pa.array([2] * tables["entrants"].num_rows, pa.int16())
        tables["entrants"] = tables["entrants"].append_column(name, wins)
    telling = Corpus.of(tmp_path / "telling", unit="corpus", **tables)
    [note] = notes_of(silent, book)
    assert "won=0, drawn=0" in note
    assert notes_of(telling, book) == []
