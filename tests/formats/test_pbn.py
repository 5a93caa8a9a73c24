"""PBN with results, written from its description: tables, widths, inherited tags."""

from pathlib import Path

import pytest

from honours.errors import InputError
from honours.formats.pbn import read_pbn
from honours.model import Event
from tests.support import cases

PBN = r"""% PBN 2.1
% EXPORT
; our own
[Event "Tuesday"]
[Site "A club"]
[Date "2025.03.31"]
[Board "1"]
[Deal "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"]
{A comment [Board "9"]
over two lines}
[ScoreTable "COLUMNS"]
 1  1  1  2 4S   N 10 HK     420   -420  2.0  0.0
 2  1  3  4 3NTX E  8 -      200   -200  0.0  2.0
[TotalScoreTable "Rank\3R;PairId\3R;TotalPercentage\5R;MemberID1\4R;MemberID2\4R;Names\30L"]
  1   1 75.00   11   12 Ann Ash & Bob Birch
 2=   4 50.00   13   14 Cat Cole & Dan Dale

[Event "#"]
[Board "2"]
[ScoreTable "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS;Score_EW"]
1 4 PASS - - 0 0
3 2 A6040 - - - -
""".replace(
    "COLUMNS",
    r"Table\2R;Round\2R;PairId_NS\2R;PairId_EW\2R;Contract\4L;Declarer\1R;Result\2R;Lead\3L;"
    r"Score_NS\6R;Score_EW\6R;MP_NS\4R;MP_EW\4R",
)


def read(folder: Path, text: str) -> Event:
    path = folder / "x.pbn"
    path.write_text(text, encoding="utf-8")
    return read_pbn(path)


@cases
def test_refused_with_the_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, PBN.replace(old, new, 1))
    assert message in str(caught.value)
    assert "x.pbn, line " in str(caught.value)


def test_deals_alone_are_no_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table of results in it"):
        read(tmp_path, '[Event "x"]\n[Board "1"]\n')


# --- files that real programs wrote -----------------------------------------------------------


MATCH = """[Event "Cup"]
[Board "1"]
[HomeTeam "Reds"]
[VisitTeam "Blues"]
[Room "Open"]
[Contract "4S"]
[Declarer "N"]
[Result "10"]

[Event "#"]
[Board "1"]
[HomeTeam "#"]
[VisitTeam "#"]
[Room "Closed"]
[Contract "4S"]
[Declarer "N"]
[Result "9"]
"""


def test_a_hand_record_says_what_it_is(tmp_path: Path) -> None:
    deal = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
    with pytest.raises(
        InputError, match=r"a hand record \(PBN\): 1 board, and no results; expected results; put"
    ):
        read(tmp_path, f'[Board "1"]\n[Deal "{deal}"]\n')
