"""The commands of the ledger about events: posting, reviewing, taking back, looking up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from honours.cli.lazy import NOTHING_DONE
from honours.cli.ledger_options import (
    LedgerCommand,
    answer,
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

key_option = click.option(
    "--key",
    default="",
    metavar="TEXT",
    help="A key of your own: asked again under it, nothing is done again.",
)


@click.command("post")
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@award_options(required=True)
@declared(POSTING)
@click.option("--draft", is_flag=True, help="Hold the awards until somebody releases them.")
@declared(DECIDING)
@key_option
@writing
def post(
    at: LedgerCommand, file: str, given: tuple[str, ...], draft: bool, key: str, **choices: Any
) -> None:
    """Award an event and post it, once.

    FILE is any file of results or standings. KEY=VALUE says what the rulebook asks and the file
    does not tell; how it is scored and matched with members is said as to `honours award`.
    Posting the same event again changes nothing.

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
    """What became of the event now, or that it was done under this key before."""
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


@click.command("drafts")
@click.option("--all", "everything", is_flag=True, help="The released and withdrawn ones too.")
@reading
def drafts(at: LedgerCommand, everything: bool) -> None:
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


@click.command("release")
@click.argument("number", type=int, metavar="DRAFT")
@rulebooks_option()
@declared(some(DECIDING, "another", "overrule"))
@writing
def release(
    at: LedgerCommand, number: int, rulebooks: tuple[str, ...], another: bool, overrule: str | None
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


@click.command("withdraw")
@click.argument("number", type=int, metavar="DRAFT")
@click.option("--why", required=True, metavar="TEXT", help="The reason.")
@writing
def withdraw(at: LedgerCommand, number: int, why: str) -> None:
    """Give a draft up.

    \b
    Example:
      honours ledger drafts withdraw 1 --why "scored again"
    """
    from honours.ledger import release as releasing

    releasing.withdraw(at.open(), number, at.who, why, at.dry_run)
    at.answer(Message("draft {draft} withdrawn", draft=number), {"withdrawn": number})


@click.command("allow")
@click.argument("name")
@click.option("--no-longer", is_flag=True, help="Take the right away.")
@writing
def allow(at: LedgerCommand, name: str, no_longer: bool) -> None:
    """Say who may release drafts; until somebody is named, anybody may.

    \b
    Example:
      honours ledger drafts allow "M. Secretary"
    """
    from honours.ledger import release as releasing

    names = releasing.allow(at.open(), name, not no_longer, at.dry_run, at.who)
    text = Message("may release: {names}", names=tuple(names) or Message("anybody"))
    at.answer(text, {"may_release": names})


@click.command("reverse")
@click.argument("record", type=int)
@click.option("--why", required=True, metavar="TEXT", help="The reason, kept for good.")
@key_option
@writing
def reverse(at: LedgerCommand, record: int, why: str, key: str) -> None:
    """Take a record's postings back by posting their opposite.

    \b
    Example:
      honours ledger reverse 2 --why "the session was void"
    """
    from honours.ledger.post import resting_on_record
    from honours.ledger.post import reverse as take_back
    from honours.ledger.requests import digest_of_reversal, once

    def work(into: Ledger) -> dict[str, Any]:
        return {"record": take_back(into, record, at.who, why, at.dry_run)}

    opened = at.open()
    number = once(opened, key, digest_of_reversal(record, why), work)["record"]
    with opened.reading() as connection:
        rests = resting_on_record(connection, record)
    text = Message("record {record} taken back by record {by}", record=record, by=number)
    notes = [Message("Note: {note}", note=note) for note in rests]
    data = {"reversed": record, "record": number, "remarks": [str(note) for note in rests]}
    at.answer([text, *notes], data)
