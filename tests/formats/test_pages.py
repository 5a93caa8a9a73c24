"""Pages and LIN files that real programs wrote, and small ones of ours."""

import contextlib
from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.detect import read
from honours.formats.file_bytes import read_text
from honours.formats.html import parse_page
from honours.formats.lin import outcome, parse_lin
from honours.formats.table_standings import StandingsFile
from honours.model import ArtificialScore, Event, Seat
from honours.pipeline.account import read_account
from honours.pipeline.report import ranked
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.profiles import profile
from tests.support import shared


def event(path: Path | str) -> Event:
    _, content = read(path if isinstance(path, Path) else shared(f"real/{path}"))
    assert isinstance(content, tuple)
    assert len(content) == 1
    return content[0]


def test_a_club_page_of_the_acbl() -> None:
    page = event("acbl/club-results-page.html")
    assert (str(page.date), page.scoring, page.winners) == ("2026-04-15", "matchpoints", 1)
    assert len(page.sessions[0].boards) == 24
    people = {p.name: p for e in page.entrants for p in e.entrant.players}
    assert people["Utus Niscoezm"].number == "1617057"
    assert people["GI Sau"].number == people["Bdikmedu Slegdu"].number == ""
    assert page.entrants[0].published["place"] == page.entrants[1].published["place"] == 1
    assert page.entrants[3].published["section_place.B"] == 1
    assert page.entrants[0].published["masterpoints"] == Fraction("0.94")
    assert {e.stratum for e in page.entrants} == {"A", "B", "C"}
    assert page.facts["stratum_limit.B"] == 200


def test_a_club_page_is_scored_as_published() -> None:
    page = event("acbl/club-results-page.html")
    scored = score(page, profile("acbl"))
    published = {e.entrant.id: e.published["percentage"] for e in page.entrants}
    first = award_lists(scored)[0]
    for standing in first.standings:
        own = published[standing.entrant.id]
        assert isinstance(own, Fraction)
        assert standing.score is not None
        assert abs(standing.score - own) < Fraction(2, 100)


@pytest.mark.parametrize("page", ["tournament-board.html", "tournament-scorecard.html"])
@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("Apr 25, 2026", "2026-04-25"),
        ("Mar 4, 2026", "2026-03-04"),
        ("December 11, 2025", "2025-12-11"),
        ("Feb 30, 2026", "None"),
    ],
)
def test_the_day_of_acbl_live(tmp_path: Path, page: str, written: str, day: str) -> None:
    text = shared(f"real/acbl/{page}").read_text(encoding="utf-8")
    assert "Apr 25, 2026" in text
    copy = tmp_path / page
    copy.write_text(text.replace("Apr 25, 2026", written), encoding="utf-8")
    assert str(event(copy).date) == day


def test_one_board_of_acbl_live() -> None:
    page = event("acbl/tournament-board.html")
    assert (page.title, str(page.date)) == ("Open Pairs", "2026-04-25")
    assert len(page.entrants) == 30
    first = page.sessions[0].results[0]
    assert (first.score, dict(first.published)) == (500, {"ns_matchpoints": Fraction(14)})
    assert first.contract is not None
    assert (first.contract.declarer, first.contract.doubled) == (Seat.WEST, 1)
    assert page.sessions[0].boards[0].deal == (
        "N:T97642.K5.T42.A8 Q3.T863.85.JT963 5.QJ942.AK7.KQ74 AKJ8.A7.QJ963.52"
    )
    numbers = {p.number for e in page.entrants for p in e.entrant.players}
    assert len(numbers) == 60
    scored = score(page, profile("acbl"))
    tops = [s.score for f in award_lists(scored) for s in f.standings if s.entrant.id == "6NS"]
    assert tops == [100]


def test_one_pairs_card_of_acbl_live() -> None:
    page = event("acbl/tournament-scorecard.html")
    assert len(page.entrants) == 30
    (own,) = [e for e in page.entrants if e.published]
    assert own.entrant.id == "4EW"
    assert [p.number for p in own.entrant.players] == ["7150157", "8349945"]
    assert own.published["percentage"] == Fraction("60.30")
    assert (own.published["masterpoints"], own.published["masterpoint_type"]) == (
        Fraction("10.06"),
        "silver",
    )
    assert own.published["overall_place.A"] == own.published["place"] == 3
    assert own.published["section_place.X"] == 1
    assert (own.carried, own.stratum) == (Fraction(192), "X")
    results = page.sessions[0].results
    assert len(results) == 26
    assert (results[0].score, dict(results[0].published)) == (
        420,
        {"ew_matchpoints": Fraction(7)},
    )
    with pytest.raises(FileProblem, match="one pair's results of each board"):
        ranked(read_account(shared("real/acbl/tournament-scorecard.html")))


def test_a_ranking_of_bbo() -> None:
    _, content = read(shared("real/bbo/tournament.html"))
    assert isinstance(content, StandingsFile)
    assert [len(field.standings) for field in content.lists] == [1, 4]
    assert [s.place for s in content.lists[1].standings] == [1, 6, 7, 8]
    assert content.lists[1].standings[2].score == Fraction("4.98")
    assert content.notices == ("section 3 EW: 4 of 8 or more places; the others are not in it",)


def test_a_traveller_of_bbo() -> None:
    page = event("bbo/traveller.html")
    first = page.sessions[0].results[0]
    assert (first.board, first.score, first.tricks) == (1, -990, 12)
    assert first.published == {"ew_imps": Fraction("11.23")}
    assert len(page.sessions[0].results) == 31
    assert page.scoring == "cross-imps"


def test_the_boards_of_one_player_of_bbo() -> None:
    page = event("bbo/hands-of-one-player.html")
    assert [r.board for r in page.sessions[0].results] == list(range(1, 13))
    assert len(page.sessions[0].boards) == 12
    assert str(page.date) == "2026-04-29"
    assert page.sessions[0].results[0].published == {"ew_imps": 3}


def test_pages_of_realbridge() -> None:
    board = event("realbridge/board_1.html")
    imps = {s.entrant.id: s.score for s in award_lists(score(board, profile("ebu")))[0].standings}
    for result in board.sessions[0].results:
        assert imps[result.ns[0]] == result.published["ns_imps"]
    _, index = read(shared("real/realbridge/index.html"))
    assert isinstance(index, StandingsFile)
    assert sorted(s.place for s in index.standings) == list(range(1, 8))
    card = event("realbridge/Gcicuc_Sokfiap_and_Bavne_Ofmonmif.html")
    own = next(e.entrant.id for e in card.entrants if "Gcicuc" in e.entrant.title)
    first = card.sessions[0].results[0]
    assert (first.ew, first.score, first.published) == ((own,), 140, {"ew_imps": Fraction("-3.5")})


def test_a_match_in_lin() -> None:
    match = event("bbo/vugraph-teams.lin")
    assert (match.kind, match.scoring, len(match.sessions[0].results)) == ("teams", "imps", 30)
    assert [e.published["carried_imps"] for e in match.entrants] == [80, 99]
    deals = list(parse_lin(read_text(shared("real/bbo/vugraph-teams.lin"))))
    played = {(d.number, 2 if d.room == "c" else 1): outcome(d)[:2] for d in deals}
    for result in match.sessions[0].results:
        assert played[result.board, result.table] == (result.contract, result.tricks)


def test_one_table_in_lin() -> None:
    table = event("bbo/pairs-boards.lin")
    first = table.sessions[0].results[0]
    assert first.contract is not None
    assert (first.contract.declarer, first.contract.doubled, first.tricks) == (Seat.WEST, 1, 7)
    assert first.published == {"ns_imps": Fraction("3.53")}
    assert all(r.tricks is not None for r in table.sessions[0].results)


LIN = (
    "vg|Cup,Final,I,1,1,Reds,0,Blues,4|\nrs|4SN=,3NN+1|\npn|S,W,N,E,s,w,n,e|pg||\n"
    "qx|o1|md|1SAKQJHAKQDAKQCAKQ,STHJTDJTCJT98765,S98765H987D98C432,|mb|p|pg||\n"
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
BBO_RANKING = """<html><head><title>Bridge Base Online - Results</title></head><body>bridgebase.com
<table><tr><th>Rank</th><th>Username</th><th>Score</th></tr><tr><td>1</td><td>a+b</td><td>55%</td></tr>
</table>Section A<table></table></body></html>"""
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
    ("written", "shares"), [("A==", "5 5"), ("A=+", "5 6"), ("A+=", "6 5"), ("A-+", "4 6")]
)
def test_averages_of_bbo(tmp_path: Path, written: str, shares: str) -> None:
    path = tmp_path / "x"
    path.write_text(BBO.replace("PASS", written).replace(">0<", f">{written}<"), encoding="utf-8")
    ruling = event(path).sessions[0].results[1].adjusted
    assert ruling is not None
    given = [side.share for side in (ruling.ns, ruling.ew) if isinstance(side, ArtificialScore)]
    assert given == [Fraction(int(tenths), 10) for tenths in shares.split()]


def test_a_board_of_acbl_live_that_was_passed_out(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(
        ACBL_LIVE.replace("<td>PASS</td><td></td><td></td>", "<td></td><td></td><td>PASS</td>"),
        encoding="utf-8",
    )
    assert [r.passed_out for r in event(path).sessions[0].results] == [False, True]


def test_contracts_of_realbridge_that_do_not_say_how_they_ended(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(REALBRIDGE.replace("3NS-2", "3N S").replace("PASS", "---"), encoding="utf-8")
    first, second = event(path).sessions[0].results
    assert first.contract is not None
    assert (first.contract.declarer, first.tricks, first.score) == (Seat.SOUTH, None, -200)
    assert (second.contract, second.passed_out, second.score) == (None, False, 0)


@pytest.mark.parametrize(("score", "east_west"), [("-400", True), ("430", False), ("50", True)])
def test_which_way_a_pair_of_realbridge_sat(tmp_path: Path, score: str, east_west: bool) -> None:
    path = tmp_path / "x"
    card = """<html><head><title>RealBridge Result</title></head><body><table><caption>A and B
    </caption><tr><th>#</th><th>VS</th><th>CONTRACT</th><th>SCORE</th></tr><tr><td>1</td><td>C and
    D</td><td>3N S</td><td>{}</td></tr></table></body></html>"""
    path.write_text(card.format(score), encoding="utf-8")
    card_of = event(path)
    (result,) = card_of.sessions[0].results
    (own,) = [e.entrant.id for e in card_of.entrants if "A" in e.entrant.title]
    assert (result.score, result.ew == (own,)) == (
        -int(score) if east_west else int(score),
        east_west,
    )


def test_a_section_of_bbo_that_lost_its_rows(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(BBO_RANKING, encoding="utf-8")
    _, ranking = read(path)
    assert isinstance(ranking, StandingsFile)
    assert len(ranking.lists[0].standings) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qx|o1|md|1SAKQJHAKQDAKQCAKQ,,,|pg||", "a hand record (LIN): 1 board, and no results"),
        (LIN.replace("4SN=", "4SN"), "result '4SN' is not like 4SW-1"),
        (LIN.replace(",I,", ",P,"), "a vugraph scored by 'P'"),
        (BBO.replace("PASS", "7Z"), "contract '7Z'"),
        ("<html><body>hello</body></html>", "a web page that we do not know"),
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
