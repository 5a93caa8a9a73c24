"""What ./check reports, and what tests do without a program they need."""

import os
import shutil
from pathlib import Path

import pytest

from scripts import checks, system
from scripts.junit_report import summarise
from tests.support import needs_tool

REPORT = """\
<testsuites><testsuite>
  <testcase name="one"/>
  <testcase name="two"><skipped message="needs mdb-export (Debian package mdbtools)"/></testcase>
  <testcase name="three"><skipped message="needs mdb-export (Debian package mdbtools)"/></testcase>
  <testcase name="four"><failure message="wrong"/></testcase>
</testsuite></testsuites>
"""


def test_skips_are_summed_up_with_their_reason(tmp_path: Path) -> None:
    report = tmp_path / "tests.xml"
    report.write_text(REPORT, encoding="utf-8")
    assert summarise(report).splitlines() == [
        "4 tests, 2 skipped:",
        "  2 × needs mdb-export (Debian package mdbtools)",
    ]


def test_tests_that_did_not_finish_are_not_silent(tmp_path: Path) -> None:
    assert "did not run" in summarise(tmp_path / "absent.xml")


def test_processes_of_the_tests_find_compiled_what_another_imported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    checks.keep_bytecode()
    assert "PYTHONDONTWRITEBYTECODE" not in os.environ


def test_tests_write_to_memory_only_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "MEMORY", tmp_path)
    monkeypatch.setattr(checks, "ROOM", 1)
    assert checks._memory() == str(tmp_path)
    monkeypatch.setattr(checks, "ROOM", 2**80)
    assert checks._memory() is None
    monkeypatch.setattr(checks, "MEMORY", tmp_path / "none")
    assert checks._memory() is None


def test_one_failed_step_fails_the_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert checks._finish({"format": True, "types": True}) == 0
    assert checks._finish({"format": True, "types": False}) == 1
    assert "FAILED  types" in capsys.readouterr().out


def test_steps_side_by_side_are_reported_one_by_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    steps = (  # the first can only end while the second runs
        checks.Step("first", ("-c", f"print('heard', open({str(fifo)!r}).read())")),
        checks.Step("second", ("-c", f"open({str(fifo)!r}, 'w').write('it'); exit('no more')")),
    )
    assert checks._side_by_side(steps) == {"first": True, "second": False}
    said = capsys.readouterr().out
    told = [said.index(one) for one in ("heard it", "first: ok", "no more", "second: FAILED")]
    assert told == sorted(told)


def test_missing_tools_are_installed_by_root_and_named_to_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    installed: list[str] = []
    monkeypatch.setattr(system, "missing_tools", lambda _: {"mdb-export": "mdbtools"})
    monkeypatch.setattr(system, "apt_install", installed.extend)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(system, "is_root", lambda: False)
    checks._provide_tools(None)
    assert installed == []
    assert "sudo apt-get install -y mdbtools" in capsys.readouterr().out
    monkeypatch.setattr(system, "is_root", lambda: True)
    checks._provide_tools(None)
    assert installed == ["mdbtools"]


def test_a_missing_tool_skips_here_and_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(
        pytest.skip.Exception, match=r"needs mdb-export \(Debian package mdbtools\)"
    ):
        needs_tool("mdb-export")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="needs mdb-export"):
        needs_tool("mdb-export")
