"""Places and scores that a list published, against what its games or its scores give.

A wall list is compared with its own games: each column of scores is taken for the criterion that
most of its lines agree with. The file of a go program has no places; where a wall list of the same
event lies beside it, our places are compared with those.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path

from honours.errors import InputError
from honours.formats.go import CRITERIA, GoScores, GoTournament, Placement, rank
from honours.formats.table_standings import StandingsFile
from honours.formats.wall_lists import WallList
from honours.model import Field, Standing
from honours.model.message import Message
from honours.pipeline.account import Account
from honours.pipeline.checking.criteria import (
    Values,
    agreeing,
    called,
    columns_of,
    figures_of,
    why_placed,
)
from honours.pipeline.checking.figures import (
    CandidateReading,
    FigureCheck,
    PublishedFigure,
    check,
    place_of,
)
from honours.pipeline.checking.programs import check_program, list_of, program_of

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
    if isinstance(content, GoTournament):
        content.require_finished()
        name, published = list_of(account, against)
        return check_program(content, name, published)
    assert isinstance(content, WallList)
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
        yield PublishedFigure(
            ", ".join(word for word in (label, called(standing), "place") if word),
            Fraction(standing.place),
            Fraction(ours),
            0,
            partial(why_placed, standing.place, ours, level),
        )


# --- a wall list and its own games ----------------------------------------------------------------


def _of_wall_list(wall_list: WallList) -> FigureCheck:
    wall_list.tournament.require_finished()
    if not any(wall_list.scores):
        return _without_scores(wall_list)
    rows, categories = _without_categories(wall_list.scores)
    names = [called(standing) for standing in wall_list.field.standings]
    ranks = len({player.rank for player in wall_list.tournament.players})
    columns = max(
        (columns_of(rows, values, ranks) for values in _ways(wall_list.tournament, rows)),
        key=lambda cols: sum(agreeing(c.published, c.ours) for c in cols),
    )
    ranked = _best_order(rows, categories, [s.place for s in wall_list.field.standings])

    def figures() -> Iterator[PublishedFigure]:
        yield from figures_of(columns, names, _why_score)
        for standing, (ours, level) in zip(wall_list.field.standings, ranked, strict=True):
            yield PublishedFigure(
                place_of(called(standing)),
                Fraction(standing.place),
                Fraction(ours),
                0,
                partial(why_placed, standing.place, ours, level),
            )

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
    """What every criterion would be, by each way of counting rounds without a game, and stones."""
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


def _without_scores(wall_list: WallList) -> FigureCheck:
    """A list that has places alone: by wins, or by McMahon scores from the ranks."""
    placed = {s.entrant.id: s for s in wall_list.field.standings}

    def figures(criteria: tuple[str, ...]) -> Iterator[PublishedFigure]:
        again = replace(wall_list.tournament, placement=Placement(criteria))
        number = {p.key: p.player.number or p.key for p in wall_list.tournament.players}
        ours = {s.entrant.id: s for s in rank(again).standings}
        for who in number.values():
            standing, mine = placed[who], ours[who]
            yield PublishedFigure(
                place_of(called(standing)),
                Fraction(standing.place),
                Fraction(mine.place),
                0,
                partial(_why_unscored, standing, mine),
            )

    readings = [
        CandidateReading(", ".join(criteria), ", ".join(criteria), partial(figures, criteria))
        for criteria in _UNKNOWN
    ]
    return check(readings)


def _why_unscored(theirs: Standing, ours: Standing) -> Message:
    if ours.place <= theirs.place < ours.place + ours.tied:
        return why_placed(theirs.place, ours.place, ours.tied)
    return Message(
        "programme: the list has places and no scores, and was made by criteria it does not tell"
    )
