"""Options and arguments that several commands take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from honours.errors import InputError

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook

F = TypeVar("F", bound=Callable[..., Any])


def rulebook_options(function: F) -> F:
    """``--rulebooks``, ``--set`` and ``--variant``: which rulebook, and how amended."""
    for option in (
        click.option("--variant", metavar="NAME", help="A named variant of the rulebook."),
        click.option(
            "--set", "changes", multiple=True, metavar="PARAMETER=VALUE",
            help="Amend a parameter; may be repeated.",
        ),
        click.option(
            "--rulebooks", multiple=True, metavar="DIR", type=click.Path(exists=True),
            help="A folder of rulebooks of your own; may be repeated.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def pairs(texts: Sequence[str]) -> dict[str, str]:
    """``key=value`` arguments as a dictionary."""
    found: dict[str, str] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not key or not value:
            raise InputError(f"{text!r}: expected key=value")
        if key in found:
            raise InputError(f"{key} is given twice: {found[key]} and {value}")
        found[key] = value
    return found


def chosen_rulebook(
    rulebook_id: str, rulebooks: Sequence[str], changes: Sequence[str], variant: str | None
) -> Rulebook:
    """The rulebook an invocation asks for, amended as it says."""
    from honours.rulebooks import load

    book = load(rulebook_id, rulebooks)
    if variant:
        book = book.variant(variant)
    return book.amend(pairs(changes))
