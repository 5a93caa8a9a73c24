"""Compared with real files beside the repository: formats pages."""

from fractions import Fraction
from pathlib import Path

import pytest

from honours.errors import FileProblem
from honours.formats.detect import read
from honours.formats.lin import outcome, parse_lin
from honours.formats.reading import read_text
from honours.formats.table_standings import StandingsFile
from honours.model import Event, Seat
from honours.pipeline.account import read_account
from honours.pipeline.report import ranked
from honours.scoring import score
from honours.scoring.award_lists import award_lists
from honours.scoring.profiles import profile
from tests.formats.test_pages import event as event_of
from tests.support import shared


def event(path: Path | str) -> Event:
    return event_of(path if isinstance(path, Path) else shared(f"real/{path}"))


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
