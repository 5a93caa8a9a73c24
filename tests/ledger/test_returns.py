"""A federation reads returns: many events in a file, awards taken back, and its own calculation."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from honours.cli import cli
from honours.errors import InputError
from honours.ledger import facts as stored
from honours.ledger import release, submissions
from honours.ledger.events import EventToPost
from honours.ledger.post import POSTED, post, reverse
from honours.ledger.schema import records
from honours.ledger.store import Ledger
from honours.ledger.submissions import events, usebio
from honours.ledger.verify import verify
from honours.pipeline import ranked, read_account, read_accounts
from honours.pipeline.checking.awards import check_awards
from honours.pipeline.published import is_reversal
from honours.reports.sending import checked_return
from honours.rulebooks import load
from tests.ledger.material import event
from tests.ledger.material import ranked as ranked_pairs
from tests.support import cases

YEAR = ("2017-01-01", "2017-12-31")
LATE = event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1])


def sent(ledger: Ledger, number: int, tmp_path: Path) -> Path:
    file = tmp_path / f"{number}.xml"
    with ledger.reading() as connection:
        file.write_bytes(usebio(connection, number))
    return file


@pytest.fixture
def first(ledger: Ledger, tmp_path: Path) -> Path:
    """The first return of a club: two events."""
    post(ledger, event(), "w")
    post(ledger, LATE, "w")
    submissions.submit(ledger, *YEAR, "w")
    submissions.mark(ledger, 1, "sent")
    return sent(ledger, 1, tmp_path)


def test_what_is_submitted_is_read_as_rankings(first: Path) -> None:
    accounts = read_accounts(first)
    assert [account.title for account in accounts] == ["Club night", "Late"]
    report = ranked(accounts[0])
    [field] = report.lists
    assert [s.place for s in field.standings] == [1, 2, 3, 4, 5, 6]
    assert [p.number for p in field.standings[0].entrant.players] == ["101a", "101b"]
    assert any("places and no results" in note for note in report.notes)


def test_its_points_are_those_of_the_rulebook_it_names(first: Path) -> None:
    account = read_account(first, "Club night")
    own = check_awards(account, [load("sbu-clubs-2016")], {"winners": "1"})
    assert (own.agree, own.differences) == (own.lines, ())
    foreign = check_awards(account, [load("vbl-2017")], {})
    assert foreign.differences
    assert all(d.why for d in foreign.differences)


def test_an_award_taken_back_is_not_awarded_again(
    first: Path, ledger: Ledger, tmp_path: Path
) -> None:
    assert first.exists()
    reverse(ledger, 2, "wrong date", "w")
    submissions.submit(ledger, *YEAR, "w")
    [account] = read_accounts(sent(ledger, 2, tmp_path))
    assert is_reversal(account.event)
    with pytest.raises(InputError, match="reverses an award and cannot be awarded; reverse"):
        ranked(account)


def numbered(*lines: tuple[str, dict[str, int]]) -> EventToPost:
    """An event of lines of pairs, called as said, by the pair that they are, in their order."""
    lists = []
    for line, called in lines:
        field = ranked_pairs(list(called.values()))
        standings = (
            replace(standing, entrant=replace(standing.entrant, id=name))
            for standing, name in zip(field.standings, called, strict=True)
        )
        lists.append(replace(field, standings=tuple(standings), line=line))
    return replace(event(), lists=tuple(lists))


def pair_numbers(ledger: Ledger, number: int) -> dict[str, tuple[str, str]]:
    """Each pair's number and direction in a return, by the number of its first player."""
    with ledger.reading() as connection:
        root = ElementTree.fromstring(usebio(connection, number))
    return {
        pair.findtext("PLAYER/NATIONAL_ID_NUMBER", ""): (
            pair.findtext("PAIR_NUMBER", ""),
            pair.findtext("DIRECTION", ""),
        )
        for pair in root.iter("PAIR")
    }


def test_pairs_keep_the_numbers_they_sat_by(ledger: Ledger) -> None:
    post(ledger, numbered(("", {"14": 1, "7": 2, "A9": 3, "21": 4, "3": 5, "12": 6})), "w")
    submissions.submit(ledger, *YEAR, "w")
    sat = {"101a": "14", "102a": "7", "103a": "A9", "104a": "21", "105a": "3", "106a": "12"}
    assert pair_numbers(ledger, 1) == {who: (number, "") for who, number in sat.items()}
    assert verify(ledger).sound


def test_two_lines_may_have_the_same_numbers(ledger: Ledger, tmp_path: Path) -> None:
    seats = (2, 1, 6, 5, 4, 3)
    north = {f"{seat}NS": n for n, seat in enumerate(seats, 1)}
    east = {f"{seat}EW": n for n, seat in enumerate(seats, 7)}
    posted = replace(numbered(("NS", north), ("EW", east)), given={"kind": "pairs", "winners": "2"})
    assert post(ledger, posted, "w").status == POSTED
    submissions.submit(ledger, *YEAR, "w")
    sat = pair_numbers(ledger, 1)
    assert (sat["101a"], sat["107a"], sat["112a"]) == (("2", "NS"), ("2", "EW"), ("3", "EW"))
    [account] = read_accounts(sent(ledger, 1, tmp_path))
    assert [len(field.standings) for field in ranked(account).lists] == [6, 6]


def test_a_released_draft_keeps_its_numbers(ledger: Ledger) -> None:
    release.allow(ledger, "Eve")
    release.draft(ledger, numbered(("", {"14": 1, "7": 2, "9": 3, "21": 4, "3": 5, "1": 6})), "w")
    assert release.release(ledger, 1, "Eve").status == POSTED
    submissions.submit(ledger, *YEAR, "w")
    assert [n for n, _ in pair_numbers(ledger, 1).values()] == ["14", "7", "9", "21", "3", "1"]


def test_names_and_numbers_of_members_are_no_numbers_of_pairs(ledger: Ledger) -> None:
    """Neither is kept in the chain; such pairs are counted, past the numbers that are taken."""
    called = {"Ann & Bob": 1, "102a": 2, "2": 3, "12+31": 4, "Ünal 1": 5, "123456": 6}
    posted = numbered(("", called))
    post(ledger, posted, "w")
    submissions.submit(ledger, *YEAR, "w")
    assert [n for n, _ in pair_numbers(ledger, 1).values()] == ["1", "3", "2", "4", "5", "6"]
    with ledger.reading() as connection:
        kept = stored.from_text(connection.execute(select(records.c.facts)).scalar_one())
    assert list(kept.numbers.values()) == ["2"]


def test_a_period_is_checked_as_the_receiver_would(ledger: Ledger) -> None:
    post(ledger, event(), "w")
    submissions.submit(ledger, *YEAR, "w")
    with ledger.reading() as connection:
        made = events(connection, 1)
    with pytest.raises(InputError, match="Club night: the event: no charge code"):
        checked_return(made, "ebu", {"club_number": "123456"})
    [checked], concerns = checked_return(made, "ebu", {"club_number": "123456", "charge": "10"})
    assert checked.facts["club_number"] == "123456"
    assert any("101a is no EBU number" in str(concern) for concern in concerns)


def test_the_bonus_of_a_season_is_a_ranking_that_can_be_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guide, appendices 2 and 3: the result only, with names, scores and points."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> str:
        made = CliRunner().invoke(cli, words)
        assert made.exit_code == 0, made.output
        return made.output

    run("demo", "--write", "try")
    run("ledger", "init")
    run("season", "award", "try/season/year.toml", "--post", "--ledger", "honours.db")
    run(
        "ledger",
        "returns",
        "make",
        "--since",
        "2016-09-01",
        "--until",
        "2017-08-31",
        "--out",
        "r.xml",
    )
    account = read_account("r.xml")
    assert account.event.facts["competition"] == "aggregate"
    first = account.event.entrants[0].published
    figures = [str(first[name]) for name in ("place", "percentage", "masterpoints")]
    assert figures == ["1", "1528/25", "150"]
    checked = check_awards(account, [load("sbu-clubs-2016")], {})
    assert (checked.agree, checked.differences) == (18, ())


def _final_and_championship(folder: Path) -> None:
    rows = [f"{n},A{n},{2 * n},B{n},{2 * n + 1},{70 - n}.25,36" for n in range(1, 19)]
    head = "pair,player1,number1,player2,number2,score,boards"
    (folder / "night.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")


@cases
def test_a_final_and_a_championship_go_out_and_come_in(
    title: str, to: str, given: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guide, appendices 2 to 4: posted by a club, returned, checked and taken in once."""
    monkeypatch.chdir(tmp_path)
    _final_and_championship(tmp_path)

    def run(*words: str) -> str:
        made = CliRunner().invoke(cli, words)
        assert made.exit_code == 0, made.output
        return made.output

    book = ["--as-usual", "--rulebook", "sbu-clubs-2016"]
    day = ["--date", "2017-04-01", "--title", title, "--club", "Kelso"]
    run("ledger", "init")
    run("ledger", "post", "night.csv", *book, *given, *day)
    period = ["--since", "2017-01-01", "--until", "2017-12-31"]
    run("ledger", "returns", "make", *period, "--to", to, "--out", "return.xml")
    assert "18 of 18 published figures agree with sbu-clubs-2016" in run(
        "award", "return.xml", "--check"
    )
    run("ledger", "init", "--ledger", "federation.db")
    take = ["ledger", "returns", "intake", "return.xml", "--ledger", "federation.db"]
    assert "1 received: 1 × posted" in run(*take)
    assert "1 received: 1 × already posted" in run(*take)


def test_boards_that_were_not_played_are_told_in_a_return(
    file_ledger: Ledger, tmp_path: Path
) -> None:
    field = ranked_pairs([1, 2, 3, 4, 5, 6])
    short = [
        replace(s, facts={"boards_played": Fraction(12 if s.place == 1 else 24)})
        for s in field.standings
    ]
    posted = replace(event(), lists=(replace(field, standings=tuple(short)),))
    assert post(file_ledger, posted, "w").status == POSTED
    submissions.submit(file_ledger, *YEAR, "w")
    [account] = read_accounts(sent(file_ledger, 1, tmp_path))
    played = [s.facts["boards_played"] for s in ranked(account).lists[0].standings]
    assert played == [12, 24, 24, 24, 24, 24]
    comparison = check_awards(account, [load("sbu-clubs-2016")], {"winners": "1"})
    assert comparison.differences == ()
