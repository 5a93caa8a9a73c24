"""Which rulebooks the compiled way can run; the others run the exact way, event by event."""

from __future__ import annotations

from honours.engine.graph import AWARD
from honours.engine.rulebook import Rulebook
from honours.model.message import Message, mark


def exact_only(rulebook: Rulebook) -> str:
    """Why a rulebook cannot be compiled; empty if it can be."""
    for rule in rulebook.rules:
        if rule.per == "game":
            return Message("{rule} is per game", rule=rule.function.__name__)
    return ""


def awards_players(rulebook: Rulebook) -> bool:
    """Whether players of one entrant may be awarded differently."""
    return any(rule.name == AWARD and rule.per == "player" for rule in rulebook.rules)


def exact_only_note(rulebook: Rulebook) -> str:
    """A note for the person waiting for an answer, if a rulebook cannot be compiled."""
    why = exact_only(rulebook)
    if not why:
        return ""
    text = mark(
        "{rulebook} cannot be compiled ({why}): it is worked out event by event, the exact way, "
        "some thousand times slower."
    )
    return Message(text, rulebook=rulebook.id, why=why)
