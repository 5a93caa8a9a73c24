"""Asked again under the same key, nothing is done again; awards are worked out before the lock."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select, text

from honours.errors import InputError
from honours.ledger import events, members, release
from honours.ledger.answers import outcome_data, people_in
from honours.ledger.derive import awards_of
from honours.ledger.events import EventToPost
from honours.ledger.post import ALREADY, DIFFERS, POSTED, post, reverse
from honours.ledger.requests import Answer, KeyAlreadyUsed, digest_of, once
from honours.ledger.schema import requests
from honours.ledger.store import _TURN, Ledger
from honours.ledger.verify import verify
from tests.ledger.material import event


def posted(ledger: Ledger, key: str, one: EventToPost, **asked: Any) -> Answer:
    """An event posted under a key."""
    digest = digest_of(one, asked.get("why", ""), asked.get("correct", False), False)
    return once(ledger, key, digest, lambda into: outcome_data(post(into, one, "Eve", **asked)))


def taken_back(ledger: Ledger, key: str, record: int) -> Answer:
    digest = f"reverse {record}"
    return once(ledger, key, digest, lambda into: {"record": reverse(into, record, "Eve", "void")})


def test_a_repeated_request_is_not_done_again_though_it_was_taken_back(ledger: Ledger) -> None:
    first = posted(ledger, "k1", event())
    assert (first["status"], first["record"]) == (POSTED, 1)
    assert taken_back(ledger, "k2", 1) == {"record": 2}
    assert posted(ledger, "k1", event()) == first
    assert taken_back(ledger, "k2", 1) == {"record": 2}
    assert post(ledger, event(), "Eve").record == 3
    assert verify(ledger).sound


def test_one_key_is_one_request(ledger: Ledger) -> None:
    posted(ledger, "k", event())
    with pytest.raises(KeyAlreadyUsed, match="used for another request, done as record 1"):
        posted(ledger, "k", event(order=[2, 1, 3, 4, 5, 6]))
    with pytest.raises(KeyAlreadyUsed, match="another request"):
        taken_back(ledger, "k", 1)


def test_a_key_of_what_was_not_done_is_free(ledger: Ledger) -> None:
    assert posted(ledger, "k", event(), dry_run=True)["status"] == POSTED
    assert post(ledger, event(), "Eve").status == POSTED
    other = event(order=[2, 1, 3, 4, 5, 6])
    assert posted(ledger, "k", other)["status"] == DIFFERS
    done = posted(ledger, "k", other, correct=True, why="misread")
    assert (done["status"], done["record"]) == (POSTED, 3)


def test_what_is_half_done_under_a_key_is_not_done(ledger: Ledger) -> None:
    def work(into: Ledger) -> Answer:
        post(into, event(), "Eve")
        raise InputError("the second half went wrong")

    with pytest.raises(InputError, match="second half"):
        once(ledger, "k", "both", work)
    assert posted(ledger, "k", event())["record"] == 1


def test_an_answer_kept_for_good_holds_no_names(ledger: Ledger) -> None:
    answer = posted(ledger, "k", event())
    with ledger.reading() as connection:
        names = {m.name for m in members.everyone(connection)}
        kept = connection.scalar(select(requests.c.answer))
    assert names
    assert people_in(answer)
    assert not any(name in str(kept) for name in names)


def added(ledger: Ledger, name: str) -> int:
    with ledger.writing() as connection:
        return members.add(connection, name)


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
