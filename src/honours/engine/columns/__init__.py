"""Many fields at once: a rulebook's graph evaluated on columns, equal to the exact way.

Nothing here imports NumPy, which :mod:`honours.engine.columns.award` needs.
"""

from __future__ import annotations

from honours.engine.rulebook import Rulebook
from honours.model.message import Message, mark


def exact_only(rulebook: Rulebook) -> str:
    """Return why a rulebook cannot be run on columns, or an empty text if it can."""
    for rule in rulebook.rules:
        if rule.per == "game":
            return Message("{rule} is per game", rule=rule.function.__name__)
    return ""


def exact_only_note(rulebook: Rulebook) -> str:
    """A note for the person waiting for an answer, if a rulebook cannot be run on columns."""
    why = exact_only(rulebook)
    if not why:
        return ""
    text = mark(
        "{rulebook} cannot be run in columns ({why}): it is worked out event by event, the exact "
        "way, some thousand times slower."
    )
    return Message(text, rulebook=rulebook.id, why=why)
