"""Names completed and guessed at, however many members there are."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from honours.ledger import members
from honours.web.events.people import PeopleDirectory
from honours.web.ledger.service import LedgerService
from honours.web.settings import Settings
from tests.support import cases

FIRST = ("Ann", "Bob", "Cat", "Dan", "Eve")
LAST = ("Ash", "Birch", "Cole", "Dow", "Elm", "Frost")


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PeopleDirectory:
    """Thirty members, a visitor, and no events; to read them all would be a mistake."""
    ledger = LedgerService(Settings(data=tmp_path))
    ledger.begin()
    names = [f"{first} {last}" for last in LAST for first in FIRST]
    rows: list[dict[str, Any]] = [
        {"name": name, "number": str(100 + n)} for n, name in enumerate(names)
    ]
    with ledger.ledger.writing(by="A. Secretary", why="joined") as connection:
        members.add_many(connection, [*rows, {"name": "Zoe Quill", "number": None}])
    monkeypatch.delattr(members, "everyone")
    request = SimpleNamespace(app=SimpleNamespace(state=SimpleNamespace(ledger=ledger)))
    service = SimpleNamespace(store=SimpleNamespace(all=list))
    return PeopleDirectory(cast(Any, request), cast(Any, service), "")


@cases
def test_a_few_letters_or_a_number_are_enough(
    people: PeopleDirectory, typed: str, name: str, number: str
) -> None:
    [only] = people.completing(typed)
    assert (only.name, only.number) == (name, number)


def test_no_more_are_offered_than_fit(people: PeopleDirectory) -> None:
    assert len(people.completing("")) == 8
    assert people.completing("nobody") == []


def test_who_is_nearly_called_so_may_be_meant(people: PeopleDirectory) -> None:
    known = people.among(["Anne Birch", "Bob Cole", "Frost Eve", "Somebody Else"])
    assert [one.name for one in known.meant("Anne Birch")][:1] == ["Ann Birch"]
    assert known.number_of("Bob Cole") == "111"
    assert known.number_of("Frost Eve") == "129"
    assert known.meant("Somebody Else") == []
    assert people.among([]).numbers == {}
