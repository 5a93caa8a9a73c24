"""Compared with real files beside the repository: formats read by others."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from honours.formats.table_write import write_results
from honours.formats.usebio import write_usebio
from honours.pipeline import ranked, read_account
from honours.reports.convert import converted_file
from tests.support import shared

polars = pytest.importorskip("polars")


duckdb = pytest.importorskip("duckdb")


REAL = "real/usebio/multi-section.xml"


def test_results_as_a_table(tmp_path: Path) -> None:
    event = read_account(shared(REAL)).event
    path = tmp_path / "results.csv"
    path.write_bytes(write_results(event).data)
    lines = [line for session in event.sessions for line in session.results]
    frame = polars.read_csv(path, infer_schema=False)
    assert len(frame) == len(lines)
    assert frame["board"].to_list() == [str(line.board) for line in lines]
    boards = duckdb.sql(f"select count(distinct board) from read_csv('{path}')").fetchall()
    assert boards == [(len({line.board for line in lines}),)]


def test_standings_as_a_table(tmp_path: Path) -> None:
    report = ranked(read_account(shared(REAL)))
    path = tmp_path / "standings.csv"
    path.write_bytes(converted_file(report.account, "standings", report).data)
    frame = polars.read_csv(path, infer_schema=False)
    standings = [standing for field in report.lists for standing in field.standings]
    assert frame["place"].to_list() == [standing.placing for standing in standings]
    names = [player.name for standing in standings for player in standing.entrant.players[:1]]
    assert frame["player1"].to_list() == names


@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_usebio_as_xml(version: str) -> None:
    event = read_account(shared(REAL)).event
    root = ET.fromstring(write_usebio(event, version=version).data)
    assert root.get("Version") == version
    lines = [line for session in event.sessions for line in session.results]
    scores = [e.findtext("SCORE") for e in root.iter("TRAVELLER_LINE")]
    assert len(scores) == len(lines)
    pairs = [pair.findtext("PAIR_NUMBER") for pair in root.iter("PAIR")]
    assert len(pairs) == len(event.entrants)
