"""The plan by which tables are read: what each column means, and how dates, decimals and words are
written.

A first draft is made from the headers and the first rows, and written as a small file that people
correct and give back.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, Protocol

from honours.engine.rules import public
from honours.errors import FileProblem, InputError, UnknownName
from honours.files import toml_of, toml_text
from honours.formats.sheet import plain
from honours.formats.table_standings import COLUMNS as STANDINGS
from honours.lab.history.sources import SourceTable
from honours.lab.tables import ENTRANTS, EVENTS, PLAYERS
from honours.model.message import Message
from honours.model.vocabulary import VOCABULARY

# --- what headers mean --------------------------------------------------------------------------

Shape = Literal["members", "events", "entrants", "players", "games"]
"""What a row of a table describes: a member, an event, an entrant with its players, a player, or
a game."""

HEADERS = tomllib.loads((files(__package__) / "headers.toml").read_text("utf-8"))
SIGNS: Mapping[str, str] = HEADERS["signs"]
"""What may stand between members in one cell."""
SIDES_OF_GAMES = frozenset({"opponent", "black", "white", "winner", "loser"})
_OTHER_NAMES = {"masterpoints": "holding", "number": "player", "percentage": "score"}
"""Facts and meanings from other tables that have another name as a column here."""
_NOT_HERE = ("id", "score_place", "overall_place", "sat_in", "discipline")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A column of the corpus that a header may mean."""

    name: str
    of: Literal["event", "entrant", "player", "game"]
    type: str
    """id, word, text, count, number, date, grade or yes-no."""
    spellings: tuple[str, ...]


@cache
def meanings() -> Mapping[str, Meaning]:
    """Every column that a table may contain."""
    known: dict[str, Meaning] = {}
    for of, schema in (("event", EVENTS), ("entrant", ENTRANTS), ("player", PLAYERS)):
        for column in schema:
            name = column.name
            if name not in known and name not in _NOT_HERE:
                usual = "word" if str(column.type).startswith("dictionary") else "count"
                kind = HEADERS["types"].get(name, usual)
                known[name] = Meaning(name, of, kind, _spellings(name))  # type: ignore[arg-type]
    for name, column in HEADERS["games"].items():
        known[name] = Meaning(name, "game", column["type"], (name, *column["spellings"]))
    return known


def _spellings(name: str) -> tuple[str, ...]:
    other = [known for known, column in _OTHER_NAMES.items() if column == name]
    listed: list[str] = [*HEADERS["spellings"].get(name, ())]
    for known in (name, *other):
        if known in VOCABULARY:
            listed += [known, *VOCABULARY[known].spellings]
        listed += [known, *STANDINGS.spellings.get(known, ())] if known != "title" else []
    stems = {"player": "number", "holding": "masterpoints"}.get(name, name)
    listed += STANDINGS.numbered.get(stems, ())
    return tuple(dict.fromkeys(map(plain, (name, *listed))))


@dataclass(frozen=True, slots=True)
class MeantColumn:
    """A header and its interpretation: a column of the corpus and, if the header has a number,
    which player of the entrant; of a cell with several members, which of them."""

    header: str
    meaning: str
    number: int = 0
    sign: str = ""
    part: int = 0

    @property
    def shown(self) -> str:
        return f"{self.meaning}{self.number or ''}"

    @property
    def type(self) -> str:
        return meanings()[self.meaning].type

    @property
    def is_of_players(self) -> bool:
        return meanings()[self.meaning].of == "player"


def read_meaning(text: str) -> tuple[str, int] | None:
    """``holding2`` as a column of the corpus and the number of a player, ``round3`` of a round."""
    match = re.fullmatch(r"([a-z_]+?)(\d{0,2})", text)
    meaning = meanings().get(match[1]) if match else None
    if match is None or meaning is None:
        return None
    if match[2] and meaning.of != "player" and meaning.name != "round":
        return None
    return meaning.name, int(match[2] or 0)


Meant = tuple[list[MeantColumn], dict[str, Message]]
"""What columns mean, and why the others mean nothing."""


def understood(headers: Sequence[str]) -> Meant:
    """The interpretation of each header, and for the others why there is none."""
    taken: dict[tuple[str, int], MeantColumn] = {}
    left: dict[str, Message] = {}
    games = _tells_games(headers)
    for header in sorted(headers, key=lambda one: plain(one) not in meanings()):  # its own name
        meant = _meant(header, games)
        if meant is None:
            left[header] = _nearest(header)
            continue
        other = taken.get(meant)
        titles = [h for h in (header, *([other.header] if other else [])) if plain(h) in _TITLES]
        if other is None:
            taken[meant] = MeantColumn(header, *meant)
        elif titles and ("title", 0) not in taken:  # the id has a column of its own
            taken["title", 0] = MeantColumn(titles[0], "title")
            if titles[0] == other.header:
                taken[meant] = MeantColumn(header, *meant)
        else:
            left[header] = Message(
                "{other} is taken for {meaning} already", other=other.header, meaning=other.shown
            )
    return _without_doubt(taken, left)


_TITLES = ("event", "name")


def _without_doubt(columns: dict[tuple[str, int], MeantColumn], left: dict[str, Message]) -> Meant:
    """If a header has two possible meanings, the one that no other column has; ``tournament``
    means the event if no other column names one."""
    if ("event", 0) not in columns and ("tournament", 0) in columns:
        columns["event", 0] = MeantColumn(columns.pop(("tournament", 0)).header, "event")
    if not any(meaning == "player" for meaning, _ in columns):
        for header in [h for h in left if plain(h) in HEADERS["names"]["headers"]][:1]:
            columns["player", 0] = MeantColumn(header, "player")
            del left[header]
    for header in [*left]:
        may_be = HEADERS["ambiguous"].get(plain(header), ())
        open_to = [meaning for meaning in may_be if (meaning, 0) not in columns]
        if len(open_to) == 1:
            columns[open_to[0], 0] = MeantColumn(header, open_to[0])
            del left[header]
        elif open_to:
            left[header] = Message(
                "it may be {one} or {other}: say which", one=open_to[0], other=open_to[1]
            )
    return list(columns.values()), left


def _tells_games(headers: Iterable[str]) -> bool:
    """Return whether headers say who played whom."""
    known = {plain(header) for header in headers}
    sides = (("opponent",), ("black", "white"), ("winner", "loser"))
    return any(all(known & {*meanings()[m].spellings} for m in both) for both in sides)


def _meant(header: str, games: bool) -> tuple[str, int] | None:
    """The interpretation of a header; words about games count only if the table says who played
    whom."""
    name = plain(header)
    if name == "points":
        return None
    of_games = [m for m in meanings().values() if m.of == "game"]
    others = [m for m in meanings().values() if m.of != "game"]
    for meaning in (*(of_games if games else ()), *others):
        if name in meaning.spellings:
            return meaning.name, 0
    match = re.fullmatch(r"([^\d]*)(\d{1,2})([^\d]*)", name)
    if match is None:
        return None
    stem, number = match[1] + match[3], int(match[2])
    if stem in meanings()["round"].spellings:
        return "round", number
    own = stem.removeprefix("player").removeprefix("p") or "player"
    if own in ("id", "no"):
        return "player", number
    for meaning in others:
        if meaning.of == "player" and {stem, own, f"player{stem}"} & {*meaning.spellings}:
            return meaning.name, number
    return None


def _nearest(header: str) -> Message:
    """Say why a header is not understood, and which known one it most resembles."""
    spelled = {s: m.name for m in meanings().values() for s in m.spellings}
    near = get_close_matches(plain(header), spelled, n=1, cutoff=0.75)
    if near:
        return Message("not understood; it is most like {name}", name=spelled[near[0]])
    return Message("not understood")


def shape_of(columns: Iterable[MeantColumn]) -> Shape | None:
    """Return what a row with these columns describes; ``None`` if the rows cannot be used."""
    there = {column.meaning for column in columns}
    seats = {column.number for column in columns if column.meaning == "player"}
    placed = there & {"place", "score", "entrant"}
    if "event" not in there:
        alone = seats == {0} and not placed
        return "members" if alone and there & {"holding", "rating", "eligible"} else None
    if there & SIDES_OF_GAMES:
        return "games"
    if seats:
        return "entrants" if seats - {0} else "players"
    return "entrants" if placed else "events"


# --- the plan of an import ----------------------------------------------------------------------

EACH_PLAYER, ENTRANT = "each player", "entrant"
DATE_FORMATS = ("%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y/%m/%d", "%Y%m%d")
_WRITTEN = ("date", "decimal", "paid", "unit", "members")
_KEPT_AS_WRITTEN = ("stratum", "flight")


class LoadedTable(Protocol):
    """A table whose rows can be looked at."""

    @property
    def table(self) -> SourceTable: ...

    def texts(self, header: str) -> list[str]:
        """The distinct texts of a column in the first rows; none of a column that has a type."""

    def most_parts(self, header: str, sign: str) -> tuple[int, str]:
        """The most members that a cell names, and such a cell."""

    def fits_date(self, header: str, written: str) -> bool:
        """Return whether the texts are all dates in this format."""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """A table with the meaning of its columns, and why the others are ignored."""

    table: SourceTable
    columns: tuple[MeantColumn, ...]
    left: Mapping[str, Message]
    several: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Of headers whose cells name several members: the separator, and the most in a cell."""

    @property
    def each(self) -> list[MeantColumn]:
        """The columns with one for every member; a figure given once for several members belongs
        to none of them, unless it was paid."""
        named = {c.number: c for c in self.columns if c.meaning == "player"}
        many = {n: self.several.get(named[n].header, ("", 1))[1] for n in sorted(named)}
        if not self.several:
            made = [*self.columns]
        else:
            first = {n: 1 + sum(m for k, m in many.items() if k < n) for n in many}
            made = []
            for column in self.columns:
                begin, sign = first.get(column.number), self.several.get(column.header)
                if not column.is_of_players or begin is None:
                    made.append(column)
                elif sign:
                    made += [
                        replace(column, number=begin + k, sign=sign[0], part=k + 1)
                        for k in range(many[column.number])
                    ]
                elif many[column.number] == 1:
                    made.append(replace(column, number=begin))
                else:
                    made.append(replace(column, number=0))
        return [c for c in made if c.header not in _nobodys(made)]

    @property
    def unclear(self) -> Collection[str]:
        """Columns that give one value in a row of several players without saying whose it is."""
        return {c.header for c in self.columns} - {c.header for c in self.each}

    @property
    def shape(self) -> Shape | None:
        return shape_of(self.each)

    def has(self, meaning: str) -> bool:
        return any(c.meaning == meaning for c in self.columns)

    def numbers(self, meaning: str) -> list[int]:
        """The players or the rounds that a row has such a column of."""
        return sorted({c.number for c in self.each if c.meaning == meaning and c.number})

    def why_left(self) -> Mapping[str, Message]:
        """Return the reason for each column that is not used."""
        whose = Message("a row has several players, and it does not say of which this is")
        return {**self.left, **dict.fromkeys(sorted(self.unclear), whose)}


def _nobodys(columns: Sequence[MeantColumn]) -> set[str]:
    if not any(c.meaning == "player" and c.number for c in columns):
        return set()
    return {c.header for c in columns if c.is_of_players and not c.number and c.meaning != "paid"}


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """All tables of an import, and how their cells are written."""

    tables: tuple[TablePlan, ...]
    without: tuple[SourceTable, ...] = ()
    """The tables that cannot be used."""
    date: str = DATE_FORMATS[0]
    decimal: str = "."
    paid_to: str = EACH_PLAYER
    unit: str = ""
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    proposed: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Words of the tables with what they most likely mean; empty where nobody can tell."""
    missing: Mapping[str, str] = field(default_factory=dict)
    """What a missing value of a column counts as."""

    def translate(self, meaning: str, text: str) -> str:
        """A word in the form the corpus uses: lower case with hyphens, or as the plan says; a
        letter that stands for a class is left alone."""
        own, likely = (some.get(meaning, {}).get(text) for some in (self.words, self.proposed))
        if own or likely:
            return str(own or likely)
        if meaning in _KEPT_AS_WRITTEN or (meaning == "class" and len(text) == 1):
            return text
        hyphened = "-".join(text.casefold().replace("_", " ").split())
        return str(HEADERS["words"].get(meaning, {}).get(hyphened, hyphened))


class UnknownColumns(InputError):
    """Columns of tables that must be told what they mean before anything can be imported."""


def read_plan(path: Path | None) -> dict[str, Any]:
    """A corrected plan, as plain data; nothing of no plan."""
    if path is None:
        return {}
    try:
        content = toml_of(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise FileProblem(
            path, "not TOML ({error})", "a plan of the import", error=error
        ) from error
    known = ("written", "words", "missing", "table")
    for keys, some in ((content, known), (content.get("written", {}), _WRITTEN)):
        for key in keys:
            if key not in some:
                raise FileProblem(path, "{strange!r} is not known", ", ".join(some), strange=key)
    return content


def make_plan(
    loaded: Sequence[LoadedTable],
    corrected: Mapping[str, Any],
    draft: bool = False,
    told: Mapping[str, str] | None = None,
) -> ImportPlan:
    """The plan for these tables; a ``draft`` may lack what an import needs. What columns mean is
    as the corrected plan and what was ``told`` say, and else as their headers do."""
    written = {str(k): str(v) for k, v in corrected.get("written", {}).items()}
    by_table = corrected.get("table", {})
    every = [
        _planned(own, _columns(own.table, by_table.get(own.table.name), told or {}), written, draft)
        for own in loaded
    ]
    plans = _each_once([plan for plan in every if plan.shape])
    if not draft:
        _check(plans)
    sampled = [(own, c) for own, plan in zip(loaded, every, strict=True) for c in plan.columns]
    texts: dict[str, list[str]] = {}
    for own, column in sampled:
        if column.type in ("number", "word"):
            texts.setdefault(column.meaning, []).extend(own.texts(column.header))
    dates = [(own, column.header) for own, column in sampled if column.type == "date"]
    plan = ImportPlan(
        tuple(plans),
        tuple(plan.table for plan in every if not plan.shape),
        written.get("date") or _date_format(dates, draft),
        _decimal(written.get("decimal", ""), texts),
        written.get("paid", EACH_PLAYER),
        written.get("unit", ""),
        {k: {str(a): str(b) for a, b in v.items()} for k, v in corrected.get("words", {}).items()},
        missing={str(k): str(v) for k, v in corrected.get("missing", {}).items()},
    )
    if plan.paid_to not in (EACH_PLAYER, ENTRANT):
        raise UnknownName("who is paid", plan.paid_to, (EACH_PLAYER, ENTRANT))
    return replace(plan, proposed=_proposed(plan, texts))


def _planned(own: LoadedTable, meant: Meant, written: Mapping[str, str], draft: bool) -> TablePlan:
    (columns, left), members = meant, written.get("members")
    if members and members not in SIGNS:
        known = ", ".join(map(repr, SIGNS))
        raise InputError("members = {sign!r}: expected one of {known}", sign=members, known=known)
    several: dict[str, tuple[str, int]] = {}
    whose = [c for c in columns if c.is_of_players and c.header not in _nobodys(columns)]
    if members != "" and any(c.meaning == "player" for c in whose):
        for column in whose:
            if sign := _sign(own, column, members, draft):
                most, cell = own.most_parts(column.header, SIGNS[sign])
                if most > _MOST_SEATS:
                    raise InputError(
                        "{table}: column {header!r}: {text!r} names {count} members; at most "
                        "{most} are an entrant",
                        table=own.table.origin,
                        header=column.header,
                        text=cell[:80],
                        count=most,
                        most=_MOST_SEATS,
                    )
                several[column.header] = (sign, most)
    parted = any(c.header in several for c in columns if c.meaning == "player")
    return TablePlan(own.table, tuple(columns), left, several if parted else {})


def _columns(
    table: SourceTable, corrections: Mapping[str, str] | None, told: Mapping[str, str]
) -> Meant:
    told = {header: text for header, text in told.items() if header in table.columns}
    columns, left = understood([h for h in table.columns if h not in told])
    if corrections is not None:
        columns, told = [], {**corrections, **told}
        left = {
            header: Message("the plan does not name it")
            for header in table.columns
            if header not in told
        }
    for header, text in told.items():
        if header not in table.columns:
            raise UnknownName(
                Message("column of {table}", table=table.origin), header, table.columns
            )
        meant = read_meaning(text)
        if not text:
            left[header] = Message("as you say")
        elif meant is None:
            raise UnknownName(
                Message("meaning of the column {header}", header=header), text, meanings()
            )
        else:
            columns = [c for c in columns if (c.meaning, c.number) != meant]
            columns.append(MeantColumn(header, *meant))
    return columns, left


def _check(plans: Sequence[TablePlan]) -> None:
    """Check that the tables together say who came where in which event."""
    if not plans:
        raise UnknownColumns("no column is understood as the event's id")
    if not any(plan.has(m) for plan in plans for m in ("place", "score", "round", *SIDES_OF_GAMES)):
        headers = [header for plan in plans for header in plan.left]
        raise UnknownColumns(
            "no column is understood as the place or the score of an entrant; not understood "
            "are {columns}",
            columns=", ".join(map(repr, headers[:12])) or "–",
        )


def _each_once(plans: list[TablePlan]) -> list[TablePlan]:
    """The plans without duplicates: if another table says who took part, tables of games only
    say who played whom."""
    if not any(plan.shape in ("entrants", "players") for plan in plans):
        return plans
    told = {m.name for m in meanings().values() if m.of in ("entrant", "player")}
    told -= {"entrant", "player"}
    why = Message("another table tells who took part")
    return [
        replace(
            plan,
            columns=tuple(c for c in plan.columns if c.meaning not in told),
            left={**plan.left, **{c.header: why for c in plan.columns if c.meaning in told}},
        )
        if plan.shape == "games"
        else plan
        for plan in plans
    ]


# --- cells that name several members ------------------------------------------------------------

_DOUBTFUL = {",": re.compile(r"\d+\s*,\s*\d+"), "-": re.compile(r"(\d{4,})\s*-\s*(\d{4,})")}
"""Signs that occur in many ids and names: they are asked about only between whole numbers."""
_MOST_SEATS = 12
_ENOUGH = 20


def _sign(own: LoadedTable, column: MeantColumn, wanted: str | None, draft: bool) -> str:
    """The separator between the members in a column's cells; nothing if each cell has one
    member."""
    texts = own.texts(column.header)
    shares = {sign: _share(texts, sign) for sign in SIGNS}
    if column.meaning != "player":  # figures for each member may have another separator
        return next((s for s in ("&", "/", ";", "+", "|") if shares[s] > 0.5), "")
    if wanted is not None:
        pattern = SIGNS[wanted]
        return wanted if any(len(re.split(pattern, text)) > 1 for text in texts) else ""
    sign = max(shares, key=lambda one: shares[one])
    if not shares[sign] or draft:
        return sign if shares[sign] > 0.5 else ""
    before = {re.split(SIGNS[sign], text)[0] for text in texts}
    is_prefix = len(texts) >= _ENOUGH and len(before) < len(texts) / 10  # of an id: UK/1234
    if shares[sign] > 0.5 and sign not in _DOUBTFUL and not is_prefix:
        return sign
    raise InputError(
        "{table}: column {header!r}: is {example!r} one member or several? Say in the plan "
        '(--draft FILE writes one): members = {sign!r} for several, members = "" for one',
        table=own.table.origin,
        header=column.header,
        example=next(text for text in texts if _has(text, sign)),
        sign=sign,
    )


def _share(texts: Sequence[str], sign: str) -> float:
    return sum(_has(text, sign) for text in texts) / len(texts) if texts else 0.0


def _has(text: str, sign: str) -> bool:
    """Return whether there is text on both sides of the separator."""
    if sign in _DOUBTFUL:
        match = _DOUBTFUL[sign].fullmatch(text)
        return match is not None and (sign == "," or len(match[1]) == len(match[2]))
    return len([part for part in re.split(SIGNS[sign], text) if part]) > 1


# --- how cells are written ----------------------------------------------------------------------


def _date_format(dates: Sequence[tuple[LoadedTable, str]], draft: bool) -> str:
    texts = [text for own, header in dates for text in own.texts(header)[:1]]
    if not texts:
        return DATE_FORMATS[0]
    fit = [f for f in DATE_FORMATS if all(own.fits_date(header, f) for own, header in dates)]
    if len(fit) == 1 or draft:
        return fit[0] if len(fit) == 1 else ""
    if not fit:
        raise InputError(
            "dates such as {text}: no one way of writing dates fits them all; say in the plan "
            'how they are written, e.g. date = "%d/%m/%Y"',
            text=texts[0],
        )
    raise InputError(
        "dates such as {text} may be {one} or {other}: say in the plan which, e.g. date = {one!r}",
        text=texts[0],
        one=fit[0],
        other=fit[1],
    )


def _decimal(given: str, texts: Mapping[str, Sequence[str]]) -> str:
    """The decimal sign, judged by the cells that can be read in only one way."""
    if given:
        if given not in (".", ","):
            raise InputError('decimal = {mark!r}: expected "." or ","', mark=given)
        return given
    numbers = [t for m, some in texts.items() if meanings()[m].type == "number" for t in some]
    commas = sum(bool(re.fullmatch(r"[+-]?\d+,\d{1,2}|[+-]?[\d.]+,\d+", t)) for t in numbers)
    points = sum(bool(re.fullmatch(r"[+-]?[\d,]*\d\.\d+", t)) for t in numbers)
    return "," if commas > points else "."


@cache
def _words_of(meaning: str) -> tuple[str, ...]:
    """The words that rulebooks know for a column."""
    from honours.rulebooks import ids, load

    inputs = (one for name in ids() for one in load(name).inputs.values())
    words = (w for one in inputs if public(one.name) == meaning for w in one.words)
    return tuple(dict.fromkeys(words))


def _proposed(plan: ImportPlan, texts: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """Return what words that no rulebook knows most likely mean: SEC begins sectional, Prs is pairs
    without some of its letters."""
    proposed: dict[str, dict[str, str]] = {}
    for meaning in ("class", "kind"):
        known = _words_of(meaning)
        for text in dict.fromkeys(texts.get(meaning, ())):
            if plan.translate(meaning, text) not in known and len(proposed.get(meaning, ())) < 50:
                proposed.setdefault(meaning, {})[text] = _likely(text, known)
    return proposed


def _likely(text: str, known: Sequence[str]) -> str:
    letters = [c for c in text.casefold() if c.isalpha()]
    begins = [word for word in known if word.startswith("".join(letters))]

    def spells(word: str) -> bool:
        rest = iter(word)
        return all(c in rest for c in letters)

    alike = begins or [w for w in known if letters and w[0] == letters[0] and spells(w)]
    return min(alike, key=len) if alike and len(letters) > 1 else ""


# --- the file -----------------------------------------------------------------------------------


def plan_text(plan: ImportPlan) -> str:
    """The plan as the file that people correct."""
    lines = [
        "# What the columns are taken for. Correct it and import again with --plan and this file.",
        "# Right of = stands a column of the corpus (`honours lab tables`); of players with a",
        '# number: player1, holding2. "" leaves a column out.',
        "",
        "[written]",
        f"date = {toml_text(plan.date)}  # how dates are written: %d the day, %m the month",
        f"decimal = {toml_text(plan.decimal)}",
        f"paid = {toml_text(plan.paid_to)}  # or {toml_text(ENTRANT)}: all its players together",
        f"unit = {toml_text(plan.unit)}  # of what was paid, e.g. masterpoints",
    ]
    signs = [
        one.several[c.header][0]
        for one in plan.tables
        for c in one.columns
        if c.meaning == "player" and c.header in one.several
    ]
    for sign in signs[:1]:
        about = 'between members in one cell; "" where each is one'
        lines.append(f"members = {toml_text(sign)}  # {about}")
    lines.append("")
    for meaning in dict.fromkeys((*plan.words, *plan.proposed)):
        words = {**plan.proposed.get(meaning, {}), **plan.words.get(meaning, {})}
        lines += [f"[words.{meaning}]  # one of: {', '.join(_words_of(meaning))}"]
        lines += [f"{toml_text(a)} = {toml_text(b)}" for a, b in words.items()] + [""]
    if plan.missing:
        lines += ["[missing]  # leave-out, median, nearest or a value"]
        lines += [f"{a} = {toml_text(b)}" for a, b in plan.missing.items()] + [""]
    for one in plan.tables:
        lines.append(f"[table.{toml_text(one.table.name)}]  # a row is one of: {one.shape}")
        lines += _columns_text(one.columns, one.left)
    for table in plan.without:
        lines.append(f"[table.{toml_text(table.name)}]  # say which column is the event's id")
        lines += _columns_text(*understood(table.columns))
    return "\n".join(lines).rstrip() + "\n"


def _columns_text(columns: Sequence[MeantColumn], left: Mapping[str, Message]) -> list[str]:
    meant = [f"{toml_text(c.header)} = {toml_text(c.shown)}" for c in columns]
    return [*meant, *(f'{toml_text(header)} = ""  # {why}' for header, why in left.items()), ""]
