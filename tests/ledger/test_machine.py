"""Anything in any order: the balances stay what the postings say, and the ledger verifies."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from honours.ledger import members
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post, reverse
from honours.ledger.statement import balances
from honours.ledger.store import create_ledger
from honours.ledger.verify import verify
from tests.ledger.material import event

NIGHTS = st.integers(1, 4)
ORDERS = st.permutations([1, 2, 3, 4, 5, 6])
PAIRS = st.integers(1, 6)


class LedgerMachine(RuleBasedStateMachine):
    """A model that knows only which nights are posted in which order, and who is whom."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.ledger = create_ledger(str(Path(self.folder.name, "m.db")))
        self.nights: dict[int, tuple[int, list[int]]] = {}
        self.merged: dict[int, int] = {}
        post(self.ledger, event("Roll call", "2016-12-01", [6, 5, 4, 3, 2, 1]), "w")
        self.offset = {1: 0, 2: 0, 3: 0, 4: 0, 5: 6, 6: 12}

    def _night(self, night: int, order: list[int], correct: bool = False) -> str:
        given = event(f"Night {night}", f"2017-01-0{night}", order)
        outcome = post(self.ledger, given, "w", another=True, correct=correct,
                       why="again" if correct else "")  # fmt: skip
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

    @rule(a=PAIRS, b=PAIRS)
    def merge(self, a: int, b: int) -> None:
        """Ann of one pair and Ann of another, who then cannot both play: so both are retired."""
        if a == b or a in self.merged or b in self.merged or b in self.merged.values():
            return
        with self.ledger.writing() as connection:
            extra = members.add(connection, f"Twin {a} {b} {len(self.merged)}")
            one = members.find(connection, f"{100 + a}a").id
            members.merge(connection, extra, one, "w")
            members.unmerge(connection, extra, "w")
            members.merge(connection, extra, one, "w")

    @invariant()
    def balances_are_what_was_posted(self) -> None:
        expected = dict(self.offset)
        for _, order in self.nights.values():
            expected[order[0]] += 12
            expected[order[1]] += 6
        with self.ledger.reading() as connection:
            held = balances(connection)
            for pair, points in expected.items():
                for letter in "ab":
                    member = members.find(connection, f"{100 + pair}{letter}").id
                    found = sum(v for (who, _), v in held.items() if who == member)
                    assert found == points

    def teardown(self) -> None:
        if hasattr(self, "ledger"):
            assert verify(self.ledger).sound
            self.ledger.close()
            self.folder.cleanup()


LedgerMachine.TestCase.settings = settings(max_examples=8, stateful_step_count=12, deadline=None)
TestLedgerMachine = pytest.mark.slow(LedgerMachine.TestCase)
