"""Work in processes of their own: what comes back, what cannot, and who is stopped."""

import io
import os
import pickle
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from honours.demo import FILES, file
from honours.errors import FileProblem, FileProblems, HonoursError, MissingInput, UnknownName
from honours.pipeline import ranked, read_account
from honours.web.events.service import EventService
from honours.web.events.store import EventStore
from honours.web.events.workers import Workers, careful_load
from honours.web.jobs.service import Job, Jobs
from honours.web.lab.questions import Question
from honours.web.lab.service import LabService
from honours.web.settings import Limits, Settings
from tests.support import ROOT, SHARED

MESSAGES = (
    FileProblem("a.csv", "nothing", "something", 3),
    FileProblems([FileProblem("a.csv", "one"), FileProblem("a.csv", "two", line=2)]),
    MissingInput("kind", "what competed").among("sbu", ["kind", "pairs"]),
    UnknownName("entrant", "annn", ["ann", "bob"]),
)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    with closing(Workers(Limits())) as found:
        yield found


def test_what_comes_back_is_what_the_work_gives_here(workers: Workers) -> None:
    account = read_account(str(file(FILES[0])))
    assert workers.do("x.csv", partial(ranked, account)) == ranked(account)


@pytest.mark.slow
def test_every_real_file_comes_back_the_same(workers: Workers) -> None:
    files = [*(ROOT / "examples").glob("*"), *(SHARED / "real").rglob("*")]
    came_back = 0
    for path in (one for one in files if one.is_file() and one.stat().st_size < 200_000):
        try:
            report = ranked(read_account(path))
        except HonoursError:
            continue
        assert workers.do(path.name, partial(ranked, report.account)) == report, path
        came_back += 1
    assert came_back > 5


def test_a_job_looked_at_does_not_change_under_the_page(tmp_path: Path) -> None:
    """A page that began with "running" once called a job that ended meanwhile cancelled."""
    settings = Settings(data=tmp_path)
    lab = LabService(settings, EventService(EventStore(tmp_path), settings), Jobs())
    lab._making["year"] = job = Job("a1", "generate")
    lab._asked[Question("audit", ())] = job
    seen = [lab.making("year"), lab.asked(Question("audit", ()))]
    job.state, job.result = "done", "year"
    assert [(one.state, one.result) for one in seen if one] == [("running", None)] * 2


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


def test_an_error_of_the_work_is_raised_here(workers: Workers, tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="no such file") as caught:
        workers.do("x.csv", partial(read_account, tmp_path / "x.csv"))
    assert caught.value.path == str(tmp_path / "x.csv")


def _children(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()


def test_who_does_not_end_in_time_is_stopped() -> None:
    with closing(Workers(Limits(seconds=0.5))) as hasty:
        forking = hasty.do("x", os.getppid)
        with pytest.raises(FileProblem, match=r"slow\.csv: could not be read and scored"):
            hasty.do("slow.csv", partial(time.sleep, 3600))
        until = time.monotonic() + 20
        while _children(forking) and time.monotonic() < until:
            time.sleep(0.01)
        assert _children(forking) == []
        assert hasty.do("x", partial(sum, (1, 2))) == 3


def test_the_forking_process_is_replaced_when_somebody_stops_it() -> None:
    with closing(Workers(Limits())) as found:
        forking = found.do("x", os.getppid)
        os.kill(forking, signal.SIGKILL)
        while "State:\tZ" not in Path(f"/proc/{forking}/status").read_text(encoding="ascii"):
            time.sleep(0.01)
        assert found.do("x", os.getppid) != forking


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


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("honours.web.events.reading", "Path"),
        ("honours.web.events.reading", "look_into"),
        ("honours.pipeline.account", "read_account"),
        ("honours.scoring.scored", "sys.exit"),
        ("honours.formats.detect", "read"),
        ("honours.web.events.workers", "Workers"),
    ],
)
def test_what_our_modules_import_or_do_does_not_come_back(module: str, name: str) -> None:
    with pytest.raises(pickle.UnpicklingError, match="is not expected here"):
        careful_load(_reference(module, name))
