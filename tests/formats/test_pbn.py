"""PBN with results, written from its description: tables, widths, inherited tags."""

from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import InputError
from honours.formats.pbn import read_pbn
from honours.model import Contract, Denomination, Event, Seat
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.profiles import profile
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


@cases
def test_refused_with_the_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, PBN.replace(old, new, 1))
    assert message in str(caught.value)
    assert "x.pbn, line " in str(caught.value)


def test_columns_of_the_table_before(tmp_path: Path) -> None:
    """``#`` stands for the value in the game before, ``##`` for one that all games to come have."""
    columns = "PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS;Score_EW"
    same = PBN + '[Event "#"]\n[Board "3"]\n[ScoreTable "#"]\n1 2 3NT N 9 400 -400\n'
    event = read(tmp_path, same.replace('[Event "Tuesday"]', '[Scoring "##IMP"]'))
    assert [r.score for r in event.sessions[0].results if r.board == 3] == [400]
    assert columns in PBN
    assert event.scoring == "cross-imps"


def test_deals_alone_are_no_results(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table of results in it"):
        read(tmp_path, '[Event "x"]\n[Board "1"]\n')


# --- files that real programs wrote -----------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "scoring"),
    [("IMP;Butler-2;Mean", "butler"), ("IMP;Cross1", "cross-imps"), ("BAM", "board-a-match")],
)
def test_the_way_of_scoring(tmp_path: Path, tag: str, scoring: str) -> None:
    text = PBN.replace('[Board "1"]', f'[Board "1"]\n[Scoring "{tag}"]', 1)
    assert read(tmp_path, text).scoring == scoring


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


def test_boards_without_tables(tmp_path: Path) -> None:
    match = read(tmp_path, MATCH)
    assert [(r.ns, r.tricks) for r in match.sessions[0].results] == [(("1",), 10), (("2",), 9)]
    assert [e.entrant.title for e in match.entrants] == ["Reds", "Blues"]
    seats = '[North "a"]\n[South "b"]\n[East "c"]\n[West "d"]'
    table = MATCH.replace('[HomeTeam "Reds"]\n[VisitTeam "Blues"]', seats)
    table = table.replace('[HomeTeam "#"]\n[VisitTeam "#"]', seats.replace('"a"', '"x"'))
    assert len(read(tmp_path, table).entrants) == 3


def test_a_hand_record_says_what_it_is(tmp_path: Path) -> None:
    deal = "N:AKQJ.AKQ.AKQ.AKQ T987.JT9.JT9.JT9 6543.876.876.876 2.5432.5432.5432"
    with pytest.raises(
        InputError, match=r"a hand record \(PBN\): 1 board, and no results; expected results; put"
    ):
        read(tmp_path, f'[Board "1"]\n[Deal "{deal}"]\n')


COMPOSED = r"""% PBN 2.1
%Creator: BridgeComposer Version 5.95
%HRTitleEvent "Monday Pairs"
%HRTitleDate 2026.03.09

[Event ""]
[Site ""]
[Date ""]

[Event "#"]
[Board "1"]
[ScoreTable "Section;PairId_NS\2R;PairId_EW\2R;Contract\5L;Declarer;SCORES;Names_NS\13;Names_EW"]
A  1  1 3NT   S 12  490    - 7 Alpha-Bravo   Charlie-Delta
A  2  2 3S    W  7  100    - 7 Whiskey-Yankee Van Dyke-Echo
A  3  3 PASS  -  - PASS    - 7 De Vries-Lima Kilo-Mike
A  4  4 3S    W  7  100    - 7 Smith-Jones-Low Oscar-Papa
""".replace("SCORES", r"Result\2R;Score_NS\4R;Score_EW\4R;Shoe")


def test_names_and_title_as_bridgecomposer_writes_them(tmp_path: Path) -> None:
    event = read_pbn(_written(tmp_path, COMPOSED))
    assert (event.title, str(event.date)) == ("Monday Pairs", "2026-03-09")
    assert [e.entrant.title for e in event.entrants] == [
        "Alpha & Bravo",
        "Whiskey & Yankee",
        "De Vries & Lima",
        "Smith-Jones-Low",  # which two of the three are one name, nobody can say
        "Charlie & Delta",
        "Van Dyke & Echo",
        "Kilo & Mike",
        "Oscar & Papa",
    ]
    assert [r.passed_out for r in event.sessions[0].results] == [False, False, True, False]
    assert event.entrants[3].entrant.players == ()
    assert event.facts["not_understood"] == "Shoe"


def _written(folder: Path, text: str) -> Path:
    path = folder / "monday.pbn"
    path.write_text(text, encoding="utf-8")
    return path


def teams_pbn(rounds: int = 3, played: int = 2, segments: bool = True) -> str:
    """A league of four teams as the Norwegian program writes one: counts at its head, totals with
    names and rosters that have spaces in them, then every match, those to come without a score."""
    pairings = [(1, 2, 3, 4), (1, 3, 4, 2), (4, 1, 2, 3)]
    met = [
        (r, table, *pairings[r - 1][2 * table - 2 : 2 * table])
        for r in range(1, rounds + 1)
        for table in (1, 2)
    ]
    vps = {team: Fraction(0) for team in range(1, 5)}
    rows = []
    for r, table, home, away in met:
        details, scores = "-" + " " * 26, ("    -", "    -")
        if r <= played:
            parts = f"1,20,{10 * table}|2,{5 * r},0|200,{20 + 5 * r},{10 * table}"
            details = f'"{parts if segments else parts.rsplit("|", maxsplit=1)[-1]}"'.ljust(27)
            scores = ("12.50", " 7.50")
            vps[home] += Fraction("12.5")
            vps[away] += Fraction("7.5")
        rows.append(f"{r} {table} {home} {away} {details} {scores[0]} {scores[1]}")
    order = sorted(vps, key=lambda team: -vps[team])
    totals = [
        f'{n} {team} {float(vps[team]):5.2f} "{f"The Team {team}":10}" {played} '
        f'"{team}01,Last {team},First|{team}02,Other,Second Name"'
        for n, team in enumerate(order, 1)
    ]
    head = [f'% <META  name={name}  content="{n}">' for name, n in (("TeamCount", 4),)]
    return "\n".join(
        [
            "% PBN 2.0",
            *head,
            '[Event "League"]',
            r'[TotalScoreTable "Rank\1R;TeamId\1R;TotalScoreVP\5R;TeamName\12L;NrRounds\1R;'
            r'RosterDetails\40L"]',
            *totals,
            r'[ScoreTable "Round\1R;Table\1R;TeamId_Home\1R;TeamId_Away\1R;MatchDetails\27L;'
            r'VP_Home\5R;VP_Away\5R"]',
            *rows,
            "",
        ]
    )


@pytest.mark.parametrize("segments", [True, False])
def test_matches_of_teams(tmp_path: Path, segments: bool) -> None:
    event = read(tmp_path, teams_pbn(segments=segments))
    assert (event.kind, event.scoring, event.doubts) == ("teams", "imps", ())
    assert event.facts["matches_to_play"] == 2
    first, second, *_ = event.sessions[0].matches
    assert (first.round, first.home, first.away) == (1, "1", "2")
    assert (first.home_imps, first.away_imps, first.home_vps) == (
        Fraction(25),
        Fraction(10),
        Fraction("12.5"),
    )
    assert second.away_imps == 20
    best = event.entrants[0]
    assert best.entrant.name.strip() == "The Team 1"
    assert [(p.name, p.number) for p in best.entrant.players] == [
        ("First Last 1", "101"),
        ("Second Name Other", "102"),
    ]
    published = {e.entrant.id: e.published["total_score"] for e in event.entrants}
    (ranking,) = award_lists(score(event, profile("ebu")))
    assert {s.entrant.id: s.score for s in ranking.standings} == published


def test_a_league_that_stops_short_is_doubted(tmp_path: Path) -> None:
    """By its counts, by the rounds each team has played, or by its last round."""
    whole = teams_pbn()
    lines = whole.splitlines(keepends=True)
    for gone in range(1, 6):
        assert read(tmp_path, "".join(lines[:-gone])).doubts or gone in (2, 4)
    assert read(tmp_path, whole.replace('content="4"', 'content="5"')).doubts
    assert not read(tmp_path, teams_pbn(rounds=2)).doubts
