"""The scores that a file publishes, and ours by every profile."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

from honours.engine.numbers import show
from honours.errors import InputError
from honours.model import AdjustedScore, ArtificialScore, Event, EventEntrant, Result
from honours.model.message import Message, joined, plural
from honours.pipeline.checking.figures import (
    CandidateReading,
    FigureCheck,
    PublishedFigure,
    check,
    decimals_in,
    place_figure,
    why_tied,
)
from honours.pipeline.published import publishes
from honours.scoring import ScoredEvent, ScoringOptions, score
from honours.scoring.award_lists import ranked_together
from honours.scoring.imps import conventions, imp_boards, imp_convention
from honours.scoring.kernel import by_formula
from honours.scoring.matchpoints import (
    matchpoint_board,
    penalty_points,
    rounded_points,
    share_of_top,
)
from honours.scoring.profiles import of_program, profile, profile_names
from honours.scoring.scored import ScoredBoard, ScoredLine, Side, SideScore
from honours.scoring.scorer import full_programme
from honours.scoring.standings import Tally, half_up

# --- why a score differs --------------------------------------------------------------------------


_SINGLE_PRECISION = Fraction(1, 1 << 22)
_NEAR = Fraction(1, 100)
_PLACES = 2
_AVERAGES = (Fraction(2, 5), Fraction(1, 2), Fraction(3, 5))


class Causes:
    """Looks for the reason of a difference in one scored event."""

    def __init__(self, scored: ScoredEvent) -> None:
        self._scored = scored
        self._tallies = {tally.id: tally for tally in scored.tallies}
        self._fullest = full_programme(scored, scored.tallies, ScoringOptions())
        self.differing: dict[str, list[int]] = {}
        """The boards on which an entrant's published points are not ours; filled as they are
        compared."""
        self.compared: set[str] = set()
        """Whose lines were compared."""

    def own_points(self, tally: Tally) -> Fraction:
        """Return the points an entrant got here, without those it brought."""
        if not tally.possible or not tally.entrant.carried:
            return tally.points - tally.entrant.carried
        return tally.points - tally.entrant.carried * self._carry_weight(tally)

    def fullest(self, tally: Tally) -> Fraction:
        """The total that an entrant's printed percentage is a share of."""
        return self._fullest if self._scored.profile.totals_unit else tally.possible

    def printed_points(self, tally: Tally) -> Fraction:
        """Return its points here as the profile prints them: for a full programme, and rounded."""
        own, unit = self.own_points(tally), self._scored.profile.totals_unit
        return half_up(own * self._fullest / tally.possible, unit) if unit else own

    def _carry_weight(self, tally: Tally) -> Fraction:
        whole = self._scored.profile.totals_unit and self._fullest
        return tally.possible / self._fullest if whole else Fraction(1)

    # --- a line -----------------------------------------------------------------------------

    def of_line(
        self, board: ScoredBoard, line: ScoredLine, side: Side, value: Fraction
    ) -> Message | None:
        score = line.side(side)
        if score is None:
            return Message("programme: the file has points for a board without a result")
        other = line.side(Side.EW if side is Side.NS else Side.NS)
        if score.how in ("artificial", "lone score"):
            return self._of_average(score, value)
        if cause := self._of_unruled(board, line, side, value):
            return cause
        if cause := self._of_factoring(board, score, value):
            return cause
        if cause := self._of_hidden_results(board):
            return cause
        if other is not None and other.points != score.points and value == other.points:
            return Message("the points of the two sides are exchanged in the file")
        return None

    def _of_hidden_results(self, board: ScoredBoard) -> Message | None:
        """Cross-IMPs of all the results of a board come to nothing; where they do not, it was
        compared with results that the file lacks."""
        if self._scored.event.scoring != "cross-imps":
            return None
        total = Fraction(0)
        for line in board.lines:
            published = [line.result.published.get(f"{side}_imps") for side in ("ns", "ew")]
            published += [line.result.published.get(f"{side}_cross_imps") for side in ("ns", "ew")]
            ns, ew = published[0] or published[2], published[1] or published[3]
            if isinstance(ns, Fraction):
                total += ns
            elif isinstance(ew, Fraction):
                total -= ew
        if abs(total) <= _NEAR * len(board.lines):
            return None
        return Message(
            "programme: the points of the {count} results add up to {total} instead of 0: "
            "the board was compared with results that are not in the file",
            count=len(board.lines),
            total=show(total, _PLACES),
        )

    def _of_average(self, score: SideScore, value: Fraction) -> Message | None:
        if not score.top:
            return Message("averages: the program gives another number of IMPs for an average")
        if score.own and value == share_of_top(
            score.points / score.top, score.expected, self._scored.profile
        ):
            return Message(
                "averages: a flat {share}% was given; by Law 12C2 the pair's own session counts",
                share=show(100 * score.points / score.top, 0),
            )
        return Message(
            "averages: {given}% of the top was given where the ruling says {ruled}%",
            given=show(100 * value / score.top, _PLACES),
            ruled=show(100 * score.points / score.top, _PLACES),
        )

    def _of_unruled(
        self, board: ScoredBoard, line: ScoredLine, side: Side, value: Fraction
    ) -> Message | None:
        """A line that the file gives averages, though it has a result, changes all the others."""
        ruled = {
            id(one.result): replace(one.result, score=None, contract=None, adjusted=shares)
            for one in board.lines
            if one.result.adjusted is None and (shares := _averages_given(one)) is not None
        }
        if not ruled:
            return None
        results = [ruled.get(id(one.result), one.result) for one in board.lines]
        expected = max((s.expected for x in board.lines for _, _, s in x.shares()), default=0)
        again = matchpoint_board(results, expected, self._scored.profile)
        score = again[board.lines.index(line)].side(side)
        if score is None or score.points != value:
            return None
        who = next(one.result for one in board.lines if id(one.result) in ruled)
        return Message(
            "averages: {pair} has a result on the board, and the file counts it as an average",
            pair=who.ns[0],
        )

    def _of_factoring(
        self, board: ScoredBoard, score: SideScore, value: Fraction
    ) -> Message | None:
        if score.how != "matchpoints" or not score.obtained:
            return None
        adjusted = sum(one.result.adjusted is not None for one in board.lines)
        for factored_to in range(score.obtained, score.expected + 3):
            if factored_to != score.expected and self._factored(score, factored_to) == value:
                if factored_to == score.obtained:
                    cause = Message(
                        "factoring: the board has {count} of {expected} scores and was left so",
                        count=score.obtained,
                        expected=score.expected,
                    )
                else:
                    cause = Message(
                        "factoring: the board was brought to {to} scores, not to {expected}",
                        to=factored_to,
                        expected=score.expected,
                    )
                if adjusted:
                    return plural(
                        "{what} ({count} of its scores is adjusted)",
                        "{what} ({count} of its scores are adjusted)",
                        count=adjusted,
                        what=cause,
                    )
                return cause
        return None

    def _factored(self, score: SideScore, expected: int) -> Fraction:
        profile = self._scored.profile
        above, below = by_formula(
            score.sign_sum, expected, score.obtained, profile.per_score_beaten, profile.simplified
        )
        return rounded_points(above, below, profile.top(expected), profile)

    # --- a total ----------------------------------------------------------------------------

    def of_total(self, entrant: EventEntrant, name: str, value: Fraction) -> Message | None:
        tally = self._tallies.get(entrant.entrant.id)
        if tally is None:
            return Message("the file has a total for an entrant without a result")
        ours = tally.score if name == "percentage" else tally.points
        return (
            self._of_penalty(entrant, tally, value, ours)
            or self._of_programme(tally, name, value)
            or self._of_handicap(entrant, value, ours)
            or self._of_lines(tally)
            or _of_precision(value, ours)
            or self._of_scale()
            or self._of_rest(tally, value, ours)
        )

    def _of_penalty(
        self, entrant: EventEntrant, tally: Tally, value: Fraction, ours: Fraction
    ) -> Message | None:
        taken = [
            penalty_points(p, self._top())
            for session in self._scored.event.sessions
            for p in session.penalties
            if p.entrant == tally.id and p.unit in ("matchpoints", "percent")
        ]
        adjustment = entrant.published.get("adjustment")
        amounts = [-x for x in taken] + (
            [adjustment] if isinstance(adjustment, Fraction) and adjustment else []
        )
        for amount in amounts:
            shares = {amount, 100 * amount / tally.possible if tally.possible else amount}
            for share in shares:
                for sign in (1, -1):
                    if share and abs(ours + sign * share - value) <= _NEAR:
                        return Message(
                            "penalties: an adjustment of {amount} is counted {how}",
                            amount=show(amount, _PLACES),
                            how=Message("by the file alone")
                            if sign > 0
                            else Message("by us and not in the file"),
                        )
        return None

    def _top(self) -> Fraction:
        tops = (s.top for b in self._scored.boards for x in b.lines for _, _, s in x.shares())
        return max(tops, default=Fraction(0))

    def _of_programme(self, tally: Tally, name: str, value: Fraction) -> Message | None:
        if not tally.possible or tally.possible == self._fullest:
            return None
        own = self.own_points(tally)
        if name == "percentage" and abs(100 * own / self._fullest - value) <= _NEAR:
            return Message(
                "programme: the percentage is of the full programme; {boards} boards were played",
                boards=tally.boards,
            )
        if name != "percentage" and abs(own * self._fullest / tally.possible - value) <= _NEAR:
            return Message(
                "programme: the total is of the full programme; {boards} boards were played",
                boards=tally.boards,
            )
        return None

    def _of_handicap(
        self, entrant: EventEntrant, value: Fraction, ours: Fraction
    ) -> Message | None:
        handicap = entrant.handicap
        if handicap and abs(ours + handicap - value) <= _NEAR:
            return Message(
                "the published score has the handicap of {handicap} in it",
                handicap=show(handicap, _PLACES),
            )
        return None

    def _of_scale(self) -> Message | None:
        if self._scored.matches is None or self._scored.event.kind != "teams":
            return None
        return Message(
            "programme: the file's victory points are of another scale; ours are {rules}",
            rules=str(self._scored.matches.rules),
        )

    def _of_rest(self, tally: Tally, value: Fraction, ours: Fraction) -> Message | None:
        """All its lines agree and the total does not: something was added that no line tells."""
        if abs(value - ours) <= _NEAR or tally.id not in self.compared:
            return None
        return Message(
            "penalties: its lines all agree, and the total has {amount} that the file does not "
            "account for",
            amount=show(value - ours, _PLACES),
        )

    def _of_lines(self, tally: Tally) -> Message | None:
        differ = self.differing.get(tally.id, [])
        if not differ:
            return None
        return plural(
            "follows from {count} line that differs: board {boards}",
            "follows from {count} lines that differ: boards {boards}",
            count=len(differ),
            boards=tuple(differ[:8]),
        )

    def _share(self, tally: Tally) -> Fraction:
        return self.own_points(tally) / (tally.possible or 1)

    # --- a place ----------------------------------------------------------------------------

    def of_place(self, who: str, place: int, ours: Mapping[str, int]) -> Message | None:
        tally = self._tallies[who]
        tied = sum(
            ours[t.id] == ours[who] and self._share(t) == self._share(tally)
            for t in self._scored.tallies
        )
        if parted := why_tied(place, ours[who], tied):
            return parted
        if tally.entrant.entrant.is_barred:
            return Message("not eligible for awards: the file ranks the pair behind all others")
        published = {
            e.entrant.id: e.published.get("percentage", e.published.get("total_score"))
            for e in self._scored.event.entrants
        }
        own = published.get(who)
        swapped = [
            t.id
            for t in self._scored.tallies
            if ours[t.id] < ours[who]
            and isinstance(theirs := published.get(t.id), Fraction)
            and isinstance(own, Fraction)
            and theirs < own
        ]
        if swapped:
            return Message(
                "follows from the scores: the file has {who} above {others}",
                who=who,
                others=tuple(swapped[:5]),
            )
        if any(self.differing.values()):
            return Message("follows from the scores of others that differ")
        return Message("no score differs: the file ranks by something that it does not show")


def _averages_given(line: ScoredLine) -> AdjustedScore | None:
    """The averages a file gives a line that has a result: both sides a plain share of the top."""
    shares = []
    for side, own in ((Side.NS, line.ns), (Side.EW, line.ew)):
        published = line.result.published.get(f"{side.lower()}_matchpoints")
        if own is None or not own.top or not isinstance(published, Fraction):
            return None
        shares.append(published / own.top)
    if sum(shares) != 1 or any(share not in _AVERAGES for share in shares):
        return None
    return AdjustedScore(ArtificialScore(shares[0]), ArtificialScore(shares[1]))


def _of_precision(value: Fraction, ours: Fraction) -> Message | None:
    if ours and abs(value / ours - 1) < _SINGLE_PRECISION and value != ours:
        return Message("rounding: the file keeps seven figures, as single precision does")
    return None


# --- what a file publishes, and ours --------------------------------------------------------------


POINTS = ("matchpoints", "cross_imps", "butler", "imps")
"""What a line's points are called after ``ns_`` and ``ew_``."""
_FEW = 3
"""So many sections can be compared in few enough ways to try them all."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """The way a file prints points: times a factor, and around average or from nothing."""

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
            why = partial(self._causes.of_place, who, int(place), best)
            yield place_figure(who, int(place), best[who], why)

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
    """Return the name of a figure's place; every reading of the file asks for it again."""
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
