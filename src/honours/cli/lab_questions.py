"""`honours lab compare`, `sweep`, `calibrate`, `growth` and `fit`: questions to a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from honours.cli.lab_answers import (
    answer_options,
    give,
    named_rulebook,
    own_rulebooks,
    progress_line,
)

if TYPE_CHECKING:
    from honours.lab.calibrate import Aim
    from honours.lab.corpus import Corpus


@click.command("compare")
@click.argument("corpus", type=click.Path())
@click.argument("a")
@click.argument("b")
@click.option("--by", metavar="GROUP", help="class, kind, sessions, size, strength, flight, "
              "stratum or holding; everything unless given.")  # fmt: skip
@own_rulebooks
@answer_options
def compare(
    corpus: str, a: str, b: str, by: str | None, folders: tuple[str, ...], **forms: Any
) -> None:
    """What B would pay, compared with A. Each is an id, or an id with parameters in quotes.

    \b
    Examples:
      honours lab compare year acbl-general acbl-sof-2020 --by flight
      honours lab compare year acbl-sof-2020 "acbl-sof-2020 first_exponent=0.7" --html what-if.html
    """
    from honours.lab.corpus import Corpus
    from honours.lab.report import Answer, comparison_answer

    books = [named_rulebook(text, folders) for text in (a, b)]
    found = Corpus.open(corpus).compare(*books)
    shown = [found.by(by).table()] if by else list(found.frames())
    if forms["html"]:
        answer = comparison_answer(found)
    else:
        answer = Answer(found.title, [found.statement()], shown, found.provenance())
    give(answer, found.data(), shown, forms)


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

    found = Corpus.open(corpus).sweep(named_rulebook(rulebook, folders), parameter, values)
    frames = [found.table()]
    answer = Answer(found.table().title, [found.statement()], frames, found.provenance())
    give(answer, found.data(), frames, forms)


@click.command("calibrate")
@click.argument("corpus", type=click.Path())
@click.argument("rulebook")
@click.argument("parameters", nargs=-1, required=True)
@click.option("--total", metavar="POINTS|ID", help="The total wanted, or that of another rulebook.")
@click.option("--first", "firsts", multiple=True, metavar="'KEY=VALUE … = AWARD'",
              help="First place wanted for bare figures; may be repeated.")  # fmt: skip
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
      honours lab calibrate year acbl-sof-2020 total_coefficient first_coefficient \\
          --total acbl-sof-2011 \\
          --first "entrants=60 kind=pairs sessions=2 masterpoints=1250 = 14.85"
    """
    from honours.lab.calibrate import calibrate as solve
    from honours.lab.corpus import Corpus
    from honours.lab.report import Answer

    opened = Corpus.open(corpus)
    aims = _aims(opened, total, firsts, folders)
    found = solve(named_rulebook(rulebook, folders), parameters, aims)
    frames = [found.table()]
    stands_on = {"corpus": opened.hash, "found": found.found.hash}
    give(
        Answer(frames[0].title, [found.statement()], frames, stands_on), found.data(), frames, forms
    )


def _aims(
    corpus: Corpus, total: str | None, firsts: tuple[str, ...], folders: tuple[str, ...]
) -> list[Aim]:
    from honours.cli.options import pairs
    from honours.errors import InputError
    from honours.lab.calibrate import award_aim, total_aim
    from honours.lab.sweep import totals

    aims = []
    if total:
        plain = total.replace(",", "").replace(".", "", 1).isdigit()
        other = None if plain else totals(named_rulebook(total, folders), list(corpus))
        aims.append(total_aim(corpus, other["total"] if other else float(total.replace(",", ""))))
    for text in firsts:
        given, sign, wanted = text.rpartition(" = ")
        if not sign:
            raise InputError(f"--first {text!r}: expected 'key=value … = award'")
        aims.append(award_aim(pairs(given.split()), 1, float(wanted)))
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
    found = grow(Corpus.open(corpus), books, years)
    frames, data = [found.table()], found.data()
    answer = Answer(frames[0].title, [found.statement()], frames, data["provenance"])
    give(answer, data, frames, forms)


@click.command("fit")
@click.argument("corpus", type=click.Path())
@click.argument("rulebook")
@click.option("--sessions", default=2, show_default=True, help="Only events of so many sessions.")
@click.option("--bootstraps", default=60, show_default=True, type=click.IntRange(2, 10_000))
@click.option("--seed", default=1, show_default=True)
@own_rulebooks
@answer_options
def fit(
    corpus: str,
    rulebook: str,
    sessions: int,
    bootstraps: int,
    seed: int,
    folders: tuple[str, ...],
    **forms: Any,
) -> None:
    """Fit points won to holdings, as the 2020 source's methodology describes.

    \b
    Example:
      honours lab fit year acbl-sof-2020
    """
    from honours.lab.corpus import Corpus
    from honours.lab.fit import fit_corpus
    from honours.lab.report import Answer

    book = named_rulebook(rulebook, folders)
    progress_line("bootstraps")(0, bootstraps)
    found = fit_corpus(Corpus.open(corpus), book, sessions, bootstraps, seed)
    frames = [found.table(), found.curve(), found.averages()]
    answer = Answer(found.title, [found.statement()], frames, dict(found.provenance))
    give(answer, found.data(), frames, forms)
