"""Games of a go tournament beside its standings, against a wall list of the same event."""

from __future__ import annotations

from honours.pipeline import ranked, read_account
from honours.reports import views
from tests.support import ROOT


def test_the_example() -> None:
    (table,) = views.standings(ranked(read_account(ROOT / "examples/go-open.txt")))
    assert [column.title for column in table.columns[-3:]] == ["round 1", "round 2", "round 3"]
    cells = {row[1].text: tuple(cell.text for cell in row[-3:]) for row in table.rows}
    assert cells["501"] == ("6+/w", "2+/w", "3+/w")
    assert cells["506"] == ("4+/b", "6+/w", "1-/b")
