"""What an installed package adds by its entry points: the documentation's example, installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

PACKAGE = ROOT / "docs/adding"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    offline = ("--no-deps", "--no-index", "--no-build-isolation", "--quiet")
    command = (sys.executable, "-m", "pip", "install", *offline, "--target", target, PACKAGE)
    subprocess.run(command, check=True)
    return target


def honours(site: Path, folder: Path, *words: str) -> str:
    path = os.pathsep.join((str(ROOT / "src"), str(site)))
    done = subprocess.run(
        (sys.executable, "-m", "honours", *words),
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_package_adds_formats_lists_receivers_and_rulebooks(site: Path, tmp_path: Path) -> None:
    (tmp_path / "sheet.txt").write_text("VILLAGE SHEET\n1 60\n2 50\n3 45\n4 40\n")
    (tmp_path / "roll.txt").write_text("VILLAGE ROLL\n1 Ann Ash\n2 Bo Birch\n")
    assert "village score sheet" in honours(site, tmp_path, "show", "sheet.txt")
    awarding = ("award", "sheet.txt", "--rulebook", "village-cup", "pairs=4", "--json")
    assert '"points"' in honours(site, tmp_path, *awarding, "--members", "roll.txt")
    honours(site, tmp_path, "submit", "sheet.txt", "--to", "notice", "--out", "door.txt")
    assert (tmp_path / "door.txt").read_text() == "Won by 1\n"


def test_it_is_one_short_file() -> None:
    assert len((PACKAGE / "honours_village.py").read_text().splitlines()) < 40
