"""The commands of the ledger that take in many events at once, and date those without a day."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from honours.cli.declared import argument, option
from honours.cli.folders import progress
from honours.cli.lazy import NOTHING_DONE
from honours.cli.ledger_options import LedgerCommand, answer, reading, writing
from honours.cli.options import force_option, replaces, rulebooks_option
from honours.cli.reporting import award_options
from honours.cli.scoring_options import declared
from honours.formats.detect import files_of
from honours.model.message import Message, word
from honours.pipeline.options import DECIDING, POSTING, option_values, some

if TYPE_CHECKING:
    from honours.ledger.intake import IncomingFile
    from honours.ledger.receipts import Receipt
    from honours.pipeline import Account


OF_ALL = some(POSTING, "club", "points", "numbers_decide", "year_begins")
"""What may be said of all events of a folder alike: a title is each one's own."""


@writing
@award_options(required=False)
@declared((*OF_ALL, *some(DECIDING, "overrule")))
@force_option
def intake(
    at: LedgerCommand,
    force: bool,
    folder: str = argument("FOLDER|FILE", type=click.Path(exists=True)),
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    hold: bool = option("Hold everything as drafts instead of posting it."),
    receipts: str | None = option("Write what became of each event, as JSON.", "FILE"),
    **choices: Any,
) -> None:
    """Post every event of a folder of files, or of a file, each once, and say what became of it.

    It takes clubs' returns and files of results. A return is awarded again under the rulebook that
    it names, or that --rulebook gives; if the points differ, it is held and the differences are
    listed. Awards that a club reversed are reversed. A wrong event is refused with its reason, and
    the others still go in. An event that is already there changes nothing, so you can take in the
    same folder again. The receipts are kept: see `honours ledger returns receipts`.

    \b
    Example:
      honours ledger returns intake try/season/saturdays kind=pairs winners=1 \\
          --as-usual --rulebook sbu-clubs-2016 --dry-run
    """
    from honours.cli.reporting import report_request as asked_for
    from honours.ledger.intake import IntakeTerms, take_in

    opened, choice = at.open(), asked_for(choices, given)
    terms = IntakeTerms(
        choice.book,
        choice.told,
        day=choices["date"] or "",
        hold=hold,
        overrule=choices["overrule"] or "",
        report=choice.ranked,
        scored_as=repr(sorted((name, str(value)) for name, value in choices.items())),
        folders=choices["rulebooks"],
        as_usual=choices["as_usual"],
        **option_values(OF_ALL, choices),
    )
    files = files_of([folder])
    with progress(len(files)) as advance:
        source = Path(folder) if Path(folder).is_dir() else Path(folder).parent
        incoming = _incoming(source, files, choice.accounts, advance)
        done = take_in(opened, incoming, terms, at.who, dry_run=at.dry_run)
    _tell(done, receipts, force, at.as_json, at.dry_run)


def _incoming(
    source: Path,
    files: list[Path],
    read: Callable[[Path], tuple[Account, ...]],
    advance: Callable[[str], None],
) -> Iterator[IncomingFile]:
    from honours.ledger.intake import IncomingFile

    for file in files:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        yield IncomingFile(str(file.relative_to(source)), digest, partial(read, file))
        advance(file.name)


def _tell(
    done: list[Receipt], receipts: str | None, force: bool, as_json: bool, dry_run: bool
) -> None:
    from honours.files import JSON, write_file
    from honours.ledger.shapes import RECEIPTS

    data = {"receipts": [RECEIPTS.data(one) for one in done]}
    if receipts and not dry_run:
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        write_file(receipts, text.encode(), JSON, replaces(receipts, JSON, force))
    counts = Counter(one.status for one in done)
    answer([RECEIPTS.table(done), _total(counts)], data, as_json, dry_run)
    if counts.get("refused"):
        raise SystemExit(NOTHING_DONE)


def _total(counts: Mapping[str, int]) -> Message:
    """Return how many were received, and what became of how many."""
    each = tuple(
        Message("{count:,} × {status}", count=count, status=word(status))
        for status, count in sorted(counts.items())
    )
    return Message("{count:,} received: {each}", count=sum(counts.values()), each=each)


@reading
def kept_receipts(
    at: LedgerCommand,
    number: int | None = argument("[RECEIPT]"),
    status: str = option("Only posted, held, refused …", "WORD"),
    limit: int = option("", "N", default=100, type=click.IntRange(1)),
    before: int | None = option("Those that came before one.", "RECEIPT"),
) -> None:
    """List what was received, held, posted and refused, the latest first; or one receipt whole.

    \b
    Examples:
      honours ledger returns receipts --status held
      honours ledger returns receipts --limit 10
    """
    from honours.errors import InputError, UnknownName
    from honours.ledger import receipts as keeping
    from honours.ledger.answers import receipt_text
    from honours.ledger.shapes import RECEIPTS

    if status and status not in keeping.STATUSES:
        raise UnknownName("status", status, keeping.STATUSES)
    with at.open().reading() as connection:
        if number is not None:
            receipt = keeping.find(connection, number)
            if receipt is None:
                raise InputError("there is no receipt {number}", number=number)
            at.answer(receipt_text(receipt), RECEIPTS.data(receipt))
            return
        some = keeping.listed(connection, limit, before, status)
        counts = keeping.counts(connection)
    data = {"receipts": [RECEIPTS.data(one) for one in some], "counts": counts}
    at.answer([RECEIPTS.table(some), _total(counts)], data)


@writing
@rulebooks_option()
def decide(
    at: LedgerCommand,
    rulebooks: tuple[str, ...],
    decision: str = argument(type=click.Choice(("ours", "theirs", "ask"))),
    numbers: tuple[int, ...] = argument("[RECEIPT]..."),
    club: str = option("All that is held of a club.", "NAME"),
    everything: bool = option("All that is held.", None, "--all"),
    why: str = option("The reason, which is kept.", "TEXT"),
    letters: str | None = option("Write the letters of `ask` into a new folder.", "FOLDER"),
) -> None:
    """Decide about returns that are held because their points differ, many at once.

    `ours` posts what the rulebook gives. `theirs` also posts the difference to the club's awards,
    with the reason. `ask` writes each club a letter about the differences, and the returns wait.

    \b
    Examples:
      honours ledger returns decide ask --all --letters letters
      honours ledger returns decide ours 1 2
    """
    from honours.errors import InputError
    from honours.files import TEXT, new_folder, write_file
    from honours.ledger import office, receipts
    from honours.reports.site import unique_names

    opened = at.open()
    with opened.reading() as connection:
        wanted = receipts.spellings(connection, club) if club else None
        waiting = office.held(connection, wanted) if club or everything else []
    chosen = [*numbers, *(one.id for one in waiting if one.id not in numbers)]
    if not chosen:
        raise InputError("none of these is on hold: name receipts, a club, or --all")
    done = office.decide(opened, chosen, decision, at.who, why, rulebooks, at.dry_run)
    parts: list[Any] = [
        Message("receipt {number}: {status} {said}", number=n, status=word(status), said=said)
        for n, status, _, said in done
    ]
    if decision == office.ASK:
        with opened.reading() as connection:
            asked = [receipts.find(connection, one.receipt) for one in done]
        written = list(office.letters(one for one in asked if one is not None))
        if letters and not at.dry_run:
            names = unique_names([name for name, _ in written], "club")
            with new_folder(letters) as folder:
                for name, (_, text) in zip(names, written, strict=True):
                    write_file(folder / f"{name}.txt", f"{text}\n".encode(), TEXT)
        parts += [text for _, text in written if not letters]
    at.answer(parts, {"decided": [one._asdict() for one in done]})
    if any(one.said for one in done):
        raise SystemExit(NOTHING_DONE)


@reading
def closed_years(at: LedgerCommand) -> None:
    """List the years that were closed, and those reopened.

    \b
    Example:
      honours ledger years list
    """
    from honours.ledger import years

    with at.open().reading() as connection:
        known = years.closed_years(connection)
    lines = []
    for one in known:
        lines.append(
            Message("closed up to {until}, record {record}", until=one.until, record=one.record)
        )
        if one.reopened is not None:
            lines.append(
                Message(
                    "reopened up to {until}, record {record}", until=one.until, record=one.reopened
                )
            )
    at.answer(lines or [Message("no year is closed")], [one._asdict() for one in known])
