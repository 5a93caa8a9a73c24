"""`honours submit`: an event as its receiver takes it, checked first as the receiver would."""

from __future__ import annotations

from typing import Any

import click

from honours.cli.declared import argument, as_command, option
from honours.cli.messages import say
from honours.cli.options import force_option, pairs, write_out
from honours.cli.reporting import award_options, report_request
from honours.model.message import Message
from honours.pipeline import ranked
from honours.reports.sending import all_receivers, keys_of, prepare, with_details


@as_command("submit")
@force_option
@award_options(required=False)
def command(
    force: bool,
    file: str = argument(type=click.Path(dir_okay=False)),
    given: tuple[str, ...] = argument("[KEY=VALUE]..."),
    receiver: str = option(
        "The receiver of the file.",
        None,
        "--to",
        required=True,
        type=click.Choice(list(all_receivers())),
    ),
    target: str = option("The file to write.", "NEW", "--out", required=True),
    **choices: Any,
) -> None:
    """Write an event as a receiver takes it; nothing is sent over a network.

    The event is first checked as the receiver would: each missing number, unknown member, missing
    date or wrong class is listed with a remedy. If the receiver would reject the file,
    nothing is written; what it may ask is listed. KEY=VALUE says what the file does not:
    date, club, club_number, contact; charge and guests (EBU), heat (SBU), class and place (EGD);
    and what a rulebook asks, if one is to award.

    \b
    Examples:
      honours submit try/tuesday.csv --to bridgewebs --out tuesday-web.csv date=2026-03-03
      honours submit try/tuesday.csv --to sbu --out tuesday-sbu.xml --as-usual \\
          --rulebook sbu-clubs-2016 \\
          date=2026-03-03 club=Kelso
    """
    given_pairs = pairs(given)
    details = {name: value for name, value in given_pairs.items() if name in keys_of(receiver)}
    rest = [f"{name}={value}" for name, value in given_pairs.items() if name not in details]
    choice = report_request(choices, rest)
    account = with_details(choice.account(file), details)
    report = choice.report(account) if choice.book else ranked(account, choice.scoring)
    prepared = prepare(report, receiver, details)
    for concern in prepared.concerns:
        say(concern.text, err=True)
    for lost in prepared.written.lost:
        say(Message("{file} has no place for {what}", file=target, what=lost), err=True)
    say(write_out(target, prepared.written.data, prepared.receiver.kind, force))
