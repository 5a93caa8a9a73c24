"""What only a terminal sees: the bar of a folder's progress, and the question for the section."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from select import select

from tests.support import ROOT

EXAMPLES = ROOT / "examples"
GO = [
    "award",
    str(EXAMPLES / "go-open.txt"),
    "--rulebook",
    "aga-category",
    "qualifier=yes",
    "minimum_category=none",
    "--members",
    str(EXAMPLES / "go-members.csv"),
]


def at_a_terminal(arguments: list[str], answers: str = "", waiting_for: str = "") -> str:
    """All that a run at a terminal shows, once it was given the answers it waits for."""
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "honours", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        close_fds=True,
    )
    os.close(theirs)
    shown, deadline = "", time.monotonic() + 120
    try:
        while time.monotonic() < deadline:
            if not select([ours], [], [], 1)[0]:
                continue
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            shown += part.decode("utf-8", "replace")
            if answers and waiting_for in shown:
                os.write(ours, answers.encode())
                answers = ""
        run.wait(timeout=30)
    finally:
        run.kill()
        os.close(ours)
    return shown


def test_the_section_of_a_go_tournament_is_asked() -> None:
    shown = at_a_terminal(GO, "open\ny\n", "section_kind (")
    assert "open, handicapped" in shown
    assert "no game has handicap stones" in shown
    printed = subprocess.run(
        [sys.executable, "-m", "honours", *GO, "section_kind=open", "--as-usual"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() in shown.replace("\r\n", "\n")


def test_a_wrong_answer_is_asked_again() -> None:
    shown = at_a_terminal(GO, "closed\nhandicapped\ny\n", "section_kind (")
    assert shown.count("section_kind (") == 2
    assert "a handicapped section has no category" in shown


def test_a_folder_shows_how_far_it_is(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv", "c[red].csv"):
        (tmp_path / name).write_bytes((EXAMPLES / "tuesday.csv").read_bytes())
    shown = at_a_terminal(["show", str(tmp_path)])
    assert "33%" in shown
    assert "3 read, 0 not" in shown
