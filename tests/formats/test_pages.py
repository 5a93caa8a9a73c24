"""Pages and LIN files that real programs wrote, and small ones of ours."""

import contextlib
from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.detect import read
from honours.formats.html import parse_page
from honours.model import Event
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.profiles import profile


def event(path: Path) -> Event:
    _, content = read(path)
    assert isinstance(content, tuple)
    assert len(content) == 1
    return content[0]


LIN = (
    "vg|Cup,Final,I,1,1,Reds,0,Blues,4|\nrs|4SN=,3NN+1|\npn|S,W,N,E,s,w,n,e|pg||\n"
    "qx|o1|md|1SAKQJHAKQDAKQCAKQ,STHJTDJTCJT98765,S98765H987D98C432,|mb|p|mb|p|mb|p|mb|p|pg||\n"
)
BBO = """<!DOCTYPE html><html><head><title>Bridge Base Online - Myhands</title></head><body>
<table class="body"><tr><th>Traveller 1-2-3 played by <span class='username'>a</span></th></tr>
<tr><th>N</th><th>Time</th><th>North</th><th>South</th><th>East</th><th>West</th><th>Result</th>
<th>NS Points</th><th>Score</th></tr>
<tr class="tourney"><td>1</td><td>2026-04-29 09:04</td><td>n</td><td>s</td><td>e</td><td>w</td>
<td>4<span>&spades;</span>N=</td><td>420</td><td>2.00</td></tr>
<tr class="tourney"><td>2</td><td>2026-04-29 09:04</td><td>N</td><td>S</td><td>E</td><td>W</td>
<td>PASS</td><td>0</td><td>-2.00</td></tr></table>bridgebase.com</body></html>"""
REALBRIDGE = """<!DOCTYPE html><html><head><title>RealBridge Result</title></head><body>
<table><caption>Board 7</caption><tr><th>NS</th><th>EW</th><th>CONTRACT</th><th>LEAD</th>
<th>NS SCORE</th><th>EW SCORE</th><th>NS IMP</th><th>EW IMP</th></tr>
<tr><td>A and B</td><td>C and D</td><td>3NS-2</td><td>D2</td><td>-200</td><td>200</td><td>-5</td>
<td>5</td></tr><tr><td>E and F</td><td>G and H</td><td>PASS</td><td></td><td>0</td><td>0</td>
<td>5</td><td>-5</td></tr></table></body></html>"""
ACBL_LIVE = """<!DOCTYPE html><html><head><title>ACBL Live</title></head><body>live.acbl.org
<h1>Apr 25, 2026 - Saturday</h1><h2>Board detail for Open Pairs</h2>
<h4>Section A, Board # 3 Result</h4><h4>N-S</h4><table><tr><th></th><th>Contract</th><th>By</th>
<th>Score</th><th>Matchpoints</th><th>%</th><th>Pairs</th></tr><tr><td></td>
<td>2<span class="diams symbol"></span>x</td><td>W</td><td>500</td><td>1</td><td>100</td>
<td>6-<span data-acbl="1">A</span>-<span data-acbl="2">B</span> vs. 1-<span data-acbl="3">C</span>-
<span data-acbl="4">D</span></td></tr><tr><td></td><td>PASS</td><td></td><td></td><td>0</td>
<td>0</td><td>7-<span data-acbl="5">E</span>-<span data-acbl="6">F</span> vs. 2-
<span data-acbl="7">G</span>-<span data-acbl="8">H</span></td></tr></table></body></html>"""


@pytest.mark.parametrize("text", [LIN, BBO, REALBRIDGE, ACBL_LIVE])
def test_small_ones(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x"
    path.write_text(text, encoding="utf-8")
    night = event(path)
    assert len(night.sessions[0].results) == 2
    assert award_lists(score(night, profile("acbl")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qx|o1|md|1SAKQJHAKQDAKQCAKQ,,,|pg||", "a hand record (LIN): 1 board, and no results"),
        (LIN.replace("4SN=", "4SN"), "'4SN' needs a declarer and a result"),
        (LIN.replace(",I,", ",P,"), "a vugraph scored by 'P'"),
        (BBO.replace("PASS", "7Z"), "contract '7Z'"),
        ("<html><body>hello</body></html>", "a web page of an unknown kind"),
        ("<html><head><title>ACBL Live</title>live.acbl.org</html>", "ACBL Live of another kind"),
        (ACBL_LIVE.replace("<td>500</td>", "<td>x</td>"), "board 3, 6 v 1: score 'x'"),
    ],
)
def test_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        event(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "piece", ["<!--", "<a b='", "<td>", "<table><tr>", "<span>a", "<h1>a</h1>", "<", "&lt", "<b c"]
)
def test_a_page_of_one_piece_many_times(piece: str) -> None:
    with contextlib.suppress(FileProblem):
        parse_page("x", piece * 20_000)
