"""The commands and the Python on the pages run as they stand, and nothing is left out of them."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import click
import pytest

import honours
from honours.rulebooks import ids
from honours.web.settings import Settings
from scripts import pages
from tests.docs.commands import WRITE, cases, commands_of, every_command, run, was_asked
from tests.seen import Seen
from tests.support import ROOT
from tests.web.server import serving

DOCS = sorted((ROOT / "docs").rglob("*.md"))
READMES = sorted((ROOT / "src/honours/rulebooks").rglob("README.md"))
PAGES = {str(path.relative_to(ROOT)): path for path in (ROOT / "README.md", *DOCS, *READMES)}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8737"
GENERATE = "honours lab generate year"
# Started and stopped in test_help; the others name a place that only its owner has.
NOT_RUN = ("honours serve", "…")


def blocks(path: Path, language: str) -> list[str]:
    matches = BLOCK.findall(path.read_text(encoding="utf-8"))
    return [text for name, text in matches if name == language]


def commands(path: Path) -> list[str]:
    every = (command for text in blocks(path, "sh") for command in commands_of(text))
    ours = [c.removeprefix("./") for c in every if c.startswith(("honours ", "./honours "))]
    return [c for c in ours if not any(mark in c for mark in NOT_RUN)]


COMMANDS = {name: commands(path) for name, path in PAGES.items() if commands(path)}


@pytest.mark.parametrize("name", cases(COMMANDS))
def test_the_commands_of_a_page_run(
    name: str, scratch: Path, request: pytest.FixtureRequest, seen: Seen
) -> None:
    commands = COMMANDS[name]
    for command in commands if WRITE in commands else [WRITE, *commands]:
        if command.startswith(GENERATE):
            (scratch / "year").symlink_to(request.getfixturevalue("corpus"))
            continue
        if was_asked(command, seen):
            continue
        result = run(command)
        assert result.exit_code == 0, f"{command}\n{result.output}"


@pytest.mark.parametrize("name", [name for name, path in PAGES.items() if blocks(path, "python")])
def test_the_python_of_a_page_runs(name: str, scratch: Path, corpus: Path) -> None:
    run(WRITE)
    (scratch / "year").symlink_to(corpus)
    for code in blocks(PAGES[name], "python"):
        if "honours.engine.rules" in code:
            continue  # a file of a rulebook, tried with its folder
        with serving(Settings(data=scratch)) as address, redirect_stdout(StringIO()) as printed:
            exec(compile(code.replace(ADDRESS, address), name, "exec"), {})
        for expected in re.findall(r"^print\(.*\)  # (.+)$", code, re.MULTILINE):
            assert expected in printed.getvalue()


def test_every_command_is_on_a_page() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in PAGES.values())
    code = "\n".join(re.findall(r"`[^`\n]+`", text) + [body for _, body in BLOCK.findall(text)])
    for words, command in every_command():
        if isinstance(command, click.Group):
            continue
        *_, name = words.split()
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", code), (
            f"no page tells of `{words}`"
        )


def test_every_rulebook_is_on_a_page() -> None:
    start = (ROOT / "README.md").read_text(encoding="utf-8")
    for rulebook in ids():
        assert f"| `{rulebook}` |" in start
        assert pages.rulebook_page(rulebook).startswith("# ")


def test_every_public_name_has_an_example_and_is_in_the_reference() -> None:
    reference = pages.python_reference()
    shown = "\n".join(text for path in DOCS for text in blocks(path, "python"))
    for name in honours.__all__:
        assert f"### {name}\n\n```text\nhonours.{name}(" in reference
        assert re.search(rf"\b{name}\b", shown), f"no example of {name}"


@pytest.mark.parametrize(
    ("html", "fetched"),
    [
        ('<script src="https://example.org/x.js">', True),
        ("<link href=//example.org/font.css rel=stylesheet>", True),
        ('<img src="images/flow.svg"><a href="https://example.org">', False),
    ],
)
def test_a_page_that_asks_another_host_is_noticed(html: str, fetched: bool) -> None:
    assert bool(pages.FETCHED.search(html)) == fetched
