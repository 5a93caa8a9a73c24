"""Ranks in pages: everybody once, the highest first, and only the rows that are shown are read."""

from __future__ import annotations

from fractions import Fraction

from sqlalchemy import text

from honours.formats.enrolment import ListedMember
from honours.ledger import members, ranks
from honours.ledger.enrol import enrol
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
        everybody = ranks.rungs(connection, BOOK.body, steps)
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


def test_a_page_goes_along_the_index(file_ledger: Ledger) -> None:
    enrol(file_ledger, listed(50), "list.csv", "Eve", BOOK)
    asked = (
        "EXPLAIN QUERY PLAN SELECT member FROM totals WHERE scheme = 'x' AND "
        "(total, member) < (5, 7) ORDER BY total DESC, member DESC LIMIT 3"
    )
    with file_ledger.reading() as connection:
        told = " ".join(str(tuple(row)) for row in connection.execute(text(asked)))
    assert "ix_totals_scheme (scheme=? AND (total,member)<(?,?))" in told
    assert "TEMP B-TREE" not in told
