"""`honours lab compare` and `growth`: what they ask beyond the declared questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from honours.cli.lab_answers import (
    COMPILING,
    answer_options,
    give,
    known_side,
    named_rulebook,
    named_side,
    on_option,
    own_rulebooks,
    progress_line,
)
from honours.model.message import Message, word

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.compare import Comparison
    from honours.lab.corpus import Corpus
    from honours.lab.sides import Side


class CommandLibrary:
    """Corpora by their folders, rulebooks by their ids or in folders of one's own."""

    def __init__(self, folders: tuple[str, ...], on: str = "") -> None:
        self._folders, self.on = folders, on

    def corpus(self, name: str) -> Corpus:
        from honours.lab.corpus import Corpus

        return Corpus.open(name)

    def rulebook(self, text: str) -> Rulebook:
        return named_rulebook(text, self._folders)


def ask(
    kind: str,
    fields: dict[str, str],
    counted: str,
    folders: tuple[str, ...],
    address: str,
    forms: dict[str, Any],
) -> None:
    """Ask a question as it is declared, and give its answer in the forms that were asked for."""
    from honours.lab.questions import Question

    question = Question(kind, tuple((key, text) for key, text in fields.items() if text))
    work, line = (
        question.work(CommandLibrary(folders, address)),
        progress_line(word(counted), COMPILING),
    )
    with line.interruptible():
        answered = work(line)
    give(answered.report, dict(answered.data()), answered.report.frames, forms)


@click.command("compare")
@click.argument("corpus", type=click.Path())
@click.argument("a")
@click.argument("b")
@click.option(
    "--by",
    metavar="GROUP",
    help="class, kind, sessions, size, strength or flight, or "
    "several of them with commas; stratum or holding; everything unless given.",
)
@click.option("--event", metavar="ID", help="One event under both, place by place, and why.")
@on_option
@own_rulebooks
@answer_options
def compare(
    corpus: str,
    a: str,
    b: str,
    by: str | None,
    event: str | None,
    address: str,
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """What B would pay, compared with A. Each is a rulebook's id, an id with parameters in quotes,
    or as-paid: what was really paid, where the corpus says.

    \b
    Examples:
      honours lab compare year acbl-general acbl-sof-2020 --by flight,size
      honours lab compare year acbl-sof-2011 acbl-sof-2020 --event 6
      honours lab compare year-2019 as-paid acbl-sof-2020
      honours lab compare year acbl-sof-2020 "acbl-sof-2020 first_exponent=0.7" --html what-if.html
    """
    from honours.lab import compare as lab
    from honours.lab.caveats import notes_of, titled
    from honours.lab.corpus import Corpus
    from honours.lab.report import Answer, comparison_answer

    for text in (a, b):
        known_side(text, folders)  # a wrong one is said before a corpus is read
    opened = Corpus.open(corpus)
    one, other = (named_side(text, opened, folders) for text in (a, b))
    if event is not None:
        _explain_both(lab.Comparison(opened, one, other), opened.number_of(event), forms)
        return
    comparison = _compared(opened, one, other, address)
    grouped = comparison.by(*lab.compared_groups(by)) if by else None
    shown = [grouped.table()] if grouped else list(comparison.frames())
    statements = [comparison.statement(), *([grouped.statement()] if grouped else [])]
    statements = [*filter(None, statements), *notes_of(opened, one, other)]
    if forms["html"]:
        answer = comparison_answer(comparison, progress=progress_line("events explained"))
    else:
        answer = Answer(
            titled(opened, comparison.title), statements, shown, comparison.provenance()
        )
    give(answer, comparison.data() if forms["as_json"] else {}, shown, forms)


def _compared(corpus: Corpus, one: Side, other: Side, address: str) -> Comparison:
    """The comparison, with what is known so far where someone watches."""
    from honours.lab.compare import compare as compare_sides

    line, known = progress_line("shards", COMPILING), [""]
    with line.interruptible():
        return compare_sides(
            corpus,
            one,
            other,
            lambda done, of: line(done, of, known[0]),
            address,
            lambda made: known.__setitem__(0, made.statement()),
        )


def _explain_both(comparison: Comparison, event: int, forms: dict[str, Any]) -> None:
    """One event under both rulebooks."""
    from honours.engine.exact.explanation import render_text, to_data
    from honours.lab.explained import without_members
    from honours.lab.report import Answer, explanation_name

    one = comparison.explain(event)
    name = explanation_name(event)
    lines = [
        Message(
            "The largest award of event {event} would be {theirs} by {b}, compared with {ours} by "
            "{a}.",
            event=event,
            ours=one.a.shown,
            theirs=one.b.shown,
            a=comparison.a.id,
            b=comparison.b.id,
        )
    ]
    frames, why = [one.places], [(name, [without_members(step) for step in one.why])]
    data = {
        "statement": lines[0],
        "places": one.places.data(),
        "why": {"a": to_data(one.a.why), "b": to_data(one.b.why)},
        "provenance": comparison.provenance(),
    }
    texts = [] if forms["as_json"] or forms["as_csv"] else [render_text(step) for step in one.why]
    give(Answer(name, lines, frames, comparison.provenance(), why), data, frames, forms)
    for text in texts:
        click.echo(f"\n{text}")


@click.command("growth")
@click.argument("corpus", type=click.Path())
@click.argument("rulebooks", nargs=-1, required=True)
@click.option("--years", default=5, show_default=True, type=click.IntRange(2, 100))
@on_option
@own_rulebooks
@answer_options
def growth(
    corpus: str,
    rulebooks: tuple[str, ...],
    years: int,
    address: str,
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """Several years with holdings that grow by what each rulebook pays.

    \b
    Example:
      honours lab growth year acbl-sof-2011 acbl-sof-2020 --years 10
    """
    from honours.lab.answering import answered
    from honours.lab.corpus import Corpus
    from honours.lab.growth import grow

    books, opened = [named_rulebook(text, folders) for text in rulebooks], Corpus.open(corpus)
    line = progress_line("steps", COMPILING)
    with line.interruptible():
        made = grow(opened, books, years, line, address)
    answer = answered(made, opened, made.table().title, [made.table()])
    give(answer.report, dict(answer.data()), answer.report.frames, forms)
