"""Work in processes of their own: what comes back, what cannot, and who is stopped."""

import io
import os
import pickle
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from honours.demo import FILES, file
from honours.errors import FileProblem, FileProblems, HonoursError, MissingInput, UnknownName
from honours.model.message import Message
from honours.pipeline import ranked, read_account
from honours.processes import LONG, Limits, Processes, Progress, careful_load
from honours.processes.pool import CalledOff
from tests.support import ROOT, SHARED, cases

MESSAGES = (
    FileProblem("a.csv", "nothing", "something", 3),
    FileProblems([FileProblem("a.csv", "one"), FileProblem("a.csv", "two", line=2)]),
    MissingInput("kind", "what competed").among("sbu", ["kind", "pairs"], {}),
    UnknownName("entrant", "annn", ["ann", "bob"]),
)


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with pytest.MonkeyPatch.context() as changed, closing(Processes()) as made:
        # So that it finds what these tests have it do.
        changed.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(ROOT / "tests"))))
        yield made


def test_what_comes_back_is_what_the_work_gives_here(processes: Processes) -> None:
    account = read_account(str(file(FILES[0])))
    assert processes.do("x.csv", partial(ranked, account)) == ranked(account)


@pytest.mark.slow
def test_a_file_of_every_kind_comes_back_the_same(processes: Processes) -> None:
    paths = [*(ROOT / "examples").glob("*"), *(SHARED / "real").rglob("*")]
    files = sorted((one for one in paths if one.is_file()), key=lambda one: one.stat().st_size)
    kinds: dict[tuple[Path, str], list[Path]] = {}
    for one in files:
        kinds.setdefault((one.parent, one.suffix.lower()), []).append(one)
    came_back = 0
    for path in (one for alike in kinds.values() for one in alike[:2]):
        try:
            report = ranked(read_account(path))
        except HonoursError:
            continue
        assert processes.do(path.name, partial(ranked, report.account)) == report, path
        came_back += 1
    assert came_back >= 2


def _pickled(error: HonoursError) -> bytes:
    """As the worker does it: Dask, which other tests import, changes how errors are pickled."""
    data = io.BytesIO()
    pickler = pickle.Pickler(data)
    pickler.dispatch_table = {}
    pickler.dump(error)
    return data.getvalue()


@pytest.mark.parametrize("error", MESSAGES)
def test_an_error_travels_whole(error: HonoursError) -> None:
    there = careful_load(_pickled(error))
    assert type(there) is type(error)
    assert str(there) == str(error)
    assert str(vars(there)) == str(vars(error))


def test_a_message_travels_with_its_figures() -> None:
    sent = Message("{points} points", points=Decimal("1.20"))
    there = careful_load(pickle.dumps(sent))
    assert isinstance(there, Message)
    assert (there, there.values["points"]) == ("1.20 points", Decimal("1.20"))


def test_an_error_of_the_work_is_raised_here(processes: Processes, tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="no such file") as caught:
        processes.do("x.csv", partial(read_account, tmp_path / "x.csv"))
    assert caught.value.path == str(tmp_path / "x.csv")


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def _spin() -> None:
    while True:
        pass


def test_who_computes_too_long_is_stopped(processes: Processes) -> None:
    fork_server = processes.do("x", os.getppid)
    with pytest.raises(FileProblem, match=r"slow\.csv: could not be .* within 0\.2 seconds of"):
        processes.do("slow.csv", _spin, Limits(seconds=0.2))
    until = time.monotonic() + 60
    while _children(fork_server) and time.monotonic() < until:
        time.sleep(0.01)
    assert _children(fork_server) == []
    assert processes.do("x", partial(sum, (1, 2))) == 3


def test_waiting_is_not_computing(processes: Processes) -> None:
    """A machine that is busy with others refuses nothing."""
    assert processes.do("x", partial(time.sleep, 1), Limits(seconds=0.2)) is None


def test_who_takes_too_much_memory_is_stopped(processes: Processes) -> None:
    with pytest.raises(FileProblem, match="took too much memory, more than 300 MB"):
        processes.do("large.csv", partial(bytearray, 400 << 20), Limits(megabytes=300))


def test_an_answer_that_is_too_large_does_not_come_back(processes: Processes) -> None:
    with pytest.raises(FileProblem, match="too much memory"):
        processes.do("x", partial(_long, 10 << 20), Limits(megabytes=5))


def _long(size: int) -> bytes:
    import resource

    # As a process would that was taken over and had its limits lifted.
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    return b"x" * size


def test_no_file_is_written(processes: Processes, tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="or failed"):
        processes.do("x", partial((tmp_path / "made").write_bytes, b"text"))
    assert not (tmp_path / "made").exists() or not (tmp_path / "made").read_bytes()


def test_the_fork_server_is_replaced_when_somebody_stops_it() -> None:
    with closing(Processes()) as processes:
        fork_server = processes.do("x", os.getppid)
        os.kill(fork_server, signal.SIGKILL)
        while "State:\tZ" not in Path(f"/proc/{fork_server}/status").read_text(encoding="ascii"):
            time.sleep(0.01)
        assert processes.do("x", os.getppid) != fork_server


def _steps(progress: Progress) -> int:
    for done in range(3):
        progress.step(done, 3)
    return 42


def test_long_work_says_how_far_it_is(processes: Processes) -> None:
    steps: list[tuple[int, int, str]] = []
    running = processes.begin(_steps, LONG)
    assert running.follow(lambda *step: steps.append(step)).value == 42
    assert steps == [(0, 3, ""), (1, 3, ""), (2, 3, "")]


def _tidies(progress: Progress, where: Path) -> None:
    where.write_bytes(b"begun")
    try:
        progress.step(0, 1)
        time.sleep(3600)
    finally:
        where.unlink()


def test_what_is_called_off_tidies_up(processes: Processes, tmp_path: Path) -> None:
    path = tmp_path / "half"
    running = processes.begin(partial(_tidies, where=path), LONG)
    with pytest.raises(CalledOff):
        running.follow(lambda *_: running.call_off())
    assert not path.exists()


class _Deaf:
    def __del__(self) -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        for _ in range(1000):  # what the signal raises here, Python drops
            pass


def _does_not_hear(progress: Progress) -> None:
    progress.step(0, 1)
    _Deaf()
    time.sleep(3600)


def test_what_is_called_off_where_nothing_can_be_raised_hears_it_later(
    processes: Processes,
) -> None:
    with pytest.raises(CalledOff):
        processes.begin(_does_not_hear, LONG).follow(lambda *_: None)


class _Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("true",)


@pytest.mark.parametrize("sent", [_Evil(), Path("x"), {"a": _Evil()}])
def test_only_our_own_classes_come_back(sent: object) -> None:
    with pytest.raises(pickle.UnpicklingError, match="is not expected here"):
        careful_load(pickle.dumps(sent))


def _reference(module: str, name: str) -> bytes:
    return (
        pickle.PROTO
        + b"\x04"
        + b"".join(
            pickle.SHORT_BINUNICODE + bytes([len(text)]) + text.encode() for text in (module, name)
        )
        + pickle.STACK_GLOBAL
        + pickle.STOP
    )


@cases
def test_what_our_modules_import_or_do_does_not_come_back(module: str, name: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match="is not expected here"):
        careful_load(_reference(module, name))
