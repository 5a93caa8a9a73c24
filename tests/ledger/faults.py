"""A disk that fails, simulated: every write, flush and truncation of SQLite made to fail, tear,
come in another order or vanish, at each call in turn.

A shim of a few functions is put between SQLite and the system's files. It keeps what is *durable*
of each file (what was flushed) apart from what was only written. At a chosen call the power goes:
of every write since the last flush, chance decides whether it reached the disk whole, in part or
not at all, whatever the order. The ledger is then opened from what is left.

    python -m tests.ledger.faults --seconds 3600 --seed 1

runs for an hour; the same seed does the same.
"""

from __future__ import annotations

import argparse
import ctypes
import ctypes.util
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from honours.errors import HonoursError
from honours.ledger import members, release
from honours.ledger.checkpoint import read_checkpoint
from honours.ledger.post import POSTED, post, reverse
from honours.ledger.schema import chain, records
from honours.ledger.store import Ledger, create_ledger, open_ledger
from honours.ledger.verify import verify
from tests.ledger.material import event

_OK, _IOERR_WRITE, _IOERR_FSYNC, _FULL = 0, 10 | (3 << 8), 10 | (4 << 8), 13
_SECTOR = 512
FAULTS = ("power", "fail", "full")
"""The power goes; the call fails and so do all after it; the disk is full from then on."""


class PowerCut(Exception):
    """The simulated machine is off."""


class _Methods(ctypes.Structure):
    """The beginning of SQLite's ``sqlite3_io_methods``; the rest is copied as it is."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("close", ctypes.c_void_p),
        ("read", ctypes.c_void_p),
        ("write", ctypes.c_void_p),
        ("truncate", ctypes.c_void_p),
        ("sync", ctypes.c_void_p),
        ("others", ctypes.c_void_p * 13),
    ]


class _File(ctypes.Structure):
    _fields_ = [("methods", ctypes.POINTER(_Methods))]


class _Vfs(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_int),
        ("file_size", ctypes.c_int),
        ("longest_path", ctypes.c_int),
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("data", ctypes.c_void_p),
        ("open", ctypes.c_void_p),
        ("delete", ctypes.c_void_p),
        ("others", ctypes.c_void_p * 16),
    ]


_Write = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
)
_Truncate = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64)
_Sync = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
_Close = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_Open = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,  # the name: SQLite keeps the pointer, so it is handed on as it is
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.c_void_p,
)
_Delete = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)


@dataclass
class Disk:
    """What is on the disk for certain, and what was written since and may not be."""

    chance: random.Random
    stop_at: int = -1
    fault: str = "power"
    calls: int = 0
    broken: bool = False
    durable: dict[str, bytes] = field(default_factory=dict)
    pending: dict[str, list[tuple[int, bytes | None]]] = field(default_factory=dict)

    def call(self) -> bool:
        """One more call; whether it is still done."""
        self.calls += 1
        if self.calls == self.stop_at:
            self.broken = True
        return not self.broken

    def wrote(self, path: str, offset: int, data: bytes | None) -> None:
        self.pending.setdefault(path, []).append((offset, data))

    def flushed(self, path: str) -> None:
        self.durable[path] = _with(self.durable.get(path, b""), self.pending.pop(path, []))

    def left(self, path: str) -> bytes:
        """A file as it is found after the power came back."""
        lost = [one for one in self.pending.get(path, ()) if self.chance.random() < 0.7]
        if self.chance.random() < 0.5:
            self.chance.shuffle(lost)
        torn = [
            (offset, data[: self.chance.randrange(0, len(data) + 1, _SECTOR)])
            if data and self.chance.random() < 0.3
            else (offset, data)
            for offset, data in lost
        ]
        return _with(self.durable.get(path, b""), torn)


def _with(content: bytes, writes: list[tuple[int, bytes | None]]) -> bytes:
    made = bytearray(content)
    for offset, data in writes:
        if data is None:
            del made[offset:]
            continue
        made.extend(bytes(max(0, offset + len(data) - len(made))))
        made[offset : offset + len(data)] = data
    return bytes(made)


class Shim:
    """Stands between SQLite and its files, for those in one folder."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(ctypes.util.find_library("sqlite3") or "libsqlite3.so.0")
        self._library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
        self._library.sqlite3_vfs_find.argtypes = [ctypes.c_char_p]
        self._real = self._library.sqlite3_vfs_find(None)
        self._own = _Vfs()
        ctypes.memmove(ctypes.byref(self._own), self._real, ctypes.sizeof(_Vfs))
        self._own.name = b"honours-faults"
        self._opened = _Open(self._real.contents.open)
        self._deleted = _Delete(self._real.contents.delete)
        self._kept: list[Any] = [_Open(self._open), _Delete(self._delete)]
        self._own.open = ctypes.cast(self._kept[0], ctypes.c_void_p)
        self._own.delete = ctypes.cast(self._kept[1], ctypes.c_void_p)
        self._paths: dict[int, str] = {}
        self._methods: dict[int, Any] = {}
        self.disk: Disk | None = None
        self.folder = ""

    @contextmanager
    def watching(self, folder: Path, disk: Disk) -> Iterator[None]:
        """Let what is written in a folder go to a disk of ours."""
        self.disk, self.folder = disk, str(folder)
        self._library.sqlite3_vfs_register(ctypes.byref(self._own), 1)
        try:
            yield
        finally:
            self._library.sqlite3_vfs_register(self._real, 1)
            self._library.sqlite3_vfs_unregister(ctypes.byref(self._own))
            self.disk = None

    def _open(self, vfs: int, name: int, file: int, flags: int, out: int) -> int:
        code = int(self._opened(vfs, name, file, flags, out))
        path = ctypes.string_at(name).decode() if name else ""
        if code == _OK and path.startswith(self.folder):
            self._paths[file] = path
            self._wrap(ctypes.cast(file, ctypes.POINTER(_File)).contents)
        return code

    def _wrap(self, file: _File) -> None:
        """Put our functions in the place of a file's own; one set for each set of its own."""
        address = ctypes.addressof(file.methods.contents)
        if address not in self._methods:
            own, real = _Methods(), file.methods.contents
            ctypes.memmove(ctypes.byref(own), address, ctypes.sizeof(_Methods))
            functions = (
                _Write(self._write(_Write(real.write))),
                _Truncate(self._truncate(_Truncate(real.truncate))),
                _Sync(self._sync(_Sync(real.sync))),
                _Close(self._close(_Close(real.close))),
            )
            self._kept.append(functions)
            own.write, own.truncate, own.sync, own.close = (
                ctypes.cast(function, ctypes.c_void_p) for function in functions
            )
            self._methods[address] = own
        file.methods = ctypes.pointer(self._methods[address])

    def _write(self, real: Any) -> Callable[[int, int, int, int], int]:
        def write(file: int, data: int, size: int, offset: int) -> int:
            disk = self.disk
            if disk and not disk.call():
                return _FULL if disk.fault == "full" else _IOERR_WRITE
            if disk:
                disk.wrote(self._paths[file], offset, ctypes.string_at(data, size))
            return int(real(file, data, size, offset))

        return write

    def _truncate(self, real: Any) -> Callable[[int, int], int]:
        def truncate(file: int, size: int) -> int:
            disk = self.disk
            if disk and not disk.call():
                return _IOERR_WRITE
            if disk:
                disk.wrote(self._paths[file], size, None)
            return int(real(file, size))

        return truncate

    def _sync(self, real: Any) -> Callable[[int, int], int]:  # noqa: ARG002
        def sync(file: int, flags: int) -> int:  # noqa: ARG001
            disk = self.disk
            if disk and not disk.call():
                return _IOERR_FSYNC
            if disk:
                disk.flushed(self._paths[file])
            return _OK

        return sync

    def _close(self, real: Any) -> Callable[[int], int]:
        def close(file: int) -> int:
            self._paths.pop(file, None)
            return int(real(file))

        return close

    def _delete(self, vfs: int, name: bytes, sync: int) -> int:
        disk, path = self.disk, name.decode()
        if disk and path.startswith(self.folder):
            if not disk.call():
                return _IOERR_WRITE
            disk.durable.pop(path, None)
            disk.pending.pop(path, None)
        return int(self._deleted(vfs, name, sync))


# --- a history, and what must hold after it was cut off ---------------------------------------


@dataclass
class Told:
    """What the one who worked was told: the head after each step that succeeded."""

    heads: list[str] = field(default_factory=list)


def history(ledger: Ledger, chance: random.Random, acknowledged: Told) -> None:
    """Some steps of all kinds; after each the head is noted."""
    for number in range(4):
        order = chance.sample(range(1, 7), 6)
        done = post(ledger, event(f"Night {number}", f"2017-01-{number + 1:02d}", order), "Eve")
        assert done.status == POSTED
        acknowledged.heads.append(_head(ledger))
        if chance.random() < 0.5:
            reverse(ledger, done.record or 0, "Eve", "void")
            acknowledged.heads.append(_head(ledger))
    with ledger.writing() as connection:
        members.change(connection, 1, number=f"9{chance.randrange(1000)}")
    acknowledged.heads.append(_head(ledger))
    release.draft(ledger, event("Held", "2017-02-01"), "Eve")
    with ledger.writing() as connection:
        members.erase(connection, 2, "Eve")
    acknowledged.heads.append(_head(ledger))


def _head(ledger: Ledger) -> str:
    from sqlalchemy import select

    with ledger.reading() as connection:
        return str(connection.scalar(select(chain.c.head)))


_SHIM: list[Shim] = []


def one_run(folder: Path, seed: int, stop_at: int, fault: str) -> tuple[int, str]:
    """A history cut off at a call; returns how many calls it made, and what is wrong with what
    was found afterwards, or nothing."""
    _SHIM[:] = _SHIM or [Shim()]
    chance = random.Random(seed)
    live, after = folder / "live", folder / "after"
    for place in (live, after):
        place.mkdir()
    url = str(live / "ledger.db")
    create_ledger(url).close()
    disk = Disk(random.Random(seed * 1_000_003 + stop_at), stop_at, fault)
    disk.durable[url] = Path(url).read_bytes()
    acknowledged = Told()
    with _SHIM[0].watching(live, disk):
        try:
            ledger = open_ledger(url)
            history(ledger, chance, acknowledged)
            ledger.close()
        except HonoursError:
            pass
    for name in ("ledger.db", "ledger.db-wal"):
        content = disk.left(str(live / name))
        if content or name == "ledger.db":
            (after / name).write_bytes(content)
    return disk.calls, _wrong(str(after / "ledger.db"), acknowledged)


def _wrong(url: str, acknowledged: Told) -> str:
    """What does not hold of a ledger that was cut off: it is sound, and continues every head that
    somebody was told."""
    from sqlalchemy import func, select

    try:
        ledger = open_ledger(url)
        for head in acknowledged.heads[-1:]:
            verification = verify(ledger, head=read_checkpoint(head))
            if not verification.sound:
                return f"not sound: {verification.findings} {verification.since}"
        with ledger.reading() as connection:
            twice = select(records.c.event).where(records.c.action == "award")
            again = twice.group_by(records.c.event).having(func.count() > 1)
            if connection.execute(again).first():
                return "an event is there twice"
        verification = verify(ledger)
        ledger.close()
    except HonoursError as error:
        return f"cannot be opened: {error}"
    return "" if verification.sound else f"not sound: {verification.findings}"


def runs(seed: int, most: int | None = None) -> Iterator[tuple[int, str, str]]:
    """Every call of a history in turn, or so many of them by chance, with each fault."""
    with tempfile.TemporaryDirectory() as folder:
        total, wrong = one_run(Path(folder), seed, -1, "power")
    yield 0, "power", wrong
    chance = random.Random(seed)
    places = range(1, total + 1)
    for place in places if most is None else sorted(chance.sample(places, min(most, total))):
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
    end, seed, count, bad = time.monotonic() + asked.seconds, asked.seed, 0, 0
    while time.monotonic() < end:
        for place, fault, wrong in runs(seed):
            count += 1
            if wrong:
                bad += 1
                print(f"seed {seed}, call {place}, {fault}: {wrong}", flush=True)
            if time.monotonic() >= end:
                break
        seed += 1
    print(f"{count} faults in {seed - asked.seed} histories from seed {asked.seed}: {bad} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
