"""Why a published score is not ours, in a sentence: factoring, averages, penalties, programme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from honours.model import AdjustedScore, ArtificialScore, EventEntrant
from honours.model.message import Message, plural
from honours.pipeline.checking.figures import written
from honours.scoring import ScoredEvent, ScoringOptions
from honours.scoring.kernel import by_formula
from honours.scoring.matchpoints import (
    matchpoint_board,
    penalty_points,
    rounded_points,
    share_of_top,
)
from honours.scoring.scored import ScoredBoard, ScoredLine, Side, SideScore
from honours.scoring.scorer import full_programme
from honours.scoring.standings import Tally, half_up

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
        """What an entrant got here, without what it brought."""
        if not tally.possible or not tally.entrant.carried:
            return tally.points - tally.entrant.carried
        return tally.points - tally.entrant.carried * self._carry_weight(tally)

    def fullest(self, tally: Tally) -> Fraction:
        """The total that an entrant's printed percentage is a share of."""
        return self._fullest if self._scored.profile.totals_unit else tally.possible

    def printed_points(self, tally: Tally) -> Fraction:
        """What it got here as the profile prints it: brought to a full programme, and rounded."""
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
            "programme: the points of the {count} results come to {total} and not to nothing: the "
            "board was compared with results that the file does not have",
            count=len(board.lines),
            total=written(total, _PLACES),
        )

    def _of_average(self, score: SideScore, value: Fraction) -> Message | None:
        if not score.top:
            return Message("averages: the program gives another number of IMPs for an average")
        if score.own and value == share_of_top(
            score.points / score.top, score.expected, self._scored.profile
        ):
            return Message(
                "averages: a flat {share}% was given; by Law 12C2 the pair's own session counts",
                share=written(100 * score.points / score.top, 0),
            )
        return Message(
            "averages: {given}% of the top was given where the ruling says {ruled}%",
            given=written(100 * value / score.top, _PLACES),
            ruled=written(100 * score.points / score.top, _PLACES),
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
                            amount=written(amount, _PLACES),
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
                handicap=written(handicap, _PLACES),
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
            amount=written(value - ours, _PLACES),
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
        if tied > 1 and ours[who] < place < ours[who] + tied:
            return Message(
                "ties: {tied} have the same score and share place {place}; the file parts them",
                tied=tied,
                place=ours[who],
            )
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
    for side, score in ((Side.NS, line.ns), (Side.EW, line.ew)):
        published = line.result.published.get(f"{side.lower()}_matchpoints")
        if score is None or not score.top or not isinstance(published, Fraction):
            return None
        shares.append(published / score.top)
    if sum(shares) != 1 or any(share not in _AVERAGES for share in shares):
        return None
    return AdjustedScore(ArtificialScore(shares[0]), ArtificialScore(shares[1]))


def _of_precision(value: Fraction, ours: Fraction) -> Message | None:
    if ours and abs(value / ours - 1) < _SINGLE_PRECISION and value != ours:
        return Message("rounding: the file keeps seven figures, as single precision does")
    return None
