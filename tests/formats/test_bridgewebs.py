"""BridgeWebs files, written from the description."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.formats.bridgewebs import read_bridgewebs, write_bridgewebs
from honours.model import Player
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.profiles import profile

BRIDGEWEBS = """#VERSION,Our Scorer
#DATE,31/03/2025
#TITLE,"Monday, pairs"
#WINNERS,2
#SCORES
Position,Pair,Name1,Name2,Percent
1,1,Ann Ash,Bob Birch,55.00
2,2,Cat Cole,Dan Dale,45.00
#SCORES
Position,Pair,Name1,Name2,Percent
1=,1,Eve East,Fay Fir,50.00
1=,2,Guy Gum,Hal Holm,50.00
#BOARDFORMAT,1
#TRAVELLERS
NS,EW,Contract,By,Result,Score
#BOARD,1
1,1,4S,N,=,420
2,2,3NT,E,-1,50
#BOARD,2
1,2,PASS,,,0
2,1,A6040,,,
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "x.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_refused_with_the_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 18: contract '9NT'"):
        read_bridgewebs(write(tmp_path, BRIDGEWEBS.replace("3NT", "9NT")))
    with pytest.raises(InputError, match="neither #SCORES nor #TRAVELLERS"):
        read_bridgewebs(write(tmp_path, "#TITLE,x\n"))


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "'=", "''@"])
def test_no_cell_is_run_by_a_spreadsheet_and_all_come_back(tmp_path: Path, sign: str) -> None:
    read = read_bridgewebs(write(tmp_path, BRIDGEWEBS))
    evil = f'{sign}HYPERLINK("x", 1)'
    people = (Player(f"{sign}Ann"), Player("Bob"))
    first = read.entrants[0]
    hostile = replace(first, entrant=replace(first.entrant, players=people))
    event = replace(read, title=evil, entrants=(hostile, *read.entrants[1:]))
    data = write_bridgewebs(event, award_lists(score(event, profile("ebu")))).data
    cells = [cell for row in csv.reader(io.StringIO(data.decode())) for cell in row]
    assert not [cell for cell in cells if cell.startswith(sign) and not sign.startswith("'")]
    copy = tmp_path / "copy.csv"
    copy.write_bytes(data)
    back = read_bridgewebs(copy)
    assert back.title == evil
    assert back.entrants[0].entrant.players == people
