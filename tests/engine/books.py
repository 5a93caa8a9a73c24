"""Small rulebooks written for a test, as folders."""

from __future__ import annotations

from pathlib import Path

from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.load import load

HEAD = """
title = "A test rulebook"
body = "Nobody"
edition = "1"
revision = 1
unit = "points"
decimals = 2
[sources.none]
title = "None"
"""

RULES_HEAD = """
from honours.engine.numbers import log10, power
from honours.engine.rules import down, nearest, rounding, rule, up
"""


def write_book(
    folder: Path, toml: str, rules: str, examples: str = "", readme: str = "Covers. Refuses."
) -> Rulebook:
    """The rulebook made of these texts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rulebook.toml").write_text(HEAD + toml, encoding="utf-8")
    (folder / "rules.py").write_text(RULES_HEAD + rules, encoding="utf-8")
    (folder / "examples.toml").write_text(examples, encoding="utf-8")
    (folder / "README.md").write_text(readme, encoding="utf-8")
    return load(folder)
