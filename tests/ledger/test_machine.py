"""Anything in any order: the balances stay what the postings say, and the ledger verifies."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from honours.ledger import members
from honours.ledger.balances import summed
from honours.ledger.events import EventToPost
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post, reverse
from honours.ledger.store import create_ledger
from honours.ledger.verify import verify
from honours.model import Player
from tests.ledger.material import CUP, RULEBOOKS, event, ranked

NIGHTS = st.integers(1, 4)
ORDERS = st.permutations([1, 2, 3, 4, 5, 6])
PAIRS = st.integers(1, 6)


class LedgerMachine(RuleBasedStateMachine):
    """A model that knows only which nights are posted in which order, and who is whom."""

    place: Callable[[], str]
    """Where the next ledger can be."""

    @initialize()
    def begin(self) -> None:
        self.ledger = create_ledger(self.place())
        self.nights: dict[int, tuple[int, list[int]]] = {}
        self.twins: dict[int, int] = {}  # member → the pair whose Ann it was merged into, or 0
        self.newcomers = 0
        post(self.ledger, event("Roll call", "2016-12-01", [6, 5, 4, 3, 2, 1]), "w")
        self.offset = {1: 0, 2: 0, 3: 0, 4: 0, 5: 6, 6: 12}

    def _night(self, night: int, order: list[int], correct: bool = False) -> str:
        given = event(f"Night {night}", f"2017-01-0{night}", order)
        outcome = post(
            self.ledger, given, "w", another=True, correct=correct, why="again" if correct else ""
        )
        if outcome.status == POSTED:
            assert outcome.record is not None
            self.nights[night] = (outcome.record, order)
        return outcome.status

    @rule(night=NIGHTS, order=ORDERS)
    def post_a_night(self, night: int, order: list[int]) -> None:
        before = self.nights.get(night)
        status = self._night(night, order)
        expected = POSTED if before is None else ALREADY if before[1] == order else DIFFERS
        assert status == expected

    @precondition(lambda self: self.nights)
    @rule(data=st.data(), order=ORDERS)
    def correct_a_night(self, data: st.DataObject, order: list[int]) -> None:
        night = data.draw(st.sampled_from(sorted(self.nights)))
        same = self.nights[night][1] == order
        assert self._night(night, order, correct=True) == (ALREADY if same else POSTED)

    @precondition(lambda self: self.nights)
    @rule(data=st.data())
    def reverse_a_night(self, data: st.DataObject) -> None:
        night = data.draw(st.sampled_from(sorted(self.nights)))
        record, _ = self.nights.pop(night)
        reverse(self.ledger, record, "w", "void")

    @rule()
    def a_newcomer_wins_five(self) -> None:
        """Somebody entered under another name, who may turn out to be a member."""
        number = self.newcomers = self.newcomers + 1
        field = ranked([1], {1: (Player(f"Twin {number}"), Player(f"Other {number}"))})
        cup = EventToPost(f"Cup {number}", (field,), CUP, {}, "2017-03-01", "Club")
        assert post(self.ledger, cup, "w").status == POSTED
        with self.ledger.reading() as connection:
            self.twins[members.find(connection, f"Twin {number}").id] = 0

    @precondition(lambda self: 0 in self.twins.values())
    @rule(data=st.data(), pair=PAIRS)
    def merge(self, data: st.DataObject, pair: int) -> None:
        twin = data.draw(st.sampled_from(sorted(t for t, p in self.twins.items() if not p)))
        with self.ledger.writing() as connection:
            members.merge(connection, twin, members.find(connection, f"{100 + pair}a").id, "w")
        self.twins[twin] = pair

    @precondition(lambda self: any(self.twins.values()))
    @rule(data=st.data())
    def unmerge(self, data: st.DataObject) -> None:
        twin = data.draw(st.sampled_from(sorted(t for t, p in self.twins.items() if p)))
        with self.ledger.writing() as connection:
            members.unmerge(connection, twin, "w")
        self.twins[twin] = 0

    @precondition(lambda self: 0 in self.twins.values())
    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        twin = data.draw(st.sampled_from(sorted(t for t, p in self.twins.items() if not p)))
        with self.ledger.writing() as connection:
            members.erase(connection, twin, "w")
        del self.twins[twin]

    @invariant()
    def balances_are_what_was_posted(self) -> None:
        expected = dict(self.offset)
        for _, order in self.nights.values():
            expected[order[0]] += 12
            expected[order[1]] += 6
        with self.ledger.reading() as connection:
            held = summed(connection)
            for pair, points in expected.items():
                for letter in "ab":
                    member = members.find(connection, f"{100 + pair}{letter}").id
                    total = sum(v for (who, _), v in held.items() if who == member)
                    merged = sum(5 for p in self.twins.values() if p == pair and letter == "a")
                    assert total == points + merged

    def teardown(self) -> None:
        if hasattr(self, "ledger"):
            assert verify(self.ledger, [RULEBOOKS]).sound
            self.ledger.close()


@pytest.mark.slow
def test_anything_in_any_order(new_url: Callable[[], str]) -> None:
    """Fewer times on PostgreSQL, where each takes a new database."""

    class Here(LedgerMachine):
        place = staticmethod(new_url)

    examples = 3 if "://" in new_url() else 8
    run_state_machine_as_test(
        Here, settings=settings(max_examples=examples, stateful_step_count=12, deadline=None)
    )
