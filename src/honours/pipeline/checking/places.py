"""Places and scores that a list published, against what its games or its scores give.

A wall list is compared with its own games: each column of scores is taken for the criterion that
most of its lines agree with. The file of a go program has no places; where a wall list of the same
event lies beside it, our places are compared with those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path

from honours.errors import HonoursError, InputError
from honours.formats.detect import read
from honours.formats.entrants import words_of
from honours.formats.go import (
    CRITERIA,
    GoGame,
    GoScores,
    GoTournament,
    Placement,
    fact_of_criterion,
    rank,
)
from honours.formats.table_standings import StandingsFile
from honours.model import Field, Standing
from honours.model.message import Message, by_option
from honours.pipeline.account import Account
from honours.pipeline.checking.figures import (
    CandidateReading,
    FigureCheck,
    PublishedFigure,
    check,
    decimals_in,
    place_figure,
    why_tied,
)

# --- columns of scores that lists print -----------------------------------------------------------


_OWN = ("NBW", "MMS")
"""Scores of one's own; sums of opponents must agree on more lines to be taken for one."""
_MOST = Fraction(3, 4)


def why_placed(place: int, ours: int, level: int) -> Message:
    return why_tied(place, ours, level) or Message(
        "programme: the list is not in the order of the scores it shows"
    )


def called(standing: Standing) -> str:
    players = standing.entrant.players
    return players[0].name if len(players) == 1 and players[0].name else standing.entrant.id


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of a list, and the criterion it is taken for."""

    criterion: str
    published: Sequence[Fraction | None]
    ours: Sequence[Fraction]


Values = Mapping[str, Sequence[Fraction]]


def columns_of(
    scores: Sequence[Sequence[Fraction]], values: Values, ranks: int = 0
) -> list[ScoreColumn]:
    """The columns that hold a criterion on most of their lines; one of nothing but noughts is
    not used. A McMahon score may begin anywhere for each of the ``ranks``, which speaks against
    taking a column for one."""
    width = max((len(row) for row in scores), default=0)
    columns: list[ScoreColumn] = []
    for at in range(width):
        published = [row[at] if at < len(row) else None for row in scores]
        sums = {column.criterion for column in columns} - {*_OWN}
        free = {
            name: agreeing(published, ours) - Fraction(ranks if name == "MMS" else 0, 2)
            for name, ours in values.items()
            if name not in sums
        }
        if not any(published) or not free:
            continue
        own = {name: free[name] for name in _OWN if name in free and not columns}
        for names in (own, free):
            best = max(names, key=lambda name: names[name], default="")
            enough = Fraction(1, 2) if best in _OWN else _MOST
            if best and agreeing(published, values[best]) > enough * len(published):
                columns.append(ScoreColumn(best, published, values[best]))
                break
    return columns


def agreeing(published: Sequence[Fraction | None], ours: Sequence[Fraction]) -> int:
    return sum(a == b for a, b in zip(published, ours, strict=True))


def figures_of(
    columns: Sequence[ScoreColumn], names: Sequence[str], cause: Callable[[str], Message]
) -> Iterator[PublishedFigure]:
    for column in columns:
        places = decimals_in(value for value in column.published if value is not None)
        for name, published, ours in zip(names, column.published, column.ours, strict=True):
            if published is not None:
                why = partial(cause, column.criterion)
                yield PublishedFigure(f"{name}, {column.criterion}", published, ours, places, why)


_SCORES = "scores"
_MCMAHON = ("SOSM", "SOSOSM", "SODOSM", "SOSM-1", "SOSM-2", "CUSSM")
_WINS = ("NBW", "SOSW", "SOSOSW", "SODOSW", "SOSW-1", "SOSW-2", "CUSSW")
_UNKNOWN = ("NBW", "SOSW", "SOSOSW"), ("MMS", "SOSM", "SOSOSM")
_ABSENT = (
    (Fraction(0), True),
    (Fraction(1, 2), True),
    (Fraction(1, 2), False),
    (Fraction(1), True),
)
"""What a missed round counts, and whether halves are rounded down."""
_MOST_CATEGORIES = 10
_MOST_COLUMNS = 6


def check_places(account: Account, against: str | Path = "") -> FigureCheck:
    """Compare the places and scores of a list with what they follow from; those of a go program's
    file with the list of the same event, ``against`` or beside it."""
    content = account.content
    if isinstance(content, StandingsFile):
        return _of_lists(account, content.lists)
    assert isinstance(content, GoTournament)
    if content.listed is None:
        content.require_finished()
        name, published = list_of(account, against)
        return check_program(content, name, published)
    played = program_of(account, content, against)
    if played is not None:
        return check_program(played, account.called, content)
    return _of_wall_list(content)


# --- tables and pages of standings ----------------------------------------------------------------


def _of_lists(account: Account, lists: Sequence[Field]) -> FigureCheck:
    figures = [figure for field in lists for figure in _by_score(field)]
    if not figures:
        raise InputError(
            "{path}: it has no scores that its places could follow from", path=account.called
        )
    return check([CandidateReading(_SCORES, _SCORES, lambda: figures)])


def _by_score(field: Field) -> Iterator[PublishedFigure]:
    """Places of one list as its scores give them; those of an excerpt by who is shown above."""
    scored = [(s, s.score) for s in field.standings if s.score is not None]
    whole = not any(standing.place > len(field.standings) for standing, _ in scored)
    label = " ".join(str(word) for word in field.label.values())
    for standing, score in scored:
        better = sum(other > score for _, other in scored)
        level = sum(other == score for _, other in scored)
        above = sum(other.place < standing.place for other, _ in scored)
        ours = 1 + better if whole else standing.place + better - above
        who = ", ".join(word for word in (label, called(standing)) if word)
        why = partial(why_placed, standing.place, ours, level)
        yield place_figure(who, standing.place, ours, why)


# --- a wall list and its own games ----------------------------------------------------------------


def _of_wall_list(wall_list: GoTournament) -> FigureCheck:
    wall_list.require_finished()
    if not any(wall_list.scores):
        return _without_scores(wall_list)
    rows, categories = _without_categories(wall_list.scores)
    names = [called(standing) for standing in wall_list.places]
    ranks = len({player.rank for player in wall_list.players})
    columns = max(
        (columns_of(rows, values, ranks) for values in _ways(wall_list, rows)),
        key=lambda cols: sum(agreeing(c.published, c.ours) for c in cols),
    )
    ranked = _best_order(rows, categories, [s.place for s in wall_list.places])

    def figures() -> Iterator[PublishedFigure]:
        yield from figures_of(columns, names, _why_score)
        for standing, (ours, level) in zip(wall_list.places, ranked, strict=True):
            why = partial(why_placed, standing.place, ours, level)
            yield place_figure(called(standing), standing.place, ours, why)

    title = ", ".join(dict.fromkeys(column.criterion for column in columns)) or _SCORES
    return check([CandidateReading(title, title, figures)])


Rows = Sequence[tuple[Fraction, ...]]


def _without_categories(scores: Rows) -> tuple[Rows, Sequence[Fraction]]:
    """The scores, and the categories if the first column is their number: that column never falls,
    whereas scores never rise."""
    first = [row[0] if row else Fraction(0) for row in scores]
    rising = all(a <= b for a, b in pairwise(first))
    small = all(1 <= value <= _MOST_CATEGORIES and value.denominator == 1 for value in first)
    if rising and small and any(len(row) > 1 for row in scores):
        return [row[1:] for row in scores], first
    return scores, [Fraction(0)] * len(scores)


def _best_order(
    rows: Rows, categories: Sequence[Fraction], places: Sequence[int]
) -> list[tuple[int, int]]:
    """Places by the columns that the list goes by: some stand there and do not count."""
    width = min(max(map(len, rows)), _MOST_COLUMNS)
    chosen = [
        [at for at in range(width) if not left_out >> at & 1] for left_out in range(1 << width)
    ]
    ways = [
        _by_columns([tuple(row[at] for at in some if at < len(row)) for row in rows], categories)
        for some in chosen[:-1]
    ] or [_by_columns(rows, categories)]
    return max(ways, key=lambda way: sum(a == b for (a, _), b in zip(way, places, strict=True)))


def _by_columns(rows: Rows, categories: Sequence[Fraction]) -> list[tuple[int, int]]:
    """Everybody's place by all the scores of the list, and how many have the same."""
    keys = [(-category, *row) for category, row in zip(categories, rows, strict=True)]
    count = Counter(keys)
    better, places = 0, {}
    for key in sorted(count, reverse=True):
        places[key] = 1 + better
        better += count[key]
    return [(places[key], count[key]) for key in keys]


def _ways(tournament: GoTournament, rows: Rows) -> Iterator[Values]:
    """Yield every criterion's values, for each way of counting stones and rounds without a game."""
    stones = (True, False) if any(game.handicap for game in tournament.games) else (True,)
    missed = any(len(player.present) > sum(player.present) for player in tournament.players)
    for absent, floored in _ABSENT if missed else _ABSENT[:1]:
        for reckoned in stones:
            placement = Placement(
                ("NBW",),
                bar=0,
                floor=0,
                zero=0,
                absent_mms=absent,
                floored=floored,
                handicap_in_sums=reckoned,
            )
            yield _criteria(replace(tournament, placement=placement), rows)


def _criteria(tournament: GoTournament, rows: Rows) -> Values:
    """The criteria of every player; McMahon scores begin at what most of the same rank began at,
    and sums of them are made of the scores that the list has."""
    scores = GoScores(tournament)
    keys = [player.key for player in tournament.players]
    begun = [
        row[0] - scores.mms(k) if row else Fraction(0) for row, k in zip(rows, keys, strict=True)
    ]
    by_rank: dict[int | None, Counter[Fraction]] = {}
    for player, start in zip(tournament.players, begun, strict=True):
        by_rank.setdefault(player.rank, Counter())[start] += 1
    usual = {rank: count.most_common(1)[0][0] for rank, count in by_rank.items()}
    values = {name: [CRITERIA[name](scores, key) for key in keys] for name in _WINS}
    values["MMS"] = [usual[p.rank] + scores.mms(p.key) for p in tournament.players]
    seeded = [
        replace(player, correction=int(start))
        for player, start in zip(tournament.players, begun, strict=True)
    ]
    sums = GoScores(replace(tournament, players=tuple(seeded)))
    return values | {name: [CRITERIA[name](sums, key) for key in keys] for name in _MCMAHON}


def _why_score(criterion: str) -> Message:
    if criterion == "MMS":
        return Message("programme: the player began with another score than most of the same rank")
    if criterion == "NBW":
        return Message("programme: a round without a game, or one beyond the list, counts in it")
    return Message(
        "programme: a round without a game, or an opponent's score that differs, counts in it"
    )


def _without_scores(wall_list: GoTournament) -> FigureCheck:
    """A list that has places alone: by wins, or by McMahon scores from the ranks."""
    placed = {s.entrant.id: s for s in wall_list.places}

    def figures(criteria: tuple[str, ...]) -> Iterator[PublishedFigure]:
        again = replace(wall_list, placement=Placement(criteria))
        number = {p.key: p.player.number or p.key for p in wall_list.players}
        ours = {s.entrant.id: s for s in rank(again).standings}
        for who in number.values():
            standing, mine = placed[who], ours[who]
            why = partial(_why_unscored, standing, mine)
            yield place_figure(called(standing), standing.place, mine.place, why)

    readings = [
        CandidateReading(", ".join(criteria), ", ".join(criteria), partial(figures, criteria))
        for criteria in _UNKNOWN
    ]
    return check(readings)


def _why_unscored(theirs: Standing, ours: Standing) -> Message:
    return why_tied(theirs.place, ours.place, ours.tied) or Message(
        "programme: the list has places and no scores, and was made by criteria it does not tell"
    )


# --- a go program's file and the wall list of its event -------------------------------------------


LISTS = (".h9", ".opengotha.h9", ".tou", ".txt")
"""What a wall list beside the file of a go program may end with."""
_PROGRAMS = (".xml", ".tour")


def list_of(account: Account, against: str | Path) -> tuple[str, GoTournament]:
    """The wall list of the event: the one named, or one of the same name beside the file."""
    if against:
        content = read(against)[1]
        if not isinstance(content, GoTournament) or content.listed is None:
            raise InputError("{path}: it is not a wall list", path=against)
        return str(against), content
    path = Path(account.path)
    for suffix in LISTS:
        beside = path.with_name(path.stem + suffix)
        beside_it = _beside(beside)
        if isinstance(beside_it, GoTournament) and beside_it.listed:
            return str(beside), beside_it
    raise InputError(
        "{path} publishes no places to compare with. Put the event's wall list beside it "
        "({beside}), or name it: {remedy}",
        remedy=by_option("against", "FILE"),
        path=account.called,
        beside=path.with_suffix(".h9").name,
    )


def program_of(
    account: Account, wall_list: GoTournament, against: str | Path
) -> GoTournament | None:
    """The tournament that a list is compared with: the one named, or for a list without scores the
    one of the same name beside it."""
    if against:
        content = read(against)[1]
        if not isinstance(content, GoTournament) or content.listed:
            raise InputError("{path}: expected the file of a go program's tournament", path=against)
        return content
    if any(wall_list.scores):
        return None
    path = Path(account.path)
    contents = (_beside(path.with_name(path.stem + suffix)) for suffix in _PROGRAMS)
    return next((one for one in contents if isinstance(one, GoTournament) and not one.listed), None)


def _beside(path: Path) -> object:
    """Return the content of a file, or ``None`` if it does not exist or cannot be read."""
    try:
        return read(path)[1] if path.is_file() else None
    except HonoursError:
        return None


def check_program(played: GoTournament, name: str, wall_list: GoTournament) -> FigureCheck:
    """Our places and scores by the event's own criteria, and those of its list."""
    ours = {words_of(s.entrant.players[0].name): s for s in rank(played).standings}
    criteria = tuple(c for c in played.placement.criteria if c != "CAT") or ("NBW",)
    title = ", ".join(played.placement.criteria or ("NBW",))

    def figures() -> Iterator[PublishedFigure]:
        both = [
            (standing, scores, mine)
            for standing, scores in zip(wall_list.places, _padded(wall_list), strict=True)
            if (mine := ours.get(words_of(standing.entrant.players[0].name))) is not None
        ]
        values = {
            c: [Fraction(str(mine.facts.get(fact_of_criterion(c), 0))) for *_, mine in both]
            for c in criteria
        }
        names = [called(standing) for standing, *_ in both]
        columns = columns_of([row for _, row, _ in both], values)
        yield from figures_of(columns, names, lambda _: _why_counted())
        for standing in wall_list.places:
            mine = ours.get(words_of(standing.entrant.players[0].name))
            why = partial(_why_listed, name, standing, mine)
            own = None if mine is None else mine.place
            yield place_figure(called(standing), standing.place, own, why)
        yield from _games(played, wall_list)

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
        "programme: the list does not follow the settings of the file: starting scores, or "
        "rounds without a game"
    )


def _padded(wall_list: GoTournament) -> Sequence[tuple[Fraction, ...]]:
    return wall_list.scores or [() for _ in wall_list.places]


def _why_listed(name: str, standing: Standing, mine: Standing | None) -> Message:
    if mine is None:
        return Message("nobody of that name is in the file of the event", name=name)
    if parted := why_tied(standing.place, mine.place, mine.tied):
        return parted
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
