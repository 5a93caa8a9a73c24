"""Every reader on mutated files: it answers or refuses, and never crashes or hangs."""

import contextlib
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from honours.errors import HonoursError
from honours.formats.contents import describe
from honours.formats.detect import FORMATS, read
from honours.formats.honours_json import read_honours_json, write_json
from honours.formats.table_standings import StandingsTable
from tests.formats.jet_builder import JET3, JET4
from tests.formats.test_detect import MADE
from tests.formats.test_jet import made
from tests.formats.test_xlsx import number, row, text, workbook

ROUNDS = 60
PIECES = (
    b"\0",
    b"\xff",
    b'"',
    b"'",
    b",",
    b";",
    b"\t",
    b"\n",
    b"<",
    b">",
    b"&",
    b"]]>",
    b"<!ENTITY a 'b'>",
    b"-",
    b"=",
    b"0",
    b"99999999999999999999",
    b"1e9",
    b"nan",
    b"inf",
    b"%",
    b"\xef\xbb\xbf",
    "½♠−Ⅷ".encode(),
)


def mutated(data: bytes, dice: random.Random) -> bytes:
    """The data with a few bytes changed, pieces put in, cut out or repeated."""
    for _ in range(dice.choice((1, 2, 8))):
        at, end = sorted(dice.randrange(len(data) + 1) for _ in range(2))
        match dice.randrange(5):
            case 0:
                data = data[:at] + dice.choice(PIECES) + data[at:]
            case 1:
                data = data[:at] + data[min(end, at + 20) :]
            case 2:
                data = data[:at] + data[at : at + 40] * dice.choice((2, 50)) + data[at:]
            case 3:
                data = data[:at] + bytes([dice.randrange(256)]) + data[at + 1 :]
            case _:
                data = data[:end] if end else data
    return data


@pytest.mark.parametrize("kind", MADE)
def test_texts(kind: str, tmp_path: Path) -> None:
    dice = random.Random(kind)
    path = tmp_path / "x"
    read = next(form.read for form in FORMATS if form.name == kind)
    for _ in range(ROUNDS):
        path.write_bytes(mutated(MADE[kind].encode("iso-8859-1"), dice))
        with contextlib.suppress(HonoursError):
            describe(path)
        with contextlib.suppress(HonoursError):
            read(path)


def test_workbooks(tmp_path: Path) -> None:
    dice = random.Random(2)
    rows = row(1, text("A1", "pair"), text("B1", "score")) + row(2, number("A2", "1"))
    good = workbook(tmp_path / "good.xlsx", rows).read_bytes()
    path = tmp_path / "x"
    for _ in range(ROUNDS):
        path.write_bytes(mutated(good, dice))
        with contextlib.suppress(HonoursError):
            describe(path)


@pytest.mark.parametrize("layout", [JET3, JET4], ids=["jet3", "jet4"])
def test_databases(layout: object, tmp_path: Path) -> None:
    dice = random.Random(1)
    path = tmp_path / "x"
    good = made(JET3 if layout is JET3 else JET4)
    for _ in range(ROUNDS // 10):
        path.write_bytes(mutated(good, dice))
        os.utime(path, (1e9, 1e9))  # a fresh file would be read again and again
        with contextlib.suppress(HonoursError):
            describe(path)


STRANGE: tuple[Any, ...] = (
    None,
    True,
    1.5,
    -1,
    10**30,
    "",
    "x",
    "1/0",
    "nan",
    [],
    [1],
    {},
    {"x": "y"},
)


def turned(data: Any, dice: random.Random) -> Any:
    """JSON that is well formed, with something in it replaced, left out or said twice."""
    if isinstance(data, dict) and data and dice.random() < 0.9:
        key = dice.choice(list(data))
        if dice.random() < 0.1:
            return {k: v for k, v in data.items() if k != key}
        return {**data, key: turned(data[key], dice)}
    if isinstance(data, list) and data and dice.random() < 0.9:
        at = dice.randrange(len(data))
        return [*data[:at], turned(data[at], dice), *data[at + dice.randrange(2) :]]
    return dice.choice(STRANGE)


@pytest.mark.parametrize("kind", ["usebio", "standings", "opengotha", "h9", "acbl-json"])
def test_our_own_json(kind: str, tmp_path: Path) -> None:
    dice = random.Random(kind)
    path = tmp_path / "x"
    path.write_bytes(MADE[kind].encode("iso-8859-1"))
    _, content = read(path)
    assert not isinstance(content, dict | StandingsTable)
    good = write_json(content)
    for n in range(ROUNDS):
        bad = json.dumps(turned(json.loads(good), dice)).encode() if n % 2 else mutated(good, dice)
        path.write_bytes(bad)
        with contextlib.suppress(HonoursError):
            describe(path)
        with contextlib.suppress(HonoursError):
            read_honours_json(path)
