"""Compared with real files beside the repository: what the lab makes of them."""

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.history.importing import ImportRequest, bring
from honours.pipeline import Report
from tests.lab.test_corpus_import import bring_folder, largest
from tests.lab.test_importing import (
    import_folder,
    test_a_corpus_awards_what_each_file_is_awarded,
    test_a_corpus_scores_what_each_file_is_scored,
)
from tests.support import shared

__all__ = (
    "test_a_corpus_awards_what_each_file_is_awarded",
    "test_a_corpus_scores_what_each_file_is_scored",
)
REAL = shared("real")
GO = (
    "aga/tournament-report.txt",
    "h9/default-games-and-byes.h9",
    "h9/three-players.h9",
    "macmahon/macmahon-3.10.xml",
    "opengotha/aga-2014.xml",
    "opengotha/handicap-both-lose-2021.xml",
    "opengotha/juvisy.xml",
    "opengotha/local-2021.tou",
    "pairgoth/finished-2021.tour",
)


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Corpus, list[Report]]:
    return import_folder(REAL, tmp_path_factory.mktemp("imported"))


def test_ratings_are_not_fitted_as_points(tmp_path: Path) -> None:
    files = [str(REAL / name) for name in GO]
    history = bring(ImportRequest(files, {"section_kind": "open"}), tmp_path / "corpus").corpus
    with pytest.raises(InputError, match="changes ratings"):
        history.fit("egf-2021 class=A", bootstraps=2)


def test_hundredths_of_a_file_are_points(tmp_path: Path) -> None:
    """A program of the ABF writes 60 for 0.60 masterpoints, one of the EBU 36 for 36 points."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("mp-pairs-howell.xml", "butler-howell.xml"):
        shutil.copy(REAL / "usebio" / name, folder)
    corpus = bring_folder(folder, tmp_path / "corpus").corpus
    assert corpus.manifest["about"]["unit"] == "masterpoints"
    assert corpus.manifest["about"]["body"] == "Australian Bridge Federation"
    assert largest(corpus) == Fraction(60, 100)
    shutil.copy(REAL / "usebio" / "scorebridge-half-table.xml", folder)
    both = bring_folder(folder, tmp_path / "both")
    assert largest(both.corpus) == 36
    notes = [str(note) for note in both.notes()]
    assert "paid: 2 events in hundredths, taken as points" in notes
    assert "paid: as abf-sessions pays in 10 of 10 figures of 2 events" in notes
    answer = both.corpus.compare("as-paid", "abf-sessions event_grade=green").statement
    assert "only the shares" in answer, "points of two federations are not one total"


def test_what_acblscore_paid_is_set_against_the_rule(tmp_path: Path) -> None:
    """Sections, two lines ranked as one, strata with limits: as `honours award --check` has it."""
    folder = tmp_path / "files"
    folder.mkdir()
    for name in ("three-sections.ACM", "late-play.ACE", "tie-for-first.aca"):
        shutil.copy(REAL / "acblscore" / name, folder)
    corpus = bring_folder(folder, tmp_path / "corpus").corpus
    made = corpus.compare("as-paid", "acbl-clubs-2017")
    [row] = next(made.compared.differences()).rows
    assert (row["events"], row["events alike"]) == (3, 3)
    assert row["alike"] == row["players"] == 186
    assert "the same" in made.statement
