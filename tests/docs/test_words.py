"""One word a thing: what people read has none of the words that ours take the place of."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tests.docs.commands import every_command
from tests.support import ROOT

INSTEAD = {
    "entry": "entrant, or posting",
    "entries": "entrants, or postings",
    "contestant": "entrant",
    "dataset": "corpus",
    "payout": "award",
    "ruleset": "rulebook",
    "prize": "award",
}
WORD = re.compile(rf"\b({'|'.join(INSTEAD)})s?\b", re.IGNORECASE)
# What the sources print stands in their words.
QUOTED = {"conformance.md"}
PAGES = [path for path in sorted((ROOT / "docs").rglob("*.md")) if path.name not in QUOTED]


@pytest.mark.parametrize("path", [ROOT / "README.md", *PAGES], ids=lambda path: path.name)
def test_a_page_uses_our_words(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = WORD.findall(text)
    assert not found, f"say {INSTEAD[found[0].lower()]}"


def test_the_help_uses_our_words() -> None:
    for words, command in every_command():
        found = WORD.findall(" ".join([command.help or "", *_options(command)]))
        assert not found, f"`{words} --help`: say {INSTEAD[found[0].lower()]}"


def _options(command: click.Command) -> list[str]:
    return [option.help or "" for option in command.params if isinstance(option, click.Option)]
