"""What an answer must say about itself in its headline: that the corpus is made up, how sure it
is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.engine.compiled.compilable import exact_only_note
from honours.engine.rulebook import Rulebook
from honours.model.message import Message

if TYPE_CHECKING:
    from honours.lab.compared_sides import Side
    from honours.lab.corpus import Corpus

SYNTHETIC = Message("synthetic")
CALIBRATED = Message(
    "The corpus is synthetic: made by a program, calibrated to the numbers of events, sizes, "
    "flights, holdings and points won a day that the sources of 2011 and 2020 publish, and not to "
    "who plays with whom, how strong each field is, lower strata, or anything they do not print."
)


def is_synthetic(corpus: Corpus | None) -> bool:
    """Whether a corpus was generated."""
    return corpus is not None and "seed" in corpus.manifest.get("about", {})


def headline(corpus: Corpus | None, text: str) -> str:
    """A sentence about a corpus, which says first whether anybody played it."""
    if not is_synthetic(corpus) or not text:
        return text
    return Message("On a synthetic corpus: {text}", text=text)


def titled(corpus: Corpus | None, title: str) -> str:
    """The title of a report."""
    return Message("{title} (synthetic)", title=title) if is_synthetic(corpus) else title


def note_of(corpus: Corpus | None) -> str:
    """The note under a table and on a chart."""
    return SYNTHETIC if is_synthetic(corpus) else ""


def says_synthetic(note: str) -> bool:
    """Whether a note, made by :func:`note_of` alone or with others, says so."""
    parts = note.values.values() if isinstance(note, Message) else ()
    return note == SYNTHETIC or any(isinstance(one, Message) and one == SYNTHETIC for one in parts)


def notes_of(corpus: Corpus | None, *sides: Side) -> list[str]:
    """What a report says before its figures: whether anybody played, and which of the rulebooks it
    is about had to be worked out event by event."""
    slow = [exact_only_note(side) for side in sides if isinstance(side, Rulebook)]
    return [*([CALIBRATED] if is_synthetic(corpus) else []), *dict.fromkeys(filter(None, slow))]
