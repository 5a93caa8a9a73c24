"""What an older Honours left beside a file goes on: its rulings, and what they lead to.

Ledgers of then are tried in tests/ledger/test_older.py.
"""

import shutil
from pathlib import Path

import honours
from honours.rulebooks import load
from tests.support import ROOT

RULINGS = """\
[[ruling]]
kind = "penalty"
pair = "11"
amount = "10"
unit = "percent"
by = "A. D."
when = "2026-11-16 18:37:57+00:00"
why = "late"
"""
"""Written by version de80847, which then scored 206.7, 206.3 and 202.3 matchpoints."""


def test_rulings_of_then_are_read_and_give_what_they_gave(tmp_path: Path) -> None:
    shutil.copy(ROOT / "examples" / "tuesday.csv", tmp_path)
    (tmp_path / "tuesday.csv.rulings.toml").write_text(RULINGS, encoding="utf-8")
    [ranking, *_] = honours.score(honours.read(tmp_path / "tuesday.csv")).lists
    best = [(s.entrant.id, str(float(s.facts["points"]))) for s in ranking.standings[:3]]
    assert best == [("10", "206.7"), ("11", "206.3"), ("9", "202.3")]


def test_the_revision_of_then_awards_what_it_awarded() -> None:
    night = honours.score(honours.read(ROOT / "examples" / "club-pairs.csv"))
    given = {"kind": "pairs", "winners": "1"}
    report = honours.award(night, load("sbu-clubs-2016@1"), given)
    assert report.awards is not None
    assert [award.shown for award in report.awards.lists[0].schedule] == ["12", "6", *["0"] * 4]
