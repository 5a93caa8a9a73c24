"""What is kept of compiled code, and the one door through which modules are compiled."""

from __future__ import annotations

import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from honours.engine.compiled import machine_code as compiled
from honours.engine.compiled.rounding import rounded_floats
from honours.engine.compiled.rule_cache import cache_folder
from honours.engine.compiled.threads import on_all_cores, threads
from honours.scoring import chunks, kernel, lanes
from tests.uncompiled import compiled_module, jitted


def test_a_module_is_compiled_with_all_it_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three events of 2, 1 and 40 rows end at 2, 3 and 43."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    doors = compiled_module(chunks, (kernel, lanes), ("event_end",))
    events = np.array([7, 7, 8, *[9] * 40], np.int32)
    assert [doors["event_end"](events, begin) for begin in (0, 2, 3)] == [2, 3, 43]
    kept = list((tmp_path / "honours" / "compiled").glob("h*.py"))
    assert len(kept) == 1
    compiled_module(chunks, (kernel, lanes), ("event_end",))
    assert list((tmp_path / "honours" / "compiled").glob("h*.py")) == kept


def test_where_nothing_can_be_kept_it_is_compiled_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "honours").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert compiled._kept_as("x = 1") is None
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder() == Path.home() / ".cache" / "honours" / "compiled"


def test_a_rule_is_compiled_as_it_is() -> None:
    def double(x: float) -> float:
        return x + x

    assert jitted(double)(1.5) == 3


def test_too_close_to_a_limit_is_not_a_number() -> None:
    up_to = compiled._up_to(0, 0, 0, 0)
    assert np.isnan(up_to(1.0, 1.0 + 1e-12, 5.0, 6.0))
    assert np.isnan(up_to(1e6, 1e6 + 1e-6, 5.0, 6.0))
    assert (up_to(1.0, 1.1, 5.0, 6.0), up_to(1.2, 1.1, 5.0, 6.0)) == (5, 6)


@pytest.mark.parametrize(
    ("values", "mode", "unit", "units", "doubt"),
    [
        ([1.24, 1.26, 1.25], "nearest", "0.1", [12, 13], [False, False, True]),
        ([1.21, 1.29, 1.2], "down", "0.1", [12, 12], [False, False, True]),
        ([1.21, 1.29, 1.2], "up", "0.1", [13, 13], [False, False, True]),
        ([7.4, 7.6, 7.5], "down", "5/2", [2, 3], [False, False, True]),
        ([np.nan, 2.0, 1e300], "up", "1", [], [True, True, True]),
    ],
)
def test_what_lies_on_a_boundary_is_in_doubt(
    values: list[float], mode: str, unit: str, units: list[int], doubt: list[bool]
) -> None:
    rounded, unsure = rounded_floats(np.array(values), mode, Fraction(unit))
    assert (rounded[~unsure].tolist(), unsure.tolist()) == (units, doubt)


def test_work_is_shared_out_once_and_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a piece of work asks for in turn is done by the thread that has it."""
    monkeypatch.setenv("HONOURS_THREADS", "2")

    def tens(n: int) -> tuple[int, list[int]]:
        here = threading.get_ident()
        inner = on_all_cores(lambda k: (k, threading.get_ident()), [n, 10 * n])
        assert {thread for _, thread in inner} == {here}
        return n, [k for k, _ in inner]

    assert on_all_cores(tens, [1, 2, 3]) == [(1, [1, 10]), (2, [2, 20]), (3, [3, 30])]
    assert on_all_cores(lambda n: n, []) == []
    assert threads() == 2
    monkeypatch.setenv("HONOURS_THREADS", "")
    assert threads() >= 1
