"""Compared with real files beside the repository: what holdings tell of results."""

from pathlib import Path

import pytest

from honours.lab.corpus import Corpus
from tests.support import shared


def test_what_holdings_tell_of_47_real_events(tmp_path: Path) -> None:
    """Concordance, R² and loss as SCIENCE.md prints them; five events rank sections apart."""
    corpus = Corpus.take(shared("real/acbl/pairs.csv"), tmp_path / "acbl")
    told = corpus.predict(["MP^0.4", "max(MP,300)^0.4", "log(MP+10)", "MP", "stratum"])
    first, differences = (frame.rows for frame in told.frames[:2])
    assert [row["comparisons"] for row in first] == [4421] * 5
    published = {
        "MP": (0.643, 0.063, 0.663),
        "MP^0.4": (0.641, 0.167, 0.631),
        "max(MP,300)^0.4": (0.630, 0.122, 0.644),
        "log(MP+10)": (0.641, 0.189, 0.627),
        "stratum": (0.603, 0.116, 0.653),
    }
    for row in first:
        right, explained, loss = published[row["strength"]]
        assert row["right %"] / 100 == pytest.approx(right, abs=0.0006)
        assert row["R² held out"] == pytest.approx(explained, abs=0.004)
        assert row["log loss"] == pytest.approx(loss, abs=0.0015)
    row = first[0]
    ends = (row["right % from (95%)"], row["right % to (95%)"])
    assert ends == pytest.approx((61.4, 66.8), abs=0.15)
    floor = differences[0]
    ends = (floor["difference from (95%)"], floor["difference to (95%)"])
    assert floor["difference"] == pytest.approx(1.1, abs=0.05)
    assert ends == pytest.approx((-0.1, 2.3), abs=0.1)
