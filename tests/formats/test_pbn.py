"""PBN with results, written from its description: tables, widths, inherited tags."""

from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.formats.pbn import read_pbn
from honours.model import Contract, Denomination, Event, Seat

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


def test_results_totals_and_deals(tmp_path: Path) -> None:
    event = read(tmp_path, PBN)
    (session,) = event.sessions
    first, second, passed, ruled = session.results
    assert first.contract == Contract(4, Denomination.SPADES, Seat.NORTH)
    assert (first.tricks, first.score, first.lead, first.table) == (10, 420, "HK", 1)
    assert first.published["ns_matchpoints"] == 2
    assert (second.contract and second.contract.doubled, second.lead) == (1, "")
    assert (passed.board, passed.passed_out) == (2, True)
    assert ruled.adjusted is not None
    assert [b.number for b in session.boards] == [1]
    assert (event.title, event.club, str(event.date)) == ("Tuesday", "A club", "2025-03-31")
    ann = event.entrants[0]
    assert [(p.name, p.number) for p in ann.entrant.players] == [
        ("Ann Ash", "11"),
        ("Bob Birch", "12"),
    ]
    assert ann.published == {"percentage": Fraction(75), "place": 1}
    assert event.entrants[3].published["place"] == 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("4S   N", "8S   N", "contract '8S'"),
        ("1  1  1  2 4S", "1  1  -  2 4S", "a line without both of its pairs"),
        ('[Board "1"]', '[Board "x"]', "board 'x'"),
        ("PairId_NS;PairId_EW;Contract", "PairId NS;PairId_EW;Contract", "column 'PairId NS'"),
        (" 10 HK", " 14 HK", "14 tricks"),
    ],
)
def test_refused_with_the_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, PBN.replace(old, new, 1))
    assert message in str(caught.value)
    assert "x.pbn, line " in str(caught.value)


def test_deals_alone_are_no_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table of results in it"):
        read(tmp_path, '[Event "x"]\n[Board "1"]\n')
