"""The rulebooks that the commands of the lab take, and the forms of their answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from honours.cli.messages import chosen_language, say, say_json
from honours.cli.options import force_option, replaces, rulebooks_option
from honours.files import HTML, PARQUET, new_file
from honours.language import words
from honours.model.message import Message, joined, mark

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.result import Answer, Progress

_SHOWN = 6
COMPILING = Message("started (the first run compiles the rulebook, which takes up to a minute)")
F = TypeVar("F", bound=Callable[..., Any])


on_option = click.option(
    "--on",
    "address",
    default="",
    metavar="ADDRESS",
    help="Have a Dask cluster do the shards, e.g. tcp://host:8786 (needs honours[distributed]).",
)


def named_rulebook(text: str, folders: Sequence[str] = ()) -> Rulebook:
    """``ID``, or ``ID key=value …``: other parameters, and inputs given for all events."""
    from honours.cli.options import pairs
    from honours.lab.sides import specified
    from honours.rulebooks import load

    rulebook_id, *changes = text.split()
    return specified(load(rulebook_id, folders), pairs(changes))


own_rulebooks = rulebooks_option("folders")


def answer_options(function: F) -> F:
    """``--json``, ``--csv``, ``--parquet`` and ``--html``: the forms of an answer."""
    for option in (
        force_option,
        click.option("--html", metavar="FILE", help="Write a self-contained report with charts."),
        click.option("--parquet", metavar="FILE", help="Write the table as Parquet."),
        click.option("--csv", "as_csv", is_flag=True, help="The table as CSV."),
        click.option("--json", "as_json", is_flag=True, help="One JSON object."),
    ):
        function = option(function)
    return function


def give(answer: Answer, explained: Progress, forms: Mapping[str, Any]) -> None:
    """Print or write an answer in the forms that were asked for; a report has all explanations."""
    if forms["html"]:
        from honours.lab.report import write

        replaced = replaces(forms["html"], HTML, forms["force"])
        write(answer.whole(explained), forms["html"], replaced, chosen_language())
    if forms["parquet"]:
        import pyarrow.parquet as pq

        replaced = replaces(forms["parquet"], PARQUET, forms["force"])
        with new_file(forms["parquet"], PARQUET, replaced) as beside:
            pq.write_table(answer.frames[0].arrow(), beside)
    if forms["as_json"]:
        say_json(answer.data())
    elif forms["as_csv"]:
        say(answer.frames[0].csv(), nl=False)
    else:
        say(answer.text(chosen_language()))


def lines_aside(aside: Sequence[Mapping[str, Any]]) -> list[Message]:
    """Events set aside, those with the same reason in one line."""
    reasons: dict[str, list[int]] = {}
    for one in aside:
        reasons.setdefault(one["why"], []).append(int(one["event"]))
    return [
        Message("{events}: {why}", events=_events(events), why=why)
        for why, events in reasons.items()
    ]


def _events(events: list[int]) -> Message:
    if len(events) == 1:
        return Message("event {event}", event=events[0])
    some = [*map(str, events[:_SHOWN]), *(["…"] if len(events) > _SHOWN else [])]
    return Message("{count:,} events ({some})", count=len(events), some=", ".join(some))


def progress_line(what: str, before: str = "") -> ProgressLine:
    """Progress on standard error; on a line ``before`` it why the first may take a while."""
    line = ProgressLine(what)
    if before:
        line.say(before, "\n")
    return line


@dataclass
class ProgressLine:
    """One line that is written over, only where someone watches; remembers what is known."""

    what: str
    known: str = ""
    done: int = 0
    of: int = 0

    def say(self, message: str, end: str = "") -> None:
        import sys

        if sys.stderr.isatty():
            text = words(joined(": ", (self.what, message)), chosen_language())
            say(f"\r\x1b[K{text}{end}", nl=False, err=True)

    def __call__(self, done: int, of: int, so_far: str = "") -> None:
        self.done, self.of = done, of
        if so_far and so_far != self.known and done < of:
            self.known = so_far
            known = {"done": done, "of": of, "known": so_far}
            self.say(Message("{done:,} of {of:,}, so far: {known}", **known), "\n")
        self.say(Message("{done:,} of {of:,}", done=done, of=of), "\n" * (done >= of))

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """Say what is known when somebody stops the work, and leave."""
        from honours.cli.lazy import INTERRUPTED

        try:
            yield
        except KeyboardInterrupt:
            interrupted = Message(
                mark("interrupted after {done:,} of {of:,} {what}; so far: {known}")
                if self.known
                else mark("interrupted after {done:,} of {of:,} {what}; there is no answer yet"),
                done=self.done,
                of=self.of,
                what=self.what,
                known=self.known,
            )
            say(interrupted, err=True)
            raise SystemExit(INTERRUPTED) from None
