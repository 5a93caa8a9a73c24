"""What a file publishes of an event's scores, and ours by every profile."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

from honours.errors import InputError
from honours.model import Event, EventEntrant, Result
from honours.model.message import Message, joined
from honours.pipeline.checking.causes import Causes
from honours.pipeline.checking.figures import (
    CandidateReading,
    FigureCheck,
    PublishedFigure,
    check,
    decimals_in,
    place_of,
)
from honours.scoring import ScoredEvent, ScoringOptions, score
from honours.scoring.award_lists import ranked_together
from honours.scoring.imps import conventions, imp_boards, imp_convention
from honours.scoring.profiles import of_program, profile, profile_names
from honours.scoring.scored import ScoredBoard, ScoredLine, Side
from honours.scoring.standings import Tally

POINTS = ("matchpoints", "cross_imps", "butler", "imps")
"""What a line's points are called after ``ns_`` and ``ew_``."""
_FEW = 3
"""So many sections can be compared in few enough ways to try them all."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """How a file prints points: times a factor, and around average or from nothing."""

    factor: Fraction = Fraction(1)
    around: bool = False

    def printed(self, points: Fraction, top: Fraction) -> Fraction:
        return (points - top / 2 if self.around else points) * self.factor

    def meant(self, printed: Fraction, top: Fraction) -> Fraction:
        """The points on our scale that the file prints so."""
        return printed / self.factor + (top / 2 if self.around else 0)


_SCALES = tuple(
    _Scale(Fraction(factor), around) for around in (False, True) for factor in ("1", "1/2", "2")
)


Scorer = Callable[[Event], ScoredEvent]
_Way = Callable[[Event], Iterable[PublishedFigure]]


def check_scores(
    events: Sequence[Event], chosen: str = "", scorer: Scorer | None = None
) -> FigureCheck:
    """Compare what a file published of its events with every profile; differences are those from
    the best one, or from the ``chosen`` one as ``scorer`` scores by it."""
    if not any(map(publishes, events)):
        raise nothing_published(events)
    titles = {name: title for event in events for name, title in _ways(event).items()}
    ways: dict[str, _Way] = {name: partial(_figures_of, name=name) for name in titles}
    if scorer is not None and chosen:
        ways[chosen] = _by(scorer)
    readings = [
        CandidateReading(name, titles.get(name, name), partial(_of_all, events, way))
        for name, way in ways.items()
    ]
    return check(readings, chosen)


def _by(scorer: Scorer) -> _Way:
    return lambda event: list(_Figures(scorer(event)).all())


def _of_all(events: Sequence[Event], figures: _Way) -> Iterator[PublishedFigure]:
    """The figures of all events of a file, with the event's name where there are several."""
    for event in events:
        for figure in figures(event):
            several = len(events) > 1
            yield replace(figure, where=f"{event.title}, {figure.where}") if several else figure


def publishes(event: Event) -> bool:
    """Whether a file publishes any scores to compare with."""
    lines = (result.published for session in event.sessions for result in session.results)
    return any(lines) or any(
        entrant.published.keys() & {"percentage", "total_score", "place"}
        for entrant in event.entrants
    )


def _ways(event: Event) -> dict[str, str]:
    """The profiles, or for IMPs the conventions, by name and with what they are; that of the
    program that wrote the file first."""
    if event.scoring == "matchpoints":
        titles = {name: profile(name).title for name in profile_names()}
    else:
        titles = {name: one.title for name, one in conventions().items()}
    own = [name for name in of_program(event.program)[:1] if name in titles]
    return {name: titles[name] for name in (*own, *titles)}


def _figures_of(event: Event, name: str) -> list[PublishedFigure]:
    """Ours by a profile, with sections compared in the way that most figures agree with."""
    best: list[PublishedFigure] = []
    for compared in _comparisons(event):
        chosen = ScoringOptions(compared=compared)
        if event.scoring == "matchpoints":
            scored = score(event, name, chosen)
        else:
            scored = score(event, options=replace(chosen, imps=name))
        figures = [*_Figures(scored).all(), *_pairs_of_teams(event, name)]
        if not best or _agreeing(figures) > _agreeing(best):
            best = figures
        if _agreeing(best) == len(best):
            break
    return best


def _agreeing(figures: Sequence[PublishedFigure]) -> int:
    return sum(figure.agrees for figure in figures)


def _comparisons(event: Event) -> Iterator[str]:
    """Together, then apart, then some with some, where the file does not say."""
    yield ""
    sections = sorted({r.section for s in event.sessions for r in s.results} - {""})
    if event.facts.get("compared") or len(sections) < 2:
        return
    yield ",".join(sections)
    if len(sections) == _FEW:
        for alone in sections:
            yield "+".join(s for s in sections if s != alone) + f",{alone}"


def _pairs_of_teams(event: Event, name: str) -> Iterator[PublishedFigure]:
    """Cross-IMPs that a file of teams prints of its lines: of the pairs, not of the matches."""
    lines = [r for session in event.sessions for r in session.results]
    if event.kind == "teams" and any("ns_cross_imps" in r.published for r in lines):
        rules = imp_convention(name)
        boards = tuple(b for session in event.sessions for b in imp_boards(session, rules))
        yield from _Figures(replace(score(event), boards=boards)).lines()


_Rank = tuple[bool, Fraction]


@dataclass(frozen=True, slots=True)
class _PlaceList:
    """Among whom places are counted: a name, and what tells the lists apart."""

    name: str
    key: Callable[[EventEntrant], str]


class _Figures:
    """The published figures of one scored event beside ours."""

    def __init__(self, scored: ScoredEvent) -> None:
        self._scored = scored
        self._event = scored.event
        self._tallies = {tally.id: tally for tally in scored.tallies}
        self._causes = Causes(scored)
        self._scale_used = _SCALES[0]
        self._printed = {
            standing.entrant.id: standing
            for ranking in reversed(scored.rankings)
            for standing in (*ranking.standings, *ranking.unranked)
            if not ranking.handicapped
        }

    def all(self) -> Iterator[PublishedFigure]:
        if self._event.kind != "teams":
            yield from self.lines()
        yield from self._totals("percentage", self._percentage)
        yield from self._totals("total_score", self._total)
        yield from self._places()

    # --- lines ------------------------------------------------------------------------------

    def lines(self) -> Iterator[PublishedFigure]:
        sides = list(self._sides())
        for name in POINTS:
            published = [
                (board, line, side, Fraction(value))
                for board, line, side in sides
                if isinstance(
                    value := line.result.published.get(f"{side.lower()}_{name}"), Fraction
                )
            ]
            if published:
                yield from self._points(name, published)

    def _sides(self) -> Iterator[tuple[ScoredBoard, ScoredLine, Side]]:
        for board in self._scored.boards:
            for line in board.lines:
                for side in Side:
                    yield board, line, side

    def _points(
        self, name: str, published: Sequence[tuple[ScoredBoard, ScoredLine, Side, Fraction]]
    ) -> Iterator[PublishedFigure]:
        places = decimals_in(value for *_, value in published)
        self._scale_used = scale = self._scale(published)
        for board, line, side, value in published:
            score = line.side(side)
            who = _who(line, side)
            ours = None if score is None else scale.printed(score.points_of(who), score.top)
            if score is None and value == 0:
                ours = Fraction(0)  # late and unplayed boards are printed as nothing
            meant = value if score is None else scale.meant(value, score.top)
            cause = partial(self._causes.of_line, board, line, side, meant)
            where = _where(board.session, board.number, line.result, side, name)
            figure = PublishedFigure(where, value, ours, places, cause)
            self._causes.compared.add(who)
            if not figure.agrees:
                self._causes.differing.setdefault(who, []).append(board.number)
            yield figure

    def _scale(self, published: Sequence[tuple[ScoredBoard, ScoredLine, Side, Fraction]]) -> _Scale:
        """On which scale the file prints points: the one that most of its lines are on."""
        agree: Counter[_Scale] = Counter()
        for _, line, side, value in published:
            score = line.side(side)
            if score is not None and score.how not in ("artificial", "lone score"):
                points = score.points_of(_who(line, side))
                agree.update(_printing_so(points, score.top, value))
        return max(_SCALES, key=lambda scale: agree[scale])

    # --- totals -----------------------------------------------------------------------------

    def _totals(
        self, name: str, ours: Callable[[Tally], Fraction | None]
    ) -> Iterator[PublishedFigure]:
        published = [
            (entrant, value)
            for entrant in self._event.entrants
            if isinstance(value := entrant.published.get(name), Fraction)
        ]
        places = decimals_in(value for _, value in published)
        for entrant, value in published:
            tally = self._tallies.get(entrant.entrant.id)
            figure = None if tally is None else ours(tally)
            yield PublishedFigure(
                f"{entrant.entrant.id}, {name.replace('_', ' ')}",
                value,
                figure,
                places,
                partial(self._causes.of_total, entrant, name, value),
            )

    def _percentage(self, tally: Tally) -> Fraction | None:
        """Of this session alone: what was carried over is no part of its percentage."""
        if not tally.possible:
            return None
        printed = self._printed[tally.id].facts.get("printed_score")
        if isinstance(printed, Fraction) and not tally.entrant.carried:
            return printed
        return 100 * self._causes.printed_points(tally) / self._causes.fullest(tally)

    def _total(self, tally: Tally) -> Fraction:
        printed = self._printed[tally.id].facts.get("printed_points")
        points = printed if isinstance(printed, Fraction) else tally.points
        return self._scale_used.printed(points, tally.possible)

    # --- places -----------------------------------------------------------------------------

    def _places(self) -> Iterator[PublishedFigure]:
        published = {
            entrant.entrant.id: value
            for entrant in self._event.entrants
            if isinstance(value := entrant.published.get("place"), Fraction)
            and entrant.entrant.id in self._tallies
        }
        if not published:
            return
        ranks = [
            {tally.id: key(tally) for tally in self._scored.tallies}
            for key in (self._rank_key, self._session_key)
        ]
        lists = [self._placed(among, rank) for rank in ranks for among in self._amongs()]
        best = max(lists, key=lambda ours: sum(ours[who] == p for who, p in published.items()))
        for who, place in published.items():
            yield PublishedFigure(
                place_of(who),
                place,
                Fraction(best[who]),
                0,
                partial(self._causes.of_place, who, int(place), best),
            )

    def _amongs(self) -> list[_PlaceList]:
        groups = ranked_together(self._event)
        return [
            _PlaceList("line", lambda e: e.line if self._scored.winners == 2 else ""),
            _PlaceList("event", lambda _: ""),
            _PlaceList("section and line", lambda e: f"{e.section} {e.line}"),
            _PlaceList("section", lambda e: e.section),
            _PlaceList(
                "sections ranked together, and line",
                lambda e: f"{groups.get(e.section, e.section)} {e.line}",
            ),
            _PlaceList("line always", lambda e: e.line),
        ]

    def _placed(self, among: _PlaceList, rank: Mapping[str, _Rank]) -> dict[str, int]:
        """Everybody's place among those with the same key; those not eligible come last."""
        scores: dict[str, list[_Rank]] = {}
        for tally in self._scored.tallies:
            scores.setdefault(among.key(tally.entrant), []).append(rank[tally.id])
        for listed in scores.values():
            listed.sort()
        return {
            tally.id: 1 + len(listed) - bisect_right(listed, rank[tally.id])
            for tally in self._scored.tallies
            for listed in (scores[among.key(tally.entrant)],)
        }

    def _session_key(self, tally: Tally) -> _Rank:
        """By this session alone, where something was carried over."""
        return self._rank_key(tally)[0], self._percentage(tally) or Fraction(0)

    def _rank_key(self, tally: Tally) -> _Rank:
        printed = self._printed[tally.id].facts.get("printed_points")
        score = printed if isinstance(printed, Fraction) else tally.score
        return not tally.entrant.entrant.is_barred, score


def _who(line: ScoredLine, side: Side) -> str:
    return (line.result.ns if side is Side.NS else line.result.ew)[0]


@lru_cache(maxsize=10_000)
def _printing_so(points: Fraction, top: Fraction, value: Fraction) -> tuple[_Scale, ...]:
    """The scales on which points are printed as this value: lines of many boards have the same."""
    return tuple(scale for scale in _SCALES if scale.printed(points, top) == value)


def _where(session: int, board: int, result: Result, side: Side, name: str) -> str:
    who, against = (result.ns, result.ew) if side is Side.NS else (result.ew, result.ns)
    return _named(session, board, result.section, who, against, name)


@lru_cache(maxsize=10_000)
def _named(
    session: int,
    board: int,
    section: str,
    who: tuple[str, ...],
    against: tuple[str, ...],
    name: str,
) -> str:
    """Where a figure stands, which every reading of a file says again."""
    parts = [
        Message("session {session}", session=session) if session > 1 else "",
        Message("section {section}", section=section) if section else "",
        Message("board {board}", board=board),
        Message(
            "{who} against {against}",
            who=" & ".join(who),
            against=" & ".join(against),
        ),
        name.replace("_", "-"),
    ]
    return joined(", ", filter(None, parts))


def nothing_published(events: Sequence[Event]) -> InputError:
    """The message for a file that publishes nothing to compare with."""
    source = next((event.source for event in events if event.source), None)
    return InputError(
        "{path}: it publishes no points, percentages or places to compare with",
        path=source.path if source else "the event",
    )
