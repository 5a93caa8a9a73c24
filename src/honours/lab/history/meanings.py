"""The meaning of the headers in a federation's table: a column of the corpus, by the one
vocabulary.

A column of the corpus is recognised by its own name, by the name and spellings of the fact it holds
(:mod:`honours.model.vocabulary`), by its usual headers in tables of standings, and by those in
exports from membership systems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from typing import Literal

from honours.formats.sheet import plain
from honours.formats.table_standings import COLUMNS as STANDINGS
from honours.lab.tables import ENTRANTS, EVENTS, PLAYERS
from honours.model.message import Message
from honours.model.vocabulary import VOCABULARY

Level = Literal["event", "entrant", "player", "game"]
Shape = Literal["members", "events", "entrants", "players", "games"]
"""What a row of a table describes: a member, an event, an entrant with its players, a player, or
a game."""
Type = Literal["id", "word", "text", "count", "number", "date", "grade", "yes-no"]

_EXPORTS: dict[str, tuple[str, ...]] = {
    "event": ("eventid", "eventno", "eventnumber", "eventcode", "gameid", "resultid", "eventkey"),
    "title": ("eventname", "eventtitle", "description"),
    "date": ("eventdate", "playedon", "dateplayed", "day", "enddate", "datum"),
    "club": ("clubid", "clubno", "clubnumber", "clubname", "clubcode", "hostclub", "organiser"),
    "tournament": ("tournamentid", "sanction", "sanctionno", "congress"),
    "class": ("classification", "eventclass", "level", "eventlevel", "tier"),
    "kind": ("type", "eventtype", "eventkind"),
    "sessions": ("numberofsessions", "noofsessions", "numsessions", "sessioncount"),
    "boards": ("totalboards", "deals", "totaldeals"),
    "boards_per_session": ("dealspersession", "bdspersession", "sessionboards"),
    "section_kind": ("section", "sect", "sec"),
    "limit": ("mplimit", "masterpointlimit", "upperlimit", "eventlimit"),
    "entrant": ("entry", "entryid", "entrantno", "entrantnumber", "teamid", "pairid"),
    "place": ("finish", "overall", "overallrank", "overallplace", "finalrank"),
    "tied": ("tiedwith", "sharedby", "howmanytied"),
    "player": (
        *("playerid", "member", "membernr", "playerno", "memberkey", "personid"),
        *("players", "members", "playerids", "memberids", "playernumbers", "membernumbers"),
    ),
    "holding": ("mpholding", "totalmp", "totalmps", "mptotals", "lifetime", "pointsheld"),
    "score": ("sessionscore", "finalscore"),
    "gor": ("gorbefore", "egfgor"),
    "grade": ("declaredrank", "declaredgrade", "dankyu", "gorank"),
}
_OF_GAMES: dict[str, tuple[Type, tuple[str, ...]]] = {
    "opponent": ("id", ("opponentid", "opponentno", "opponentnumber", "opponentpin", "opp")),
    "black": ("id", ("blackplayer", "blackid", "blackpin", "playerblack")),
    "white": ("id", ("whiteplayer", "whiteid", "whitepin", "playerwhite")),
    "winner": ("id", ("winnerid", "wonby")),
    "loser": ("id", ("loserid", "lostby")),
    "result": ("word", ("outcome", "gameresult", "wonorlost")),
    "stones": ("count", ("handicap", "handicapstones", "hcp", "handi")),
    "color": ("word", ("colour", "playercolor", "playercolour")),
    "round": ("text", ("roundno", "roundnumber", "rd", "rnd", "r")),
}
"""Columns that a table of games may have, and tables of entrants round by round: ``round3``."""
_OTHER_NAMES = {"masterpoints": "holding", "number": "player", "percentage": "score"}
"""Facts and meanings from other tables that have another name as a column here."""
_TYPES: dict[str, Type] = {
    "event": "id",
    "entrant": "id",
    "player": "id",
    "tournament": "text",
    "club": "text",
    "title": "text",
    "date": "date",
    "line": "word",
    "stratum": "word",
    "score": "number",
    "holding": "number",
    "rating": "number",
    "paid": "number",
    "gor": "number",
    "grade": "grade",
    "ifpa_rating": "number",
    "is_rated": "yes-no",
}
_NOT_HERE = ("id", "score_place")
DECIMALS = {"holding": 2, "rating": 5, "paid": 4, "score": 6, "gor": 3, "ifpa_rating": 2}
"""How many decimals of a number are kept."""
SIDES_OF_GAMES = frozenset({"opponent", "black", "white", "winner", "loser"})
AMBIGUOUS = {
    "points": ("paid", "score"),
    "mp": ("holding", "paid"),
    "mps": ("holding", "paid"),
    "masterpoints": ("holding", "paid"),
}
"""Headers with two possible meanings, decided if another column has one of them."""
_NAMES = ("names", "playernames", "pairnames", "membernames", "teamnames", "partnership", "pairing")
"""Headers of people's names, which serve as ids if the table has no others."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """A column of the corpus that a header may mean."""

    name: str
    of: Level
    type: Type
    spellings: tuple[str, ...]

    @property
    def decimals(self) -> int:
        return DECIMALS.get(self.name, 0)


@cache
def meanings() -> Mapping[str, Meaning]:
    """Every column that a table may contain."""
    known: dict[str, Meaning] = {}
    levels: tuple[tuple[Level, object], ...] = (
        ("event", EVENTS),
        ("entrant", ENTRANTS),
        ("player", PLAYERS),
    )
    for of, schema in levels:
        for column in schema:  # type: ignore[attr-defined]
            name = column.name
            if name not in known and name not in _NOT_HERE:
                known[name] = Meaning(name, of, _type(column), _spellings(name))
    known["score"] = Meaning("score", "entrant", "number", _spellings("score"))
    for name, (kind, spellings) in _OF_GAMES.items():
        known[name] = Meaning(name, "game", kind, (name, *spellings))
    return known


def _type(column: object) -> Type:
    name, kind = column.name, str(column.type)  # type: ignore[attr-defined]
    return _TYPES.get(name) or ("word" if kind.startswith("dictionary") else "count")


def _spellings(name: str) -> tuple[str, ...]:
    other = [known for known, column in _OTHER_NAMES.items() if column == name]
    listed: list[str] = [*_EXPORTS.get(name, ())]
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
    which player of the entrant."""

    header: str
    meaning: str
    number: int = 0

    @property
    def shown(self) -> str:
        return f"{self.meaning}{self.number or ''}"


def read_meaning(text: str) -> tuple[str, int] | None:
    """``holding2`` as a column of the corpus and the number of a player."""
    if text in meanings():
        return text, 0
    match = re.fullmatch(r"([a-z_]+?)(\d{1,2})", text)
    if match and match[1] in meanings() and _numbered(meanings()[match[1]]):
        return match[1], int(match[2])
    return None


def _numbered(meaning: Meaning) -> bool:
    """Whether a row may have several such columns: for players, or for rounds."""
    return meaning.of == "player" or meaning.name == "round"


def understood(headers: Iterable[str]) -> tuple[list[MeantColumn], dict[str, Message]]:
    """The interpretation of each header, and for the others why there is none."""
    columns_meant: dict[tuple[str, int], MeantColumn] = {}
    left: dict[str, Message] = {}
    headers = list(headers)
    games = _tells_games(headers)
    for header in headers:
        meant = _meant(header, games)
        if meant is None:
            left[header] = _nearest(header)
        elif (
            meant in columns_meant
            and plain(header) in ("event", "name")
            and "title" not in {m for m, _ in columns_meant}
        ):
            columns_meant["title", 0] = MeantColumn(header, "title")
        elif meant in columns_meant and plain(columns_meant[meant].header) == "event":
            columns_meant["title", 0] = MeantColumn(columns_meant[meant].header, "title")
            columns_meant[meant] = MeantColumn(header, *meant)
        elif meant in columns_meant:
            left[header] = Message(
                "{other} is taken for {meaning} already",
                other=columns_meant[meant].header,
                meaning=MeantColumn("", *meant).shown,
            )
        else:
            columns_meant[meant] = MeantColumn(header, *meant)
    return _without_doubt(columns_meant, left)


def _without_doubt(
    columns: dict[tuple[str, int], MeantColumn], left: dict[str, Message]
) -> tuple[list[MeantColumn], dict[str, Message]]:
    """If a header has two possible meanings, the one that no other column has; ``tournament``
    means the event if no other column names one."""
    if ("event", 0) not in columns and ("tournament", 0) in columns:
        columns["event", 0] = MeantColumn(columns.pop(("tournament", 0)).header, "event")
    if not any(meaning == "player" for meaning, _ in columns):
        for header in [h for h in left if plain(h) in _NAMES][:1]:
            columns["player", 0] = MeantColumn(header, "player")
            del left[header]
    for header in [*left]:
        open_to = [m for m in AMBIGUOUS.get(plain(header), ()) if (m, 0) not in columns]
        if len(open_to) == 1:
            columns[open_to[0], 0] = MeantColumn(header, open_to[0])
            del left[header]
        elif open_to:
            left[header] = Message(
                "it may be {one} or {other}: say which", one=open_to[0], other=open_to[1]
            )
    return list(columns.values()), left


def _tells_games(headers: Iterable[str]) -> bool:
    """Whether headers say who played whom."""
    known_headers = {plain(header) for header in headers}
    sides = (("opponent",), ("black", "white"), ("winner", "loser"))
    return any(all(known_headers & {*meanings()[m].spellings} for m in both) for both in sides)


def _meant(header: str, games: bool = False) -> tuple[str, int] | None:
    """The interpretation of a header; words about games count only if the table says who played
    whom."""
    name = plain(header)
    if name == "points":
        return None
    by_games = [m for m in meanings().values() if m.of == "game"] if games else []
    for meaning in (*by_games, *(m for m in meanings().values() if m.of != "game")):
        if name in meaning.spellings:
            return meaning.name, 0
    match = re.fullmatch(r"([^\d]*)(\d{1,2})([^\d]*)", name)
    if match is None:
        return None
    stem, number = match[1] + match[3], int(match[2])
    if stem in meanings()["round"].spellings:
        return "round", number
    own = stem.removeprefix("player").removeprefix("p") or "player"
    for meaning in meanings().values():
        spellings = {stem, own, f"player{stem}"} & {*meaning.spellings}
        if meaning.of == "player" and (
            spellings or (meaning.name == "player" and own in ("id", "no"))
        ):
            return meaning.name, number
    return None


def _nearest(header: str) -> Message:
    """Why a header is not understood, and which known one it most resembles."""
    spelled = {s: m.name for m in meanings().values() for s in m.spellings}
    near = get_close_matches(plain(header), spelled, n=1, cutoff=0.75)
    if near:
        return Message("not understood; it is most like {name}", name=spelled[near[0]])
    return Message("not understood")


def shape_of(columns: Iterable[MeantColumn]) -> Shape | None:
    """What one row of a table with these columns describes; nothing if the rows cannot be used."""
    meanings_there = {column.meaning for column in columns}
    seats = {column.number for column in columns if column.meaning == "player"}
    if "event" not in meanings_there:
        alone = seats == {0} and not meanings_there & {"place", "score", "entrant"}
        return "members" if alone and meanings_there & {"holding", "rating", "eligible"} else None
    if meanings_there & SIDES_OF_GAMES:
        return "games"
    if seats - {0}:
        return "entrants"
    if 0 in seats:
        return "players"
    return "entrants" if meanings_there & {"place", "score", "entrant"} else "events"
