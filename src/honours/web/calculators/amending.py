"""Rulebooks amended by people we do not know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.model.message import Message

T = TypeVar("T")
_LONGEST = 2000


def amend(book: Rulebook, variant: str, changes: Mapping[str, str]) -> Rulebook:
    """The rulebook as somebody would have it."""
    named = book.variant(variant) if variant else book
    return named.amend({key: text[:_LONGEST] for key, text in changes.items()})


def run_amended(amended: Rulebook, work: Callable[[], T]) -> T:
    """Do the work; a rule that its amendments make meaningless is the amender's to mend."""
    try:
        return work()
    except (ArithmeticError, ValueError) as error:
        if not amended.amended:
            raise
        raise InputError(Message("with these amendments the rule gives no number")) from error
