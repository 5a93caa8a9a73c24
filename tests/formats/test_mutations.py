"""Every reader on mutated files: it answers or refuses, and never crashes or hangs."""

import contextlib
import json
import os
import random
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from honours.errors import HonoursError
from honours.formats.detect import format_called, read
from honours.formats.honours_json import read_honours_json, write_json
from honours.formats.members import MemberList
from honours.formats.table_standings import StandingsTable
from honours.processes import READING
from scripts.fuzz import broken, mutated
from tests.formats.jet_builder import JET3, JET4
from tests.formats.test_detect import MADE
from tests.formats.test_jet import made
from tests.formats.test_xlsx import number, row, text, workbook

ROUNDS = 60


def answered(path: Path) -> None:
    """Read as people have it read, scored, awarded and converted; a breakdown fails, a refusal
    does not."""
    assert broken(path) == ""


@pytest.mark.parametrize("kind", MADE)
def test_texts(kind: str, tmp_path: Path) -> None:
    dice = random.Random(kind)
    path = tmp_path / "x"
    read = format_called(kind).read
    for _ in range(ROUNDS):
        path.write_bytes(mutated(MADE[kind].encode("iso-8859-1"), dice))
        answered(path)
        with contextlib.suppress(HonoursError):
            read(path)


def test_a_number_of_thousands_of_digits(tmp_path: Path) -> None:
    path = tmp_path / "teams.csv"
    teams = ("9" * 5000, "²", "3", "4")
    path.write_text(
        "board,ns,ew,score,table\n"
        + "".join(f"1,{a},{b},{n}0,{n}\n" for n, (a, b) in enumerate(pairwise(teams), start=1)),
        encoding="utf-8",
    )
    answered(path)


def test_workbooks(tmp_path: Path) -> None:
    dice = random.Random(2)
    rows = row(1, text("A1", "pair"), text("B1", "score")) + row(2, number("A2", "1"))
    good = workbook(tmp_path / "good.xlsx", rows).read_bytes()
    path = tmp_path / "x"
    for _ in range(ROUNDS):
        path.write_bytes(mutated(good, dice))
        answered(path)


@pytest.mark.parametrize("layout", [JET3, JET4], ids=["jet3", "jet4"])
def test_databases(layout: object, tmp_path: Path) -> None:
    dice = random.Random(1)
    path = tmp_path / "x"
    good = made(JET3 if layout is JET3 else JET4)
    for _ in range(ROUNDS // 10):
        path.write_bytes(mutated(good, dice))
        os.utime(path, (1e9, 1e9))  # a fresh file would be read again and again
        answered(path)


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
    assert not isinstance(content, MemberList | StandingsTable)
    good = write_json(content)
    for n in range(ROUNDS):
        bad = json.dumps(turned(json.loads(good), dice)).encode() if n % 2 else mutated(good, dice)
        path.write_bytes(bad)
        answered(path)
        with contextlib.suppress(HonoursError):
            read_honours_json(path)


_REPORT = "TOURNEY x\nPLAYERS\n1 {}\n2 b 1d\nGAMES 1\n1 2 W 0 0\n"
_WALL = "; EV[x]\n1 a b 1d NL x {}\n"
HOSTILE = {
    "blanks": " " * 3_000_000 + "\n",
    "spaces in a report": _REPORT.format("a" + " " * 400_000 + "b"),
    "words in a report": _REPORT.format("a 1" * 10_000),
    "spaces in a member list": "a" + " " * 200_000 + "1 Full 5.5\n",
    "comments left open": "<!--" * 200_000,
    "declarations left open": "<!DOCTYPE [" * 100_000,
    "instructions left open": "<?xml " * 100_000,
    "braces left open": '[Board "1"]\n' + "{\n" * 200_000,
    "columns of a PBN table": '[Board "1"]\n[ScoreTable "' + "a;" * 20_000 + 'a"]\n1 2\n',
    "digits of a board": "board,ns,ew,score\n" + "9" * 5000 + ",1,2,50\n",
    "digits of a result": "board,ns,ew,contract,declarer,tricks\n1,1,2,4S,N," + "9" * 5000 + "\n",
    "digits of a score": "pos;name;score\n1;a;" + "9" * 5000 + "\n",
    "digits typed in": "board 1\n1 2 4S N " + "9" * 5000 + "\n",
    "digits of a place": _WALL.format("9" * 5000 + " 2+"),
    "digits of a handicap": _WALL.format("1 2+/w" + "9" * 5000),
    "digits of a rating": _REPORT.format("a rating=" + "9" * 5000),
    "digits of a round": _REPORT.replace("GAMES 1", "GAMES " + "9" * 5000).format("a 1d"),
    "digits of a rank": '<Tournament><Players><Player name="a" rank="1D" rating="'
    + "9" * 5000
    + '"/></Players></Tournament>',
    "digits in JSON": '{"pairing": 1, "gobanSize": ' + "9" * 100_000 + "}",
    "brackets in JSON": '{"sessions": ' + "[" * 100_000,
    "a long cell": 'board,ns,ew,score\n"' + "a" * 300_000 + '",1,2,50\n',
    "a long header": "board," + "a" * 300_000 + "\n",
    "many columns": ",".join(["board"] * 20_000) + "\n",
    "words of a header": "Place Name " + "Level " * 50_000 + " 1",
    "lists of scores": "#TITLE,x\n" + "#SCORES\na\n" * 5000,
    "games of a line": _WALL.format("1+ " * 20_000),
    "cards of a hand": "qx|o1|md|" + "1S" * 100_000 + "|\n",
    "names of LIN": "pn|" * 100_000,
    "tables left open": "<html>bridgebase.com bbo_" + "<table><tr><td>" * 20_000,
    "elements left open": '<Tournament typeversion="9">' + "<a>" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_could_take_forever(name: str, tmp_path: Path) -> None:
    """Each of these took the square of its length, or broke a reader: it ends by itself within the
    computing time that a server gives, where milliseconds are enough."""
    path = tmp_path / "x"
    path.write_text(HOSTILE[name], encoding="utf-8")
    before = time.process_time()
    answered(path)
    assert time.process_time() - before < READING.seconds
