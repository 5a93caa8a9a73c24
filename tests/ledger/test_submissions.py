"""One USEBIO document a period: what is pending goes out once, corrections follow."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from honours.errors import InputError
from honours.formats.usebio import read_usebio
from honours.ledger import members, submissions
from honours.ledger.balances import summed
from honours.ledger.events import EventToPost
from honours.ledger.post import post, reverse
from honours.ledger.store import Ledger
from honours.ledger.submissions import usebio
from honours.ledger.verify import verify
from honours.model import Event, Player
from tests.ledger.material import CUP, event, pair, ranked

JANUARY = ("2017-01-01", "2017-01-31")
YEAR = ("2017-01-01", "2017-12-31")
LATE = event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1])


def document(ledger: Ledger, number: int, tmp_path: Path) -> tuple[Event, ...]:
    """A submission's file, read again."""
    with ledger.reading() as connection:
        data = usebio(connection, number)
    file = tmp_path / f"{number}.xml"
    file.write_bytes(data)
    return read_usebio(file)


def pending(ledger: Ledger) -> list[int]:
    with ledger.reading() as connection:
        return [row.id for row in submissions.overview(connection)[0]]


def credited(*documents: tuple[Event, ...]) -> Counter[str]:
    """What the federation would credit, by number."""
    totals: Counter[str] = Counter()
    for each in (entrant for events in documents for e in events for entrant in e.entrants):
        for player in each.entrant.players:
            points = each.published.get("masterpoints", 0)
            assert isinstance(points, int | Fraction)
            totals[player.number] += int(points)
    return +totals


def test_a_period_is_sent_once_and_the_rejected_again(ledger: Ledger) -> None:
    post(ledger, event(), "w")
    post(ledger, LATE, "w")
    made = submissions.submit(ledger, *JANUARY, "w")
    assert (made.records, made.status) == ((1,), "pending")
    with pytest.raises(InputError, match="nothing is pending"):
        submissions.submit(ledger, *JANUARY, "w")
    submissions.mark(ledger, 1, "sent")
    assert pending(ledger) == [2]
    with pytest.raises(InputError, match="needs its reason"):
        submissions.mark(ledger, 1, "rejected")
    submissions.mark(ledger, 1, "rejected", "wrong number")
    assert pending(ledger) == [1, 2]
    assert submissions.submit(ledger, *YEAR, "w").records == (1, 2)
    with pytest.raises(InputError, match="record 1 of submission 1 was sent again"):
        submissions.mark(ledger, 1, "sent")
    with ledger.reading() as connection:
        states = [(s.status, s.remark) for s in submissions.all_submissions(connection)]
    assert states == [("rejected", "wrong number"), ("pending", "")]
    assert verify(ledger).sound


def test_one_document_holds_the_whole_period(ledger: Ledger, tmp_path: Path) -> None:
    post(ledger, event(), "w")
    post(ledger, LATE, "w")
    submissions.submit(ledger, *YEAR, "w")
    first, second = document(ledger, 1, tmp_path)
    assert (first.title, first.club, str(first.date)) == ("Club night", "Club", "2017-01-14")
    assert (second.title, second.facts["event_identifier"]) == ("Late", "2")
    assert str(second.facts["awarded_under"]).startswith("sbu-clubs-2016 revision ")
    winner = first.entrants[0]
    assert [p.number for p in winner.entrant.players] == ["101a", "101b"]
    assert winner.published == {
        "place": 1,
        "percentage": 69,
        "masterpoints": 12,
        "masterpoint_type": "BLACK",
    }


def test_a_correction_follows_what_was_sent(ledger: Ledger, tmp_path: Path) -> None:
    post(ledger, event(), "w")
    submissions.submit(ledger, *JANUARY, "w")
    sent = document(ledger, 1, tmp_path)
    post(ledger, event(order=[2, 1, 3, 4, 5, 6]), "w", correct=True, why="line 7 misread")
    assert submissions.submit(ledger, *JANUARY, "w").records == (2, 3)
    corrected = document(ledger, 2, tmp_path)
    assert corrected[0].title == "Club night, record 1 taken back: line 7 misread"
    assert corrected[0].entrants[0].published["masterpoints"] == -12
    with ledger.reading() as connection:
        held = {
            members.get(connection, [m])[m].number: v
            for (m, _), v in summed(connection).items()
            if v
        }
    assert credited(sent, corrected) == held == {"102a": 12, "102b": 12, "101a": 6, "101b": 6}


def test_what_was_taken_back_before_it_was_sent_does_not_go_out(
    ledger: Ledger, tmp_path: Path
) -> None:
    post(ledger, event(), "w")
    post(ledger, event(order=[2, 1, 3, 4, 5, 6]), "w", correct=True, why="misread")
    assert submissions.submit(ledger, *JANUARY, "w").records == (1, 2, 3)
    [only] = document(ledger, 1, tmp_path)
    assert only.facts["event_identifier"] == "3"
    assert pending(ledger) == []


def test_a_submission_of_nothing(ledger: Ledger, tmp_path: Path) -> None:
    post(ledger, event(), "w")
    reverse(ledger, 1, "w", "void")
    submissions.submit(ledger, *JANUARY, "w")
    with pytest.raises(InputError, match="reversed before"):
        document(ledger, 1, tmp_path)


def test_who_played_too_little_is_not_credited(file_ledger: Ledger) -> None:
    def played(n: int, *boards: int) -> tuple[Player, ...]:
        return tuple(
            replace(p, facts={"boards_played": Fraction(b)})
            for p, b in zip(pair(n), boards, strict=True)
        )

    everybody = {n: played(n, 24, 24) for n in range(2, 7)} | {1: played(1, 24, 12)}
    field = ranked([1, 2, 3, 4, 5, 6], everybody)
    post(file_ledger, replace(event(), lists=(field,)), "w")
    submissions.submit(file_ledger, *JANUARY, "w")
    with file_ledger.reading() as connection:
        root = ElementTree.fromstring(usebio(connection, 1))
    first = next(root.iter("PAIR"))
    assert first.find("MASTER_POINTS") is None
    assert [p.findtext("MASTER_POINTS/MASTER_POINTS_AWARDED") for p in first.iter("PLAYER")] == [
        "12",
        None,
    ]


def cup(title: str, day: str = "2017-01-14", **changes: Any) -> EventToPost:
    """Five points for everybody, in any event."""
    return replace(EventToPost(title, (ranked([1, 2]),), CUP, {}, day, "Club"), **changes)


def test_who_is_in_two_lists_is_credited_once(file_ledger: Ledger, tmp_path: Path) -> None:
    both = (replace(ranked([2, 1]), session="1"), replace(ranked([1, 2]), session="2"))
    done = post(file_ledger, cup("Two sessions", lists=both), "w")
    submissions.submit(file_ledger, *JANUARY, "w")
    totals = credited(document(file_ledger, 1, tmp_path))
    assert sum(totals.values()) == sum(line.amount for line in done.lines)


@pytest.mark.parametrize(("size", "tag"), [(1, "PLAYER"), (2, "PAIR"), (4, "TEAM")])
def test_kinds_of_entrants_and_scores_that_are_no_decimals(
    file_ledger: Ledger, size: int, tag: str
) -> None:
    players = {n: tuple(Player(f"P{n}{i}", f"{n}{i}") for i in range(size)) for n in (1, 2)}
    field = ranked([1, 2], players)
    third = replace(
        field, standings=tuple(replace(s, score=Fraction(175, 3)) for s in field.standings)
    )
    post(file_ledger, cup("Any", lists=(third,)), "w")
    submissions.submit(file_ledger, *JANUARY, "w")
    with file_ledger.reading() as connection:
        root = ElementTree.fromstring(usebio(connection, 1))
    participants = root.find("EVENT/PARTICIPANTS")
    assert participants is not None
    assert [child.tag for child in participants] == [tag, tag]
    figure = "TOTAL_SCORE" if size == 4 else "PERCENTAGE"
    assert participants[0].findtext(figure) == "58.33"


def test_a_document_is_one_clubs(file_ledger: Ledger) -> None:
    post(file_ledger, cup("A"), "w")
    post(file_ledger, cup("B", club="Other Club", lists=(ranked([3, 4]),)), "w")
    with pytest.raises(InputError, match="several clubs are pending: say which of Club, Other"):
        submissions.submit(file_ledger, *YEAR, "w")
    assert submissions.submit(file_ledger, *YEAR, "w", club="other club").records == (2,)
    assert submissions.submit(file_ledger, *YEAR, "w").records == (1,)


@pytest.mark.parametrize(
    ("since", "until", "message"),
    [
        ("soon", "2017-01-31", "since=soon: not a date"),
        ("2017-01-01", "20170131", "until=20170131: not a date"),
        ("2017-02-01", "2017-01-31", "before it begins"),
    ],
)
def test_wrong_periods(file_ledger: Ledger, since: str, until: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        submissions.submit(file_ledger, since, until, "w")


def test_wrong_marks(file_ledger: Ledger) -> None:
    with pytest.raises(InputError, match="unknown status"):
        submissions.mark(file_ledger, 1, "lost")
    with pytest.raises(InputError, match="no submission 1: the ledger has 0 submissions"):
        submissions.mark(file_ledger, 1, "sent")
