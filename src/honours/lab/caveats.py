"""What an answer must say about itself in its headline: whether the corpus is made up, and how
certain the figures are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from honours.engine.columns import exact_only_note
from honours.engine.rulebook import Rulebook
from honours.engine.written_names import public
from honours.lab.tables import column_name
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
    """A sentence about a corpus, starting with a warning if nobody really played it."""
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
    """Whether a note contains the one that :func:`note_of` makes."""
    parts = note.values.values() if isinstance(note, Message) else ()
    return note == SYNTHETIC or any(isinstance(one, Message) and one == SYNTHETIC for one in parts)


def notes_of(corpus: Corpus | None, *sides: Side) -> list[str]:
    """What a report says before its figures: whether the corpus is synthetic, which rulebooks
    had to be worked out event by event, and what they assume about everybody."""
    books = [side for side in sides if isinstance(side, Rulebook)]
    slow = [exact_only_note(book) for book in books]
    assumed = [_assumed(corpus, book) for book in books] if corpus is not None else []
    notes = dict.fromkeys(filter(None, (*slow, *assumed)))
    return [*([CALIBRATED] if is_synthetic(corpus) else []), *notes]


def _assumed(corpus: Corpus, book: Rulebook) -> str:
    """What a rulebook assumes about everybody because no column of the corpus tells it."""
    columns = {*corpus.columns("entrants"), *corpus.columns("players")}
    assumed = [
        f"{public(name)}={declared.default}"
        for name, declared in book.inputs.items()
        if declared.per in ("entrant", "player")
        and declared.default is not None
        and column_name(name) not in columns
    ]
    if not assumed:
        return ""
    return Message(
        "{rulebook} takes {assumed} of everybody: no column of the corpus tells it.",
        rulebook=book.id,
        assumed=", ".join(assumed),
    )
