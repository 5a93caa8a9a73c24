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
    from honours.lab.calibrate import Aim
    from honours.lab.compare import Comparison
    from honours.lab.corpus import Corpus

UNCHANGED = "unchanged"


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
    from honours.engine.explanation import render_text, to_data
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
    from honours.lab.corpus import Corpus
    from honours.lab.report import Answer
    from honours.lab.sweep import sweep as try_values

    book = named_rulebook(rulebook, folders)
    told = progress_line("values", COMPILING)
    found = try_values(Corpus.open(corpus), book, parameter, values, told)
    frames = [found.table()]
    answer = Answer(found.table().title, [found.statement()], frames, found.provenance())
    give(answer, found.data(), frames, forms)


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
    from honours.lab.calibrate import calibrate as solve
    from honours.lab.corpus import Corpus
    from honours.lab.report import Answer

    opened = Corpus.open(corpus)
    before = named_rulebook(rulebook.split(maxsplit=1)[0], folders)
    told = progress_line("rulebooks tried", COMPILING)
    aims = _total_aims(opened, total, before, folders) + _first_aims(firsts, before)
    found = solve(named_rulebook(rulebook, folders), parameters, aims, told)
    frames = [found.table()]
    stands_on = {**opened.provenance(), **found.provenance()}
    answer = Answer(frames[0].title, [found.statement()], frames, stands_on)
    give(answer, {**found.data(), "provenance": stands_on}, frames, forms)


def _total_aims(
    corpus: Corpus, total: str | None, before: Rulebook, folders: tuple[str, ...]
) -> list[Aim]:
    from honours.lab.calibrate import total_aim
    from honours.lab.sweep import totals

    if not total:
        return []
    figure = total.replace(",", "")
    if figure.replace(".", "", 1).isdigit():
        return [total_aim(corpus, float(figure))]
    book = before if total == UNCHANGED else named_rulebook(total, folders)
    return [total_aim(corpus, totals(book, list(corpus))["total"])]


def _first_aims(firsts: tuple[str, ...], before: Rulebook) -> list[Aim]:
    from honours.cli.options import pairs
    from honours.errors import InputError
    from honours.lab.calibrate import award_aim, award_at

    aims = []
    for text in firsts:
        told, _, wanted = text.rpartition(" = ")
        given = pairs(told.split())
        try:
            award = award_at(before, given, 1) if wanted == UNCHANGED else float(wanted)
        except ValueError as error:
            raise InputError(f"--first {text!r}: expected 'key=value … = award'") from error
        aims.append(award_aim(given, 1, award))
    return aims


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
    from honours.cli.options import pairs
    from honours.lab.corpus import Corpus
    from honours.lab.fit import fit_corpus
    from honours.lab.report import Answer

    book = named_rulebook(rulebook, folders)
    words = {column: text.split(",") for column, text in pairs(only).items()}
    told = progress_line("bootstraps")
    found = fit_corpus(Corpus.open(corpus), book, sessions, words, bootstraps, seed, told)
    frames = [found.table(), found.curve(), found.averages()]
    answer = Answer(found.title, [found.statement()], frames, dict(found.provenance))
    give(answer, found.data(), frames, forms)
