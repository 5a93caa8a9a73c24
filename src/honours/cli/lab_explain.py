"""`honours lab explain`: why an entrant of an event of a corpus gets what it gets."""

from __future__ import annotations

from honours.cli.declared import JSON, as_command
from honours.cli.lab_answers import named_rulebook, own_rulebooks
from honours.cli.messages import chosen_language, say, say_json


@as_command("explain")
@own_rulebooks
def explain(
    folders: tuple[str, ...],
    corpus: str,
    rulebook: str,
    event: str,
    entrant: int,
    as_json: bool = JSON,
) -> None:
    """Explain the award of an entrant of an event.

    For the owner of the data: it lists what each member held, by the number the member has in
    the corpus, never by name. Reports and pages list no members.

    \b
    Example:
      honours lab explain year acbl-sof-2020 6 0
    """
    from honours.engine.exact.explanation import to_data
    from honours.lab.corpus import Corpus
    from honours.lab.left_out import event_awards

    book, opened = named_rulebook(rulebook, folders), Corpus.open(corpus)
    number = opened.number_of(event)
    if as_json:
        awards = event_awards(opened, book, number)
        why = to_data(awards[entrant].why) if entrant in awards else None
        say_json({"event": number, "entrant": entrant, "why": why})
    else:
        say(opened.explain(book, number, entrant, chosen_language()))
