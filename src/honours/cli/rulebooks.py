"""`honours rulebooks`: which rulebooks there are."""

from __future__ import annotations

from honours.cli.declared import as_command, option
from honours.cli.messages import chosen_language, say, say_json, say_table
from honours.cli.options import rulebooks_option
from honours.engine.rulebook import Rulebook
from honours.formats.reading import iso_day
from honours.language import words
from honours.model.message import Message, joined
from honours.reports.drawing import rows_data
from honours.reports.gallery import gallery
from honours.reports.rulebook import in_force, in_force_text, rulebooks_table, stale_text
from honours.rulebooks import ids, load, revisions, text_hashes

_LONG = ("edition", "unit", "since", "until", "backed_by", "missing", "looked")


@as_command("rulebooks")
@rulebooks_option()
def command(
    rulebooks: tuple[str, ...],
    day: str = option("Those in force on this day first.", "YYYY-MM-DD", "--date"),
    what_holds: bool = option(
        "Also since when each is in force, its evidence, when we last looked, and what is missing.",
        None,
        "--in-force",
    ),
    gallery: bool = option("Side by side: what the same field would be paid."),
    hashes: bool = option("Only ids and digests of their texts, to verify by."),
    as_json: bool = option("A JSON list.", None, "--json"),
) -> None:
    """List the rulebooks.

    Each is shown in its newest revision, with its standing: in force, proposed, superseded, or as a
    program computes it.

    \b
    Examples:
      honours rulebooks --json
      honours rulebooks --date 2015-03-01
      honours rulebooks --in-force
      honours rulebooks --gallery
    """
    if hashes:
        texts = list(text_hashes(rulebooks))
        say_json(texts) if as_json else say("\n".join(f"{name} {text}" for name, text in texts))
        return
    books = [load(i, rulebooks) for i in ids(rulebooks)]
    if day:
        day = iso_day("date", day)
        books.sort(key=lambda book: book.rank_on(day))
    if gallery:
        _gallery(books, as_json)
        return
    if as_json:
        listing = [
            {
                **in_force(b),
                "revision": b.revision,
                "revisions": list(revisions(b.id, rulebooks)),
                "hash": b.hash,
                **({"in_force": b.in_force_on(day)} if day else {}),
            }
            for b in books
        ]
        say_json(listing)
    elif what_holds:
        say("\n\n".join(words(in_force_text(book), chosen_language()) for book in books))
    else:
        say_table(rulebooks_table(books).without(*_LONG))
        for book in filter(stale_text, books):
            say(joined(": ", (book.id, stale_text(book))))
        if day:
            named = tuple(b.id for b in books if b.in_force_on(day))
            say(Message("In force on {day}: {rulebooks}", day=day, rulebooks=named or "–"))


def _gallery(books: list[Rulebook], as_json: bool) -> None:
    """The rulebooks side by side: their standing, first place by size, one evening by all."""
    parts = gallery(books)
    if as_json:
        say_json({part.table.name: list(rows_data(part.table)) for part in parts})
        return
    for nth, part in enumerate(parts):
        say(joined("", ("\n" if nth else "", part.title, "\n")))
        say_table(part.table)
