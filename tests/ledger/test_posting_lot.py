"""Events that are posted together are posted as each would be on its own, by a few statements."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, select
from sqlalchemy import event as database_event

from honours.errors import InputError
from honours.formats.members import ListedMember
from honours.ledger import intake, members, post
from honours.ledger.enrol import enrol
from honours.ledger.events import EventToPost
from honours.ledger.intake import IncomingFile, IntakeTerms, take_in
from honours.ledger.schema import balances, postings, records, totals
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.verify import verify
from honours.model import Player
from tests.ledger.material import BOOK, GIVEN, event, pair, ranked

STRANGERS: dict[int, tuple[Player, ...]] = {
    n: (Player(f"New {n}", f"{n}x"), Player(f"Visitor {n}", "")) for n in range(1, 7)
}


Told = tuple[str, str, str, int | None, int, str]


def _roll(ledger: Ledger) -> None:
    rows = [ListedMember(1, p.number, p.name, {}, ()) for each in range(1, 7) for p in pair(each)]
    enrol(ledger, rows, "roll.csv", "w", BOOK)


def _night(chance: random.Random, n: int) -> EventToPost | Exception:
    """A night by chance: usual, under another's title, on another's day, with strangers, wrong."""
    order = chance.sample(range(1, 7), 6)
    title, day = f"Night {n}", f"2017-{n % 12 + 1:02d}-{n % 28 + 1:02d}"
    way = chance.random()
    if way < 0.1:
        return InputError(f"{title} cannot be read")
    if way < 0.3:
        title = f"Night {chance.randrange(n + 1)}"
    if way < 0.4:
        day = f"2017-{chance.randrange(1, 13):02d}-14"
    if 0.4 < way < 0.6:
        without: dict[int, tuple[Player, ...]] = {order[0]: (Player("Ann 1"), Player("Bob 1"))}
        people = STRANGERS if way < 0.5 else without
        field = ranked(order, people)
        return EventToPost(title, (field,), BOOK, GIVEN, day, "Club", "n.csv", "local")
    if 0.6 < way < 0.65:
        return event(title, day, order, points="no such kind")
    if 0.65 < way < 0.7:
        others = (Player("Somebody Else", "101a"), Player("Bob 9", "109b"))
        field = ranked(order, {order[0]: others})
        return EventToPost(title, (field,), BOOK, GIVEN, day, "Club", "n.csv", "local")
    return event(title, day, order)


@pytest.fixture
def nights(monkeypatch: pytest.MonkeyPatch) -> list[EventToPost | Exception]:
    """What comes in, past the reading of files."""
    chance = random.Random(11)
    first = [_night(chance, n) for n in range(60)]
    made = [*first, *chance.sample(first, 15)]

    def ready(one: Any, terms: IntakeTerms) -> Any:  # noqa: ARG001
        night = made[int(one.source)]
        if isinstance(night, EventToPost):
            return intake._Ready(night)
        return intake._Ready(problem=str(night))

    monkeypatch.setattr(intake, "_ready", ready)
    return made


def _files(count: int) -> list[IncomingFile]:
    """Files of one event each, that nobody reads."""
    account: Any = None
    return [IncomingFile(str(n), str(n), lambda: [account]) for n in range(count)]


def _taken(ledger: Ledger, count: int) -> tuple[list[Told], object]:
    """The receipts of a folder, and everything else that is there afterwards."""
    _roll(ledger)
    done = take_in(ledger, _files(count), IntakeTerms(), "Eve")
    assert verify(ledger).sound
    with ledger.reading() as connection:
        kept = [
            sorted(tuple(row) for row in connection.execute(select(table)))
            for table in (postings, balances, totals)
        ]
        asked = select(records.c.event, records.c.facts, records.c.explanation, records.c.why)
        facts = [tuple(row) for row in connection.execute(asked.order_by(records.c.id))]
        everybody = [(m.id, m.name, m.number) for m in members.everyone(connection)]
    receipts = [(r.source, str(r.status), str(r.said), r.record, r.id, r.title) for r in done]
    return receipts, (kept, facts, everybody)


def test_a_lot_is_as_one_after_the_other(
    new_url: Callable[[], str],
    nights: list[EventToPost | Exception],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_lots, alone = create_ledger(new_url()), create_ledger(new_url())
    plain: list[bool] = []
    is_plain = post.PostingLot.is_plain

    def noted(self: post.PostingLot, prepared: Any) -> bool:
        plain.append(is_plain(self, prepared))
        return plain[-1]

    monkeypatch.setattr(post.PostingLot, "is_plain", noted)
    lots = _taken(in_lots, len(nights))
    assert 10 < sum(plain) < len(plain)
    monkeypatch.setattr(post.PostingLot, "is_plain", lambda _self, _prepared: False)
    assert _taken(alone, len(nights)) == lots
    assert {one[1] for one in lots[0]} == {"posted", "already posted", "refused"}


def test_a_lot_takes_a_few_statements(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many however many events there are; one by one each took some forty."""
    orders = list(itertools.islice(itertools.permutations(range(1, 7)), 40))
    days = [f"2017-{n % 12 + 1:02d}-{n % 28 + 1:02d}" for n in range(len(orders))]
    made = [event(f"On {day}", day, list(o)) for day, o in zip(days, orders, strict=True)]
    monkeypatch.setattr(intake, "_ready", lambda one, _terms: intake._Ready(made[int(one.source)]))
    _roll(ledger)
    asked: list[str] = []

    def heard(_c: Connection, _cursor: Any, sql: str, *_more: Any) -> None:
        asked.append(sql)

    database_event.listen(ledger.engine, "before_cursor_execute", heard)
    done = take_in(ledger, _files(len(made)), IntakeTerms(), "Eve")
    database_event.remove(ledger.engine, "before_cursor_execute", heard)
    assert [receipt.status for receipt in done] == ["posted"] * len(made)
    assert len(asked) < 60
