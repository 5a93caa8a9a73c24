"""A go program's file and the wall list of its event: our places, scores and games, and its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from honours.errors import HonoursError, InputError
from honours.formats.detect import read
from honours.formats.entrants import words_of
from honours.formats.go import GoGame, GoTournament, fact_of_criterion, rank
from honours.formats.wall_lists import WallList
from honours.model import Standing
from honours.model.message import Message
from honours.pipeline.account import Account
from honours.pipeline.checking.criteria import called, columns_of, figures_of, why_placed
from honours.pipeline.checking.figures import (
    CandidateReading,
    FigureCheck,
    PublishedFigure,
    check,
    place_of,
)

LISTS = (".h9", ".opengotha.h9", ".tou", ".txt")
"""What a wall list beside the file of a go program may end with."""
_PROGRAMS = (".xml", ".tour")


def list_of(account: Account, against: str | Path) -> tuple[str, WallList]:
    """The wall list of the event: the one named, or one of the same name beside the file."""
    if against:
        content = read(against)[1]
        if not isinstance(content, WallList):
            raise InputError("{path}: it is not a wall list", path=against)
        return str(against), content
    path = Path(account.path)
    for suffix in LISTS:
        beside = path.with_name(path.stem + suffix)
        beside_it = _beside(beside)
        if isinstance(beside_it, WallList):
            return str(beside), beside_it
    raise InputError(
        "{path}: it publishes no places to compare with; a wall list of the event is looked "
        "for beside it ({beside}), or named with --against",
        path=account.called,
        beside=path.with_suffix(".h9").name,
    )


def program_of(account: Account, wall_list: WallList, against: str | Path) -> GoTournament | None:
    """The tournament that a list is compared with: the one named, or for a list without scores the
    one of the same name beside it."""
    if against:
        content = read(against)[1]
        if not isinstance(content, GoTournament):
            raise InputError("{path}: expected the file of a go program's tournament", path=against)
        return content
    if any(wall_list.scores):
        return None
    path = Path(account.path)
    contents = (_beside(path.with_name(path.stem + suffix)) for suffix in _PROGRAMS)
    return next((content for content in contents if isinstance(content, GoTournament)), None)


def _beside(path: Path) -> object:
    """What a file holds, if there is one and it can be read."""
    try:
        return read(path)[1] if path.is_file() else None
    except HonoursError:
        return None


def check_program(played: GoTournament, name: str, wall_list: WallList) -> FigureCheck:
    """Our places and scores by the event's own criteria, and those of its list."""
    ours = {words_of(s.entrant.players[0].name): s for s in rank(played).standings}
    criteria = tuple(c for c in played.placement.criteria if c != "CAT") or ("NBW",)
    title = ", ".join(played.placement.criteria or ("NBW",))

    def figures() -> Iterator[PublishedFigure]:
        both = [
            (standing, scores, mine)
            for standing, scores in zip(wall_list.field.standings, _padded(wall_list), strict=True)
            if (mine := ours.get(words_of(standing.entrant.players[0].name))) is not None
        ]
        values = {
            c: [Fraction(str(mine.facts.get(fact_of_criterion(c), 0))) for *_, mine in both]
            for c in criteria
        }
        names = [called(standing) for standing, *_ in both]
        columns = columns_of([row for _, row, _ in both], values)
        yield from figures_of(columns, names, lambda _: _why_counted())
        for standing in wall_list.field.standings:
            mine = ours.get(words_of(standing.entrant.players[0].name))
            yield PublishedFigure(
                place_of(called(standing)),
                Fraction(standing.place),
                None if mine is None else Fraction(mine.place),
                0,
                partial(_why_listed, name, standing, mine),
            )
        yield from _games(played, wall_list.tournament)

    return check([CandidateReading(title, title, figures)])


_Meeting = tuple[int, frozenset[tuple[str, ...]]]


def _games(played: GoTournament, listed: GoTournament) -> Iterator[PublishedFigure]:
    """Every game of a list beside that of the event's file: its result for one of the two, and
    whether it was won by default."""
    names = {player.key: words_of(player.player.name) for player in played.players}
    theirs = {player.key: words_of(player.player.name) for player in listed.players}
    shown = {player.key: player.player.name for player in listed.players}
    ours = {_meeting(names, game): game for game in played.games}
    for game in listed.games:
        mine = ours.get(_meeting(theirs, game))
        pairing = {"round": game.round, "white": shown[game.white], "black": shown[game.black]}
        own = None
        if mine is not None:
            same = names[mine.white] == theirs[game.white]
            own = mine.points(mine.white if same else mine.black)
        points = game.points(game.white)
        where = Message("round {round}, {white} – {black}, result", **pairing)
        yield PublishedFigure(where, points, own, 1, partial(_why_played, mine is None))
        if mine is not None and (game.by_default or mine.by_default):
            listed_so, played_so = Fraction(game.by_default), Fraction(mine.by_default)
            why = partial(_why_default, game)
            where = Message("round {round}, {white} – {black}, by default", **pairing)
            yield PublishedFigure(where, listed_so, played_so, 0, why)


def _meeting(names: Mapping[str, tuple[str, ...]], game: GoGame) -> _Meeting:
    return game.round, frozenset((names[game.white], names[game.black]))


def _why_played(missing: bool) -> Message:
    if missing:
        return Message("the file of the event has no such game")
    return Message("the list and the file of the event have another winner")


def _why_default(game: GoGame) -> Message:
    if game.by_default:
        return Message("the list has the game as won by default, the file of the event as played")
    return Message("the list has the game as played, the file of the event as won by default")


def _why_counted() -> Message:
    return Message(
        "programme: the list counts otherwise than the settings of the file: where players begin, "
        "or rounds without a game"
    )


def _padded(wall_list: WallList) -> Sequence[tuple[Fraction, ...]]:
    return wall_list.scores or [() for _ in wall_list.field.standings]


def _why_listed(name: str, standing: Standing, mine: Standing | None) -> Message:
    if mine is None:
        return Message("nobody of that name is in the file of the event", name=name)
    if mine.place <= standing.place < mine.place + mine.tied:
        return why_placed(standing.place, mine.place, mine.tied)
    won = mine.facts.get("won")
    if won is not None and won != standing.facts.get("won"):
        return Message(
            "programme: {wins} games won in the list, {ours} in the file of the event",
            wins=str(standing.facts.get("won")),
            ours=str(won),
        )
    if mine.score != standing.score:
        return Message("follows from the scores that differ")
    return Message("no score differs: the list ranks by something that it does not show")
