"""Bridgemate files: the real one whole, and small ones with what it has not."""

import os
import struct
import time
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.bws import read_bws
from honours.formats.detect import experimental, read
from honours.formats.jet import BOOLEAN, SHORT, TEXT
from honours.model import ArtificialScore, Contract, Denomination, Event, Result, Seat
from tests.formats.jet_builder import JET4, Spec, database, record, text

SECTION = [("ID", SHORT), ("Letter", TEXT), ("Tables", SHORT)]
ROUND = [(n, SHORT) for n in ("Section", "Table", "Round", "NSPair", "EWPair")]
NUMBERS = [
    ("Section", SHORT),
    ("Table", SHORT),
    *((n, TEXT) for n in ("Direction", "Number", "Name")),
]
NAMES = [("ID", SHORT), ("Name", TEXT), ("strID", TEXT)]
RECEIVED = [
    *((n, SHORT) for n in ("ID", "Section", "Table", "Round", "Board", "PairNS", "PairEW")),
    *((n, TEXT) for n in ("NS/EW", "Contract", "Result", "Remarks")),
    ("Erased", BOOLEAN),
]
Row = Sequence[int | str | bool | None]


def spec(name: str, columns: list[tuple[str, int]], rows: Sequence[Row]) -> Spec:
    encoded = []
    for row in rows:
        values: list[bytes | bool | None] = []
        for value in row:
            if isinstance(value, str):
                values.append(text(JET4, value))
            elif isinstance(value, int) and not isinstance(value, bool):
                values.append(struct.pack("<h", value))
            else:
                values.append(value)
        encoded.append((0, record(JET4, columns, values)))
    return Spec(name, columns, [encoded], len(rows))


def write(
    path: Path,
    received: Sequence[Row],
    rounds: Sequence[Row] = (),
    names: Sequence[Row] = ((10, "Ann", None),),
) -> Path:
    """A section B of two tables; pairs 1, 2 against 3, 4 unless the rounds say otherwise."""
    rounds = rounds or [(2, 1, 1, 1, 3), (2, 2, 1, 2, 4)]
    seats = [(2, t, d, f"{t}{n}", None) for t in (1, 2) for n, d in enumerate("NESW")]
    tables = [
        spec("Section", SECTION, [(2, "B ", 2)]),
        spec("RoundData", ROUND, rounds),
        spec("PlayerNumbers", NUMBERS, seats),
        spec("PlayerNames", NAMES, names),
        spec("ReceivedData", RECEIVED, received),
    ]
    path.write_bytes(database(JET4, tables, []))
    os.utime(path, (1e9, 1e9))
    return path


def results(event: Event) -> tuple[Result, ...]:
    return event.sessions[0].results


def test_erased_remarks_and_players(tmp_path: Path) -> None:
    rows: list[Row] = [
        (1, 2, 1, 1, 1, 1, 3, "N", "4 S", "=", None, True),
        (2, 2, 1, 1, 1, 1, 3, "N", "3 NT x", "+1", None, False),
        (3, 2, 2, 1, 1, 2, 4, None, None, None, "60%-40%", False),
        (4, 2, 2, 1, 2, 2, 4, None, None, None, "Not played", False),
        (5, 2, 1, 1, 2, 1, 3, None, "PASS", None, None, False),
        (6, 2, 2, 1, 3, 2, 4, None, None, None, "Arbitral score", False),
        (7, 2, 2, 1, 4, 2, 4, "E", "1 NT", "-1", "Wrong direction", False),
    ]
    event = read_bws(write(tmp_path / "a.bws", rows))
    first, ruled, unplayed, passed, arbitral, turned = results(event)
    assert first.contract == Contract(3, Denomination.NO_TRUMPS, Seat.NORTH, 1)
    assert (first.tricks, first.section, first.source and first.source.line) == (10, "B", 2)
    assert ruled.adjusted is not None
    assert ruled.adjusted.ns == ArtificialScore(Fraction(3, 5))
    assert (unplayed.contract, unplayed.score, unplayed.remark) == (None, None, "Not played")
    assert (passed.passed_out, passed.score) == (True, 0)
    assert (arbitral.score, arbitral.remark) == (None, "Arbitral score")
    assert (turned.ns, turned.ew) == (("4",), ("2",))
    people = [[p.number for p in e.entrant.players] for e in event.entrants]
    assert people == [["10", "12"], ["20", "22"], ["11", "13"], ["21", "23"]]
    assert event.entrants[0].entrant.players[0].name == "Ann"


def test_mitchell_numbers_overlap(tmp_path: Path) -> None:
    rounds = [(2, 1, 1, 1, 1), (2, 2, 1, 2, 2), (2, 1, 2, 1, 2), (2, 2, 2, 2, 1)]
    row = (1, 2, 1, 1, 1, 1, 1, "N", "4 S", "=", None, False)
    other = (2, 2, 2, 1, 2, 2, 2, "N", "4 S", "=", None, False)
    event = read_bws(write(tmp_path / "m.bws", [row, other], rounds))
    assert [e.entrant.id for e in event.entrants] == ["1NS", "2NS", "1EW", "2EW"]
    assert (results(event)[0].ns, results(event)[0].ew) == (("1NS",), ("1EW",))
    assert [p.number for p in event.entrants[2].entrant.players] == ["11", "13"]


def test_all_bad_records_at_once(tmp_path: Path) -> None:
    rows: list[Row] = [
        (1, 2, 1, 1, 1, 1, 3, "N", "8 S", "=", None, False),
        (2, 2, 1, 1, 0, 1, 3, "N", "4 S", "=", None, False),
        (3, 2, 1, 1, 2, 1, 3, "X", "4 S", "=", None, False),
    ]
    with pytest.raises(InputError) as caught:
        read_bws(write(tmp_path / "x.bws", rows))
    for message in ("record 1 of ReceivedData: contract '8 S'", "record 2", "record 3"):
        assert message in str(caught.value)


def test_not_a_bridgemate_file(tmp_path: Path) -> None:
    path = tmp_path / "x.mdb"
    path.write_bytes(database(JET4, [spec("Section", SECTION, [(1, "A", 1)])], []))
    with pytest.raises(FileProblem, match="without ReceivedData"):
        read_bws(path)
    with pytest.raises(FileProblem, match="no results in it yet"):
        read_bws(write(path, []))


def test_read_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = (1, 2, 1, 1, 1, 1, 3, "N", "4 S", "=", None, False)
    whole = write(tmp_path / "w.bws", [row]).read_bytes()
    path = tmp_path / "now.bws"
    path.write_bytes(whole[:-4096])

    # While the reader waits for the file to settle, the rest of it is written.
    monkeypatch.setattr(time, "sleep", lambda _: path.write_bytes(whole))
    assert len(results(read_bws(path))) == 1


def test_an_individual_has_four_numbers_a_line(tmp_path: Path) -> None:
    more = [("South", SHORT), ("West", SHORT)]
    received = [
        (1, 2, 1, 1, 1, 1, 2, "N", "4 S", "=", None, False, 3, 4),
        (2, 2, 1, 2, 2, 1, 3, "E", "3 NT", "-1", "Wrong direction", False, 4, 2),
    ]
    rounds = [(2, 1, 1, 1, 2, 3, 4), (2, 1, 2, 1, 3, 4, 2)]
    seats = [(2, 1, direction, f"10{n}", None) for n, direction in enumerate("NESW", start=1)]
    path = tmp_path / "i.bws"
    tables = [
        spec("Section", SECTION, [(2, "B", 1)]),
        spec("RoundData", [*ROUND, *more], rounds),
        spec("PlayerNumbers", NUMBERS, seats),
        spec("ReceivedData", [*RECEIVED, *more], received),
    ]
    path.write_bytes(database(JET4, tables, []))
    os.utime(path, (1e9, 1e9))
    event = read_bws(path)
    assert event.kind == "individual"
    first, turned = results(event)
    assert (first.ns, first.ew) == (("1", "3"), ("2", "4"))
    assert (turned.ns, turned.ew) == (("3", "2"), ("1", "4"))
    people = {e.entrant.id: [p.number for p in e.entrant.players] for e in event.entrants}
    assert people == {"1": ["101"], "2": ["102"], "3": ["103"], "4": ["104"]}
    assert "individual" in experimental(*read(path))
