"""Pairgoth's .tour: JSON of players and games, and the event's own criteria, but no places."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.errors import FileProblem
from honours.formats.format import Format, text
from honours.formats.go import (
    GoGame,
    GoPlayer,
    GoTournament,
    Placement,
    Winner,
    numbered,
    of_who_came,
)
from honours.formats.json_data import Object, exact, items, read_object, whole, word
from honours.formats.reading import ISO, Problems, day_like, read_text
from honours.model import Source
from honours.model.message import Message

_RESULTS = {
    "w": (Winner.WHITE, False),
    "b": (Winner.BLACK, False),
    "=": (Winner.JIGO, False),
    "#": (Winner.BOTH, False),
    "0": (Winner.NEITHER, False),
    "X": (Winner.NEITHER, True),
    "?": (Winner.UNKNOWN, False),
}
_CRITERIA = {
    "CATEGORY": "CAT",
    "RANK": "Rank",
    "RATING": "Rating",
    "SCOREX": "MMX",
    "SOSWM1": "SOSW-1",
    "SOSWM2": "SOSW-2",
    "SOSMM1": "SOSM-1",
    "SOSMM2": "SOSM-2",
}
"""Where Pairgoth's names differ from OpenGotha's."""
_NUMBERS = {"egf_pin": "egf", "ffg_licence": "ffg", "aga_id": "aga"}
_ZERO = -30


def is_pairgoth(text: str) -> bool:
    """True if a JSON text begins like a tournament of players with a way of pairing them."""
    return text.lstrip().startswith("{") and '"pairing"' in text and '"gobanSize"' in text


def read_pairgoth(path: str | Path) -> GoTournament:
    """Read a Pairgoth tournament; unfinished ones too, for they can be shown."""
    data = read_object(path, read_text(path))
    if data.get("type", "INDIVIDUAL") != "INDIVIDUAL":
        fault = Message("a Pairgoth tournament of type {type}", type=str(data["type"])[:20])
        raise FileProblem(path, fault, "a tournament of individuals")
    return _PairgothReader(str(path), data).tournament()


class _PairgothReader:
    """One file on its way to a GoTournament."""

    def __init__(self, path: str, data: Object) -> None:
        self._path, self._data = path, data
        self._problems = Problems(path)

    def tournament(self) -> GoTournament:
        data = self._data
        rounds = whole(data, "rounds")
        games, byes = self._games()
        # Who misses a round is told by not being in its games.
        seated = {(g.round, k) for g in games for k in (g.white, g.black)} | byes
        players = [self._player(one, seated, rounds) for one in items(data, "players")]
        listed = GoTournament(
            title=word(data, "name"),
            players=tuple(players),
            games=tuple(games),
            rounds=rounds,
            placement=self._placement(),
            byes=frozenset(byes),
            date=day_like(rf"\A{ISO}", word(data, "startDate")),
            place=word(data, "location"),
            program="Pairgoth",
            facts=_settings(data),
            source=Source(self._path),
        )
        return of_who_came(listed, self._problems)

    def _player(self, entry: Object, seated: set[tuple[int, str]], rounds: int) -> GoPlayer:
        """A player with numbers, rank and rating."""
        key = word(entry, "id")
        numbers = {fact: word(entry, name) for fact, name in _NUMBERS.items()}
        name = " ".join(f"{word(entry, 'name')} {word(entry, 'firstname')}".split())
        if not key or not name:
            self._problems.add("player {key} without an id or a name", key=key or name or "?")
        rank = word(entry, "rank")
        return GoPlayer(
            key=key,
            # Pairgoth keeps ratings on the EGF's scale and does not say whose they were.
            player=numbered(name.replace("_", " "), numbers, "EGF"),
            rank=whole(entry, "rank") if rank else None,
            country=word(entry, "country").upper(),
            club=word(entry, "club"),
            present=tuple((r, key) in seated for r in range(1, rounds + 1)),
            correction=whole(entry, "mmsCorrection"),
            strength=exact(entry, "rating"),
        )

    def _games(self) -> tuple[list[GoGame], set[tuple[int, str]]]:
        """The games, and as byes those against nobody (player 0)."""
        listed = self._data.get("games")
        games: list[GoGame] = []
        byes: set[tuple[int, str]] = set()
        for number, listed_round in enumerate(listed if isinstance(listed, list) else [], start=1):
            for one in listed_round if isinstance(listed_round, list) else ():
                if isinstance(one, Mapping):
                    self._game(one, number, games, byes)
        return games, byes

    def _game(
        self, entry: Object, number: int, games: list[GoGame], byes: set[tuple[int, str]]
    ) -> None:
        """Take a game, or a bye where one of the players is nobody."""
        white, black, result = word(entry, "w"), word(entry, "b"), word(entry, "r") or "?"
        where = Message("round {number}, table {t}", number=number, t=word(entry, "t"))
        if "0" in (white, black):
            byes.add((number, black if white == "0" else white))
            return
        if result not in _RESULTS:
            self._problems.add(
                "{where}: result {result!r}",
                expected=", ".join(_RESULTS),
                where=where,
                result=result,
            )
            return
        winner, cancelled = _RESULTS[result]
        if not cancelled:
            games.append(
                GoGame(
                    number,
                    white,
                    black,
                    winner,
                    whole(entry, "h"),
                    by_default=bool(entry.get("ff")),
                    table=whole(entry, "t"),
                    source=Source(self._path),
                )
            )

    def _placement(self) -> Placement:
        """The criteria of the tournament, with what rounds without a game are worth."""
        pairing = _inner(self._data, "pairing")
        main = _inner(pairing, "main")
        listed = pairing.get("placement")
        names = [str(name) for name in listed] if isinstance(listed, list) else []
        default = "MMS" if word(pairing, "type") == "MAC_MAHON" else "NBW"
        criteria = [_CRITERIA.get(name, name) for name in names if name != "NONE"] or [default]
        return Placement(
            criteria=tuple(criteria),
            bar=whole(pairing, "mmBar") if "mmBar" in pairing else 9,
            floor=whole(pairing, "mmFloor") if "mmFloor" in pairing else _ZERO,
            zero=_ZERO,
            absent_wins=_or(exact(main, "nbwValueAbsent"), Fraction(0)),
            absent_mms=_or(exact(main, "mmsValueAbsent"), Fraction(1, 2)),
            bye_wins=_or(exact(main, "nbwValueBye"), Fraction(1)),
            bye_mms=_or(exact(main, "mmsValueBye"), Fraction(1)),
            floored=main.get("roundDownScore", True) is not False,
        )


def _or(number: Fraction | None, default: Fraction) -> Fraction:
    return default if number is None else number


def _inner(parent: Object, name: str) -> Mapping[str, Any]:
    inner = parent.get(name)
    return inner if isinstance(inner, Mapping) else {}


def _settings(data: Object) -> dict[str, str]:
    """Komi, size, days and where it was, by the words that h9 and .tou have for them."""
    komi, days = word(data, "komi"), [word(data, name) for name in ("startDate", "endDate")]
    country, town = word(data, "country").upper(), word(data, "location")
    settings = {
        "PC": f"{country},{town}" if country and town else "",
        "DT": ",".join(days) if all(days) else "",
        "KM": komi,
        "komi": komi,
        "size": word(data, "gobanSize"),
    }
    return {name: value for name, value in settings.items() if value}


FORMATS = (Format("pairgoth", "Pairgoth tournament", text(is_pairgoth), read_pairgoth),)
