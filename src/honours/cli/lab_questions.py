"""`honours lab compare`, `sweep`, `calibrate`, `growth` and `fit`: questions to a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from honours.cli.lab_answers import (
    COMPILING,
    answer_options,
    give,
    named_rulebook,
    own_rulebooks,
    progress_line,
)

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.compare import Comparison
    from honours.lab.corpus import Corpus


class _Library:
    """Corpora by their folders, rulebooks by their ids or in folders of one's own."""

    def __init__(self, folders: tuple[str, ...]) -> None:
        self._folders = folders

    def corpus(self, name: str) -> Corpus:
        from honours.lab.corpus import Corpus

        return Corpus.open(name)

    def rulebook(self, text: str) -> Rulebook:
        return named_rulebook(text, self._folders)


def _ask(
    kind: str,
    said: dict[str, str],
    counted: str,
    folders: tuple[str, ...],
    forms: dict[str, Any],
) -> None:
    """Ask a question as it is declared, and give its answer in the forms that were asked for."""
    from honours.lab.questions import Question

    question = Question(kind, tuple((key, text) for key, text in said.items() if text))
    answered = question.work(_Library(folders))(progress_line(counted, COMPILING))
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
@click.option("--event", type=int, help="One event under both, place by place, and why.")
@own_rulebooks
@answer_options
def compare(
    corpus: str,
    a: str,
    b: str,
    by: str | None,
    event: int | None,
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """What B would pay, compared with A. Each is an id, or an id with parameters in quotes.

    \b
    Examples:
      honours lab compare year acbl-general acbl-sof-2020 --by flight,size
      honours lab compare year acbl-sof-2011 acbl-sof-2020 --event 6
      honours lab compare year acbl-sof-2020 "acbl-sof-2020 first_exponent=0.7" --html what-if.html
    """
    from honours.lab import compare as lab
    from honours.lab.corpus import Corpus
    from honours.lab.report import Answer, comparison_answer

    one, other = (named_rulebook(text, folders) for text in (a, b))
    opened = Corpus.open(corpus)
    if event is not None:
        _explain_both(lab.Comparison(opened, one, other), event, forms)
        return
    found = lab.compare(opened, one, other, progress_line("shards", COMPILING))
    grouped = found.by(*lab.compared_groups(by)) if by else None
    shown = [grouped.table()] if grouped else list(found.frames())
    said = [found.statement(), *([grouped.statement()] if grouped else [])]
    if forms["html"]:
        answer = comparison_answer(found, progress=progress_line("events explained"))
    else:
        answer = Answer(found.title, said, shown, found.provenance())
    give(answer, found.data() if forms["as_json"] else {}, shown, forms)


def _explain_both(found: Comparison, event: int, forms: dict[str, Any]) -> None:
    """One event under both rulebooks."""
    from honours.engine.exact.explanation import render_text, to_data
    from honours.lab.report import Answer

    one = found.explain(event)
    name = f"Event {event}"
    said = [
        f"The largest award of event {event} would be {one.b.shown} by {found.b.id}, compared "
        f"with {one.a.shown} by {found.a.id}."
    ]
    frames, why = [one.places], [(name, one.why)]
    data = {
        "statement": said[0],
        "places": one.places.data(),
        "why": {"a": to_data(one.a.why), "b": to_data(one.b.why)},
        "provenance": found.provenance(),
    }
    texts = [] if forms["as_json"] or forms["as_csv"] else [render_text(step) for step in one.why]
    give(Answer(name, said, frames, found.provenance(), why), data, frames, forms)
    for text in texts:
        click.echo(f"\n{text}")


@click.command("sweep")
@click.argument("corpus", type=click.Path())
@click.argument("rulebook")
@click.argument("parameter")
@click.argument("values", nargs=-1, required=True)
@own_rulebooks
@answer_options
def sweep(
    corpus: str,
    rulebook: str,
    parameter: str,
    values: tuple[str, ...],
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """What every value of a parameter would pay.

    \b
    Example:
      honours lab sweep year acbl-sof-2020 size_exponent 1/2 2/3 3/4 1
    """
    said = {"corpus": corpus, "parameter": f"{rulebook} {parameter}", "values": " ".join(values)}
    _ask("sweep", said, "values", folders, forms)


@click.command("calibrate")
@click.argument("corpus", type=click.Path())
@click.argument("rulebook")
@click.argument("parameters", nargs=-1, required=True)
@click.option(
    "--total",
    metavar="POINTS|ID|unchanged",
    help="The total wanted, that of another rulebook, or that without the amendments.",
)
@click.option(
    "--first",
    "firsts",
    multiple=True,
    metavar="'KEY=VALUE … = AWARD|unchanged'",
    help="First place wanted for bare figures; may be repeated.",
)
@own_rulebooks
@answer_options
def calibrate(
    corpus: str,
    rulebook: str,
    parameters: tuple[str, ...],
    total: str | None,
    firsts: tuple[str, ...],
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """Change parameters so that aims are met.

    \b
    Example:
      honours lab calibrate year "acbl-sof-2020 first_exponent=0.7" \\
          total_coefficient first_coefficient --total unchanged \\
          --first "entrants=60 kind=pairs sessions=2 masterpoints=1250 = unchanged"
    """
    book, _, amended = rulebook.partition(" ")
    said = {"corpus": corpus, "a": book, "a_with": amended, "parameters": " ".join(parameters)}
    said |= {"total": total or "", "first": "; ".join(firsts)}
    _ask("calibrate", said, "rulebooks tried", folders, forms)


@click.command("growth")
@click.argument("corpus", type=click.Path())
@click.argument("rulebooks", nargs=-1, required=True)
@click.option("--years", default=5, show_default=True, type=click.IntRange(2, 100))
@own_rulebooks
@answer_options
def growth(
    corpus: str, rulebooks: tuple[str, ...], years: int, folders: tuple[str, ...], **forms: Any
) -> None:
    """Several years with holdings that grow by what each rulebook pays.

    \b
    Example:
      honours lab growth year acbl-sof-2011 acbl-sof-2020 --years 10
    """
    from honours.lab.corpus import Corpus
    from honours.lab.growth import grow
    from honours.lab.report import Answer

    books = [named_rulebook(text, folders) for text in rulebooks]
    found = grow(Corpus.open(corpus), books, years, progress_line("years", COMPILING))
    frames, data = [found.table()], found.data()
    answer = Answer(frames[0].title, [found.statement()], frames, data["provenance"])
    give(answer, data, frames, forms)


@click.command("fit")
@click.argument("corpus", type=click.Path())
@click.argument("rulebook")
@click.option("--sessions", default=2, show_default=True, help="Only events of so many sessions.")
@click.option(
    "--only",
    multiple=True,
    metavar="COLUMN=WORD,WORD",
    help="Only events with one of these words, e.g. class=regional; may be repeated.",
)
@click.option("--bootstraps", default=60, show_default=True, type=click.IntRange(2, 10_000))
@click.option("--seed", default=1, show_default=True)
@own_rulebooks
@answer_options
def fit(
    corpus: str,
    rulebook: str,
    sessions: int,
    only: tuple[str, ...],
    bootstraps: int,
    seed: int,
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """Fit points won to holdings, as the 2020 source's methodology describes.

    \b
    Example:
      honours lab fit year acbl-sof-2020 --only class=regional
    """
    book, _, amended = rulebook.partition(" ")
    said = {"corpus": corpus, "a": book, "a_with": amended, "only": " ".join(only)}
    said |= {"sessions": str(sessions), "bootstraps": str(bootstraps), "seed": str(seed)}
    _ask("fit", said, "bootstraps", folders, forms)
