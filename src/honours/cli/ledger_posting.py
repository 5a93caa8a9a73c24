"""The commands of the ledger about events: posting, reviewing, taking back, looking up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from honours.cli.declared import argument, option
from honours.cli.lazy import NOTHING_DONE
from honours.cli.ledger_options import (
    LedgerCommand,
    answer,
    key_option,
    reading,
    writing,
)
from honours.cli.options import repeated_command, rulebooks_option
from honours.cli.reporting import award_options
from honours.cli.scoring_options import declared
from honours.model.message import Message
from honours.pipeline.options import DECIDING, POSTING, option_values, some

if TYPE_CHECKING:
    from collections.abc import Callable

    from honours.ledger.events import EventToPost
    from honours.ledger.post import PostingOutcome
    from honours.ledger.store import Ledger


@writing
@award_options(required=True)
@declared(POSTING)
@declared(DECIDING)
@key_option
def post(
    at: LedgerCommand,
    key: str,
    file: str = argument("FILE", type=click.Path(dir_okay=False)),
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    draft: bool = option("Hold the awards until somebody releases them."),
    **choices: Any,
) -> None:
    """Award an event and post it, once.

    FILE is any file of results or standings. KEY=VALUE answers what the rulebook asks and the file
    does not say. The options for scoring and members are those of `honours award`. Posting the
    same event twice has no effect.

    \b
    Example:
      honours ledger post try/club-pairs.csv kind=pairs winners=1 \\
          --as-usual --rulebook sbu-clubs-2016 --date 2017-01-14 --dry-run
    """
    from honours.cli.reporting import report_request as asked_for
    from honours.ledger import post as posting
    from honours.ledger import release as releasing
    from honours.ledger.requests import digest_of
    from honours.ledger.sources import to_post

    choice = asked_for(choices, given)
    decided = option_values(DECIDING, choices)
    report = choice.report(choice.account(file))
    wanted = to_post(report, day=choices["date"] or "", **option_values(POSTING, choices))
    opened = at.open()

    def work(into: Ledger) -> PostingOutcome:
        if draft:
            return releasing.draft(into, wanted, at.who, at.dry_run)
        return posting.post(into, wanted, at.who, **decided, dry_run=at.dry_run)

    asked = ("draft",) if draft else (decided["why"], decided["correct"], decided["another"])
    outcome = _once(opened, wanted, key, digest_of(wanted, *asked), work)
    _answer(opened, outcome, at.as_json, at.dry_run)


def _once(
    ledger: Ledger,
    event: EventToPost,
    key: str,
    asked: str,
    work: Callable[[Ledger], PostingOutcome],
) -> PostingOutcome:
    """Return what became of the event now, or that it was done under this key before."""
    from honours.ledger.answers import outcome_data
    from honours.ledger.post import ALREADY, PostingOutcome
    from honours.ledger.release import HELD
    from honours.ledger.requests import once

    done: list[PostingOutcome] = []

    def answered(into: Ledger) -> dict[str, Any]:
        done.append(work(into))
        return outcome_data(done[0])

    before = once(ledger, key, asked, answered)
    if done:
        return done[0]
    if before.get("status") == HELD:
        return PostingOutcome(ALREADY, event, like=Message("draft {draft}", draft=before["record"]))
    return PostingOutcome(ALREADY, event, before["record"])


def _answer(ledger: Ledger, outcome: PostingOutcome, as_json: bool, dry_run: bool) -> None:
    from honours.ledger import members
    from honours.ledger.answers import outcome_answer, outcome_data, people_in, with_member_names
    from honours.ledger.checkpoint import line_of
    from honours.ledger.post import ALREADY, DIFFERS, FORBIDDEN, RECOGNISED

    data = outcome_data(outcome)
    with ledger.reading() as connection:
        known = members.get(connection, people_in(data))
        kept = line_of(connection)
    known |= {member.id: member for member in outcome.newcomers}
    shown = outcome_answer(outcome, known, repeated_command())
    with_names = {**with_member_names(data, known), "checkpoint": kept}
    answer(shown, with_names, as_json, dry_run and outcome.status != ALREADY)
    if outcome.status in (DIFFERS, RECOGNISED, FORBIDDEN):
        raise SystemExit(NOTHING_DONE)


@reading
def drafts(
    at: LedgerCommand,
    everything: bool = option("The released and withdrawn ones too.", None, "--all"),
) -> None:
    """List the awards that wait for release.

    \b
    Example:
      honours ledger drafts list --all
    """
    from honours.ledger import release as releasing
    from honours.ledger.shapes import DRAFTS

    with at.open().reading() as connection:
        listed = releasing.all_drafts(connection, "" if everything else releasing.PENDING)
    shown = DRAFTS.table(listed) if listed else Message("no drafts")
    at.answer(shown, [DRAFTS.data(d) for d in listed])


@writing
@rulebooks_option()
@declared(some(DECIDING, "another", "overrule"))
def release(
    at: LedgerCommand,
    rulebooks: tuple[str, ...],
    another: bool,
    overrule: str | None,
    number: int = argument("DRAFT"),
) -> None:
    """Post what was held as a draft, exactly as it was reviewed.

    \b
    Example:
      honours ledger drafts release 1 --by "M. Secretary"
    """
    from honours.ledger import release as releasing

    opened = at.open()
    outcome = releasing.release(
        opened,
        number,
        at.who,
        rulebooks,
        another=another,
        overrule=overrule or "",
        dry_run=at.dry_run,
    )
    _answer(opened, outcome, at.as_json, at.dry_run)


@writing
def allow(at: LedgerCommand, name: str, no_longer: bool = option("Take the right away.")) -> None:
    """Say who may release drafts; until somebody is named, anybody may.

    \b
    Example:
      honours ledger drafts allow "M. Secretary"
    """
    from honours.ledger import release as releasing

    names = releasing.allow(at.open(), name, not no_longer, at.dry_run, at.who)
    text = Message("may release: {names}", names=tuple(names) or Message("anybody"))
    at.answer(text, {"may_release": names})
