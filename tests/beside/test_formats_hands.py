"""Compared with real files beside the repository: formats hands."""

from pathlib import Path

from tests.formats.test_hands import event
from tests.support import shared


def test_a_real_pair_of_files(tmp_path: Path) -> None:
    results, hands = (
        shared("real/usebio/usebio-and-pbn.xml"),
        shared("real/pbn/hands-of-shared-usebio-and-pbn.pbn"),
    )
    (tmp_path / "x.xml").write_bytes(results.read_bytes())
    (tmp_path / "x.pbn").write_bytes(hands.read_bytes())
    assert len(event(tmp_path / "x.xml").sessions[0].boards) == 24
