"""Words as columns."""

from __future__ import annotations

import numpy as np

from honours.lab.store import WordColumn


def test_words_are_texts_by_row() -> None:
    words = WordColumn.of(["pairs", "", "teams", "pairs"])
    assert (words == "pairs").tolist() == [True, False, False, True]
    assert (words != "").tolist() == [True, False, True, True]
    assert not (words == "swiss").any()
    assert np.asarray(words[np.array([2, 1])]).tolist() == ["teams", ""]
    assert (words[2], len(words), words.dtype) == ("teams", 4, np.dtype(object))
    both = WordColumn.together([words, WordColumn.of(["swiss", "teams"])])
    assert both.tolist() == ["pairs", "", "teams", "pairs", "swiss", "teams"]
    assert len(both.words) == 4


def test_words_are_put_into_others() -> None:
    kinds = WordColumn.of(["pairs", "teams", "", "pairs"])
    some = np.array([False, True, True, False])
    assert kinds.where(some, "swiss").tolist() == ["pairs", "swiss", "swiss", "pairs"]
    other = WordColumn.of(["a", "pairs", "teams", "b"])
    mixed = kinds.where(some, other)
    assert mixed.tolist() == ["pairs", "pairs", "teams", "pairs"]
    assert (mixed == "pairs").tolist() == [True, True, False, True]
    assert mixed.is_in(["teams", "swiss"]).tolist() == [False, False, True, False]
