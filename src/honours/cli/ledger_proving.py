"""The commands of the ledger that let others hold it to what it was: heads, proofs, assertions."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.ledger_options import (
    LedgerCommand,
    answer,
    copying,
    dry_run_option,
    json_option,
    looking_option,
    signed_by_option,
    writing,
)
from honours.cli.options import force_option, replaces
from honours.model.message import Message, joined, mark

if TYPE_CHECKING:
    from honours.ledger.checkpoint import Checkpoint

FALSE, UNKNOWN = 1, 3
"""The exit codes where a proof or an assertion does not hold, and where that cannot be told."""


@copying
@force_option
def head(
    at: LedgerCommand,
    force: bool,
    output: str | None = option(
        "Write the whole checkpoint, for verify --head.", "FILE", "-o", "--out", "--output"
    ),
    key: str = option("Sign it with a key of `ledger audit key`.", "FILE"),
    since: tuple[str, ...] = option(
        "Show in the file that it follows from this earlier checkpoint.", "LINE"
    ),
) -> None:
    """Print a checkpoint of the ledger, to be kept where nobody can change it.

    The line is enough to see later that the ledger still has everything of today; the file also
    shows where it does not. Both can be signed, by others too (`witness`), and have no names.

    \b
    Examples:
      honours ledger audit head
      honours ledger audit head -o checkpoint.json
    """
    from honours.files import JSON, write_file
    from honours.ledger.checkpoint import checkpoint, read_checkpoint

    earlier = [read_checkpoint(text) for text in since]
    with at.open().reading() as connection:
        made = checkpoint(connection, key=key, since=earlier)
    if output and not at.dry_run:
        write_file(output, made.text().encode(), JSON, replaces(output, JSON, force))
    answer(made.signed_line, made.data(), at.as_json, at.dry_run and bool(output))


@as_command("witness")
@signed_by_option
@dry_run_option
@json_option
def witness(
    signed_by: tuple[str, ...],
    as_json: bool,
    dry_run: bool,
    checkpoint: str = argument("LINE|FILE"),
    key: str = option("Your own key, of `ledger audit key`.", "FILE", required=True),
    kept: str | None = option(
        "The checkpoints you signed before, a line each: the new one must follow from the last.",
        "FILE",
        type=click.Path(dir_okay=False),
    ),
) -> None:
    """Sign somebody else's checkpoint too, and print it as a line to be published.

    With --kept it is signed only if it follows from the last one you signed, and is noted there: so
    nobody can show you one history and others another.

    \b
    Example:
      honours ledger audit witness checkpoint.json --key auditor.key --kept signed.txt
    """
    from pathlib import Path

    from honours.ledger.checkpoint import check_signatures, countersigned, read_checkpoint

    made = read_checkpoint(checkpoint)
    check_signatures(made, signed_by)
    if kept and Path(kept).exists():
        lines = Path(kept).read_text(encoding="utf-8").split("\n")
        if signed_before := [line for line in lines if line.strip()]:
            _must_follow(signed_before[-1], made)
    signed = countersigned(made, key)
    if kept and not dry_run:
        with Path(kept).open("a", encoding="utf-8") as file:
            file.write(f"{signed.signed_line}\n")
    answer(signed.signed_line, signed.data(), as_json, dry_run)


def _must_follow(before: str, made: Checkpoint) -> None:
    from honours.errors import InputError
    from honours.ledger.checkpoint import FOLLOWS, compared, line_checkpoint

    last = line_checkpoint(before)
    comparison = compared(last, made)
    if comparison.verdict != FOLLOWS or made.size < last.size:
        raise InputError(
            "not signed: {said}. The last you signed is {line}",
            said=comparison.said,
            line=last.line,
        )


@as_command("follows")
@signed_by_option
@looking_option
@json_option
def follows(
    signed_by: tuple[str, ...],
    as_json: bool,
    earlier: str = argument("LINE|FILE"),
    later: str = argument("LINE|FILE"),
) -> None:
    """Say whether the later of two checkpoints of a ledger follows from the earlier.

    The exit code is 0 if it does; 1 if it does not, so that both together show that the ledger has
    two histories; 3 if the later one cannot tell.

    \b
    Example:
      honours ledger audit follows earlier.json checkpoint.json
    """
    from honours.ledger.checkpoint import check_signatures, compared, read_checkpoint

    both = [read_checkpoint(text) for text in (earlier, later)]
    for one in both:
        check_signatures(one, signed_by)
    comparison = compared(*both)
    data = {
        "verdict": comparison.verdict,
        "said": comparison.said,
        "earlier": comparison.earlier.signed_line,
        "later": comparison.later.signed_line,
    }
    answer(comparison.said, data, as_json)
    if code := {"follows": 0, "forked": FALSE, "unknown": UNKNOWN}[comparison.verdict]:
        raise SystemExit(code)


@as_command("key")
@dry_run_option
@json_option
def key(
    as_json: bool, dry_run: bool, file: str = argument(type=click.Path(dir_okay=False))
) -> None:
    """Make a key to sign checkpoints with; prints the public one, for everybody.

    \b
    Example:
      honours ledger audit key secretary.key
    """
    from honours.ledger.checkpoint import new_key

    public = "" if dry_run else new_key(file)
    text = Message(
        "{file}: keep this file secret. The public key:\n{public}", file=file, public=public
    )
    answer(text, {"public": public}, as_json, dry_run)


@copying
@force_option
def prove(
    at: LedgerCommand,
    posting: int,
    force: bool,
    file: str = argument(type=click.Path(dir_okay=False)),
) -> None:
    """Write the proof of a posting, which anybody can check without the ledger.

    \b
    Example:
      honours ledger audit prove 8 posting-8.json
    """
    from honours.files import JSON, write_file
    from honours.ledger.proof import prove as proof_of

    with at.open().reading() as connection:
        made = proof_of(connection, posting)
    text = json.dumps(made, ensure_ascii=False, indent=1) + "\n"
    if not at.dry_run:
        write_file(file, text.encode(), JSON, replaces(file, JSON, force))
    proven = Message(
        "{file}: posting {posting}, under the checkpoint {line}",
        file=file,
        posting=posting,
        line=made["checkpoint"],
    )
    at.answer(proven, made)


@as_command("check-proof")
@signed_by_option
@looking_option
@json_option
def check_proof(
    signed_by: tuple[str, ...],
    as_json: bool,
    file: str = argument(type=click.Path(exists=True, dir_okay=False)),
    head: str | None = option("A checkpoint of `ledger audit head` to hold it to.", "LINE"),
) -> None:
    """Check the proof of a posting, without the ledger; exit code 1 if it does not hold.

    \b
    Example:
      honours ledger audit check-proof posting-8.json --head checkpoint.json
    """
    from dataclasses import asdict
    from pathlib import Path

    from honours.errors import FileProblem
    from honours.ledger.checkpoint import check_signatures, read_checkpoint
    from honours.ledger.proof import check

    against = read_checkpoint(head) if head else None
    if against:
        check_signatures(against, signed_by)
    try:
        checked = check(json.loads(Path(file).read_text(encoding="utf-8")), against)
    except (ValueError, RecursionError) as error:
        raise FileProblem(file, "not JSON ({error})", error=error) from error
    shown = Message(
        "{points} {kind} for {name}, {event}",
        points=checked.points,
        kind=checked.kind,
        name=checked.name or f"#{checked.member}",
        event=f"{checked.title} {checked.day}".strip(),
    )
    held = Message(
        mark("posting {posting} is proven: {what}")
        if against
        else mark(
            "posting {posting} is proven: {what}. Compare it with somebody else's checkpoint "
            "with --head"
        ),
        posting=checked.posting,
        what=shown,
    )
    answer(
        Message("the proof fails: {wrong}", wrong=checked.wrong) if checked.wrong else held,
        asdict(checked),
        as_json,
    )
    if checked.wrong:
        raise SystemExit(FALSE)


@writing
def assert_(
    at: LedgerCommand,
    day: str = argument("YYYY-MM-DD"),
    kind: str = argument(),
    amount: str = argument(),
    rulebook: str | None = option("Whose points, if the ledger has those of several.", "ID"),
    club: str = option("The points of one club's events.", "NAME"),
    member: str | None = option("The points of one member.", "WHO"),
    remark: str = option("How it is known.", "TEXT"),
) -> None:
    """Record what a balance was on a day; every `verify` checks it.

    \b
    Example:
      honours ledger audit assert 2017-01-31 local 36 --remark "counted from the slips" --dry-run
    """
    from honours.engine.numbers import exact
    from honours.ledger import assertions as kept
    from honours.ledger import members
    from honours.ledger.kinds import kind_named

    units: Fraction = exact(amount.replace(",", ""))
    with at.open().writing(at.dry_run, at.who) as connection:
        whose = members.find(connection, member).id if member else None
        of = kind_named(connection, kind, rulebook)
        assertion = kept.add(
            connection, of, day, units, at.who, club=club, member=whose, remark=remark
        )
    data = {"assertion": assertion.id, "holds": assertion.holds, "said": assertion.text}
    message = Message("assertion {number}: {text}", number=assertion.id, text=assertion.text)
    at.answer(message, data)
    if not assertion.holds:
        raise SystemExit(FALSE)


@writing
def assertions(
    at: LedgerCommand,
    withdraw: int | None = option("Withdraw one; the chain still shows it.", "N"),
) -> None:
    """List the balances that were recorded, and whether each holds.

    \b
    Example:
      honours ledger audit assertions
    """
    from honours.errors import InputError
    from honours.ledger import assertions as kept

    with at.open().writing(at.dry_run or withdraw is None, at.who) as connection:
        if withdraw is not None and not kept.withdraw(connection, withdraw):
            raise InputError("there is no assertion {withdraw}", withdraw=withdraw)
        checked = kept.checked(connection)
    data = [{"assertion": s.id, "holds": s.holds, "said": s.text} for s in checked]
    templates = {True: mark("{number}: {text}"), False: mark("{number}: NOT SO: {text}")}
    lines = [Message(templates[s.holds], number=s.id, text=s.text) for s in checked]
    shown = joined("\n", lines) if lines else Message("no assertions")
    answer(shown, data, at.as_json, at.dry_run and withdraw is not None)
