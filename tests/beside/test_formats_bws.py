"""Compared with real files beside the repository: formats bws."""

from datetime import date

from honours.formats.bws import read_bws
from honours.model import Contract, Denomination, Seat
from tests.support import shared


def test_the_real_file() -> None:
    event = read_bws(shared("real/bws/12-tables-1-section.bws"))
    (session,) = event.sessions
    assert len(session.results) == 288
    assert {r.board for r in session.results} == set(range(1, 25))
    assert len(event.entrants) == 24
    assert [e.entrant.id for e in event.entrants] == [str(n) for n in range(1, 25)]
    assert event.date == date(2005, 5, 9)
    assert sum(r.adjusted is not None for r in session.results) == 2
    assert sum(r.passed_out for r in session.results) == 5
    assert sum(r.contract is not None for r in session.results) == 281
    first = session.results[0]
    assert first.contract == Contract(3, Denomination.HEARTS, Seat.SOUTH)
    assert (first.tricks, first.section, first.table, first.round) == (8, "A", 4, 1)
