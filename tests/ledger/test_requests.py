"""Asked again under the same key, nothing is done again; awards are worked out before the lock."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from honours.errors import InputError
from honours.ledger import events, members, release
from honours.ledger.derive import awards_of
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post, reverse
from honours.ledger.store import _TURN, Ledger
from honours.ledger.verify import verify
from tests.ledger.material import event


def test_a_repeated_request_is_not_done_again_though_it_was_taken_back(ledger: Ledger) -> None:
    assert post(ledger, event(), "Eve", key="k1").record == 1
    assert reverse(ledger, 1, "Eve", "void", key="k2") == 2
    again = post(ledger, event(), "Eve", key="k1")
    assert (again.status, again.record) == (ALREADY, 1)
    assert reverse(ledger, 1, "Eve", "void", key="k2") == 2
    assert post(ledger, event(), "Eve").record == 3
    assert verify(ledger).sound


def test_one_key_is_one_request(ledger: Ledger) -> None:
    post(ledger, event(), "Eve", key="k")
    with pytest.raises(InputError, match="used for another request, done as record 1"):
        post(ledger, event(order=[2, 1, 3, 4, 5, 6]), "Eve", key="k")
    with pytest.raises(InputError, match="another request"):
        reverse(ledger, 1, "Eve", "void", key="k")


def test_a_key_of_what_was_not_done_is_free(ledger: Ledger) -> None:
    assert post(ledger, event(), "Eve", key="k", dry_run=True).status == POSTED
    assert post(ledger, event(), "Eve").status == POSTED
    other = event(order=[2, 1, 3, 4, 5, 6])
    assert post(ledger, other, "Eve", key="k").status == DIFFERS
    done = post(ledger, other, "Eve", correct=True, why="misread", key="k")
    assert (done.status, done.record) == (POSTED, 3)


# --- the lock ---------------------------------------------------------------------------------


def is_free(ledger: Ledger) -> bool:
    """Whether another writer would get its turn now."""
    if ledger.dialect == "sqlite":
        with sqlite3.connect(ledger.where, timeout=0, isolation_level=None) as other:
            try:
                other.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return False
        return True
    with ledger.engine.connect() as connection:
        return bool(connection.scalar(text(f"SELECT pg_try_advisory_xact_lock({_TURN})")))


def watched(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[], object] = bool
) -> list[bool]:
    """Notes, each time awards are worked out, whether others could write; then lets them."""
    free: list[bool] = []

    def work_out(*given: Any) -> Any:
        free.append(is_free(ledger))
        if len(free) == 1:
            meanwhile()
        return awards_of(*given)

    monkeypatch.setattr(events, "awards_of", work_out)
    return free


def test_awards_are_worked_out_while_others_may_write(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    post(ledger, event("First", "2017-01-01", [6, 5, 4, 3, 2, 1]), "Eve")
    free = watched(ledger, monkeypatch)
    assert post(ledger, event(order=[7, 8, 1, 2, 3, 4]), "Eve").status == POSTED
    release.draft(ledger, event("Late", "2017-02-01", [9, 8, 1, 2, 3, 4]), "Eve")
    assert release.release(ledger, 1, "Eve").status == POSTED
    assert free == [True, True, True]
    monkeypatch.undo()
    assert verify(ledger).sound


def test_what_changed_meanwhile_is_seen(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody else takes the id that a newcomer was to have."""
    post(ledger, event("First", "2017-01-01", [6, 5, 4, 3, 2, 1]), "Eve")

    def meanwhile() -> None:
        with ledger.writing() as connection:
            members.add(connection, "Quick Joiner", "9999")

    free = watched(ledger, monkeypatch, meanwhile)
    done = post(ledger, event(order=[7, 8, 1, 2, 3, 4]), "Eve")
    assert free == [True, False]
    monkeypatch.undo()
    with ledger.reading() as connection:
        assert done.lines[0].member == members.find(connection, "107a").id
    assert verify(ledger).sound


def test_an_event_posted_meanwhile_is_seen(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    post(ledger, event("First", "2017-01-01", [6, 5, 4, 3, 2, 1]), "Eve")
    watched(ledger, monkeypatch, lambda: post(ledger, event(), "Bob"))
    assert post(ledger, event(), "Eve").status == ALREADY
