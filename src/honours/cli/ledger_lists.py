"""The commands of the ledger that make tables: points of a period, the roll, promotions, who
qualifies, a year."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import wraps
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from honours import clock
from honours.cli.ledger_options import (
    LedgerCommand,
    answer,
    copying,
    public_option,
    reading,
    writing,
)
from honours.cli.messages import chosen_language, say_table
from honours.cli.options import force_option, replaces, rulebooks_option
from honours.errors import InputError
from honours.model.message import Message, plural

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from honours.ledger.list_tables import PointsQuery
    from honours.ledger.lists import Ask, LedgerList
    from honours.ledger.year_report import YearTables
    from honours.model.table import Table

_whose = click.option("--rulebook", metavar="ID", help="Whose points, if of several are kept.")
_out = click.option(
    "--out", metavar="FILE", help="Write it into a file: .csv, .parquet or .json, by its name."
)


@dataclass(frozen=True, slots=True)
class _ListRequest:
    """What every list is asked with: whose points, from which ledger, for whose eyes, where to."""

    at: LedgerCommand
    rulebook: str | None
    out: str | None
    force: bool
    public: bool

    @property
    def for_programs(self) -> bool:
        """Whether it becomes data, whose columns must not depend on what was posted."""
        return bool(self.out or self.at.as_json)

    @contextmanager
    def reading(self) -> Iterator[tuple[Connection, str]]:
        """The ledger as it is, and whose points they are."""
        from honours.ledger.kinds import scheme_of

        with self.at.open().reading() as connection:
            yield connection, scheme_of(connection, self.rulebook)

    def tell(self, parts: Iterable[Table]) -> None:
        """Show a list on the screen or write it to a file."""
        from honours.reports.drawing import rows_data

        if self.out:
            self._write(parts, self.out)
        elif self.at.as_json:
            answer("", [row for part in parts for row in rows_data(part)], True)
        else:
            for part in parts:
                say_table(part)

    def _write(self, parts: Iterable[Table], out: str) -> None:
        from honours.files import kind_of
        from honours.ledger.list_tables import form_of, write_list

        form_of(out)
        replaced = replaces(out, kind_of(out), self.force)
        if self.at.dry_run:
            count = sum(len(part.rows) for part in parts)
        else:
            count = write_list(parts, out, replaced)
        written = plural("{file}: {count:,} row", "{file}: {count:,} rows", count=count, file=out)
        self.at.answer(written, {"file": out, "rows": count})


def _list_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options of every list; the command takes them together, as its first argument."""

    @copying
    @wraps(function)
    def command(at: LedgerCommand, **options: Any) -> None:
        names = ("rulebook", "out", "force", "public")
        function(_ListRequest(at, *(options.pop(name) for name in names)), **options)

    for option in (_whose, _out, force_option, public_option):
        command = option(command)
    return command


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

    def command(request: _ListRequest, rulebooks: tuple[str, ...], **given: Any) -> None:
        from honours.ledger.lists import ListQuery
        from honours.ledger.ranks import ladder

        several = (list, tuple)
        entered = {
            name: value if isinstance(value, several) else (str(value),)
            for name, value in given.items()
            if value
        }
        with request.reading() as (connection, scheme):
            asked, steps = one.query(scheme, entered), ladder(scheme, rulebooks)
            query = ListQuery(asked, steps, request.public, request.for_programs)
            request.tell(one.make(connection, query).tables)

    example = "\n".join(("\b", "Example:", f"  {one.example}"))
    parts = [part for part in (one.about, one.more, example) if part]
    made = click.command(one.name, help="\n\n".join(parts))(
        rulebooks_option()(_list_options(command))
    )
    made.params = [*map(_option, one.asks), *made.params]
    return made


@click.command("act")
@click.argument("act")
@click.argument("member")
@click.option("--event", "title", required=True, metavar="TEXT", help="At what, or for what.")
@click.option("--date", "day", required=True, metavar="YYYY-MM-DD", help="When.")
@click.option("--rulebook", metavar="ID", help="Whose points; of the only body unless said.")
@click.option("--why", default="", metavar="TEXT", help="A remark that is kept.")
@rulebooks_option()
@writing
def act(
    at: LedgerCommand,
    act: str,
    member: str,
    title: str,
    day: str,
    rulebook: str | None,
    why: str,
    rulebooks: tuple[str, ...],
) -> None:
    """Write down an act by which a body lets points change: attending, being selected.

    \b
    Example:
      honours ledger members act attended 4001 --event "World Championship" --date 2026-05-02
    """
    from honours.ledger import living, members
    from honours.ledger.kinds import scheme_of

    with at.open().writing(at.dry_run, at.who) as connection:
        who = members.find(connection, member)
        known = living.declared(scheme_of(connection, rulebook), rulebooks)
        record = living.record_act(
            connection, who, act, known, title=title, day=day, who=at.who, why=why
        )
    at.answer(
        Message("record {record}: {who}, {act}", record=record, who=who.title, act=act),
        {"record": record, "member": who.id, "act": act},
    )


@click.command("living")
@click.argument("member", required=False)
@click.option("--on", metavar="YYYY-MM-DD", help="As of that day; today unless said.")
@click.option("--rulebook", metavar="ID", help="Whose points; of the only body unless said.")
@public_option
@rulebooks_option()
@reading
def living_points(
    at: LedgerCommand,
    member: str | None,
    on: str | None,
    rulebook: str | None,
    public: bool,
    rulebooks: tuple[str, ...],
) -> None:
    """Show figures that change with time, such as rating points, and of one member how they came
    about.

    \b
    Example:
      honours ledger lists living --rulebook nz-bridge --on 2026-12-31
    """
    from honours.engine.numbers import show
    from honours.formats.reading import iso_day
    from honours.ledger import living, members
    from honours.ledger.kinds import scheme_of

    day = date.fromisoformat(iso_day("on", on)) if on else clock.today()
    with at.open().reading() as connection:
        scheme = scheme_of(connection, rulebook)
        known = living.declared(scheme, rulebooks)
        if not known:
            raise InputError("{scheme} has no points that change with time", scheme=scheme)
        whose = [members.find(connection, member)] if member else None
        figures = [
            figure
            for figure in living.figures(connection, scheme, known, day, whose)
            if not (public and figure.member.opted_out)
        ]
    tables = map(living.steps_table, figures) if member else [living.figures_table(figures)]
    data = [
        {
            "member": figure.member.id,
            "name": figure.member.title,
            "figure": figure.points.name,
            "value": show(figure.value),
            "as_of": figure.in_force.isoformat(),
            "steps": [
                {"day": s.day.isoformat(), "what": s.what, "value": show(s.value)}
                for s in figure.steps
            ],
        }
        for figure in figures
    ]
    at.answer(list(tables), data)


@click.command("qualify")
@click.argument("register", type=click.Path(exists=True, dir_okay=False))
@rulebooks_option()
@reading
def qualify(at: LedgerCommand, register: str, rulebooks: tuple[str, ...]) -> None:
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


@click.command("year")
@click.argument("year", type=click.IntRange(1900, 9999))
@click.argument("folder", metavar="FOLDER", type=click.Path(file_okay=False))
@click.option("--statements", is_flag=True, help="A statement for everybody too, a PDF each.")
@click.option("--certificates", is_flag=True, help="Certificates for who was promoted too.")
@click.option("--club", default="", metavar="NAME", help="Only a club's events.")
@_whose
@rulebooks_option()
@public_option
@copying
def year(
    at: LedgerCommand,
    year: int,
    folder: str,
    statements: bool,
    certificates: bool,
    club: str,
    rulebook: str | None,
    rulebooks: tuple[str, ...],
    public: bool,
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
    from honours.ledger.list_tables import PointsQuery

    language = chosen_language()
    with at.open().reading() as connection:
        scheme = scheme_of(connection, rulebook)
        asked = PointsQuery(scheme, f"{year}-01-01", f"{year}-12-31", club=club)
        with _filled(folder, at.dry_run) as target:
            made = _report(connection, asked, target, rulebooks, language, public)
            if certificates:
                _certificates(made, target, language)
            if statements:
                _statements(connection, asked, target, language, public)
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


def _report(
    connection: Any,
    asked: PointsQuery,
    target: Path,
    rulebooks: tuple[str, ...],
    language: str,
    public: bool,
) -> YearTables:
    from honours.files import PDF, write_file
    from honours.ledger.list_tables import write_list
    from honours.ledger.ranks import ladder
    from honours.ledger.year_report import year_lists, year_of, year_pdf

    steps = ladder(asked.scheme, rulebooks)
    year = year_of(connection, asked, steps, public)
    title = Message("The year {year}", year=asked.since[:4])
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # a typesetter's memory stays there
        made = pool.submit(year_pdf, year, title, language=language).result()
    write_file(target / "report.pdf", made, PDF)
    for form in ("csv", "parquet"):
        for name, parts in year_lists(connection, year, steps, public):
            write_list(parts, target / f"{name}.{form}")
    return year


def _certificates(year: YearTables, target: Path, language: str) -> None:
    from honours.files import PDF, write_file
    from honours.ledger.year_report import certificates

    for number, made in enumerate(certificates(year, language), 1):
        write_file(target / f"certificates-{number}.pdf", made, PDF)


def _statements(
    connection: Any, asked: PointsQuery, target: Path, language: str, public: bool
) -> None:
    from honours.cli.folders import progress
    from honours.files import PDF, write_file
    from honours.ledger.year_report import statement_pdf, with_points
    from honours.reports.site import unique_names

    everybody = list(with_points(connection, asked, public))
    names = unique_names([f"{m.number or m.id} {m.title}" for m in everybody], "member")
    (target / "statements").mkdir()
    with progress(len(everybody)) as advance:
        for member, name in zip(everybody, names, strict=True):
            period = (asked.since, asked.until)
            made = statement_pdf(connection, member, *period, language=language)
            write_file(target / "statements" / f"{name}.pdf", made, PDF)
            advance(name)
