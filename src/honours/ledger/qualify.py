"""Registers of invitational tournaments: what each says of how one qualifies.

A register is a TOML file, one for each invitational, since each defines for itself how points are
obtained and used::

    title = "World Mind Sports Games 2026"
    rulebook = "aga-category"
    since = "2025-01-01"
    until = "2025-12-31"
    best = 3                     # how many results count; all unless said
    places = 8                   # how many qualify
    minimum_category = 10        # what a tournament must reach to count; any unless said
    member_since = "2024-01-01"  # who was posted for the first time later is not eligible
    games = 10                   # least games in the year before the end; none unless said
    not_at = "European Open"     # who played there within the period is not eligible
    ties = "best, tournaments"   # how ties are broken, in this order; they stand unless said
    declined = "4001, 4002"      # who does not want the place
    vacant = 0                   # 1 leaves the place empty; else the next one gets it

    [[tournaments]]              # those that were designated, and no others
    title = "River Town Open"
    day = "2025-03-15"
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, select

from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.errors import FileProblem, UnknownName
from honours.files import toml_of, toml_text
from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger import kinds, members
from honours.ledger.balances import ends
from honours.ledger.canonical import data_of
from honours.ledger.derive import awards_of
from honours.ledger.list_tables import placed
from honours.ledger.schema import OF_RECORD, STANDS, postings, records, rulebooks
from honours.ledger.shapes import person
from honours.model.member import Member
from honours.model.message import Message, plural
from honours.model.shape import Item, Shape, titled
from honours.model.table import Cell, Kind, Table
from honours.rulebooks import ids, with_hash


@dataclass(frozen=True, slots=True)
class RegisterField:
    """Something that a register says: for a file, a form and the API. Without a ``default`` it
    must be said."""

    key: str
    label: Message
    type: Literal["text", "day", "count"]
    default: str | int | None = None
    about: str = ""


TIE_RULES = ("best", "tournaments", "latest")
"""The better best result, more results that count, the later last of them."""


def _said(label: Message, type: str, default: Any = None, about: str = "") -> Any:
    told = {"label": label, "type": type, "default": default, "about": about}
    return field(metadata=told) if default is None else field(metadata=told, default=default)


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """The rules of an invitational for qualifying; tournaments as (day, title)."""

    title: str = _said(Message("title"), "text")
    rulebook: str = _said(Message("rulebook"), "text", "aga-category")
    since: str = _said(Message("since"), "day")
    until: str = _said(Message("until"), "day")
    places: int = _said(Message("how many qualify"), "count")
    best: int = _said(Message("best results of each"), "count", 0, Message("0 counts all"))
    minimum_category: int = _said(
        Message("minimum category"),
        "count",
        0,
        Message("what a tournament must reach to count; 0 for any"),
    )
    member_since: str = _said(
        Message("member since"),
        "day",
        "",
        Message("who was in the ledger for the first time later is not eligible"),
    )
    games: int = _said(
        Message("games within a year"),
        "count",
        0,
        Message("who played fewer in the year before the end is not eligible"),
    )
    not_at: str = _said(
        Message("not at"),
        "text",
        "",
        Message("who played this event in the period is not eligible"),
    )
    ties: str = _said(
        Message("ties"),
        "text",
        "",
        Message("how ties are broken, in order: {words}", words=TIE_RULES),
    )
    declined: str = _said(Message("declined"), "text", "", Message("numbers of those who decline"))
    vacant: int = _said(
        Message("a declined place stays vacant"),
        "count",
        0,
        Message("1 if so; else the next one gets it"),
    )
    tournaments: tuple[tuple[str, str], ...] = ()


FIELDS = tuple(RegisterField(one.name, **one.metadata) for one in fields(Register) if one.metadata)
TOURNAMENTS = "tournaments"


def read_register(path: str | Path) -> Register:
    """The register in a file; whatever is wrong in it is named."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileProblem(str(path), str(error), _EXPECTED) from error
    return register_of_text(text, str(path))


_EXPECTED = "a register of tournaments in TOML"


def register_of_text(text: str, where: str) -> Register:
    """The register that a text in TOML describes; ``where`` is what its file is called."""
    try:
        declared = toml_of(text)
    except tomllib.TOMLDecodeError as error:
        raise FileProblem(where, str(error), _EXPECTED) from error
    return register_of(declared, where)


def register_of(declared: Mapping[str, Any], where: str) -> Register:
    """The register that these values make, each checked."""
    known = [*(field.key for field in FIELDS), TOURNAMENTS]
    unknown = sorted(set(declared) - set(known))
    if unknown:
        raise FileProblem(
            where, "unknown key {unknown!r}", ", ".join(sorted(known)), unknown=unknown[0]
        )
    listed = declared.get(TOURNAMENTS, ())
    tournaments = tuple(_tournament(where, row) for row in listed)
    if not tournaments:
        raise FileProblem(where, "no [[tournaments]]", "those that were designated")
    values = {field.key: _value(where, declared, field) for field in FIELDS}
    if values["since"] > values["until"]:
        raise FileProblem(
            where,
            "since = {since}, until = {until}",
            "a period that ends after it begins",
            since=values["since"],
            until=values["until"],
        )
    return Register(**values, tournaments=tournaments)


def register_text(register: Register) -> str:
    """A register as its file has it."""
    lines = [f"{field.key} = {toml_text(getattr(register, field.key))}" for field in FIELDS]
    for day, title in register.tournaments:
        lines += ["", "[[tournaments]]", f"title = {toml_text(title)}", f"day = {toml_text(day)}"]
    return "\n".join(lines) + "\n"


def _tournament(where: str, row: object) -> tuple[str, str]:
    if not isinstance(row, Mapping):
        raise FileProblem(where, repr(row), "[[tournaments]] with title and day")
    day, title = RegisterField("day", Message("day"), "day"), FIELDS[0]
    return str(_value(where, row, day)), str(_value(where, row, title))


def _value(where: str, table: Mapping[str, Any], field: RegisterField) -> Any:
    """Return the value of a field in a register, checked."""
    value = table.get(field.key, field.default)
    said = {"key": field.key, "value": value}
    if field.type == "count":
        least = 1 if field.default is None else 0
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            expected = Message("a whole number from {least} on", least=least)
            raise FileProblem(where, "{key} = {value!r}", expected, **said)
        return value
    if value == field.default == "":
        return ""
    if field.type == "day":
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError as error:
            raise FileProblem(where, "{key} = {value!r}", "e.g. 2025-03-15", **said) from error
    if not isinstance(value, str) or not value.strip():
        raise FileProblem(where, "{key} = {value!r}", '{key} = "…"', **said)
    for rule in _words(value) if field.key == "ties" else ():
        if rule not in TIE_RULES:
            raise FileProblem(where, "ties = {rule!r}", ", ".join(TIE_RULES), rule=rule)
    return value.strip()


def _words(text: str) -> list[str]:
    """Return the parts of a text with commas between."""
    return [part.strip() for part in text.split(",") if part.strip()]


@dataclass(frozen=True, slots=True)
class Tournament:
    """A posted tournament, and why it does not count, if so."""

    record: int
    title: str
    day: str
    category: str
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class QualifyingResult:
    """The points of a player at one tournament; only the best results count."""

    tournament: Tournament
    points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class QualifyingLine:
    """A player on the list: place, points that count, and whether they are enough."""

    place: int
    member: Member
    points: Fraction
    results: tuple[QualifyingResult, ...]
    verdict: str


@dataclass(frozen=True, slots=True)
class Qualification:
    """The list, the tournaments it was made from, those left out and those not posted yet."""

    register: Register
    lines: tuple[QualifyingLine, ...]
    tournaments: tuple[Tournament, ...]
    not_posted: tuple[tuple[str, str], ...]


# --- the list -------------------------------------------------------------------------------------


def qualification(
    connection: Connection, register: Register, folders: Iterable[str | Path] = ()
) -> Qualification:
    """The list for a register, from what the ledger holds."""
    _check_rulebook(connection, register)
    books = {
        row.hash: with_hash(row.hash, data_of(row.amended), folders)
        for row in connection.execute(select(rulebooks))
        if row.rulebook == register.rulebook
    }
    posted = [(row, _judged(row, register, books)) for row in _awards(connection, register)]
    counting = {row.id: tournament for row, tournament in posted if not tournament.left_out}
    earned = _earned(connection, counting)
    who = members.get(connection, earned)
    totals = {m: _best(results, register.best) for m, results in earned.items()}
    barred = _barred(connection, register, earned)
    lines = _placed({who[m]: results for m, results in totals.items()}, register, barred)
    there = {(t.day, sought(t.title)) for _, t in posted}
    missing = tuple(t for t in register.tournaments if (t[0], sought(t[1])) not in there)
    return Qualification(register, lines, tuple(t for _, t in posted), missing)


def _check_rulebook(connection: Connection, register: Register) -> None:
    """Refuse an unknown rulebook: a misspelt one would silently give an empty list."""
    known = {*ids(), *connection.scalars(select(rulebooks.c.rulebook))}
    if register.rulebook not in known:
        raise UnknownName("rulebook", register.rulebook, sorted(known))


def _awards(connection: Connection, register: Register) -> Sequence[Any]:
    """The awards of the period under any revision of the rulebook, without reversed ones."""
    undone = select(records.c.reverses).where(records.c.reverses.is_not(None))
    return connection.execute(
        select(records, rulebooks.c.amended)
        .join(rulebooks, records.c.rulebook == rulebooks.c.hash)
        .where(
            records.c.action == "award",
            rulebooks.c.rulebook == register.rulebook,
            records.c.day >= register.since,
            records.c.day <= register.until,
            records.c.id.not_in(undone),
        )
        .order_by(records.c.day, records.c.id)
    ).all()


def _judged(row: Any, register: Register, books: Mapping[str, Rulebook | None]) -> Tournament:
    designated = {(day, sought(title)) for day, title in register.tournaments}
    if (row.day, sought(row.title)) not in designated:
        return Tournament(row.id, row.title, row.day, "", "not designated for this list")
    category = _category(row, books)
    least = register.minimum_category
    if least and not category:
        why = "its category cannot be derived: the revision it was posted by is not at hand"
        return Tournament(row.id, row.title, row.day, "", why)
    low = least and Fraction(category) < least
    why = (
        Message(
            "category {category}; this list asks for {least} at least",
            category=category,
            least=least,
        )
        if low
        else ""
    )
    return Tournament(row.id, row.title, row.day, category, why)


def _category(row: Any, books: Mapping[str, Rulebook | None]) -> str:
    book = books.get(row.rulebook)
    if book is None:
        return ""
    awards = awards_of(book, stored.from_text(row.facts), in_words=False)
    return awards.lists[0].quantities.get("category", "")


def _earned(
    connection: Connection, counting: Mapping[int, Tournament]
) -> dict[int, list[tuple[Fraction, Tournament]]]:
    known = kinds.by_id(connection)
    roots = ends(connection)
    earned: dict[int, list[tuple[Fraction, Tournament]]] = {}
    for line in connection.execute(
        select(postings)
        .join(records, OF_RECORD)
        .where(records.c.id.in_(counting))
        .order_by(postings.c.id)
    ):
        points = known[line.kind].points(line.amount)
        own = earned.setdefault(roots[line.member], [])
        own.append((points, counting[line.record]))
    return earned


def _best(results: list[tuple[Fraction, Tournament]], best: int) -> tuple[QualifyingResult, ...]:
    ordered = sorted(results, key=lambda result: -result[0])
    most = best or len(ordered)
    return tuple(QualifyingResult(t, points, n < most) for n, (points, t) in enumerate(ordered))


def _barred(connection: Connection, register: Register, some: Iterable[int]) -> dict[int, Message]:
    """Return who does not get a place whatever they earned, and why."""
    roots = ends(connection)
    wanted = set(some)
    barred: dict[int, Message] = {}
    until = date.fromisoformat(register.until)
    year = (until - timedelta(days=365)).isoformat()
    games: Counter[int] = Counter()
    first: dict[int, str] = {}
    there: set[int] = set()
    asks = register.member_since or register.games or register.not_at
    chosen = select(records.c.day, records.c.title, records.c.facts).where(
        STANDS, records.c.day <= register.until
    )
    for row in connection.execute(chosen.order_by(records.c.day)) if asks else ():
        at_event = sought(row.title) == sought(register.not_at) and row.day >= register.since
        for one, played in _played(stored.from_text(row.facts)):
            member = roots[one]
            first.setdefault(member, row.day)
            games[member] += played if row.day > year else 0
            if register.not_at and at_event:
                there.add(member)
    for member in wanted if asks else ():
        if register.member_since and first.get(member, "9999") > register.member_since:
            barred[member] = Message("not eligible: first played on {day}", day=first[member])
        elif games[member] < register.games:
            barred[member] = Message(
                "not eligible: {count} games in a year, {least} asked",
                count=games[member],
                least=register.games,
            )
        elif member in there:
            barred[member] = Message("not eligible: played {event}", event=register.not_at)
    for number in _words(register.declined):
        barred[members.find(connection, number).id] = DECLINED
    return barred


def _played(facts: stored.EventFacts) -> Iterator[tuple[int, int]]:
    """Every player of an event once, and how many games they played in it."""
    most: dict[int, int] = {}
    for each in facts.lists:
        for standing in each.standings:
            for member in stored.members_of(standing):
                most[member] = max(most.get(member, 0), len(standing.games) or 1)
    yield from most.items()


def _placed(
    totals: Mapping[Member, tuple[QualifyingResult, ...]],
    register: Register,
    barred: Mapping[int, Message],
) -> tuple[QualifyingLine, ...]:
    """Everybody by what counts, then by the tie rules; who is barred has no place, and of those who
    declined the next one gets theirs unless it stays vacant."""
    counted = {m: [r for r in results if r.counts] for m, results in totals.items()}
    rules = _words(register.ties)
    keys = {
        member: (sum((r.points for r in own), Fraction(0)), *(_TIES[rule](own) for rule in rules))
        for member, own in counted.items()
    }
    declined = sum(why is DECLINED for why in barred.values())
    places = register.places - (declined if register.vacant else 0)
    ordered = sorted(
        sorted(keys, key=lambda m: (m.title, m.id)), key=keys.__getitem__, reverse=True
    )
    eligible = [m for m in ordered if m.id not in barred]
    lines = [
        *placed(eligible, keys.__getitem__, places),
        *((0, m, barred[m.id]) for m in ordered if m.id in barred),
    ]
    return tuple(
        QualifyingLine(place, m, keys[m][0], totals[m], verdict) for place, m, verdict in lines
    )


_TIES: Mapping[str, Callable[[Sequence[QualifyingResult]], Any]] = {
    "best": lambda own: max((r.points for r in own), default=Fraction(0)),
    "tournaments": len,
    "latest": lambda own: max((r.tournament.day for r in own), default=""),
}
DECLINED = Message("declined")


# --- shown ----------------------------------------------------------------------------------------


def qualification_data(qualification: Qualification, public: bool = False) -> dict[str, Any]:
    """The list as plain data; members who opted out keep their place but are not named in
    public."""
    register, decimals = qualification.register, _decimals(qualification)
    return {
        **{name: getattr(register, name) for name in ("title", "rulebook", "since", "until")},
        "best": register.best or None,
        "places": register.places,
        "minimum_category": register.minimum_category or None,
        "list": [
            {
                "place": line.place,
                "member": line.member.called,
                "name": line.member.title,
                "points": points_text(line.points, decimals),
                "verdict": line.verdict,
                "results": [
                    {
                        "tournament": result.tournament.title,
                        "day": result.tournament.day,
                        "points": points_text(result.points, decimals),
                        "counts": result.counts,
                    }
                    for result in line.results
                ],
            }
            for line in _named(qualification, public)
        ],
        "tournaments": [asdict(one) for one in qualification.tournaments],
        "not_posted": [{"day": day, "title": title} for day, title in qualification.not_posted],
    }


def _named(qualification: Qualification, public: bool) -> list[QualifyingLine]:
    return [line for line in qualification.lines if not (public and line.member.opted_out)]


def _decimals(qualification: Qualification) -> int:
    """The decimals needed by any result of the list, so that all show the same number."""
    results = [result.points for line in qualification.lines for result in line.results]
    return max((len(show(points).partition(".")[2]) for points in results), default=0)


def points_text(points: Fraction, decimals: int) -> str:
    """Points as shown in a list with that many decimals."""
    return f"{Decimal(show(points)):.{decimals}f}"


def qualification_table(qualification: Qualification, public: bool = False) -> Table:
    """Return a table of who qualifies, and by what; in public without those who opted out."""
    decimals = _decimals(qualification)
    shape: Shape[QualifyingLine] = Shape(
        "qualification",
        (
            titled(
                "place",
                kind=Kind.PLACE,
                cell=lambda line: line.place or Cell(None, "–"),
            ),
            person("member.")[2],
            titled(
                "points",
                kind=Kind.NUMBER,
                cell=lambda line: Cell(line.points, points_text(line.points, decimals)),
            ),
            Item(
                "results",
                title=Message("results that count"),
                cell=lambda line: ", ".join(
                    points_text(one.points, decimals) for one in line.results if one.counts
                ),
            ),
            titled("verdict", kind=Kind.WORD),
        ),
        _title(qualification.register),
    )
    return shape.table(_named(qualification, public))


def _title(register: Register) -> Message:
    period = {"since": register.since, "until": register.until}
    counted = (
        plural(
            "the best result from {since} to {until}",
            "the best {count} results from {since} to {until}",
            count=register.best,
            **period,
        )
        if register.best
        else Message("all results from {since} to {until}", **period)
    )
    places = plural("{count:,} place", "{count:,} places", count=register.places)
    return Message(
        "{title}: {places}, {counted}", title=register.title, places=places, counted=counted
    )


def what_does_not_count(qualification: Qualification) -> list[str]:
    """Return a line for each tournament left out, with the reason, or not posted yet."""
    left_out = [
        Message("Left out: {title}, {day}: {reason}", title=t.title, day=t.day, reason=t.left_out)
        for t in qualification.tournaments
        if t.left_out
    ]
    not_posted = [
        Message("Not posted yet: {title}, {day}", title=title, day=day)
        for day, title in qualification.not_posted
    ]
    return [*left_out, *not_posted]


def qualification_answer(qualification: Qualification) -> list[str | Table]:
    """The list, what was left out and what is not posted yet."""
    return [qualification_table(qualification), *what_does_not_count(qualification)]
