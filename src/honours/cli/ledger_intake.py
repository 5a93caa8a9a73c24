"""The commands of the ledger that take in many events at once, and date those without a day."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from honours.cli.ledger_options import NOTHING_DONE, answer, writing
from honours.cli.options import force_option, replaces
from honours.cli.reporting import award_options
from honours.cli.scoring_options import declared
from honours.pipeline.options import DECIDING, POSTING, some, told_of

if TYPE_CHECKING:
    from honours.ledger.intake import Receipt
    from honours.pipeline import Report


OF_ALL = some(POSTING, "club", "points", "numbers_decide")
"""What may be said of all events of a folder alike: a title is each one's own."""


@click.command("intake")
@click.argument("folder", type=click.Path(exists=True, file_okay=False))
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@award_options(required=True)
@declared((*OF_ALL, *some(DECIDING, "overrule")))
@click.option("--hold", is_flag=True, help="Hold everything as drafts instead of posting it.")
@click.option("--receipts", metavar="FILE", help="Write what became of each event, as JSON.")
@force_option
@writing
def intake(
    folder: str,
    given: tuple[str, ...],
    hold: bool,
    receipts: str | None,
    force: bool,
    ledger: str,
    as_json: bool,
    who: str,
    dry_run: bool,
    **choices: Any,
) -> None:
    """Post every event of a folder of files, each once, and say what became of it.

    One that is wrong is refused with its reason and keeps no other back; one that is there already
    changes nothing, so that the same folder may be taken in again.

    \b
    Example:
      honours ledger intake try/season/saturdays kind=pairs winners=1 \\
          --rulebook sbu-clubs-2016 --dry-run
    """
    from honours.cli.folders import each_event
    from honours.cli.reporting import asked as asked_for
    from honours.ledger.intake import Receipt, take_in
    from honours.ledger.sources import to_post
    from honours.ledger.store import open_ledger

    opened, choice = open_ledger(ledger), asked_for(choices, given)

    def work(name: str, report: Report) -> Receipt:
        event = to_post(
            report,
            day=choices["date"] or "",
            **told_of(OF_ALL, choices),
        )
        return take_in(
            opened, name, event, who, hold=hold, overrule=choices["overrule"] or "", dry_run=dry_run
        )

    outcomes = each_event(Path(folder), choice, work)
    done = [receipt for _, some in outcomes.done for receipt in some]
    done += [Receipt(str(failed), "refused", said=str(failed)) for failed in outcomes.failed]
    _tell(done, receipts, force, as_json, dry_run)


def _tell(
    done: list[Receipt], receipts: str | None, force: bool, as_json: bool, dry_run: bool
) -> None:
    from dataclasses import asdict

    from honours.files import JSON, write_file
    from honours.ledger.tables import receipts_table
    from honours.model.message import Message, word

    data = {"receipts": [asdict(one) for one in done]}
    if receipts and not dry_run:
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        write_file(receipts, text.encode(), JSON, replaces(receipts, JSON, force))
    counts = Counter(one.status for one in done)
    of_each = tuple(
        Message("{count:,} {status}", count=count, status=word(status))
        for status, count in sorted(counts.items())
    )
    total = Message("{count:,} received: {each}", count=len(done), each=of_each)
    answer([receipts_table(done), total], data, as_json, dry_run)
    if counts.get("refused"):
        raise SystemExit(NOTHING_DONE)


@click.command("date")
@click.argument("record", type=int, required=False)
@click.argument("day", metavar="YYYY-MM-DD", required=False)
@click.option("--why", default="", metavar="TEXT", help="How the day is known.")
@writing
def date(
    record: int | None,
    day: str | None,
    why: str,
    ledger: str,
    as_json: bool,
    who: str,
    dry_run: bool,
) -> None:
    """List the events without a day that an older Honours posted, or say the day of one.

    \b
    Examples:
      honours ledger date
      honours ledger date 6 2017-01-14 --why "from the club's diary"
    """
    from honours.errors import InputError
    from honours.ledger.intake import date_record, undated
    from honours.ledger.store import open_ledger

    opened = open_ledger(ledger)
    if record is None:
        with opened.reading() as connection:
            rows = undated(connection)
        told = [f"record {row.id}: {row.title} of {row.club or 'no club'}" for row in rows]
        data: Any = [{"record": row.id, "title": row.title, "club": row.club} for row in rows]
        answer("\n".join(told) or "every event has a day", data, as_json)
        return
    if not day or not why:
        raise InputError("say the day and, with --why, how it is known")
    outcome = date_record(opened, record, day, who, why, dry_run)
    text = f"record {record} is of {day} now, as record {outcome.record}"
    answer(text, {"dated": record, "record": outcome.record}, as_json, dry_run)
