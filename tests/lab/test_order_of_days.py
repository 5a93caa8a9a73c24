"""Putting a corpus in the order of its days is watched, and spared where a few events will do."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.engine.rulebook import Rulebook
from honours.lab.corpus import Corpus
from honours.lab.shard_work import pieces_of
from honours.lab.tried_first import events_to_try, failing
from tests.engine.books import write_book
from tests.lab.test_awarded_before import MOST, corpus_of, histories
from tests.ledger.test_year_so_far import RULES, TOML


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    return write_book(tmp_path / "capped", TOML, RULES).amend(most=MOST)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path / "corpus", histories(40, 7), held=1000)


def test_putting_a_corpus_in_order_is_seen_to_advance(book: Rulebook, corpus: Corpus) -> None:
    """Each rulebook that asks is a pass over the corpus of its own, and the count never falls."""
    seen: list[tuple[int, int]] = []
    other = book.amend(most=50)
    corpus.compare(book, other, progress=lambda done, of, *_: seen.append((done, of)))
    assert len({of for _, of in seen}) == 1
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    last, of = seen[-1]
    assert (last, of) == (of, 3 * len(pieces_of(corpus)))
    steps: list[tuple[int, int]] = []
    corpus.history.as_if(lambda shard: shard).work_out(book, lambda *step: steps.append(step))
    assert len(steps) > 1
    assert steps[-1][0] == steps[-1][1]


def test_a_value_is_tried_first_without_putting_the_corpus_in_order(
    book: Rulebook, corpus: Corpus
) -> None:
    few = events_to_try(corpus, book)
    assert few is not None
    assert few.history is None
    assert failing(book.amend(most=50), few) == 0
    assert corpus.sweep(book, "most", ["50", "40"]).failed == ()
