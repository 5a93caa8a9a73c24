"""Reading on the command line is bounded too, and the command goes on afterwards."""

import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from honours.demo import FILES, file
from honours.errors import FileProblem
from honours.formats import detect, members
from honours.model.message import Message
from honours.processes import Limits, bounded, limits


def test_too_much_memory_is_a_problem_of_the_file() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    with (
        pytest.raises(FileProblem, match=r"bomb\.xlsx: .* more than 50 MB"),
        bounded("bomb.xlsx", Limits(megabytes=50)),
    ):
        bytearray(200 << 20)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert len(bytearray(200 << 20)) == 200 << 20


def _spin() -> None:
    while True:
        pass


def test_too_much_computing_is_a_problem_of_the_file() -> None:
    with (
        pytest.raises(FileProblem, match=r"long\.csv: .* within 0\.2 seconds of computing"),
        bounded("long.csv", Limits(seconds=0.2)),
    ):
        _spin()
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0


def test_waiting_is_not_computing() -> None:
    with bounded("x", Limits(seconds=0.3)):
        time.sleep(1)


def test_every_file_is_read_within_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the command line too: a small file may ask for all the memory there is."""
    held: list[str] = []

    @contextmanager
    def noted(about: str) -> Iterator[None]:
        held.append(about)
        yield

    for module in (detect, members, members):
        monkeypatch.setattr(module, "bounded", noted)
    path = str(file(FILES[0]))
    detect.read(path)
    assert held == [path]
    listed = str(file("members.csv"))
    members.read_members(listed)
    members.read_enrolment(listed)
    assert held == [path, listed, listed]


def test_there_is_room_again_when_a_word_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was being read is still held by the error: under the limit nothing more can be said."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    limits_then: list[tuple[int, int]] = []

    def said(_limits: Limits) -> Message:
        limits_then.append(resource.getrlimit(resource.RLIMIT_AS))
        return Message("too much")

    def fill() -> None:
        rows: list[str] = []
        while True:
            rows.append(f"row {len(rows)}")

    monkeypatch.setattr(limits, "too_much_memory", said)
    with (
        pytest.raises(FileProblem, match="too much"),
        bounded("rows.csv", Limits(megabytes=30)),
    ):
        fill()
    assert limits_then == [before]
