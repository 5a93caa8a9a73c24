"""A fresh ledger for each test, on both databases."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from honours.ledger.post import post
from honours.ledger.store import Ledger, create_ledger
from tests.ledger import postgres, tables
from tests.ledger.material import event

_numbers = itertools.count(1)


@pytest.fixture(scope="module", autouse=True)
def _made_at_once() -> Iterator[None]:
    with tables.remembered():
        yield


@pytest.fixture(params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives a place for another ledger each time it is called."""
    if request.param == "sqlite":
        return lambda: str(tmp_path / f"ledger{next(_numbers)}.db")
    socket = request.getfixturevalue("postgres_socket")
    return lambda: postgres.another_database(socket)


@pytest.fixture
def url(new_url: Callable[[], str]) -> str:
    return new_url()


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    made = create_ledger(url)
    yield made
    made.close()


@pytest.fixture
def file_ledger(tmp_path: Path) -> Ledger:
    """A ledger on SQLite, for what does not depend on the database."""
    return create_ledger(str(tmp_path / "file.db"))


@pytest.fixture
def club(tmp_path: Path) -> Ledger:
    """A club's own ledger with two nights, whose return went out."""
    made = create_ledger(str(tmp_path / "club.db"))
    post(made, event(), "w")
    post(made, event("Late", "2017-02-01", [6, 5, 4, 3, 2, 1]), "w")
    return made
