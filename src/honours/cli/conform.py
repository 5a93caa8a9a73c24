"""`honours conform`: every figure the sources print, and what we get for each."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.messages import chosen_language, json_text, say, say_json
from honours.conformance import further_rulebooks, report, sentences
from honours.conformance.data import Claim
from honours.conformance.runner import ClaimVerdict, chosen_claims, column_differences, run
from honours.errors import InputError
from honours.language import words
from honours.model.message import plural
from honours.model.verdict import VERDICTS
from honours.rulebooks import load
from honours.scoring.profiles import profile_names


@as_command("conform")
def command(
    wanted: str = argument("[ID]", default=""),
    everything: bool = option("List the reproduced figures too.", None, "--all"),
    verdict: str | None = option(
        "Only the figures with this verdict.", type=click.Choice(VERDICTS)
    ),
    changes: tuple[str, ...] = option(
        "Change a parameter of a rulebook first; may be repeated.",
        "RULEBOOK:PARAMETER=VALUE",
        "--set",
    ),
    rules: bool = option("Go through what the sources say, not their figures."),
    columns: bool = option("Work out every award behind them in columns too."),
    as_json: bool = option("Print a list of objects.", None, "--json"),
    markdown: bool = option("Print the page of the documentation."),
) -> None:
    """Compare every figure the sources print with ours.

    ID is a source or a rulebook; without it all sources are gone through, and apart from them the
    rulebooks that no source prints (`further`), by the figures of their evidence. The exit status
    is 1 if a verdict is not the one that the project states.

    \b
    Examples:
      honours conform
      honours conform aga --all
      honours conform sbu-clubs-2016 --verdict contradicted
      honours conform aga-category --set aga-category:rating_exponent=2
      honours conform further --all
      honours conform aga --rules
      honours conform aga --columns
    """
    if rules:
        _go_through_sentences(wanted, as_json, markdown)
        return

    amended = _amendments(changes)
    alone = further_rulebooks.known(wanted)
    verdicts = [] if alone else _judged(chosen_claims(wanted), amended)
    apart = list(further_rulebooks.further(wanted, amended)) if alone or not wanted else []
    everything = everything or verdict is not None
    shown = [[v for v in some if verdict in (None, v.verdict)] for some in (verdicts, apart)]
    say(_written(shown[0], shown[1], as_json, markdown, everything), nl=False)
    same = not columns or _same_in_columns([] if alone else chosen_claims(wanted), wanted, amended)
    if not same or not all(v.as_stated for v in (*verdicts, *apart)):
        raise SystemExit(1)


def _same_in_columns(claims: list[Claim], wanted: str, amended: dict[str, dict[str, str]]) -> bool:
    """Return whether columns give every award that the exact way gives, and say so too."""
    many, differing = column_differences(claims, amended)
    if not wanted or not claims:
        more, others = further_rulebooks.column_differences(wanted, amended)
        many, differing = many + more, [*differing, *others]
    for fault in differing:
        say(fault, err=True)
    say(
        plural(
            "{count:,} ranking list behind these figures was also awarded in columns; "
            "{differing} came out differently.",
            "{count:,} ranking lists behind these figures were also awarded in columns; "
            "{differing} came out differently.",
            count=many,
            differing=len(differing),
        ),
        err=True,
    )
    return not differing


def _go_through_sentences(wanted: str, as_json: bool, markdown: bool) -> None:
    """Every sentence that says what must be: implemented, refused, or somebody else's."""
    every = sentences.sentences(wanted)
    if as_json:
        say_json([one.as_dict() for one in every])
    else:
        say(report.sentences_page(every) if markdown else report.sentences_text(every), nl=False)


def _amendments(changes: Iterable[str]) -> dict[str, dict[str, str]]:
    """``RULEBOOK:PARAMETER=VALUE`` as rulebook → parameter → value."""
    amendments: dict[str, dict[str, str]] = {}
    for change in changes:
        rulebook, colon, rest = change.partition(":")
        parameter, equals, value = rest.partition("=")
        if not (rulebook and colon and parameter and equals and value):
            raise InputError("{change}: expected RULEBOOK:PARAMETER=VALUE", change=change)
        _check(rulebook, parameter, value)
        amendments.setdefault(rulebook, {})[parameter] = value
    return amendments


def _check(rulebook: str, parameter: str, value: str) -> None:
    """A change that names nothing we know is an error, not a change without effect."""
    if rulebook not in profile_names():
        load(rulebook).amend({parameter: value})


def _judged(claims: Sequence[Claim], amendments: dict[str, dict[str, str]]) -> list[ClaimVerdict]:
    verdicts = run(claims, amendments)
    figures = plural("{count:,} figure", "{count:,} figures", count=len(claims))
    about = words(figures, chosen_language())
    with click.progressbar(
        verdicts, len(claims), about, file=sys.stderr, hidden=not sys.stderr.isatty()
    ) as bar:
        return list(bar)


def _written(
    verdicts: Sequence[ClaimVerdict],
    apart: Sequence[ClaimVerdict],
    as_json: bool,
    markdown: bool,
    everything: bool,
) -> str:
    if as_json:
        listed = [v.as_dict() for v in (*verdicts, *apart)]
        return json_text(listed) + "\n"
    if markdown:
        return report.markdown(verdicts, apart)
    return report.text(verdicts, everything, apart, chosen_language()) + "\n"
