"""No answer is about a handful of members, and none can be had by taking one from another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from honours.errors import InputError
from honours.lab import sides
from honours.lab.corpus import Corpus
from honours.lab.fit import sample_of
from honours.lab.left_out import to_merge
from honours.lab.tallies import MERGED
from tests.lab.histories import history, imported
from tests.support import cases

BOOK = "acbl-sof-2020"


def _corpus(folder: Path, events: int, pairs: int, odd: int = 0) -> Corpus:
    """Events of the same pairs, so many of them; the last few are longer, and of four pairs."""
    rows = [*history(events, pairs=pairs)]
    people = [rows[k] for k in range(pairs)]
    taken = []
    for k, row in enumerate(rows):
        same = people[k % pairs]
        row |= {name: same[name] for name in same if name.startswith(("Member", "Holding"))}
        longer = k >= (events - odd) * pairs
        if not longer or k % pairs < 4:
            taken.append(row | ({"Sessions": 3} if longer else {}))
    return imported(folder, taken).corpus


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Sixty events of the same eight members."""
    return _corpus(tmp_path_factory.mktemp("few"), 60, 4)


@cases
def test_of_a_corpus_of_eight_members_nothing_is_told(
    few: Corpus, question: str, given: tuple[object, ...]
) -> None:
    with pytest.raises(InputError, match="about 8 members, and figures of fewer than 10"):
        getattr(few, question)(*given)


def test_no_curve_and_no_range_of_it_is_about_a_handful(tmp_path: Path) -> None:
    corpus = _corpus(tmp_path, 60, 12, odd=20)
    with pytest.raises(InputError, match="about 8 members, and figures of fewer than 10"):
        corpus.fit("as-paid", sessions=3, bootstraps=2)
    days = sample_of(corpus, "as-paid")
    band = np.searchsorted(sides.HOLDINGS, days.holding, "right") - 1
    members = {k: len(np.unique(days.member[band == k])) for k in np.unique(band).tolist()}
    names = sides.band_names(sides.HOLDINGS)
    frames = corpus.fit("as-paid", bootstraps=2).frames
    shown = {row["range"] for frame in frames for row in frame if "range" in row}
    assert shown == {names[k] for k, many in members.items() if many >= 10}
    assert any(many < 10 <= int((band == k).sum()) for k, many in members.items())


def test_events_that_both_award_may_be_of_few_though_the_corpus_is_not(tmp_path: Path) -> None:
    rows = [*history(6, pairs=4)]
    for row in rows[4:]:
        row["Class"] = "nobody's"  # which no rulebook knows
    corpus = imported(tmp_path, rows).corpus
    with pytest.raises(InputError, match="about 8 members"):
        corpus.compare("as-paid", BOOK)
    with pytest.raises(InputError, match="about 8 members"):
        corpus.sweep(BOOK, "total_coefficient", ["0.08"])
    with pytest.raises(InputError, match="about 8 members"):
        corpus.growth([BOOK], 2)


def test_a_small_group_is_not_what_the_others_leave_of_the_whole(tmp_path: Path) -> None:
    compared = _corpus(tmp_path, 20, 12, 2).compare("as-paid", BOOK)
    by_length = compared.by("sessions")
    assert {row["sessions"] for row in by_length} == {"2", MERGED}
    [total] = compared.frame("All together")
    assert sum(row["events"] for row in by_length) == total["events"]
    by_length = compared.frame("Paid and the rule, by sessions")
    assert {row["sessions"] for row in by_length} == {"2", MERGED}


@cases
def test_few_are_merged_until_they_are_many(many: list[int], merged: list[int]) -> None:
    assert np.flatnonzero(to_merge(np.array(many))).tolist() == merged
