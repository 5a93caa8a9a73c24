"""The reference of what a rule may say, from the code."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from honours.engine.rulebook import COMMON_INPUTS
from honours.engine.rulebook import source as words


def reference() -> str:
    """Every key, name and function, as Markdown."""
    parts = [
        "## rulebook.toml",
        table("key or section", words.TOP),
        *(f"### [{name}]\n\n{table('key', keys)}" for name, keys in words.SECTIONS.items()),
        "Every rulebook may be told "
        + ", ".join(f"`{i.name}` ({i.about})" for i in COMMON_INPUTS)
        + ".",
        "## rules.py",
        "### @rule\n\n" + table("key", words.DECLARED),
        "### per\n\n" + table("level", words.LEVELS),
        "### Arguments the engine knows\n\n" + table("argument", words.NAMES),
        "### Functions\n\nFrom `honours.engine.numbers`, and four of Python's own:\n\n"
        + table("function", {**functions(words.FUNCTIONS), **words.BUILTINS}),
        "### What else a body may have\n\n" + table("written", words.EXPRESSIONS),
        "### Roundings\n\nFrom `honours.engine.rules`:\n\n"
        + table("rounding", functions(words.ROUNDINGS)),
        "## examples.toml",
        "### [[example]]\n\n" + table("key", words.EXAMPLE),
        "### expect\n\n" + table("key", words.EXPECTED),
        "### A game in list\n\n" + table("key", words.GAME),
        "### [[grid]]\n\n" + table("key", words.GRID),
    ]
    return "\n\n".join(parts)


def functions(listed: tuple[Callable[..., Any], ...]) -> dict[str, str]:
    """Signatures and what their docstrings say first."""
    return {f"{f.__name__}({', '.join(inspect.signature(f).parameters)})": about(f) for f in listed}


def about(function: Callable[..., Any]) -> str:
    text = inspect.getdoc(function) or f"{function.__name__} to a multiple of the unit"
    return " ".join(text.split("\n\n")[0].split()).replace("``", "`")


def table(head: str, rows: Mapping[str, str]) -> str:
    lines = [f"| {head} | |", "|---|---|"]
    for name, meaning in rows.items():
        shown = "*a name of yours*" if name == words.ANY else f"`{name}`"
        lines.append(f"| {shown} | {meaning.replace('|', chr(92) + '|')} |")
    return "\n".join(lines)
