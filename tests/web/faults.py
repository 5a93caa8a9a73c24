"""A disk that fails under the event store and the accounts, simulated as `tests.ledger.faults` does
it under the ledger.

Events and rulings are files. The functions of the system that write, flush, move and remove them
are watched; every change of a folder's names and of a file's content is noted with whether it was
flushed. At a chosen call the power goes, the call fails, or the disk is full; of what was not
flushed, chance decides what is there, in part or in another order. Then the store is opened from
what is left. Accounts are SQLite's, under the same shim as the ledger.

    python -m tests.web.faults --seconds 3600 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from argon2 import PasswordHasher
from sqlalchemy.exc import SQLAlchemyError

from honours.errors import HonoursError
from honours.formats.rulings import add_ruling, read_rulings, undo_ruling
from honours.model.message import Message
from honours.web.accounts.store import Accounts
from honours.web.events.store import EventStore, Upload
from honours.web.http.problems import OutOfReach
from tests.ledger.faults import FAULTS, Disk, Shim
from tests.web.disk import Files, watched

PENALTY = {
    "kind": "penalty",
    "pair": "3",
    "amount": 10,
    "unit": "percent",
    "by": "A",
    "why": "late",
    "when": "2017-01-14 22:00",
}


# --- events and rulings -------------------------------------------------------------------------


@dataclass
class Acknowledged:
    """What the one who worked was told: of each event its file and how many rulings it has, nothing
    once it was removed; and what was being done when it ended."""

    events: dict[str, tuple[bytes, int] | None] = field(default_factory=dict)
    uploads: list[tuple[str, ...]] = field(default_factory=list)
    doing: str = ""


def history(store: EventStore, chance: random.Random, acknowledged: Acknowledged) -> None:
    """Uploads of a file of one event or several, rulings, rulings undone, removals."""
    for number in range(5):
        titles = [f"Night {number}.{part}" for part in range(chance.randint(1, 3))]
        content = bytes(chance.randrange(256) for _ in range(chance.randint(1, 3000)))
        acknowledged.doing = "upload"
        kept = store.add(Upload(f"{number}.csv", content, str(number)), titles)
        acknowledged.uploads.append(tuple(one.id for one in kept))
        acknowledged.events |= {one.id: (content, 0) for one in kept}
        there = sorted(one for one, known in acknowledged.events.items() if known)
        _rule(store, chance, acknowledged, chance.choice(there))
        if chance.random() < 0.3:
            acknowledged.doing = chance.choice(there)
            store.remove(acknowledged.doing)
            acknowledged.events[acknowledged.doing] = None
    acknowledged.doing = ""


def _rule(store: EventStore, chance: random.Random, acknowledged: Acknowledged, event: str) -> None:
    acknowledged.doing = event
    content, count = acknowledged.events[event] or (b"", 0)
    for _ in range(chance.randint(1, 2)):
        add_ruling(store.file(event), PENALTY)
        count += 1
        acknowledged.events[event] = (content, count)
    if chance.random() < 0.5:
        undo_ruling(store.file(event))
        acknowledged.events[event] = (content, count - 1)
    acknowledged.doing = ""


def events_run(folder: Path, seed: int, stop_at: int, fault: str) -> tuple[int, str]:
    """A history of the event store cut off at a call: how many it made, and what is wrong."""
    chance, acknowledged = random.Random(seed), Acknowledged()
    live, after = folder / "live", folder / "after"
    live.mkdir()
    after.mkdir()
    files = Files(live, random.Random(seed * 1_000_003 + stop_at), stop_at, fault)
    with watched(files), suppress(OSError):
        history(EventStore(live), chance, acknowledged)
    files.left(after)
    try:
        return files.calls, _wrong(after, acknowledged)
    except (OSError, HonoursError, ValueError) as error:
        return files.calls, f"cannot be opened: {error!r}"


def _wrong(folder: Path, acknowledged: Acknowledged) -> str:
    """What does not hold: everything acknowledged is there and as it was, nothing is half there."""
    store = EventStore(folder)
    store.tidy()
    there = {one.id: one for one in store.all()}
    for event, known in acknowledged.events.items():
        if known is None or event == acknowledged.doing:
            if known is None and event in there and event != acknowledged.doing:
                return f"{event} was removed and is there again"
            continue
        if event not in there:
            return f"{event} was kept and is gone"
        if store.file(event).read_bytes() != known[0]:
            return f"{event} has another file"
        if len(read_rulings(store.file(event))) != known[1]:
            return f"{event} has other rulings"
    new = [one for one in there if one not in acknowledged.events]
    if new and len({there[one].name for one in new}) > 1:
        return "two uploads that nobody was told of"
    if new and any(store.file(one).read_bytes() != _content(store, new) for one in new):
        return "an upload that nobody was told of is half there"
    return f"set aside: {store.damaged()}" if store.damaged() else ""


def _content(store: EventStore, events: list[str]) -> bytes:
    return store.file(events[0]).read_bytes()


# --- accounts -----------------------------------------------------------------------------------

_SHIM: list[Shim] = []
_Roles = tuple[tuple[str, str], ...]
_quick = patch(
    "argon2.PasswordHasher", lambda: PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
)


@_quick
def accounts_run(folder: Path, seed: int, stop_at: int, fault: str) -> tuple[int, str]:
    """The same with accounts: roles given and taken, sessions begun and ended, lines of the log."""
    _SHIM[:] = _SHIM or [Shim()]
    live, after = folder / "live", folder / "after"
    live.mkdir()
    after.mkdir()
    url = str(live / "accounts.db")
    Accounts(url).close()
    disk = Disk(random.Random(seed * 1_000_003 + stop_at), stop_at, fault)
    disk.durable[url] = Path(url).read_bytes()
    acknowledged: list[_Roles] = [()]
    with _SHIM[0].watching(live, disk), suppress(HonoursError, SQLAlchemyError, OutOfReach):
        _accounts_history(Accounts(url), random.Random(seed), acknowledged)
    for name in ("accounts.db", "accounts.db-journal", "accounts.db-wal"):
        content = disk.left(str(live / name))
        if content or name == "accounts.db":
            (after / name).write_bytes(content)
    try:
        roles = _roles(Accounts(str(after / "accounts.db")))
    except (HonoursError, SQLAlchemyError) as error:
        return disk.calls, f"cannot be opened: {error!r}"
    return disk.calls, "" if roles in acknowledged[
        -2:
    ] else f"{roles} instead of {acknowledged[-2:]}"


def _accounts_history(
    accounts: Accounts, chance: random.Random, acknowledged: list[_Roles]
) -> None:
    names: dict[str, str] = {}
    for number in range(6):
        name, role = f"person {number % 4}", chance.choice(("viewer", "scorer", "secretary"))
        acknowledged.append(_as_roles({**names, name: role}))
        accounts.set(name, role, "" if name in names else "a long enough phrase", "Club")
        names[name] = role
        acknowledged.append(_as_roles(names))
        accounts.keys.session(name)
        accounts.audit.note(name, "127.0.0.1", Message("did something"), 200, "/")
        if chance.random() < 0.3:
            acknowledged.append(_as_roles({k: v for k, v in names.items() if k != name}))
            accounts.remove(name)
            del names[name]
            acknowledged.append(_as_roles(names))
    accounts.close()


def _as_roles(names: dict[str, str]) -> _Roles:
    return tuple(sorted(names.items()))


def _roles(accounts: Accounts) -> _Roles:
    roles = {one.name: grant.role for one in accounts.all() for grant in one.grants}
    accounts.close()
    return _as_roles(roles)


# --- runs ---------------------------------------------------------------------------------------

PARTS = {"events": events_run, "accounts": accounts_run}


def runs(part: str, seed: int, most: int | None = None) -> Iterator[tuple[int, str, str]]:
    """Every call of a history in turn, or so many of them by chance, with each fault."""
    one_run = PARTS[part]
    with tempfile.TemporaryDirectory() as folder:
        total, wrong = one_run(Path(folder), seed, -1, "power")
    yield 0, "power", wrong
    places = range(1, total + 1)
    chosen = places if most is None else sorted(random.Random(seed).sample(places, most))
    for place in chosen:
        fault = FAULTS[place % len(FAULTS)]
        with tempfile.TemporaryDirectory() as folder:
            _, wrong = one_run(Path(folder), seed, place, fault)
        yield place, fault, wrong


def main() -> int:
    """The long run: seed after seed until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    end, seed, counts, bad = (
        time.monotonic() + asked.seconds,
        asked.seed,
        dict.fromkeys(PARTS, 0),
        0,
    )
    while time.monotonic() < end:
        for part in PARTS:
            for place, fault, wrong in runs(part, seed):
                counts[part] += 1
                if wrong:
                    bad += 1
                    print(f"{part}, seed {seed}, call {place}, {fault}: {wrong}", flush=True)
                if time.monotonic() >= end:
                    break
        seed += 1
    text = ", ".join(f"{count} of {part}" for part, count in counts.items())
    print(f"faults in {seed - asked.seed} histories from seed {asked.seed}: {text}: {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
