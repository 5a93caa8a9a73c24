"""Any fact may be corrected; what has no day or no right name is not posted at all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from sqlalchemy import select

from honours.errors import InputError
from honours.ledger import facts as stored
from honours.ledger import members, release
from honours.ledger.events import EventToPost
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post
from honours.ledger.schema import records
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from honours.model import Player
from tests.ledger.material import event, ranked


def with_score(score: Fraction) -> EventToPost:
    night = event()
    (field,) = night.lists
    first, *others = field.standings
    changed = replace(field, standings=(replace(first, score=score), *others))
    return replace(night, lists=(changed,))


def test_another_score_at_the_same_place_is_a_correction(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    again = with_score(Fraction(71))
    outcome = post(ledger, again, "Eve")
    assert outcome.status == DIFFERS
    assert outcome.difference == ("Ann 1 & Bob 1: score 69 in the ledger, 71 now",)
    done = post(ledger, again, "Eve", correct=True, why="a slip")
    assert done.status == POSTED
    with ledger.reading() as connection:
        row = connection.execute(select(records).where(records.c.id == done.record)).one()
    assert stored.from_text(row.facts).lists[0].standings[0].score == 71
    assert verify(ledger).sound
    assert post(ledger, again, "Eve").status == ALREADY


def test_an_event_without_a_day_is_refused(ledger: Ledger) -> None:
    for work in (post, release.draft):
        with pytest.raises(InputError, match="its date is not known"):
            work(ledger, event(day=""), "Eve")
    with ledger.reading() as connection:
        assert members.everyone(connection) == []


def test_a_number_beside_another_name_is_asked_about(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    strange: dict[int, tuple[Player, ...]] = {
        1: (Player("Mary Jones", "101a"), Player("B. 1", "101b"))
    }
    late = replace(event("Late", "2017-02-01"), lists=(ranked([6, 2, 3, 4, 5, 1], strange),))
    with pytest.raises(InputError, match="101a is Ann 1 in the ledger, Mary Jones here"):
        post(ledger, late, "Eve")
    assert post(ledger, replace(late, numbers_decide=True), "Eve").status == POSTED


def test_an_erased_name_is_not_proposed_again(ledger: Ledger) -> None:
    post(ledger, event(), "Eve")
    with ledger.writing() as connection:
        members.erase(connection, members.find(connection, "101a").id, "Eve")
    outcome = post(ledger, event(), "Eve")
    assert (outcome.status, outcome.difference) == (ALREADY, ())
    with ledger.reading() as connection:
        assert "Ann 1" not in [member.name for member in members.everyone(connection)]
    other = post(ledger, event(order=[2, 1, 3, 4, 5, 6]), "Eve")
    assert other.status == DIFFERS
