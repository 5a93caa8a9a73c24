"""`honours lab audit`, `simulate` and `explain`: questions to rulebooks."""

from __future__ import annotations

import json
from typing import Any

import click

from honours.cli.lab_answers import (
    answer_options,
    give,
    named_rulebook,
    on_option,
    own_rulebooks,
    progress_line,
)


@click.command("audit")
@click.argument("rulebook")
@click.option("--corpus", metavar="FOLDER", help="Count the events of it that are touched.")
@click.option("--explain", "explained", is_flag=True, help="Both explanations of what broke.")
@on_option
@own_rulebooks
@answer_options
def audit(
    rulebook: str,
    corpus: str | None,
    explained: bool,
    address: str,
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """Search for counterexamples to what a fair rule should promise: the smallest and the worst.

    With a corpus it says how many of its events a broken promise touches and what that cost them,
    and where what was paid differs from the rule.

    \b
    Examples:
      honours lab audit aga-category
      honours lab audit "aga-category rating_weight=3" --explain
      honours lab audit acbl-general --corpus year
    """
    from honours.lab.audit.search import audit as search
    from honours.lab.corpus import Corpus
    from honours.lab.report import audit_answer

    opened = Corpus.open(corpus) if corpus else None
    progress = progress_line("searches")
    with progress.interruptible():
        audited = search(named_rulebook(rulebook, folders), progress, opened, address)
    if forms["as_json"] or forms["as_csv"] or forms["html"] or forms["parquet"]:
        give(audit_answer(audited), audited.data(), audited.frames(), forms)
    else:
        click.echo(audited.text(explained))


@click.command("simulate")
@click.argument("rulebooks", nargs=-1, required=True)
@click.option(
    "--holding", required=True, type=click.IntRange(0, 1_000_000), help="What our player holds."
)
@click.option(
    "--event",
    "events",
    multiple=True,
    required=True,
    metavar="'NAME: KEY=VALUE …'",
    help="An event: entrants, holding (of the field), kind, boards, sessions, lists; "
    "anything else goes to the rulebook. May be repeated.",
)
@click.option("--runs", default=20_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@own_rulebooks
@answer_options
def simulate(
    rulebooks: tuple[str, ...],
    holding: int,
    events: tuple[str, ...],
    runs: int,
    seed: int,
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """What a player can expect from an afternoon in this event or that one.

    lists=2 is a Mitchell whose lines are ranked apart; “everybody” is what all who play are paid on
    average.

    \b
    Examples:
      honours lab simulate acbl-sof-2011 acbl-sof-2020 --holding 600 \\
          --event "up: entrants=40 holding=3000" \\
          --event "down: entrants=40 holding=350 limit=750"
      honours lab simulate sbu-clubs-2016 --holding 300 \\
          --event "Howell: entrants=16 holding=300 sessions=1" \\
          --event "Mitchell: entrants=16 holding=300 sessions=1 lists=2"
    """
    from honours.lab import simulate as lab

    books = [named_rulebook(text, folders) for text in rulebooks]
    contests = [_contest(text) for text in events]
    line = progress_line("events")
    with line.interruptible():
        simulated = lab.simulate(books, contests, holding, runs, seed, line)
    answer = lab.answer(simulated, holding, runs, seed)
    give(answer, answer.data(), answer.frames, forms)


def _contest(text: str) -> Any:
    from honours.cli.options import pairs
    from honours.errors import InputError
    from honours.lab.simulate import Contest

    name, sign, rest = text.partition(":")
    given = pairs(rest.split())
    if not sign or "entrants" not in given or "holding" not in given:
        raise InputError("--event {text!r}: expected 'name: entrants=40 holding=3000 …'", text=text)
    whole = {
        k: given.pop(k)
        for k in ("entrants", "holding", "boards", "sessions", "lists")
        if k in given
    }
    try:
        numbers = {k: int(v) for k, v in whole.items()}
    except ValueError as error:
        raise InputError("--event {text!r}: {error}", text=text, error=error) from error
    if numbers["entrants"] < 2 or min(numbers.values()) < 1:
        raise InputError("--event {text!r}: two entrants at least, and nothing below 1", text=text)
    kind = given.pop("kind", "pairs")
    return Contest(name.strip(), kind=kind, facts=given, **numbers)


@click.command("explain")
@click.argument("corpus", type=click.Path())
@click.argument("rulebook")
@click.argument("event")
@click.argument("entrant", type=int)
@own_rulebooks
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def explain(
    corpus: str, rulebook: str, event: str, entrant: int, folders: tuple[str, ...], as_json: bool
) -> None:
    """Why an entrant of an event gets what it gets.

    For whoever holds the corpus: it lists what each member held, by the number the member has in
    the corpus, never by name. Reports and pages list no members.

    \b
    Example:
      honours lab explain year acbl-sof-2020 6 0
    """
    from honours.engine.exact.explanation import to_data
    from honours.lab.answers import event_awards
    from honours.lab.corpus import Corpus

    book, opened = named_rulebook(rulebook, folders), Corpus.open(corpus)
    number = opened.number_of(event)
    if as_json:
        awards = event_awards(opened, book, number)
        why = to_data(awards[entrant].why) if entrant in awards else None
        click.echo(
            json.dumps({"event": number, "entrant": entrant, "why": why}, ensure_ascii=False)
        )
    else:
        click.echo(opened.explain(book, number, entrant))
