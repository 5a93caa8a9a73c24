"""The page on writing a rulebook shows the files of the rulebook it speaks of, and they work."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from tests.support import ROOT

PAGE = (ROOT / "docs/write-a-rulebook.md").read_text(encoding="utf-8")
FOLDER = ROOT / "examples" / "rulebooks" / "village_cup"


@pytest.mark.parametrize("name", ["rulebook.toml", "rules.py", "examples.toml"])
def test_the_page_shows_the_file_as_it_is(name: str) -> None:
    text = (FOLDER / name).read_text(encoding="utf-8").strip()
    assert f"\n{text}\n```" in PAGE


def test_it_is_about_thirty_lines() -> None:
    lines = (FOLDER / "rules.py").read_text(encoding="utf-8").splitlines()
    code = [line for line in lines if line.strip() and not line.strip().startswith('"""')]
    assert len(code) <= 30


@pytest.mark.parametrize(
    "command", ["calc village-cup pairs=10 --explain", "rulebook check village-cup"]
)
def test_the_commands_of_the_page_work(command: str) -> None:
    assert f"honours {command} --rulebooks try/rulebooks" in PAGE
    arguments = [*command.split(), "--rulebooks", str(FOLDER.parent)]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output


def test_what_the_page_adds_for_events_awards_a_file(tmp_path: Path) -> None:
    """The cup alone asks for pairs, and no fact is called so; with the two pieces it awards."""
    event = str(ROOT / "examples" / "club-pairs.csv")
    own = tmp_path / "own"
    shutil.copytree(FOLDER, own / "village_cup")
    award = [
        "award",
        event,
        "--as-usual",
        "--rulebook",
        "village-cup",
        "--rulebooks",
        str(own),
        "--trust",
    ]
    asked = CliRunner().invoke(cli, award)
    assert (asked.exit_code, "Pairs?" in asked.output) == (3, True)
    section = PAGE[PAGE.index("A calculation is told `pairs=20`") :]
    for kind, name in (("toml", "rulebook.toml"), ("python", "rules.py")):
        [piece, *_] = re.findall(rf"```{kind}\n(.*?)```", section, re.DOTALL)
        with (own / "village_cup" / name).open("a", encoding="utf-8") as file:
            file.write(f"\n\n{piece}")
    result = CliRunner().invoke(cli, award)
    assert result.exit_code == 0, result.output
    assert "Village Cup points" in result.output
