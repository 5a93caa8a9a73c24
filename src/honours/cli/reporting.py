"""The options shared by award, convert, site and pdf, and the report that they ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click

from honours.cli.messages import say
from honours.cli.options import (
    event_option,
    pairs,
    rulebook_in,
    set_option,
    which_rulebook_options,
)
from honours.cli.scoring_options import declared, how_scored_options, scoring_choices
from honours.engine.rulebook import Rulebook
from honours.errors import Asked, InputError
from honours.formats.entrants import sought
from honours.formats.members import (
    Matching,
    MemberList,
    keep_answers,
    kept_answers,
    parse_answers,
    read_answers,
    read_members,
)
from honours.formats.reading import parse_day
from honours.model.message import Message
from honours.pipeline import (
    Account,
    Report,
    inquired,
    ranked,
    read_account,
    read_accounts,
    with_members,
)
from honours.pipeline.options import AWARDING, SCORING, option_values, some
from honours.pipeline.scoring import as_chosen, switches_known
from honours.pipeline.standing_answers import StandingAnswers
from honours.rulebooks import load
from honours.scoring.rulings import with_supplied

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
        declared(AWARDING),
        how_scored_options,
    ]


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """An invocation's choices, read once and used for every file."""

    book: Rulebook | None
    given: dict[str, str]
    members: MemberList | None
    answers: dict[str, str]
    day: str
    event: str = ""
    scoring: Mapping[str, Any] = field(default_factory=dict)

    def as_chosen(self, account: Account) -> Account:
        """The account of an event as it is said to have been played, to be written so."""
        if account.played is None:
            return account
        return replace(account, content=with_supplied(as_chosen(account.played, self.scoring)))

    def report(self, account: Account) -> Report:
        """The account ranked and, where a rulebook was named, awarded."""
        report = self.ranked(account)
        if self.book:
            report = _inquired(report, self.book, self.told)
        for note in report.notes:
            say(Message("{file}: {note}", file=account.path, note=note), err=True)
        return report

    def ranked(self, account: Account) -> Report:
        """The account ranked as the options say."""
        answers = StandingAnswers.chosen(self.scoring["standing"], account.path)
        return replace(ranked(account, self.scoring), standing=answers)

    @property
    def told(self) -> dict[str, str]:
        """The facts that the rulebook is told, the day among them."""
        return {**({"date": self._day()} if self.day else {}), **self.given}

    def account(self, path: str | Path) -> Account:
        """Read a file and match its players; what a person must know goes to standard error."""
        return self.matched(read_account(path, self.event))

    def accounts(self, path: str | Path) -> tuple[Account, ...]:
        """Every event of a file, or the one that was asked for."""
        if self.event:
            return (self.account(path),)
        return tuple(self.matched(account) for account in read_accounts(path))

    def matched(self, account: Account) -> Account:
        """The account with its players as the member list has them, if one was named."""
        if self.members is None:
            return account

        day = date.fromisoformat(self._day()) if self.day else account.day
        answers = {**kept_answers(account.path), **self.answers}
        matching = Matching(self.members, day, answers)
        matched = with_members(account, matching)
        new = {name: matching.used[name] for name in matching.used if self._answered(name)}
        if kept := keep_answers(account.path, new):
            say(Message("members: kept in {file}", file=kept), err=True)
        for line in matching.report():
            say(Message("members: {remark}", remark=line), err=True)
        return matched

    def _answered(self, name: str) -> bool:
        return sought(name) in {sought(answer) for answer in self.answers}

    def _day(self) -> str:
        """The day that was given, as 2026-01-31."""
        try:
            return parse_day(self.day).isoformat()
        except ValueError as error:
            raise InputError("--date: {error}", error=error) from error


def _inquired(report: Report, book: Rulebook, given: dict[str, str]) -> Report:
    """The report awarded; somebody at a terminal is asked what decides and nobody said."""
    while True:
        try:
            return inquired(report, book, given)
        except Asked as asked:
            if not _is_terminal():
                raise
            from honours.cli.questions import answered

            given = {**given, **answered(asked.questions)}
            options = {o.name for o in (*SCORING, *AWARDING)} - book.inputs.keys()
            chosen = {name: given.pop(name) for name in options & given.keys()}
            report = ranked(report.account, {**report.choices, **chosen})


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def report_request(choices: dict[str, Any], given: Sequence[str]) -> ReportRequest:
    """Return what an invocation of a command with :func:`award_options` asks for."""
    switches, changes = _settings(choices)
    book = rulebook_in({**choices, "changes": changes})
    if book is None and given:
        raise InputError(
            "{given}: KEY=VALUE is for a rulebook; name it with --rulebook", given=given[0]
        )
    picked = option_values(some(AWARDING, "section", "as_usual", "standing"), choices)
    scoring = {**scoring_choices({**choices, "changes": switches}), **picked}
    return ReportRequest(
        book,
        pairs(given),
        *_members(choices),
        choices["date"] or "",
        choices["event"],
        scoring,
    )


def _settings(choices: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Return what ``--set`` sets of the scoring, and what of the rulebook, which comes first."""
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
                "--set {text}: no switch of the scoring ({known}); to amend a rulebook, "
                "name it with --rulebook",
                text=text,
                known=tuple(sorted(known)),
            )
    return switches, changes


def with_listed_members(account: Account, choices: dict[str, Any]) -> Account:
    """The account with its players as the options of a command about members say."""
    return ReportRequest(None, {}, *_members(choices), choices["date"] or "").matched(account)


def _members(choices: dict[str, Any]) -> tuple[MemberList | None, dict[str, str]]:
    if not choices["members"]:
        if choices["confirm"] or choices["answers"]:
            raise InputError(
                "--confirm and --answers are about a member list: name it with --members"
            )
        return None, {}

    answers = read_answers(choices["answers"]) if choices["answers"] else {}
    return read_members(choices["members"]), answers | parse_answers(choices["confirm"])
