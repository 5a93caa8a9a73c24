"""Runs mutants on tests that are collected once: a fork for each, the last killers first.

    python -m scripts.mutant_run names verdicts tests/engine

in mutmut's folder of mutants. ``names`` holds the names of mutants, a line each; ``verdicts`` gets
a line for each of them: its name, its verdict and the test that killed it. What stands in it
already is not run again.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.utils.format_utils import mangled_name_from_mutant_name as function_of

PYTEST = ("-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow")
LONGEST = 60
"""Seconds of work after which a mutant has been found out by going on for ever."""


class Runner:
    """Takes the place of pytest's own loop over the tests."""

    def __init__(self, names: Sequence[str], verdicts: Path) -> None:
        self.names, self.verdicts = names, verdicts
        self.reached: dict[str, list[str]] = {}
        self.seconds: dict[str, float] = {}
        self.killers: dict[str, dict[str, None]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        known = self.verdicts.read_text().splitlines() if self.verdicts.exists() else []
        done = {line.split("\t")[0] for line in known}
        self._measure(session, list(items.values()))
        gc.freeze()  # a child then copies less of the memory that it shares
        with self.verdicts.open("a", encoding="utf-8") as file:
            for name in (name for name in self.names if name not in done):
                tests = [items[test] for test in self._in_order(name)]
                killer = self._killer(session, name, tests) if tests else ""
                verdict = "no test" if not tests else "survived" if killer is None else "killed"
                print(name, verdict, killer or "", sep="\t", file=file, flush=True)
        return True

    def _measure(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Which tests reach which functions, and how long they take.

        In a child, so that nothing is remembered from a run without any mutant.
        """
        kept = self.verdicts.with_suffix(".reached")
        child = os.fork()
        if child == 0:
            try:
                set_mutant_under_test("stats")
                self._run_all(session, items)
                kept.write_text(json.dumps([self.reached, self.seconds]), encoding="utf-8")
                os._exit(0)
            finally:
                os._exit(1)
        if os.waitpid(child, 0)[1]:
            sys.exit("the tests fail without any mutant; mend that first")
        self.reached, self.seconds = json.loads(kept.read_text(encoding="utf-8"))

    def _run_all(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        for item in items:
            started = time.monotonic()
            _run(item)
            if session.testsfailed:
                sys.exit(item.nodeid)
            self.seconds[item.nodeid] = time.monotonic() - started
            for function in state()._stats:
                self.reached.setdefault(function, []).append(item.nodeid)
            state()._stats.clear()

    def _in_order(self, mutant: str) -> list[str]:
        """What killed another of the function or of the module, then the fastest first."""
        function = function_of(mutant)
        tests = sorted(self.reached.get(function, []), key=self.seconds.__getitem__)
        module = function.rpartition(".")[0]
        first = [*self.killers.get(function, {}), *self.killers.get(module, {})][:12]
        return list(dict.fromkeys([*(test for test in first if test in tests), *tests]))

    def _killer(self, session: pytest.Session, mutant: str, tests: list[pytest.Item]) -> str | None:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            _run_and_leave(session, mutant, tests, writing)
        os.close(writing)
        killer = os.read(reading, 65536).decode()
        os.close(reading)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return None
        function = function_of(mutant)
        for place in (function, function.rpartition(".")[0]) if killer else ():
            self.killers[place] = {killer: None, **self.killers.get(place, {})}
        return killer


def _run(item: pytest.Item) -> None:
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _run_and_leave(
    session: pytest.Session, mutant: str, tests: list[pytest.Item], writing: int
) -> None:
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        set_mutant_under_test(mutant)
        for item in tests:
            _run(item)
            if session.testsfailed:
                os.write(writing, item.nodeid.encode())
                os._exit(1)
        os._exit(0)
    finally:  # whatever happens, never go on as a second parent
        os._exit(1)


def main() -> int:
    names, verdicts, *tests = sys.argv[1:]
    sys.path[:0] = [str(Path("src").resolve()), str(Path.cwd())]
    set_mutant_under_test("")
    runner = Runner(Path(names).read_text(encoding="utf-8").split(), Path(verdicts))
    return int(pytest.main([*PYTEST, "--rootdir=.", *tests], plugins=[runner]))


if __name__ == "__main__":
    sys.exit(main())
