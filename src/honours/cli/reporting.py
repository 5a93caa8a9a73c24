"""What award, convert, site and pdf ask for alike: rulebook, members, section; and the report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from honours.cli.options import (
    chosen_rulebook,
    event_option,
    pairs,
    set_option,
    which_rulebook_options,
)
from honours.cli.scoring_options import how_scored_options
from honours.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from honours.engine.rulebook import Rulebook
    from honours.formats.members import MemberList
    from honours.pipeline import Account, Report, Scorer

_SCORING = "scoring."
F = TypeVar("F", bound=Callable[..., Any])


def award_options(required: bool) -> Callable[[F], F]:
    """``--rulebook`` and what belongs to it, ``--members`` and what belongs to it, and how results
    are scored first."""

    def decorate(function: F) -> F:
        for option in reversed(_options(required)):
            function = option(function)
        return which_rulebook_options(function)

    return decorate


def _options(required: bool) -> list[Callable[[F], F]]:
    return [
        click.option("--rulebook", required=required, metavar="ID", help="Which rulebook awards."),
        set_option(
            "NAME",
            "Amend a parameter of the rulebook, or set a switch of the scoring "
            "(simplified=true, or scoring.NAME where both have it).",
        ),
        event_option,
        click.option(
            "--section",
            metavar="NAME",
            default="",
            help="The section to award; for go: open or handicapped.",
        ),
        click.option(
            "--members",
            metavar="FILE",
            type=click.Path(exists=True, dir_okay=False),
            help="A member list: numbers, names, holdings or ratings.",
        ),
        click.option(
            "--confirm",
            multiple=True,
            metavar="NAME=NUMBER",
            help="Who a player is; may be repeated. NAME=none: no member.",
        ),
        click.option(
            "--answers",
            metavar="FILE",
            type=click.Path(exists=True, dir_okay=False),
            help="A file of NAME=NUMBER, one a line.",
        ),
        click.option(
            "--date",
            "day",
            metavar="YYYY-MM-DD",
            help="The date whose ratings and holdings count; else the event's.",
        ),
        how_scored_options,
    ]


@dataclass(frozen=True, slots=True)
class Asked:
    """An invocation's choices, read once and used for every file."""

    book: Rulebook | None
    given: dict[str, str]
    scorer: Scorer
    section: str
    members: MemberList | None
    answers: dict[str, str]
    day: str
    event: str = ""

    def report(self, account: Account) -> Report:
        """The account ranked and, where a rulebook was named, awarded."""
        from honours.pipeline import awarded, ranked

        report = ranked(account, self.scorer, self.section)
        if self.book:
            report = awarded(report, self.book, self._given(report))
        for note in report.notes:
            click.echo(f"{account.path}: {note}", err=True)
        return report

    def account(self, path: str | Path) -> Account:
        """Read a file and match its players; what a person must know goes to standard error."""
        from honours.pipeline import read_account

        return self._known(read_account(path, self.event))

    def accounts(self, path: str | Path) -> tuple[Account, ...]:
        """Every event of a file, or the one that was asked for."""
        from honours.pipeline import read_accounts

        if self.event:
            return (self.account(path),)
        return tuple(self._known(account) for account in read_accounts(path))

    def _known(self, account: Account) -> Account:
        if self.members is None:
            return account
        from honours.formats.dates import parse_day
        from honours.formats.matching import Matching
        from honours.pipeline import with_members

        try:
            day = parse_day(self.day) if self.day else account.day
        except ValueError as error:
            raise InputError(f"--date: {error}") from error
        matching = Matching(self.members, day, self.answers)
        matched = with_members(account, matching)
        for line in matching.report():
            click.echo(f"members: {line}", err=True)
        return matched

    def _given(self, report: Report) -> dict[str, str]:
        """With the kind of section where the rulebook asks for it: given, or asked for."""
        from honours.pipeline import SECTIONS, sections_of

        assert self.book is not None
        if "section" not in self.book.keys or "section" in self.given:
            return self.given
        if self.section:
            # A section picked by its name is the one a person calls the open one.
            kind = self.section if self.section in SECTIONS else "open"
            return {**self.given, "section": kind}
        several = sections_of(report.lists)
        if len(several) > 1:
            raise InputError(
                f"{report.account.path}: which section is the open one? "
                f"--section {' or --section '.join(several)}"
            )
        if report.account.is_go:
            return {**self.given, "section": _which_section(report.account)}
        return self.given


def _which_section(account: Account) -> str:
    """Only an open section is awarded, and which one that is is never guessed."""
    from honours.pipeline import SECTIONS, stones_told

    told = stones_told(account)
    if _is_terminal():
        question = f"Which section is this? {told}"
        kind: str = click.prompt(question, type=click.Choice(SECTIONS), err=True)
        return kind
    raise InputError(
        f"{account.path}: which section is this? {told}. Say --section open or "
        "--section handicapped: only an open section is awarded, and that is never "
        "guessed"
    )


def _is_terminal() -> bool:
    import sys

    return sys.stdin.isatty() and sys.stderr.isatty()


def asked(choices: dict[str, Any], given: Sequence[str]) -> Asked:
    """What an invocation of a command with :func:`award_options` asks for."""
    from honours.cli.scoring_options import score_as_chosen

    switches, changes = _settings(choices)
    book = None
    if choices["rulebook"]:
        book = chosen_rulebook(
            choices["rulebook"], choices["rulebooks"], changes, choices["variant"]
        )
    elif given:
        raise InputError(f"{given[0]}: KEY=VALUE is for a rulebook; name it with --rulebook")
    scoring = {**choices, "changes": switches}
    return Asked(
        book,
        pairs(given),
        lambda event: score_as_chosen(event, scoring),
        choices["section"],
        *_members(choices),
        choices["day"] or "",
        choices["event"],
    )


def _settings(choices: dict[str, Any]) -> tuple[list[str], list[str]]:
    """What ``--set`` sets of the scoring, and what of the rulebook, which comes first."""
    from honours.cli.scoring_options import switches_known
    from honours.rulebooks import load

    known, own = switches_known(), set()
    if choices["rulebook"] and choices["changes"]:
        own = set(load(choices["rulebook"], choices["rulebooks"]).parameters)
    switches, changes = [], []
    for text in choices["changes"]:
        name = text.partition("=")[0]
        switch = name.removeprefix(_SCORING)
        if switch in known and (name != switch or name not in own):
            switches.append(text.removeprefix(_SCORING))
        elif choices["rulebook"]:
            changes.append(text)
        else:
            raise InputError(
                f"--set {text}: no switch of the scoring ({', '.join(sorted(known))});"
                " to amend a rulebook, name it with --rulebook"
            )
    return switches, changes


def _members(choices: dict[str, Any]) -> tuple[MemberList | None, dict[str, str]]:
    if not choices["members"]:
        if choices["confirm"] or choices["answers"]:
            raise InputError(
                "--confirm and --answers are about a member list: name it with --members"
            )
        return None, {}
    from honours.formats.matching import parse_answers, read_answers
    from honours.formats.members import read_members

    answers = read_answers(choices["answers"]) if choices["answers"] else {}
    return read_members(choices["members"]), answers | parse_answers(choices["confirm"])
