"""From a file to its accounts: titles, days, several events, rulings."""

from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.members import Matching, read_members
from honours.formats.rulings import add_ruling
from honours.formats.table_standings import StandingsFile
from honours.ledger.sources import day_of, read_ranked, title_of, to_post
from honours.model import Origin
from honours.pipeline import awarded, ranked, read_account, read_accounts
from honours.pipeline.account import with_members
from honours.rulebooks import load
from tests.engine.books import write_book
from tests.formats.test_detect import MADE

NIGHT = "board,ns,ew,score\n1,1,2,50\n1,3,4,-50\n"
WEEK = "event,pair,place\nMonday,A,1\nMonday,B,2\nTuesday,A,1\n"


def _file(folder: Path, text: str, name: str = "2017-01-14-club_night.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_results_are_of_a_bridge_event_and_a_ranking_is_not(tmp_path: Path) -> None:
    assert read_account(_file(tmp_path, MADE["results"])).event.kind == "pairs"
    for kind, entrants in (("aga-report", 4), ("h9", 3), ("standings", 1)):
        account = read_account(_file(tmp_path, MADE[kind]))
        assert account.played is None
        assert len(ranked(account).lists[0].standings) == entrants
        with pytest.raises(FileProblem, match=r"another kind: .*; expected results of bridge"):
            _ = account.event


def test_a_list_of_members_is_no_event(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="AGA member list; expected an event"):
        read_accounts(_file(tmp_path, MADE["aga-members"]))


def test_one_of_several_events_is_asked_for(tmp_path: Path) -> None:
    path = _file(tmp_path, WEEK)
    assert [one.title for one in read_accounts(path)] == ["Monday", "Tuesday"]
    assert [day_of(one) for one in read_accounts(path)] == ["", ""]  # the name has one day for both
    assert read_account(path, "2") == read_account(path, "Tuesday")
    with pytest.raises(FileProblem, match=r"2 events \(Monday, Tuesday\)"):
        read_account(path)


def test_rulings_can_be_left_aside(tmp_path: Path) -> None:
    path = _file(tmp_path, MADE["results"])
    add_ruling(path, {"kind": "name", "pair": "1", "players": ["Ann"], "by": "S", "when": "now"})
    ruled, as_read = read_account(path), read_account(path, as_ruled=False)
    assert (len(ruled.rulings), len(as_read.rulings)) == (1, 0)
    assert ruled.event.entrants != as_read.event.entrants


@pytest.mark.parametrize(
    ("text", "title", "day"),
    [
        (MADE["standings"], "club night", "2017-01-14"),
        ("date,pos,name,score\n20/12/2022,1,Ann,5\n", "club night", "2022-12-20"),
        (MADE["aga-report"], "Winter Open", "2024-01-05"),
        (MADE["results"], "2017-01-14-club_night", "2017-01-14"),
    ],
)
def test_the_ledger_takes_what_the_file_says_before_its_name(
    tmp_path: Path, text: str, title: str, day: str
) -> None:
    account = read_account(_file(tmp_path, text))
    assert (title_of(account), day_of(account)) == (title, day)


def test_what_is_said_comes_before_what_the_file_says(tmp_path: Path) -> None:
    report, book = read_ranked(_file(tmp_path, NIGHT)), load("sbu-clubs-2016")
    report = awarded(report, book, {"winners": "1"})
    event = to_post(report, title="Cup", day="2017-02-01", club="Perth")
    assert event.given == {"winners": "1"}
    assert (event.title, event.day, event.club) == ("Cup", "2017-02-01", "Perth")
    assert event.source == "2017-01-14-club_night.csv"


def test_a_date_said_to_the_rulebook_is_the_date_it_is_posted_under(tmp_path: Path) -> None:
    report, book = read_ranked(_file(tmp_path, NIGHT)), load("sbu-clubs-2016")
    assert to_post(awarded(report, book, {"date": "2017-02-01"})).day == "2017-02-01"
    with pytest.raises(InputError, match="date=2017-02-30: not a date"):
        to_post(awarded(report, book, {}), day="2017-02-30")


def test_columns_of_a_member_list_are_facts_or_named(tmp_path: Path) -> None:
    file, people = tmp_path / "list.csv", tmp_path / "members.csv"
    file.write_text("place,player1,player2\n1,Ann,Bob\n2,Cas,Dee\n3,Eli,Fay\n4,Gus,Hal\n")
    people.write_text("number,name,masterpoints,eligibility points,town\n1,Ann,120,30,Ayr\n")
    matching = Matching(read_members(people))
    account = with_members(read_account(file), matching)
    assert isinstance(account.content, StandingsFile)
    player = account.content.lists[0].standings[0].entrant.players[0]
    assert player.facts["eligibility_points"] == 30
    assert account.not_understood == ("eligibility points", "town")
    report = ranked(account)
    given = {"strength_factor": 20, "class": "sectional", "kind": "pairs", "sessions": 1}
    asked = awarded(report, load("acbl-sof-2020"), given)
    assert [*map(str, asked.notes)] == ["the member list: a column is not understood: town"]
    assert asked.awards is not None
    known = {one.name: one for one in asked.awards.lists[0].known}
    assert known["eligibility_points"].source == "the member list"


OWN_TOML = """
[inputs]
entrants = { about = "entrants", type = "count" }
average = { about = "the average of the field" }
ranking = { about = "a player's ranking", type = "count", per = "player" }
"""
OWN_RULES = '''
@rule("§1")
def places(entrants):
    """All are paid."""
    return entrants


@rule("§2", per="entrant")
def award(place, entrants, average, sum_of_ranking):
    """What one gets."""
    return entrants - place + average + sum_of_ranking
'''


def test_whatever_a_rulebook_declares_may_be_a_column(tmp_path: Path) -> None:
    rows = "1,60,5,Ann,3,Bob,4,rain\n2,50,5,Cas,1,Dee,1,rain\n"
    head = "pair,score,average,player1,ranking1,player2,ranking2,weather\n"
    book = write_book(tmp_path / "own", OWN_TOML, OWN_RULES)
    report = awarded(ranked(read_account(_file(tmp_path, head + rows))), book, {})
    assert report.awards is not None
    assert [report.awards.amount(one) for one in ("1", "2")] == [13, 7]
    assert report.not_understood == ("weather",)
    known = {one.name: one for one in report.awards.lists[0].known}
    assert (known["average"].origin, known["average"].source) == (Origin.TOLD, "the file")
    assert known["ranking"].value == "of 4 players"
