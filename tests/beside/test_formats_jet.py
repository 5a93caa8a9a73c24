"""Compared with real files beside the repository: formats jet."""

import pytest

from honours.formats.jet import JetDatabase
from tests.formats.test_jet import exported, ours
from tests.support import shared

REAL = "real/bws/12-tables-1-section.bws"


TABLES = {
    "Clients": 2,
    "Section": 1,
    "Tables": 12,
    "RoundData": 144,
    "ReceivedData": 288,
    "IntermediateData": 0,
    "BiddingData": 0,
    "PlayData": 0,
    "PlayerNumbers": 48,
    "Settings": 0,
    "PlayerNames": 0,
    "HandRecord": 0,
    "HandEvaluation": 0,
}


@pytest.mark.parametrize("table", TABLES)
def test_equal_to_mdb_export_on_the_real_file(table: str) -> None:
    path = shared(REAL)
    rows = ours(path, table)
    assert len(rows) == TABLES[table] + 1
    assert rows == exported(path, table)


def test_tables_of_the_real_file() -> None:
    path = shared(REAL)
    assert set(JetDatabase(str(path), path.read_bytes()).tables) == set(TABLES)
