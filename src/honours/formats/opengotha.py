"""OpenGotha's XML: players, games, byes and the event's own placement criteria, but no places."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.format import Format, root
from honours.formats.go import (
    GoGame,
    GoPlayer,
    GoTournament,
    Placement,
    Winner,
    numbered,
    of_who_came,
    parse_rank,
)
from honours.formats.reading import ISO, Problems, day_like
from honours.formats.xml import Element, read_xml
from honours.model import Source

_RESULTS = {
    "WHITEWINS": Winner.WHITE,
    "BLACKWINS": Winner.BLACK,
    "EQUAL": Winner.JIGO,
    "BOTHWIN": Winner.BOTH,
    "BOTHLOSE": Winner.NEITHER,
    "UNKNOWN": Winner.UNKNOWN,
}
_NUMBERS = {"aga_id": "agaId", "egf_pin": "egfPin", "ffg_licence": "ffgLicence"}
"""The numbers a player may have; the first one there is the member number."""


def read_opengotha(path: str | Path) -> GoTournament:
    """Read an OpenGotha tournament; unfinished ones too, for they can be shown."""
    root = read_xml(path)
    if root.tag != "Tournament":
        raise FileProblem(path, "an XML file of {tag}", "an OpenGotha Tournament", tag=root.tag)
    return _OpenGothaReader(str(path), root).tournament()


class _OpenGothaReader:
    """One file on its way to a GoTournament."""

    def __init__(self, path: str, root: Element) -> None:
        self._path, self._root = path, root
        self._problems = Problems(path)
        self._keys: dict[str, str] = {}
        self._general: Mapping[str, str] = self._attributes("GeneralParameterSet")

    def _attributes(self, tag: str) -> dict[str, str]:
        element = self._root.first("TournamentParameterSet", tag)
        return {} if element is None else element.attributes

    def tournament(self) -> GoTournament:
        rounds = self._number(self._general, "numberOfRounds", None)
        players = [self._player(e) for e in self._listed("Players", "Player")]
        self._keys = _keys_by_spelling(players)
        games = [self._game(e) for e in self._listed("Games", "Game")]
        byes = frozenset(
            (self._number(e.attributes, "roundNumber", e), self._key(e, "player"))
            # Pairgoth calls the group as OpenGotha calls one of it.
            for group in ("ByePlayers", "ByePlayer")
            for e in self._listed(group, "ByePlayer")
        )
        listed = GoTournament(
            title=self._general.get("name", ""),
            players=tuple(players),
            games=tuple(games),
            rounds=rounds,
            placement=self._placement(),
            byes=byes,
            date=day_like(rf"\A{ISO}\Z", self._general.get("beginDate", "")),
            place=self._general.get("location", ""),
            program=" ".join(("OpenGotha", self._root.get("fullVersionNumber"))).strip(),
            facts=self._settings(),
            source=Source(self._path),
        )
        return of_who_came(listed, self._problems)

    def _settings(self) -> dict[str, str]:
        """Komi, size, days and times, by the words that h9 and .tou have for them."""
        general = self._general
        basic, adjusted = general.get("basicTime", ""), _adjusted_minutes(general)
        days = ",".join(filter(None, (general.get("beginDate"), general.get("endDate"))))
        settings = {
            "DT": days if "," in days else "",
            "KM": general.get("komi", ""),
            "TM": adjusted,
            "komi": general.get("komi", ""),
            "size": general.get("size", ""),
            "time": basic,
            "ta": adjusted if adjusted != basic else "",
        }
        return {name: value for name, value in settings.items() if value}

    def _listed(self, group: str, tag: str) -> Iterator[Element]:
        element = self._root.first(group)
        return element.all(tag) if element else iter(())

    def _number(self, attributes: Mapping[str, str], name: str, at: Element | None) -> int:
        text = attributes.get(name, "").strip()
        if re.fullmatch(r"-?\d{1,9}", text):
            return int(text)
        line = None if at is None else at.line
        self._problems.add("{name} {text!r} is not a whole number", line, name=name, text=text)
        return 0

    def _count(self, e: Element, name: str) -> int:
        return self._number(e.attributes, name, e) if e.get(name) else 0

    def _player(self, e: Element) -> GoPlayer:
        """A player with numbers, rank and rating."""
        name, given = e.get("name"), e.get("firstName")
        numbers = {fact: e.get(name).strip() for fact, name in _NUMBERS.items()}
        called = f"{name} {given}".replace("_", " ").strip()
        rating = self._number(e.attributes, "rating", e) if e.get("rating") else None
        rank = parse_rank(e.get("rank"))
        if rank is None:
            self._problems.add(
                "rank {rank!r} of {name} {given}",
                e.line,
                "one like 5D or 12K",
                rank=e.get("rank"),
                name=name,
                given=given,
            )
        return GoPlayer(
            key=f"{name}{given}".replace(" ", "").upper(),
            player=numbered(called, numbers, e.get("ratingOrigin")),
            rank=rank,
            country=e.get("country"),
            club=e.get("club"),
            present=tuple(mark == "1" for mark in e.get("participating")),
            correction=self._count(e, "smmsCorrection") or self._count(e, "smmbzsCorrection"),
            strength=None if rating is None else Fraction(rating),
        )

    def _game(self, e: Element) -> GoGame:
        """A game with its result."""
        result = e.get("result").removeprefix("RESULT_")
        winner = _RESULTS.get(result.removesuffix("_BYDEF"))
        if winner is None:
            self._problems.add(
                "result {result!r}",
                e.line,
                "RESULT_WHITEWINS, RESULT_UNKNOWN or the like",
                result=e.get("result"),
            )
        return GoGame(
            round=self._number(e.attributes, "roundNumber", e),
            white=self._key(e, "whitePlayer"),
            black=self._key(e, "blackPlayer"),
            winner=winner or Winner.UNKNOWN,
            handicap=self._count(e, "handicap"),
            by_default=result.endswith("_BYDEF"),
            table=self._count(e, "tableNumber"),
            source=Source(self._path, e.line),
        )

    def _key(self, e: Element, name: str) -> str:
        """Whom a game means: OpenGotha of some years wrote the key without accents, hyphens and
        underscores, or in mixed case."""
        key = e.get(name)
        return self._keys.get(key) or self._keys.get(plain_key(key), key)

    def _placement(self) -> Placement:
        """The criteria of the tournament, with what rounds without a game are worth."""
        path = ("TournamentParameterSet", "PlacementParameterSet", "PlacementCriteria")
        element = self._root.first(*path)
        listed = element.all("PlacementCriterion") if element else ()
        criteria = [e.get("name") for e in listed if e.get("name") != "NULL"]
        halves = {
            name: Fraction(self._whole(f"gen{name}", default), 2)
            for name, default in (
                ("NBW2ValueAbsent", "0"),
                ("MMS2ValueAbsent", "0"),
                ("NBW2ValueBye", "2"),
                ("MMS2ValueBye", "2"),
            )
        }
        return Placement(
            criteria=tuple(criteria),
            bar=self._rank("genMMBar", 8),
            floor=self._rank("genMMFloor", -30),
            zero=self._rank("genMMZero", -30),
            absent_wins=halves["NBW2ValueAbsent"],
            absent_mms=halves["MMS2ValueAbsent"],
            bye_wins=halves["NBW2ValueBye"],
            bye_mms=halves["MMS2ValueBye"],
            floored=self._general.get("genRoundDownNBWMMS", "true") == "true",
            unplayed_as_half=self._general.get("genCountNotPlayedGamesAsHalfPoint") == "true",
            categories=self._whole("numberOfCategories", "1"),
            category_ranks=self._limits("Categories", "Category"),
            group_ranks=self._limits("BZHGroups", "BZHGroup"),
        )

    def _whole(self, name: str, default: str) -> int:
        return self._number({name: self._general.get(name) or default}, name, None)

    def _limits(self, group: str, tag: str) -> tuple[int, ...]:
        """The lowest rank of each category or group but the last, the highest first."""
        path = ("TournamentParameterSet", "GeneralParameterSet", group)
        listed = self._root.first(*path)
        ranks = [parse_rank(e.get("lowerLimit")) for e in listed.all(tag)] if listed else []
        return tuple(sorted((rank for rank in ranks if rank is not None), reverse=True))

    def _rank(self, name: str, default: int) -> int:
        rank = parse_rank(self._general.get(name, ""))
        return default if rank is None else rank


def _keys_by_spelling(players: Sequence[GoPlayer]) -> dict[str, str]:
    """Every way a game may name a player: exactly, and plainly where that is one player only."""
    plain = Counter(plain_key(player.key) for player in players)
    keys = {key: p.key for p in players if plain[key := plain_key(p.key)] == 1}
    return {**keys, **{player.key: player.key for player in players}}


def plain_key(key: str) -> str:
    """A player's key without case, accents, hyphens and underscores."""
    letters = unicodedata.normalize("NFKD", key).casefold()
    return "".join(c for c in letters if c.isalnum())


_OVERTIME: Mapping[str, Callable[[Mapping[str, str]], int]] = {
    "SUDDENDEATH": lambda _general: 0,
    "STDBYOYOMI": lambda general: 45 * int(general["stdByoYomiTime"]),
    "CANBYOYOMI": lambda general: (
        60 * int(general["canByoYomiTime"]) // int(general["nbMovesCanTime"])
    ),
    "FISCHER": lambda general: 120 * int(general["fischerTime"]),
}
"""Seconds that overtime counts for: 45 periods, 60 moves of Canadian, 120 increments."""


def _adjusted_minutes(general: Mapping[str, str]) -> str:
    """The thinking time as the EGD counts it; nothing where the file does not say enough."""
    overtime = _OVERTIME.get(general.get("complementaryTimeSystem", ""))
    try:
        return str(int(general["basicTime"]) + overtime(general) // 60) if overtime else ""
    except (KeyError, ValueError, ZeroDivisionError):
        return ""


FORMATS = (Format("opengotha", "OpenGotha tournament", root("Tournament"), read_opengotha),)
