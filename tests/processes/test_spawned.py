"""Work in processes that were started ahead, as on Windows."""

import os
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial

import pytest

from honours.demo import FILES, file
from honours.errors import FileProblem, HonoursError
from honours.pipeline import ranked, read_account
from honours.processes import LONG, Limits, Progress
from honours.processes.pool import CalledOff
from honours.processes.spawned import Spawned
from tests.support import ROOT


@pytest.fixture(scope="module")
def spawned() -> Iterator[Spawned]:
    with pytest.MonkeyPatch.context() as changed, closing(Spawned(1)) as made:
        changed.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(ROOT / "tests"))))
        yield made


def wait(progress: Progress) -> None:
    progress.step(1, 2)
    time.sleep(600)


def spin() -> None:
    while True:
        pass


def test_answers_errors_and_ends_come_back(spawned: Spawned) -> None:
    account = read_account(str(file(FILES[0])))
    assert spawned.do("x.csv", partial(ranked, account)) == ranked(account)
    with pytest.raises(HonoursError, match="no such file"):
        spawned.do("x.csv", partial(read_account, "nothing-there.csv"))
    with pytest.raises(FileProblem):
        spawned.do("x.csv", spin, Limits(seconds=1))
    running = spawned.begin(wait, LONG)
    with pytest.raises(CalledOff):
        running.follow(lambda *_: running.call_off())
