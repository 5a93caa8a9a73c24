"""Asks for what decides an award and no file can say, the same way for every surface."""

from __future__ import annotations

from collections.abc import Mapping

from honours.engine.known_facts import taken_by
from honours.engine.rulebook import Rulebook
from honours.errors import MissingInput
from honours.model import Field
from honours.model.message import Message
from honours.pipeline.account import Account
from honours.pipeline.go import handicap_note
from honours.pipeline.options import SECTIONS


def sections_of(lists: tuple[Field, ...]) -> tuple[str, ...]:
    """The sections the standings name."""
    named = (str(s.facts.get("section", "")) for f in lists for s in f.standings)
    return tuple(dict.fromkeys(name for name in named if name))


def with_section(
    account: Account,
    lists: tuple[Field, ...],
    book: Rulebook,
    given: Mapping[str, object],
    section: str,
) -> dict[str, object]:
    """What is given, with the kind of section where the rulebook asks for it: never a guess."""
    declared = taken_by(book, "section_kind")
    if declared is None or declared.name in given:
        return dict(given)
    key = declared.name
    if section:
        # A section picked by its name is the one a person calls the open one.
        return {**given, key: section if section in SECTIONS else "open"}
    if _is_in_a_column(lists, key):
        return dict(given)
    several = sections_of(lists)
    if len(several) > 1:
        raise MissingInput("section", which_of(several))
    if account.is_go:
        raise MissingInput(key, which_section(account, key))
    return dict(given)


def _is_in_a_column(lists: tuple[Field, ...], key: str) -> bool:
    """Whether a column tells it of everybody."""
    return all(standing.facts.get(key) for field in lists for standing in field.standings)


def which_of(sections: tuple[str, ...]) -> str:
    return Message(
        "which section is the open one? It has {sections}; say it with --section or as section",
        sections=sections,
    )


def which_section(account: Account, key: str) -> str:
    """Refuse to award several sections at once: only an open one is awarded, and which one that is
    is never guessed."""
    return Message(
        "which section is this? {stones}. Say {key}=open or {key}=handicapped: only an open "
        "section is awarded, and that is never guessed",
        stones=handicap_note(account),
        key=key,
    )
