"""A folder of files in the place of a file: progress, what failed and why, and stopping early."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from honours.cli.lazy import INTERRUPTED, WRONG
from honours.cli.messages import chosen_language, say, say_json
from honours.errors import HonoursError, InputError
from honours.language import words
from honours.model.message import Message
from honours.model.table import Kind, Table, headed, table

if TYPE_CHECKING:
    from honours.cli.reporting import ReportRequest
    from honours.pipeline import Report

T = TypeVar("T")
MOST_LINES = 3
"""As much is told of one file among many; alone, it is told whole."""


@dataclass(slots=True)
class FileOutcomes(Generic[T]):
    """The outcome of each file, in order."""

    total: int
    done: list[tuple[Path, T]] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    interrupted: bool = False


def check_apart(source: Path, target: Path) -> None:
    """Refuse to put what is made of a folder into that folder."""
    if target.resolve() == source.resolve() or source.resolve() in target.resolve().parents:
        raise InputError(
            "{target} is inside {source}: choose another folder", target=target, source=source
        )


def each_file(files: list[Path], work: Callable[[Path], T]) -> FileOutcomes[T]:
    """Do the work for every file; a file that fails does not stop the others."""
    outcomes: FileOutcomes[T] = FileOutcomes(len(files))
    with progress(len(files)) as advance:
        try:
            for file in files:
                try:
                    outcomes.done.append((file, work(file)))
                except HonoursError as error:
                    outcomes.failed.append(_problem(file, error))
                advance(file.name)
        except KeyboardInterrupt:
            outcomes.interrupted = True
    return outcomes


def each_event(
    source: Path, choice: ReportRequest, make: Callable[[str, Report], T]
) -> FileOutcomes[tuple[T, ...]]:
    """Do the work for every event of every file, by a name of its own; one that fails does not
    stop the others, of its file neither."""
    from honours.formats.detect import files_of
    from honours.reports.site import unique_names

    taken: list[str] = []
    failed: list[str] = []

    def work(file: Path) -> tuple[T, ...]:
        made = []
        accounts = choice.accounts(file)
        for account in accounts:
            several = len(accounts) > 1
            name = f"{file.relative_to(source)}{f' {account.title}' if several else ''}"
            taken.append(name)
            try:
                made.append(make(unique_names(taken, "event")[-1], choice.report(account)))
            except HonoursError as error:
                if not several:
                    raise
                failed.append(
                    _problem(file, InputError("{title}: {error}", title=account.title, error=error))
                )
        return tuple(made)

    outcomes = each_file(files_of([str(source)]), work)
    outcomes.failed += failed
    return outcomes


def _problem(file: Path, error: HonoursError) -> str:
    """The first thing that is wrong, with the file's name unless the error has it."""
    text = words(error.message, chosen_language())
    lines = (text if text.startswith(str(file)) else f"{file}: {text}").splitlines()
    left = len(lines) - MOST_LINES
    more = words(Message("and {count:,} more", count=left), chosen_language())
    return "\n".join([*lines[:MOST_LINES], *([more] if left > 0 else [])])


@contextmanager
def progress(total: int) -> Iterator[Callable[[str], None]]:
    """A bar on standard error where that is a terminal, else nothing."""
    import sys

    if not sys.stderr.isatty() or total < 2:
        yield lambda _: None
        return
    names: tuple[str, ...] = ()  # told one by one
    with click.progressbar(names, total, file=sys.stderr, item_show_func=lambda name: name) as bar:
        yield lambda name: bar.update(1, name)


@contextmanager
def counting() -> Iterator[Callable[[int, int], None]]:
    """A progress bar, told how many are done and of how many, where standard error is a
    terminal."""
    import sys

    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    with click.progressbar(length=0, show_pos=True, file=sys.stderr) as bar:

        def tell(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        yield tell


Made = str | dict[str, Any] | tuple[Table, ...]
"""What a command makes of a file: a text, data with ``--json`` or tables with ``--csv``."""


def say_made(path: str, work: Callable[[Path], Made], as_json: bool, verdict: str) -> None:
    """Print what is made of a file, or of every file of a folder."""
    from honours.formats.detect import files_of

    if not Path(path).is_dir():
        _say_one(work(Path(path)))
        return
    outcomes = each_file(files_of([path]), work)
    _say_all(outcomes.done, as_json)
    conclude(outcomes, verdict)


def _say_one(made: Made) -> None:
    from honours.reports.drawing import draw_csv

    if isinstance(made, str):
        say(made)
    elif isinstance(made, dict):
        say_json(made)
    else:
        say("".join(map(draw_csv, made)), nl=False)


def _say_all(done: Sequence[tuple[Path, Made]], as_json: bool) -> None:
    """One JSON list, one CSV, or texts under the names of their files."""
    tables = [(file, one) for file, made in done if isinstance(made, tuple) for one in made]
    if as_json:
        say_json([{"file": str(file), **made} for file, made in done if isinstance(made, dict)])
    elif tables:
        _say_one((_one_table(tables),))
    else:
        say("\n\n".join(f"{file}\n\n{text}\n" for file, text in done))


def _one_table(tables: Sequence[tuple[Path, Table]]) -> Table:
    """All rows under the columns that any of the tables has, each with its file."""
    columns = {column.key: column for _, one in tables for column in one.columns}
    rows = []
    for file, one in tables:
        keys = [column.key for column in one.columns]
        for row in one.rows:
            cells = dict(zip(keys, row, strict=True))
            rows.append([str(file), *(cells.get(key) for key in columns)])
    return table("files", [headed("file", Kind.CODE), *columns.values()], rows)


def conclude(outcomes: FileOutcomes[T], verdict: str) -> None:
    """Say how it went on standard error, and leave with 2 where something failed; the verdict is a
    template: ``{done} read, {failed} not``."""
    say(Message(verdict, done=len(outcomes.done), failed=len(outcomes.failed)), err=True)
    for why in outcomes.failed:
        say("  " + why.replace("\n", "\n    "), err=True)
    if outcomes.interrupted:
        left = outcomes.total - len(outcomes.done) - len(outcomes.failed)
        unread = Message(
            "interrupted: {left} of {total} files were not looked at",
            left=left,
            total=outcomes.total,
        )
        say(unread, err=True)
        raise SystemExit(INTERRUPTED)
    if outcomes.failed:
        raise SystemExit(WRONG)
