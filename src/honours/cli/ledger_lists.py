"""The commands of the ledger that make tables: points of a period, the roll, promotions, who
qualifies, a year."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from honours.cli.declared import argument, option
from honours.cli.ledger_options import (
    LedgerCommand,
    answer,
    copying,
    public_option,
    reading,
)
from honours.cli.messages import chosen_language, say_table
from honours.cli.options import force_option, replaces, rulebooks_option
from honours.model.message import Message, plural

if TYPE_CHECKING:
    from honours.ledger.lists import Ask, LedgerList, ListQuery
    from honours.ledger.year_report import YearTables
    from honours.model.table import Table

WHOSE = option("Whose points, if of several are kept.", "ID")


def _tell(at: LedgerCommand, parts: Iterable[Table], out: str | None, force: bool) -> None:
    """Show a list on the screen or write it to a file."""
    from honours.files import kind_of
    from honours.ledger.list_files import form_of, write_list
    from honours.reports.drawing import rows_data

    if out:
        form_of(out)
        replaced = replaces(out, kind_of(out), force)
        if at.dry_run:
            count = sum(len(part.rows) for part in parts)
        else:
            count = write_list(parts, out, replaced)
        written = plural("{file}: {count:,} row", "{file}: {count:,} rows", count=count, file=out)
        at.answer(written, {"file": out, "rows": count})
    elif at.as_json:
        answer("", [row for part in parts for row in rows_data(part)], True)
    else:
        for part in parts:
            say_table(part)


def _option(ask: Ask) -> click.Option:
    several = ask.type == "kinds"
    return click.Option(
        [f"--{ask.name}"],
        type=click.IntRange(1, ask.most) if ask.type == "count" else None,
        required=ask.required,
        multiple=several,
        default=() if several else None,
        metavar={"day": "YYYY-MM-DD", "count": "N", "kinds": "KIND"}.get(ask.type, "NAME"),
        help=ask.about,
    )


def list_command(one: LedgerList) -> click.Command:
    """The command of a list of the ledger, made from its declaration."""

    def command(
        at: LedgerCommand,
        force: bool,
        public: bool,
        rulebooks: tuple[str, ...],
        rulebook: str | None = WHOSE,
        out: str | None = option(
            "Write it into a file: .csv, .parquet or .json, by its name.", "FILE"
        ),
        **given: Any,
    ) -> None:
        from honours.ledger.kinds import scheme_of

        several = (list, tuple)
        entered = {
            name: value if isinstance(value, several) else (str(value),)
            for name, value in given.items()
            if value
        }
        with at.open().reading() as connection:
            query = one.query(
                scheme_of(connection, rulebook),
                entered,
                folders=rulebooks,
                public=public,
                for_programs=bool(out or at.as_json),
            )
            _tell(at, one.make(connection, query).tables, out, force)

    example = "\n".join(("\b", "Example:", f"  {one.example}"))
    command.__doc__ = "\n\n".join(part for part in (one.about, one.more, example) if part)
    made = copying(rulebooks_option()(public_option(force_option(command))))
    made.params = [*map(_option, one.asks), *made.params]
    return made


@reading
@rulebooks_option()
def qualify(
    at: LedgerCommand,
    rulebooks: tuple[str, ...],
    register: str = argument(type=click.Path(exists=True, dir_okay=False)),
) -> None:
    """List who qualifies for an invitational tournament.

    REGISTER is a TOML file: the period, how many of the best results count, how many qualify, the
    least category, and the tournaments that were designated. Each invitational has its own.

    \b
    Example:
      honours ledger lists qualify try/masters.toml
    """
    from honours.ledger.qualify import (
        qualification,
        qualification_answer,
        qualification_data,
        read_register,
    )

    asked = read_register(register)
    with at.open().reading() as connection:
        qualified = qualification(connection, asked, rulebooks)
    at.answer(qualification_answer(qualified), qualification_data(qualified))


@copying
@rulebooks_option()
@public_option
def year(
    at: LedgerCommand,
    rulebooks: tuple[str, ...],
    public: bool,
    year: int = argument(type=click.IntRange(1900, 9999)),
    folder: str = argument("FOLDER", type=click.Path(file_okay=False)),
    statements: bool = option("A statement for everybody too, a PDF each."),
    certificates: bool = option("Certificates for who was promoted too."),
    club: str = option("Only a club's events.", "NAME"),
    rulebook: str | None = WHOSE,
) -> None:
    """Make the year's report in a new folder.

    A PDF with what was awarded, who earned it and who was promoted; the same tables, and
    everybody's balance and rank, as CSV and Parquet; with --statements a PDF for each member who
    earned something. All of it is of one state of the ledger, whose checkpoint is in it.

    \b
    Example:
      honours ledger lists year 2017 year-2017 --rulebook sbu-clubs-2016 --statements
    """
    from honours.ledger.kinds import scheme_of
    from honours.ledger.lists import ListQuery

    language = chosen_language()
    with at.open().reading() as connection:
        scheme, period = scheme_of(connection, rulebook), (f"{year}-01-01", f"{year}-12-31")
        asked = ListQuery(scheme, *period, club=club, folders=rulebooks, public=public)
        with _filled(folder, at.dry_run) as target:
            made = _report(connection, asked, target, language)
            if certificates:
                _certificates(made, target, language)
            if statements:
                _statements(connection, asked, target, language)
            files = [one for one in target.rglob("*") if one.is_file()]
            names = sorted(str(one.relative_to(target)) for one in files)
    at.answer("\n".join(names), {"folder": folder, "files": names})


@contextmanager
def _filled(folder: str, dry_run: bool) -> Iterator[Path]:
    """The folder to fill; of a dry run nothing is left."""
    from honours.files import new_folder

    if dry_run:
        with tempfile.TemporaryDirectory() as target:
            yield Path(target)
        return
    with new_folder(folder) as target:
        yield target


def _report(connection: Any, asked: ListQuery, target: Path, language: str) -> YearTables:
    from honours.files import PDF, write_file
    from honours.ledger.list_files import write_list
    from honours.ledger.year_report import year_lists, year_of, year_pdf

    year = year_of(connection, asked)
    title = Message("The year {year}", year=asked.since[:4])
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # a typesetter's memory stays there
        made = pool.submit(year_pdf, year, title, language=language).result()
    write_file(target / "report.pdf", made, PDF)
    for form in ("csv", "parquet"):
        for name, parts in year_lists(connection, year):
            write_list(parts, target / f"{name}.{form}")
    return year


def _certificates(year: YearTables, target: Path, language: str) -> None:
    from honours.files import PDF, write_file
    from honours.ledger.year_report import certificates

    for number, made in enumerate(certificates(year, language), 1):
        write_file(target / f"certificates-{number}.pdf", made, PDF)


def _statements(connection: Any, asked: ListQuery, target: Path, language: str) -> None:
    from honours.cli.folders import progress
    from honours.files import PDF, write_file
    from honours.ledger.year_report import statement_pdf, with_points
    from honours.reports.site import unique_names

    everybody = list(with_points(connection, asked))
    names = unique_names([f"{m.number or m.id} {m.title}" for m in everybody], "member")
    (target / "statements").mkdir()
    with progress(len(everybody)) as advance:
        for member, name in zip(everybody, names, strict=True):
            period = (asked.since, asked.until)
            made = statement_pdf(connection, member, *period, language=language)
            write_file(target / "statements" / f"{name}.pdf", made, PDF)
            advance(name)
