"""Ranks in pages: everybody once, the highest first, and only the rows that are shown are read."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sqlalchemy import text

from honours.formats.members import ListedMember
from honours.ledger import members, ranks
from honours.ledger.enrol import enrol
from honours.ledger.list_tables import roll
from honours.ledger.lists import ListQuery
from honours.ledger.post import post
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from tests.ledger.material import BOOK, event


def listed(count: int) -> list[ListedMember]:
    """Members of whom every third has no points, and some as many as others."""
    return [
        ListedMember(n, str(n), f"Member {n}", {}, (("local", Fraction(n % 3 * 10)),))
        for n in range(1, count + 1)
    ]


def test_pages_have_everybody_once_in_order(ledger: Ledger) -> None:
    enrol(ledger, listed(20), "list.csv", "Eve", BOOK)
    post(ledger, event(), "Eve")
    steps = ranks.ladder(BOOK.body)
    with ledger.writing() as connection:
        members.merge(connection, members.find(connection, "1").id, 2, "Eve")
    with ledger.reading() as connection:
        everybody = ranks.listed(connection, BOOK.body, steps)
        pages: list[ranks.Rung] = []
        after = None
        while some := ranks.listed(connection, BOOK.body, steps, 3, after):
            pages += some
            after = some[-1].member.id
        assert len(pages) == ranks.count(connection, BOOK.body) == len(everybody)
    assert {rung.member.id for rung in pages} == {rung.member.id for rung in everybody}
    sums = [sum(rung.points.values(), Fraction(0)) for rung in pages]
    assert sums == sorted(sums, reverse=True)
    assert "Member 3" in [rung.member.name for rung in pages]
    assert verify(ledger).sound


def places(ledger: Ledger) -> list[str]:
    """Everybody among the ranks, by name."""
    assert verify(ledger).sound
    with ledger.reading() as connection:
        pages = ranks.listed(connection, BOOK.body, ranks.ladder(BOOK.body), 2)
        while more := ranks.listed(
            connection, BOOK.body, ranks.ladder(BOOK.body), 2, pages[-1].member.id
        ):
            pages += more
        assert len(pages) == ranks.count(connection, BOOK.body)
    return [rung.member.name for rung in pages]


def test_who_has_no_points_has_a_place_from_the_first_day_to_the_last(ledger: Ledger) -> None:
    with ledger.writing() as connection:
        members.add(connection, "Early", "900")
        twin = members.add(connection, "Twin", "901")
        leaving = members.add(connection, "Leaving", "902")
        members.add(connection, "Guest", visitor=True)
    post(ledger, event(), "Eve")
    with ledger.writing() as connection:
        members.add(connection, "Late", "903")
    others = {"Early", "Twin", "Leaving", "Late"}
    assert others < set(places(ledger))
    assert "Guest" not in places(ledger)
    with ledger.writing() as connection:
        guest = members.by_names(connection, ["Guest"])["guest"][0]
        members.change(connection, guest.id, number="904")
        members.merge(connection, twin, 1, "Eve")
    assert {"Guest", "Early", "Late"} < set(places(ledger))
    assert "Twin" not in places(ledger)
    with ledger.writing() as connection:
        members.unmerge(connection, twin, "Eve")
        members.erase(connection, leaving, "Eve", "asked")
    assert "Twin" in places(ledger)
    assert "Leaving" not in places(ledger)


def test_a_place_that_was_taken_away_is_missed(file_ledger: Ledger) -> None:
    enrol(file_ledger, listed(3), "list.csv", "Eve", BOOK)
    with file_ledger.writing() as connection:
        members.add(connection, "New", "900")
        connection.execute(text("DELETE FROM totals WHERE held = ''"))
    assert [str(finding.where) for finding in verify(file_ledger).findings] == [
        "totals 3",
        "totals 4",
    ]


def test_a_page_goes_along_the_index(file_ledger: Ledger) -> None:
    enrol(file_ledger, listed(50), "list.csv", "Eve", BOOK)
    asked = (
        "EXPLAIN QUERY PLAN SELECT member FROM totals WHERE scheme = 'x' AND "
        "(total, member) < (5, 7) ORDER BY total DESC, member DESC LIMIT 3"
    )
    with file_ledger.reading() as connection:
        plan = " ".join(str(tuple(row)) for row in connection.execute(text(asked)))
    assert "ix_totals_scheme (scheme=? AND (total,member)<(?,?))" in plan
    assert "TEMP B-TREE" not in plan


def test_a_part_for_the_public_is_as_long_as_any_and_goes_on(file_ledger: Ledger) -> None:
    """Who opted out is left out of the query: a shorter page would look like the last."""
    people = listed(20)
    people[4] = replace(people[4], details={"opted_out": True})
    enrol(file_ledger, people, "list.csv", "Eve", BOOK)
    with file_ledger.reading() as connection:
        rolled: list[int] = []
        after: int | None = None
        while after != 0:
            part = roll(connection, ListQuery(BOOK.body, public=True, limit=5, after=after))
            after = part.behind
            rolled.append(len(part.table().rows))
        ranked = ranks.listed(connection, BOOK.body, (), 19, public=True)
        called = members.listed(connection, 5, public=True)
        assert ranks.count(connection, BOOK.body, public=True) == 19
    assert rolled == [5, 5, 5, 4]
    assert (len(ranked), ranked.more) == (19, False)
    assert (len(called), called.more) == (5, True)
