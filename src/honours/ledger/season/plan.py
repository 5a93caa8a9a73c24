"""A season file: the club's year and its competitions, as a small TOML. See docs/club.md."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.engine.numbers import exact
from honours.engine.ranks import year_around, year_from
from honours.errors import FileProblem, HonoursError, InputError, UnknownName, message_of
from honours.files import toml_of
from honours.formats.reading import read_text
from honours.formats.rulings import is_of_results
from honours.model.message import Message, mark
from honours.pipeline.options import OF_EACH, chosen_options

KINDS = (mark("pairs"), mark("individual"), mark("teams"))
SCORES = (mark("average"), mark("sum"), mark("points"))
TABLE = "table"
"""The type of a ladder or league table: it ranks and awards nothing."""
FINAL, CONSOLATION, AGGREGATE = "final", "consolation-final", "aggregate"
_YEAR_KEYS = ("club", "rulebook", "variant", "year", "options", "competition")
_KEYS = (
    "title",
    "kind",
    "type",
    "championship",
    "events",
    "file",
    "best",
    "played",
    "score",
    "points",
    "substitutes",
    "most_substitutions",
    "final",
    "consolation",
    "facts",
    "date",
    "options",
)
_EVENT_KEYS = ("folder", "files", "ledger", "marked")
_STAGE_KEYS = ("file", "boards", "score", "places")


@dataclass(frozen=True, slots=True)
class EventSelection:
    """The events that count: files, or those in the ledger whose title matches ``ledger``.

    ``marked`` says that a file is a heat or simultaneous pairs, in the rulebook's word.
    """

    files: tuple[Path, ...] = ()
    ledger: str = ""
    marked: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Substitution:
    """On ``day``, those who ``played`` substituted for the entrant for whom it counts."""

    day: str
    played: frozenset[str]
    counts_for: frozenset[str]


@dataclass(frozen=True, slots=True)
class Stage:
    """A final or consolation final: its standings, its boards, and who may play in it."""

    file: Path
    boards: int
    score: Fraction | None = None
    places: int | None = None


@dataclass(frozen=True, slots=True)
class Competition:
    """One competition of the year as the club declares it."""

    title: str
    kind: str
    type: str
    championship: str = "none"
    events: EventSelection = EventSelection()
    file: Path | None = None
    best: int = 0
    played: int = 0
    score: str = "average"
    points: tuple[Fraction, ...] = ()
    substitutions: tuple[Substitution, ...] = ()
    most_substitutions: int = 0
    final: Stage | None = None
    consolation: Stage | None = None
    facts: Mapping[str, str] | None = None
    day: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    """How its events are scored and their players matched, as for ``honours award``."""


@dataclass(frozen=True, slots=True)
class Season:
    """A club's year: its first day, its rulebook and its competitions."""

    path: str
    club: str
    rulebook: str
    variant: str
    since: str
    until: str
    competitions: tuple[Competition, ...]
    year_begins: str = ""
    """When the club's year begins, if the season does not state its year."""

    def year_of(self, day: str) -> tuple[str, str]:
        """The season's year; if it states none, the club's year that contains a day."""
        if self.since or not day:
            return self.since, self.until
        return year_around(day, self.year_begins)

    def competition(self, title: str = "") -> Competition:
        """The competition with that name, or the only one."""
        matching = [c for c in self.competitions if title in ("", c.title)]
        if len(matching) == 1:
            return matching[0]
        titles = [c.title for c in self.competitions]
        if title:
            raise UnknownName("competition", title, titles)
        raise InputError(
            "{path} has several competitions: say which of {titles}",
            path=self.path,
            titles=tuple(titles),
        )


def read_season(path: str | Path) -> Season:
    """Read a season file; errors say what is wrong and where."""
    return season_of(read_text(path), str(path), Path(path).parent)


def season_of(text: str, name: str = "season", folder: Path | None = None) -> Season:
    """A season from its text; the files it names are in ``folder``. Without a folder it may
    count events of the ledger only, as for a user who must not access files here."""
    try:
        data = toml_of(text, str)
    except tomllib.TOMLDecodeError as error:
        raise FileProblem(name, "not TOML: {error}", error=error) from error
    try:
        return _season(name, folder, data)
    except FileProblem:
        raise
    except (AttributeError, HonoursError, KeyError, TypeError, ValueError) as error:
        fault = (
            Message("{error} is missing", error=error)
            if isinstance(error, KeyError)
            else message_of(error)
        )
        raise FileProblem(name, fault) from error


def _season(name: str, folder: Path | None, data: dict[str, Any]) -> Season:
    several = "competition" in data
    tables = data["competition"] if several else [data]
    if not isinstance(tables, list):
        raise InputError("competition = {tables!r}: expected [[competition]] tables", tables=tables)
    if several:
        _known(data, _YEAR_KEYS, "the season")
    since, until = _year(data.get("year", ""))
    shared = data.get("options", {}) if several else {}
    made = tuple(_competition(folder, table, several, shared) for table in tables)
    titles = [c.title for c in made]
    for title in titles:
        if titles.count(title) > 1:
            raise InputError("two competitions are called {title!r}", title=title)
    club, rulebook, variant = (_text(data, key) for key in ("club", "rulebook", "variant"))
    if not rulebook:
        raise KeyError("rulebook")
    return Season(name, club, rulebook, variant, since, until, made)


def _known(table: object, keys: Sequence[str], where: str) -> None:
    if not isinstance(table, Mapping):
        raise InputError(
            "{where}: {table!r}, expected a table with {keys}",
            where=where,
            table=table,
            keys=tuple(keys),
        )
    for key in table:
        if key not in keys:
            raise UnknownName(Message("key of {where}", where=where), key, keys)


def _year(first: object) -> tuple[str, str]:
    """The first and the last day of the club's year."""
    if first == "":
        return "", ""
    return year_from(first if isinstance(first, date) else date.fromisoformat(str(first)))


def _competition(
    folder: Path | None, table: dict[str, Any], several: bool, shared: Mapping[str, object]
) -> Competition:
    _known(table, _KEYS if several else (*_KEYS, *_YEAR_KEYS), Message("a competition"))
    title = table["title"]
    if not isinstance(title, str) or not title:
        raise InputError("title = {title!r}: expected some words", title=title)
    best = _count(table, "best")
    return Competition(
        title=title,
        kind=_word("kind", table["kind"], KINDS),
        type=_text(table, "type", TABLE),
        championship=_text(table, "championship", "none"),
        events=_events(folder, table.get("events", {}), title),
        file=_file(folder, table["file"]) if "file" in table else None,
        best=best,
        played=_count(table, "played", best),
        score=_word("score", table.get("score", "average"), SCORES),
        points=tuple(exact(p) for p in table.get("points", ())),
        substitutions=tuple(_substitution(s) for s in table.get("substitutes", ())),
        most_substitutions=_count(table, "most_substitutions"),
        final=_stage(folder, table.get("final"), Message("{title}, final", title=title)),
        consolation=_stage(
            folder, table.get("consolation"), Message("{title}, consolation", title=title)
        ),
        facts={k: str(v) for k, v in table.get("facts", {}).items()},
        day=str(table.get("date", "")),
        options=_options(folder, {**shared, **table.get("options", {})}),
    )


def _options(folder: Path | None, table: Mapping[str, object]) -> dict[str, object]:
    """Options by name, checked; a file must be in the season's folder."""
    chosen_options(table, OF_EACH)
    known = {option.name: option for option in OF_EACH}

    def placed(name: str, value: object) -> object:
        option = known.get(name)
        own_file = option is not None and option.kind in ("file", "table")
        if not own_file or value in ("", *known[name].words):
            return value
        return str(_file(folder, str(value)))

    return {name: placed(name, value) for name, value in table.items()}


def _text(table: Mapping[str, Any], key: str, unless_said: str = "") -> str:
    text = table.get(key, unless_said)
    if not isinstance(text, str):
        raise InputError("{key} = {text!r}: expected a text in quotation marks", key=key, text=text)
    return text


def _count(table: Mapping[str, Any], key: str, unless_said: int = 0) -> int:
    number = table.get(key, unless_said)
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise InputError("{key} = {number!r}: expected a whole number", key=key, number=number)
    return number


def _word(what: str, word: str, known: Sequence[str]) -> str:
    if word not in known:
        raise UnknownName(what, word, known)
    return word


def _file(folder: Path | None, name: str) -> Path:
    if folder is None:
        raise InputError("{name!r}: only events of the ledger can count here, no files", name=name)
    return folder / name


def _events(base: Path | None, table: dict[str, Any], title: str) -> EventSelection:
    _known(table, _EVENT_KEYS, Message("the events of {title}", title=title))
    files = [_file(base, name) for name in table.get("files", ())]
    if "folder" in table:
        folder = _file(base, table["folder"])
        if not folder.is_dir():
            raise FileProblem(folder, "no such folder of events")
        files += sorted(p for p in folder.iterdir() if p.is_file() and is_of_results(p))
    return EventSelection(tuple(files), _text(table, "ledger"), table.get("marked", {}))


def _substitution(table: dict[str, Any]) -> Substitution:
    _known(table, ("date", "day", "played", "counts_for"), "substitutes")
    day = table["day"] if "day" in table else table["date"]
    return Substitution(str(day), _people(table, "played"), _people(table, "counts_for"))


def _people(table: Mapping[str, Any], key: str) -> frozenset[str]:
    people = table[key]
    if not isinstance(people, list) or not all(isinstance(one, str) for one in people):
        raise InputError(
            "{key} = {people!r}: expected names or numbers, each in quotation marks",
            key=key,
            people=people,
        )
    return frozenset(people)


def _stage(base: Path | None, table: dict[str, Any] | None, where: str) -> Stage | None:
    if table is None:
        return None
    _known(table, _STAGE_KEYS, where)
    score = exact(table["score"]) if "score" in table else None
    places = _count(table, "places") if "places" in table else None
    file = _file(base, table["file"])
    return Stage(file, _count(table, "boards", table["boards"]), score, places)
