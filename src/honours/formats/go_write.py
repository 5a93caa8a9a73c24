"""Go tournaments as their rating lists take them: an AGA report, an EGF wall list, an FFG list.

Each writer gives the bytes and what the format has no place for. Whether a receiver would take the
list, members without a number say, is for :mod:`honours.pipeline.sending` to look at first.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from honours.formats.format import WrittenFile
from honours.formats.go import GoGame, GoPlayer, GoTournament, Winner
from honours.model import Field, Player, Standing
from honours.model.message import Message, plural

PROGRAM = "Honours"
NO_COUNTRY, NO_CLUB = "XX", "xxxx"
_CLUB_WIDTH, _LICENCE_WIDTH, _COLUMNS = 4, 7, 4
_BEFORE_SCORES = 6
_AGA_KOMI = "7"
_LETTERS = {"½": ".5"}


_Described = Callable[[str, Standing, GoPlayer], list[str]]
"""What stands before a player's games: of the place as it is shown, the standing, the player."""


@dataclass(frozen=True, slots=True)
class RankedTournament:
    """A tournament with its list: the players in the order of their lines."""

    tournament: GoTournament
    field: Field

    def lines(self) -> list[tuple[Standing, GoPlayer]]:
        """Each standing with its player."""
        players = {p.player.number or p.key: p for p in self.tournament.players}
        players |= {p.key: p for p in self.tournament.players}
        return [(s, players[s.entrant.id]) for s in self.field.standings]


def surname_and_given(name: str) -> tuple[str, str]:
    """``Reed, Alma`` or ``Reed Alma``; of several words the first is the surname."""
    last, comma, first = name.partition(",")
    if not comma:
        last, _, first = name.strip().partition(" ")
    return last.strip(), first.strip()


def rank_text(rank: int | None) -> str:
    """``3D``, ``12K``; nothing where it is not known."""
    if rank is None:
        return ""
    return f"{rank + 1}D" if rank >= 0 else f"{-rank}K"


# --- AGA ------------------------------------------------------------------------------------------


def write_aga(ranked: RankedTournament) -> WrittenFile:
    """A report for the AGA's ratings: players and games, White first."""
    tournament = ranked.tournament
    numbers = {p.key: p.player.number for p in tournament.players}
    there = {key for game in tournament.games for key in (game.white, game.black)}
    lines = [f"TOURNEY {', '.join(x for x in (tournament.title, tournament.place) if x)}"]
    if tournament.date:
        day = f"{tournament.date.month}/{tournament.date.day}/{tournament.date.year}"
        lines += [f"        start={tournament.facts.get('start') or day}"]
        lines += [f"        finish={tournament.facts.get('finish') or day}"]
    lines += [f"        rules={tournament.facts.get('rules') or 'AGA'}", "PLAYERS"]
    for player in tournament.players:
        if player.key in there:
            surname, given = surname_and_given(player.player.name)
            name = f"{surname}, {given}" if given else surname
            rank = rank_text(player.rank).lower()
            lines.append(f" {player.player.number} {name} {rank}".rstrip())
    for number in range(1, tournament.rounds + 1):
        lines.append(f"GAMES {number}")
        lines += [_aga_game(g, numbers) for g in tournament.games if g.round == number]
    lines.append("END")
    return WrittenFile(("\n".join(lines) + "\n").encode("utf-8"), tuple(_lost_by_aga(ranked)))


def _aga_game(game: GoGame, numbers: Mapping[str, str]) -> str:
    """A line of a report: White, Black, winner, handicap and komi."""
    winner = {Winner.WHITE: "W", Winner.BLACK: "B"}.get(game.winner, "?")
    stones = game.handicap if game.handicap > 1 else 0
    komi = _AGA_KOMI if not game.handicap else "0"
    if game.komi is not None:
        komi = str(int(game.komi))
    forfeit = "F" if game.by_default and winner != "?" else ""
    return f"{numbers[game.white]} {numbers[game.black]} {winner}{forfeit} {stones} {komi}"


def _lost_by_aga(ranked: RankedTournament) -> Iterator[str]:
    """Everything a report has no place for."""
    tournament = ranked.tournament
    yield Message("places and scores")
    if tournament.byes:
        yield plural(
            "{count} round without an opponent",
            "{count} rounds without an opponent",
            count=len(tournament.byes),
        )
    odd = [g for g in tournament.games if g.winner in (Winner.JIGO, Winner.BOTH, Winner.NEITHER)]
    if odd:
        yield plural(
            "{count} game that neither won, or both",
            "{count} games that neither won, or both",
            count=len(odd),
        )


# --- EGD ------------------------------------------------------------------------------------------


def write_h9(ranked: RankedTournament, tags: Mapping[str, str] | None = None) -> WrittenFile:
    """A wall list for the European Go Database, with its header and the players' PINs."""
    head = [f"; {name}[{value}]" for name, value in _h9_tags(ranked, tags or {}).items() if value]
    rows = _parted(ranked, list(_wall(ranked, _h9_player)))
    widths = [max(len(row[n]) for row in rows) for n in range(len(rows[0]))] if rows else []
    lines = [_aligned(row, widths) for row in rows]
    pins = [pin(player.player) for _, player in ranked.lines()]
    pinned = zip(lines, pins, strict=True)
    lines = [f"{line} |{number}" if number else line for line, number in pinned]
    text = "\n".join([*head, f"; Generated by {PROGRAM}", *lines]) + "\n"
    return WrittenFile(text.encode("ascii", "replace"), tuple(_lost_by_lists(ranked, "h9")))


def _parted(ranked: RankedTournament, rows: list[list[str]]) -> list[list[str]]:
    """Equal scores would be read as a tie: where the list parts them, the last of its columns says
    how many are below."""
    scores, places = slice(_BEFORE_SCORES, _BEFORE_SCORES + _COLUMNS), ranked.field.standings
    alike = any(
        one[scores] == other[scores] and places[n].place != places[n + 1].place
        for n, (one, other) in enumerate(pairwise(rows))
    )
    tied = any(standing.tied > 1 for standing in places)
    if alike and not tied:
        for row, standing in zip(rows, places, strict=True):
            row[_BEFORE_SCORES + _COLUMNS - 1] = str(len(places) - standing.place)
    return rows


def _h9_tags(ranked: RankedTournament, tags: Mapping[str, str]) -> dict[str, str]:
    """The tags at the head of a wall list."""
    tournament = ranked.tournament
    day = tournament.date.isoformat() if tournament.date else ""
    named = {"CL": "class", "PC": "place", "DT": "dates", "HA": "handicap"}
    told = {
        tag: tags.get(key) or tournament.facts.get(tag, "")
        for tag, key in (named | {"KM": "komi", "TM": "time"}).items()
    }
    return {
        "CL": told.pop("CL"),
        "EV": plain(tournament.title),
        "PC": _with_country(plain(told.pop("PC") or tournament.place)),
        "DT": told.pop("DT") or (f"{day},{day}" if day else ""),
        **told,
    }


def _with_country(place: str) -> str:
    """``FR, Paris``; of a town alone ``,Paris``, as OpenGotha writes it."""
    return place if not place or "," in place else f",{place}"


def pin(player: Player) -> str:
    """The eight figures by which the EGD knows a player, or nothing."""
    known = str(player.facts.get("egf_pin", "")) or player.number
    return known if len(known) == 8 and known.isdecimal() else ""


def _h9_player(place: str, standing: Standing, player: GoPlayer) -> list[str]:
    surname, given = surname_and_given(plain(player.player.name))
    words = ["_".join(part.split()) or "_" for part in (_capital(surname), _capital(given))]
    club = plain(player.club).replace(" ", "")[:_CLUB_WIDTH] or NO_CLUB
    country = (player.country or NO_COUNTRY).upper()[:2]
    return [place, *words, rank_text(player.rank) or "30K", country, club, *_scores(standing)]


def _scores(standing: Standing) -> list[str]:
    """The criteria that placed them, four columns; what is not used is 0."""
    figures = [v for k, v in standing.facts.items() if k.isupper() and isinstance(v, Fraction)]
    if not figures:
        given = (standing.score, standing.facts.get("won"))
        figures = [value for value in given if isinstance(value, Fraction)]
    shown = [
        (str(int(value)) if value.denominator == 1 else f"{float(value):.1f}")
        for value in figures[:_COLUMNS]
    ]
    return shown + ["0"] * (_COLUMNS - len(shown))


def _capital(text: str) -> str:
    """Not all in capitals."""
    return text.title() if text.isupper() and len(text) > 1 else text


def plain(text: str) -> str:
    """In letters of ASCII, as far as there are such: ``Müller`` is ``Muller``."""
    for letter, other in _LETTERS.items():
        text = text.replace(letter, other)
    letters = unicodedata.normalize("NFKD", text)
    return "".join(c for c in letters if not unicodedata.combining(c))


# --- FFG ------------------------------------------------------------------------------------------


def write_tou(ranked: RankedTournament, given: Mapping[str, str] | None = None) -> WrittenFile:
    """A list for the French federation, in Latin-1."""
    tournament, tags = ranked.tournament, given or {}
    facts = tournament.facts
    day = tournament.date.strftime("%d/%m/%Y") if tournament.date else ""
    settings = {
        "name": tournament.title,
        "date": day,
        "vill": tags.get("place") or tournament.place,
        "comm": tags.get("comment") or facts.get("comm", ""),
        "prog": PROGRAM,
        "size": tags.get("size") or facts.get("size", "19"),
        "time": tags.get("time") or facts.get("time", ""),
        "ta": tags.get("adjusted_time") or facts.get("ta", ""),
        "komi": tags.get("komi") or facts.get("komi", ""),
    }
    head = [f";{name}={value}" for name, value in settings.items() if value]
    lines = [_tou_line(row) for row in _wall(ranked, _tou_player)]
    text = "\n".join([*head, *lines]) + "\n"
    return WrittenFile(
        "".join(
            c if c.encode("latin-1", "ignore") else plain(c).encode("ascii", "replace").decode()
            for c in text
        ).encode("latin-1"),
        tuple(_lost_by_lists(ranked, "tou")),
    )


def licence(player: Player) -> str:
    """A player's number with the FFG, or nothing."""
    known = str(player.facts.get("ffg_licence", "")) or player.number
    return known if len(known) == _LICENCE_WIDTH and known.isdecimal() else ""


def _tou_player(place: str, _standing: Standing, player: GoPlayer) -> list[str]:
    """The columns before a player's games."""
    surname, given = surname_and_given(player.player.name)
    name = f"{surname.upper()} {given}".strip()
    number = licence(player.player)
    club = player.club if number else (player.country or player.club)
    return [
        f"{place:>4} {name[:24]:<25}{rank_text(player.rank) or '30K':>3} {number or '-------':>7} "
        f"{(club or NO_CLUB)[:_CLUB_WIDTH]:<4}"
    ]


def _tou_line(row: Sequence[str]) -> str:
    games = [game.replace("/", "").replace("!", "") for game in row[1:]]
    return row[0] + "".join(f" {game:>7}" for game in games)


# --- both lists -----------------------------------------------------------------------------------


def _wall(ranked: RankedTournament, described: _Described) -> Iterator[list[str]]:
    """A row a player: what describes them, then a word a round."""
    lines = ranked.lines()
    numbers = {player.key: n for n, (_, player) in enumerate(lines, start=1)}
    tournament = ranked.tournament
    games = {
        (game.round, key): game for game in tournament.games for key in (game.white, game.black)
    }
    before = 0
    for standing, player in lines:
        place = "" if standing.place == before else str(numbers[player.key])
        before = standing.place
        row = described(place, standing, player)
        for number in range(1, tournament.rounds + 1):
            game = games.get((number, player.key))
            bye = (number, player.key) in tournament.byes
            row.append(_word(game, player.key, numbers) if game else "0+" if bye else "0-")
        yield row


def _word(game: GoGame, key: str, numbers: Mapping[str, int]) -> str:
    """A game as a player's line tells it: ``12+/w2``."""
    white = game.white == key
    own, other = (Winner.WHITE, Winner.BLACK) if white else (Winner.BLACK, Winner.WHITE)
    sign = {own: "+", other: "-", Winner.JIGO: "=", Winner.BOTH: "+", Winner.NEITHER: "-"}
    by = "!" if game.by_default else "/"
    colour = "w" if white else "b"
    against = numbers.get(game.opponent(key), 0)
    return f"{against}{sign.get(game.winner, '?')}{by}{colour}{game.handicap}"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """Names to the left, figures to the right."""
    cells = [
        text.ljust(width) if at in (1, 2, 4, 5) else text.rjust(width)
        for at, (text, width) in enumerate(zip(row, widths, strict=True))
    ]
    return " ".join(cells).rstrip()


def _lost_by_lists(ranked: RankedTournament, kind: str) -> Iterator[str]:
    """Everything a wall list has no place for."""
    tournament = ranked.tournament
    if any(game.table for game in tournament.games):
        yield "tables"
    if any(game.komi is not None for game in tournament.games):
        yield Message("komi of single games")
    if kind == "tou":
        yield "scores"
        if any(game.by_default for game in tournament.games):
            yield Message("which games were won by default")
