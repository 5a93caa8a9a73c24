"""A federation takes in what its clubs send: returns, files of results, and what was taken back."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy import select

import honours
from honours.errors import InputError
from honours.ledger import members, receipts, release, submissions
from honours.ledger.balances import summed
from honours.ledger.intake import IncomingFile, IntakeTerms, take_in
from honours.ledger.post import POSTED, post, reverse
from honours.ledger.receipts import Receipt
from honours.ledger.schema import receipts as kept
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.submissions import usebio
from honours.ledger.verify import verify
from honours.model.message import Message
from honours.pipeline import read_accounts
from honours.rulebooks import load
from tests.ledger.material import event
from tests.pipeline.thirty import paired, pairs

YEAR = ("2017-01-01", "2017-12-31")
GIVEN = {"kind": "pairs", "winners": "1"}


def returned(club: Ledger, tmp_path: Path) -> Path:
    """What the club sends of the year."""
    made = submissions.submit(club, *YEAR, "w")
    submissions.mark(club, made.id, "sent")
    file = tmp_path / f"return-{made.id}.xml"
    with club.reading() as connection:
        file.write_bytes(usebio(connection, made.id))
    return file


def incoming(*files: Path) -> list[IncomingFile]:
    return [
        IncomingFile(
            file.name,
            hashlib.sha256(file.read_bytes()).hexdigest(),
            partial(read_accounts, file),
        )
        for file in files
    ]


def unreadable(name: str, problem: str) -> IncomingFile:
    def read() -> NoReturn:
        raise InputError(problem)

    return IncomingFile(name, "d", read)


def taken(ledger: Ledger, *files: Path, **terms: object) -> list[Receipt]:
    return take_in(ledger, incoming(*files), IntakeTerms(given=GIVEN, **terms), "Eve")  # type: ignore[arg-type]


def test_a_return_is_posted_once_under_the_rulebook_it_names(
    ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    file = returned(club, tmp_path)
    assert [one.status for one in taken(ledger, file)] == ["posted", "posted"]
    with ledger.reading() as ours, club.reading() as theirs:
        assert sorted(summed(ours).values()) == sorted(summed(theirs).values())
    again = taken(ledger, file)
    assert [(one.status, one.record) for one in again] == [
        ("already posted", 1),
        ("already posted", 2),
    ]
    with ledger.reading() as connection:
        assert receipts.counts(connection) == {"posted": 2, "already posted": 2}
        assert [one.id for one in receipts.listed(connection, 2)] == [4, 3]
        assert [one.id for one in receipts.listed(connection, 9, 4, "posted")] == [2, 1]
    assert verify(ledger).sound


NAMES = "P{n} Ash,Q{n} Elm"
EVENINGS = "evening,pair,player1,player2,score\n" + "".join(
    f"{e},{n},{NAMES.format(n=n)},{60 + n * (-1) ** e}\n" for e in (1, 2) for n in range(1, 13)
)
SHORT = "pair,player1,player2,boards1,boards2,score\n" + "".join(
    f"{n},{NAMES.format(n=n)},{12 if n == 1 else 24},24,{60 - n}\n" for n in range(1, 13)
)
BOTH = paired(pairs(10, 8, 3), pairs(10, 8, 3, session=2))
HELD = {"class": "regional", "average_masterpoints": "900"}


@pytest.mark.parametrize(
    ("text", "book", "given"),
    [
        (EVENINGS, "sbu-clubs-2016", {}),
        (BOTH, "acbl-sof-2011", HELD),
        (SHORT, "sbu-clubs-2016", {}),
    ],
    ids=["evenings", "sessions-and-overall", "a-player-who-gets-nothing"],
)
def test_a_return_tells_all_that_its_awards_rest_on(
    text: str, book: str, given: dict[str, str], ledger: Ledger, tmp_path: Path
) -> None:
    night, club = tmp_path / "night.csv", create_ledger(str(tmp_path / "own.db"))
    night.write_text(text, encoding="utf-8")
    report = honours.award(honours.score(honours.read(night)), book, given, as_usual=True)
    posted = honours.post(report, club, "w", date="2017-01-14", club="Kelso", overrule="to compare")
    assert posted.status == POSTED
    terms = IntakeTerms(overrule="to compare")
    [receipt] = take_in(ledger, incoming(returned(club, tmp_path)), terms, "Eve")
    assert receipt.status == "posted", receipt.said
    with ledger.reading() as ours, club.reading() as theirs:
        assert sorted(summed(ours).values()) == sorted(summed(theirs).values())


def test_what_a_club_takes_back_is_taken_back(ledger: Ledger, club: Ledger, tmp_path: Path) -> None:
    taken(ledger, returned(club, tmp_path))
    reverse(club, 1, "w", "void")
    again = returned(club, tmp_path)
    [receipt] = taken(ledger, again)
    assert receipt.status == "taken back"
    [twice] = taken(ledger, again)
    assert (twice.status, *twice.said) == ("already posted", "taken back already")
    with ledger.reading() as ours, club.reading() as theirs:
        assert sorted(summed(ours).values()) == sorted(summed(theirs).values())
    assert verify(ledger).sound


def test_a_correction_comes_as_both(ledger: Ledger, club: Ledger, tmp_path: Path) -> None:
    taken(ledger, returned(club, tmp_path))
    night = event(order=[2, 1, 3, 4, 5, 6])
    post(club, night, "w", correct=True, why="scored again")
    assert [one.status for one in taken(ledger, returned(club, tmp_path))] == [
        "taken back",
        "posted",
    ]
    with ledger.reading() as ours, club.reading() as theirs:
        assert sorted(summed(ours).values()) == sorted(summed(theirs).values())


def test_points_that_differ_are_held_with_what_differs(
    ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    file = returned(club, tmp_path)
    text = file.read_text(encoding="utf-8")
    wrong = text.replace("<MASTER_POINTS_AWARDED>12<", "<MASTER_POINTS_AWARDED>120<", 1)
    assert wrong != text
    file.write_text(wrong, encoding="utf-8")
    held, fine = taken(ledger, file)
    assert (held.status, fine.status) == ("held", "posted")
    assert isinstance(held.said[0], Message)
    assert (held.said[0].values["claimed"], held.said[0].values["ours"]) == ("120.00", "12.00")
    assert held.draft is not None
    release.release(ledger, held.draft, "Eve")
    with ledger.reading() as connection:
        now = receipts.find(connection, held.id)
        assert now is not None
        assert (now.status, now.record) == ("posted", 2)
        assert receipts.find(connection, 99) is None


def test_what_a_club_takes_back_before_it_was_released(
    ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    held = taken(ledger, returned(club, tmp_path), hold=True)
    assert {one.status for one in held} == {"held"}
    reverse(club, 1, "w", "void")
    assert taken(ledger, returned(club, tmp_path))[0].status == "taken back"
    with ledger.reading() as connection:
        assert release.all_drafts(connection)[0].status == "withdrawn"
        assert receipts.counts(connection) == {"refused": 1, "held": 1, "taken back": 1}


def test_one_that_is_wrong_keeps_no_other_back(
    ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    with ledger.writing() as connection:
        members.add(connection, "Somebody Else", "101a")
    good = incoming(returned(club, tmp_path))
    bad = [unreadable("broken.xml", "broken.xml: not a kind of file we know")]
    done = take_in(ledger, [*bad, *good], IntakeTerms(given=GIVEN), "Eve")
    assert [one.status for one in done] == ["refused", "refused", "refused"]
    assert "101a is Somebody Else in the ledger, Ann 1 here" in done[1].said[0]
    posted = take_in(ledger, good, IntakeTerms(given=GIVEN, numbers_decide=True), "Eve")
    assert [one.status for one in posted] == ["posted", "posted"]


def test_a_dry_run_keeps_nothing(ledger: Ledger, club: Ledger, tmp_path: Path) -> None:
    file = returned(club, tmp_path)
    twice = take_in(ledger, incoming(file, file), IntakeTerms(given=GIVEN), "Eve", dry_run=True)
    assert [one.status for one in twice] == ["posted"] * 2 + ["already posted"] * 2
    with ledger.reading() as connection:
        assert receipts.counts(connection) == {}


def test_a_rulebook_that_nobody_names_is_asked_for(ledger: Ledger, tmp_path: Path) -> None:
    file = tmp_path / "night.csv"
    file.write_text("place,names,percent\n1,A & B,60\n2,C & D,40\n", encoding="utf-8")
    [receipt] = taken(ledger, file)
    assert "say which" in receipt.said[0]


def test_a_name_is_erased_in_receipts_too(ledger: Ledger, club: Ledger, tmp_path: Path) -> None:
    with ledger.writing() as connection:
        one = members.add(connection, "Zebediah Quillfeather", "101a")
    take_in(ledger, incoming(returned(club, tmp_path)), IntakeTerms(given=GIVEN), "Eve")
    with ledger.writing() as connection:
        members.erase(connection, one, "Eve")
    with ledger.reading() as connection:
        texts = [row.said for row in connection.execute(select(kept))]
    assert not any("Quillfeather" in text for text in texts)
    assert verify(ledger).sound


def test_events_are_written_some_dozens_at_once(
    ledger: Ledger, club: Ledger, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("honours.ledger.intake.LOT", 2)
    receipts: list[Receipt] = []
    files = [*incoming(returned(club, tmp_path)), unreadable("x", "no")]
    done = take_in(ledger, files, IntakeTerms(given=GIVEN), "Eve", tell=receipts.append)
    assert receipts == done
    assert [one.id for one in done] == [1, 2, 3]
    with pytest.raises(InputError):
        release.withdraw(ledger, 1, "Eve", "there is none")


def test_a_second_major_is_counted_by_the_clubs_own_year(ledger: Ledger, tmp_path: Path) -> None:
    """The year of an intake is the one said of all, else what each club settled."""
    rows = [f"{n},{70 - n},Player {n},Player {n + 20}" for n in range(1, 13)]
    table = "\n".join(["pair,score,player1,player2", *rows]) + "\n"
    nights = [tmp_path / "2016-11-14 Cup.csv", tmp_path / "2017-03-04 Plate.csv"]
    nights[0].write_text(table, encoding="utf-8")
    nights[1].write_text(table.replace("Player", "Person"), encoding="utf-8")
    given = {"kind": "pairs", "winners": "1", "boards": "24", "championship": "major"}
    terms = IntakeTerms(load("sbu-clubs-2016"), given, club="Ayr", as_usual=True)

    def statuses(terms: IntakeTerms) -> list[str]:
        done = take_in(ledger, incoming(*nights), terms, "Eve", dry_run=True)
        return [receipt.status for receipt in done]

    assert statuses(terms) == ["posted", "posted"]
    take_in(ledger, incoming(nights[0]), terms, "Eve")
    assert statuses(terms) == ["already posted", "posted"]
    assert statuses(replace(terms, year_begins="09-01"))[1] == "refused"
    settled = replace(terms, usual_year=lambda club: "09-01" if club == "Ayr" else "")
    assert statuses(settled)[1] == "refused"


def test_a_file_that_is_known_is_not_read_again(
    ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    """By its digest and what was said with it; what was taken back since is done anew."""
    file = returned(club, tmp_path)
    taken(ledger, file)
    [known] = incoming(file)
    unread = replace(known, source="copy.xml", read=unreadable("", "read").read)
    again = take_in(ledger, [unread], IntakeTerms(given=GIVEN), "Eve")
    assert [(one.source, one.status, one.record) for one in again] == [
        ("copy.xml", "already posted", 1),
        ("copy.xml", "already posted", 2),
    ]
    assert taken(ledger, file, points="national")[0].status == "refused"
    reverse(ledger, 1, "Eve", "by mistake")
    assert [one.status for one in taken(ledger, file)] == ["posted", "already posted"]


def test_nobody_becomes_a_member_by_what_is_held(
    ledger: Ledger, club: Ledger, tmp_path: Path
) -> None:
    held, other = taken(ledger, returned(club, tmp_path), hold=True)
    with ledger.reading() as connection:
        assert members.everyone(connection) == []
        draft = release.all_drafts(connection)[0]
        assert {one.name for one in draft.newcomers.values()} >= {"Ann 1"}
    assert held.draft is not None
    assert other.draft is not None
    done = release.release(ledger, held.draft, "Eve")
    assert "Ann 1" in {one.name for one in done.newcomers}
    with ledger.reading() as connection:
        assert {one.name for one in members.everyone(connection)} >= {"Ann 1"}
        assert release.all_drafts(connection)[0].newcomers == {}
    assert not release.release(ledger, other.draft, "Eve").newcomers
    with ledger.reading() as ours, club.reading() as theirs:
        assert sorted(summed(ours).values()) == sorted(summed(theirs).values())
    assert verify(ledger).sound
