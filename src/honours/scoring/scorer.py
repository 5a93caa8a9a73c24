"""From an event to its scored form: checked, scored, added up and ranked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from honours.errors import InputError, MissingInput, UnknownName
from honours.model import Event, EventEntrant, Result
from honours.model.message import Message, joined, mark
from honours.scoring.checks import check_event
from honours.scoring.imps import DEFAULT as EXACT_IMPS
from honours.scoring.imps import (
    ImpRules,
    ImpScores,
    imp_boards,
    imp_convention,
    score_imps,
)
from honours.scoring.matches import (
    BOARD_A_MATCH,
    TEAMS,
    MatchRules,
    MatchScores,
    matches_won,
    score_board_a_match,
    score_swiss,
    score_teams,
)
from honours.scoring.matchpoints import max_top, score_session, tally_session
from honours.scoring.movement import (
    NAMED_WHERE_OTHERS_HAVE_TWO,
    SectionGroups,
    are_apart,
    checked_sections,
    comparison,
    directions,
    one_winner_sections,
    propose_winners,
)
from honours.scoring.profiles import DEFAULT, Profile
from honours.scoring.profiles import profile as named_profile
from honours.scoring.scored import ScoredBoard, ScoredEvent, ScoredLine, Side, entrants
from honours.scoring.standings import (
    Ranking,
    RankingRules,
    Tally,
    carry_over,
    combine,
    half_up,
    rank_event,
)


def break_ties(scored: ScoredEvent, tallies: Sequence[Tally], name: str) -> tuple[Tally, ...]:
    """Give every tally the figure of the chosen tie-break; with none chosen, leave them."""
    if not name:
        return tuple(tallies)
    if name not in TIE_BREAKS:
        raise UnknownName("tie-break", name, TIE_BREAKS)
    tied: dict[Fraction, list[str]] = {}
    for tally in tallies:
        tied.setdefault(tally.score, []).append(tally.id)
    figure = TIE_BREAKS[name]
    return tuple(
        replace(tally, tie_break=(figure(scored, tally.id, tied[tally.score]),))
        for tally in tallies
    )


def head_to_head(scored: ScoredEvent, entrant: str, tied: Collection[str]) -> Fraction:
    """The points it won from the others in the tie, less what they won, on the boards they met;
    nothing unless it met each of them."""
    others = set(tied) - {entrant}
    if scored.matches is not None:
        return _in_matches(scored.matches, entrant, others)
    met: set[str] = set()
    difference = Fraction(0)
    for _, line, side, score in scored.lines_of(entrant):
        for opponent, against, theirs in line.shares():
            if opponent in others and against is not side:
                met.add(opponent)
                difference += score.points_of(entrant) - theirs.points_of(opponent)
    return difference if met == others else Fraction(0)


def _in_matches(scores: MatchScores, entrant: str, others: set[str]) -> Fraction:
    met: set[str] = set()
    difference = Fraction(0)
    for match in scores.matches:
        side = match.side_of(entrant)
        opponents = {other.entrant for other in match.sides} & others
        if side is not None and opponents:
            met |= opponents
            difference += side.lead
    return difference if met == others else Fraction(0)


def margin(scored: ScoredEvent, entrant: str, tied: Collection[str]) -> Fraction:  # noqa: ARG001
    """By how much it was ahead in all its matches together, in IMPs or boards."""
    own = next(tally for tally in scored.tallies if tally.id == entrant)
    known = own.facts.get("margin", Fraction(0))
    if not isinstance(known, Fraction):
        raise MissingInput(
            "margin",
            Message("of every match of {entrant}", entrant=entrant),
            Message("the tie-break by margin"),
        )
    return known


def tops(scored: ScoredEvent, entrant: str, tied: Collection[str]) -> Fraction:  # noqa: ARG001
    """On how many boards it had the whole top."""
    scores = (score for _, _, _, score in scored.lines_of(entrant))
    return Fraction(sum(score.points_of(entrant) >= score.top > 0 for score in scores))


def above_average(scored: ScoredEvent, entrant: str, tied: Collection[str]) -> Fraction:  # noqa: ARG001
    """On how many boards it did better than average."""
    scores = (score for _, _, _, score in scored.lines_of(entrant))
    return Fraction(sum(2 * score.points_of(entrant) > score.top for score in scores))


TIE_BREAKS: dict[str, Callable[[ScoredEvent, str, Collection[str]], Fraction]] = {
    mark("head-to-head"): head_to_head,
    mark("margin"): margin,
    mark("tops"): tops,
    mark("above-average"): above_average,
}


# --- events in IMPs and matches ----------------------------------------------------------------


PAIRS_IN_IMPS = ("cross-imps", "imps", "butler")


def score_in_imps(
    scored: ScoredEvent,
    convention: ImpRules,
    matches: MatchRules | None,
    compared: SectionGroups,
) -> ScoredEvent:
    """Teams, board-a-match, and pairs or individuals in IMPs, Swiss or not."""
    event = scored.event
    if event.kind == "teams":
        return _teams(scored, matches)
    if event.scoring not in PAIRS_IN_IMPS:
        raise InputError(
            "{title}: {kind} cannot be scored in {scoring!r}",
            title=event.title,
            kind=event.kind,
            scoring=event.scoring,
        )
    rules = replace(convention, butler=event.scoring == "butler", compared=compared)
    if event.swiss:
        boards = tuple(b for session in event.sessions for b in imp_boards(session, rules))
        against_field = replace(scored, imps=ImpScores(event, boards, (), rules))
        return with_swiss(against_field, boards, matches or TEAMS)
    scores = score_imps(event, rules)
    return replace(
        scored,
        boards=scores.boards,
        tallies=carry_over(scores.tallies),
        session_tallies=scores.sessions,
        imps=scores,
    )


def with_swiss(
    scored: ScoredEvent, boards: Sequence[ScoredBoard], rules: MatchRules
) -> ScoredEvent:
    """Swiss pairs: boards scored against the field, and the matches they make."""
    return _with_matches(scored, boards, score_swiss(scored.event, boards, rules))


def _teams(scored: ScoredEvent, rules: MatchRules | None) -> ScoredEvent:
    event = scored.event
    boards = [
        ScoredBoard(number, session.number, "", tuple(ScoredLine(result) for result in results))
        for session in event.sessions
        for number, results in sorted(_travellers(session.results).items())
    ]
    if event.scoring == "board-a-match":
        return _with_matches(scored, boards, score_board_a_match(event, rules or BOARD_A_MATCH))
    if event.scoring != "imps":
        raise InputError(
            "{title}: teams cannot be scored in {scoring!r}",
            title=event.title,
            scoring=event.scoring,
        )
    return _with_matches(scored, boards, score_teams(event, rules or TEAMS))


def _travellers(results: Sequence[Result]) -> dict[int, list[Result]]:
    travellers: dict[int, list[Result]] = {}
    for result in results:
        travellers.setdefault(result.board, []).append(result)
    return travellers


def _with_matches(
    scored: ScoredEvent, boards: Sequence[ScoredBoard], scores: MatchScores
) -> ScoredEvent:
    return replace(
        scored,
        boards=tuple(boards),
        tallies=carry_over(scores.tallies),
        session_tallies=scores.sessions,
        matches=scores,
        oddities=scored.oddities + scores.oddities,
    )


# --- any event ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """The organiser's choices; 0 winners leaves it to the event, then to who met whom.
    ``one_winner`` names sections that have one winner where the others have two.

    ``compared`` says which sections meet one field (``A+B,C``) where the file does not.
    ``expected`` is how many scores every board should have, 0 for as many as the fullest has;
    ``programme`` the points of a full programme, 0 for the most any entrant here could get.
    ``imps`` is a convention of IMPs or its name; ``matches`` says how matches are scored, and
    turns a Swiss in matchpoints, otherwise ranked by those, into victory points.
    """

    sections_apart: bool = False
    compared: str = ""
    rank_sections_apart: bool = False
    winners: int = 0
    one_winner: tuple[str, ...] = ()
    strata: tuple[str, ...] = ()
    handicap: bool = False
    minimum_boards: int = 0
    tie_break: str = ""
    mean_of_sessions: bool = False
    sessions_ranked: bool = False
    expected: int = 0
    programme: int = 0
    imps: str | ImpRules = EXACT_IMPS
    matches: MatchRules | None = None


def score(
    event: Event, profile: str | Profile = DEFAULT, options: ScoringOptions | None = None
) -> ScoredEvent:
    """Score an event; problems in it are all raised at once and nothing is half-scored."""
    rules = named_profile(profile) if isinstance(profile, str) else profile
    chosen = options or ScoringOptions()
    oddities = check_event(event, rules)
    winners, one_winner = _winners(event, chosen)
    seated = _with_lines(event, one_winner)
    how = described(rules, chosen)
    scored = ScoredEvent(
        seated, rules, (), (), (), (), winners, oddities, chosen=how, one_winner=one_winner
    )
    return _ranked(_by_method(scored, chosen), chosen)


def _winners(event: Event, chosen: ScoringOptions) -> tuple[int, tuple[str, ...]]:
    """The number of winners, and the sections that have one where others have two."""
    if chosen.one_winner:
        if chosen.winners == 1:
            raise InputError(NAMED_WHERE_OTHERS_HAVE_TWO)
        return 2, checked_sections(event, chosen.one_winner)
    proposed = 1 if event.swiss else propose_winners(event).winners
    winners = chosen.winners or event.winners or proposed
    return winners, one_winner_sections(event) if winners == 2 and not chosen.winners else ()


def described(profile: Profile, options: ScoringOptions) -> str:
    """The scoring of an event, in words: the profile, and what was chosen besides."""
    parts: list[str] = [Message("profile {name}", name=profile.name)]
    for field in fields(ScoringOptions):
        value = getattr(options, field.name)
        if value != field.default:
            text = str(value) if not isinstance(value, tuple) else "/".join(value)
            given = Message("yes") if value is True else text
            parts.append(joined(" ", (field.name.replace("_", " "), given)))
    return joined(", ", parts)


def _by_method(scored: ScoredEvent, options: ScoringOptions) -> ScoredEvent:
    event = scored.event
    if event.scoring != "matchpoints":
        named = options.imps
        convention = imp_convention(named) if isinstance(named, str) else named
        return score_in_imps(scored, convention, options.matches, _compared(scored, options))
    if event.swiss and options.matches is not None:
        return with_swiss(
            scored,
            [
                board
                for session in scored.event.sessions
                for board in score_session(
                    session, scored.profile, _compared(scored, options), options.expected
                )
            ],
            options.matches,
        )
    return _matchpointed(scored, options)


def _with_lines(event: Event, one_winner: Sequence[str]) -> Event:
    """Put entrants in lines where the file does not say: by most of their boards. A section with
    one winner beside others has no lines."""
    sides = directions(event)

    def line(entrant: EventEntrant) -> str:
        return entrant.line or str(sides.get(entrant.entrant.id, ""))

    seated = (replace(e, line="" if e.section in one_winner else line(e)) for e in event.entrants)
    return replace(event, entrants=tuple(seated))


def _matchpointed(scored: ScoredEvent, options: ScoringOptions) -> ScoredEvent:
    event, profile = scored.event, scored.profile
    known = {e.entrant.id: e for e in event.entrants}
    compared = _compared(scored, options)
    boards, sittings = [], []
    for session in event.sessions:
        scored_boards = score_session(session, profile, compared, options.expected)
        boards += scored_boards
        sittings.append(tally_session(known, scored_boards, session.penalties))
    gathered = combine(sittings, options.mean_of_sessions)
    if event.swiss:
        won = matches_won(boards)
        gathered = tuple(replace(t, facts={**t.facts, **won.get(t.id, {})}) for t in gathered)
    played = replace(scored, boards=tuple(boards), session_tallies=tuple(sittings))
    full = full_programme(played, gathered, options) if profile.totals_unit else Fraction(0)
    return replace(played, tallies=carry_over(gathered, full))


def _compared(scored: ScoredEvent, options: ScoringOptions) -> SectionGroups:
    return comparison(scored.event, options.sections_apart, options.compared)


def _ranked(scored: ScoredEvent, options: ScoringOptions) -> ScoredEvent:
    """Every ranking list: of the event, and of each session where that is asked for."""
    rankings = list(_lists(scored, scored.tallies, options, ""))
    if options.sessions_ranked and has_sessions(scored):
        for session, tallies in zip(scored.event.sessions, scored.session_tallies, strict=True):
            rankings += _lists(scored, tallies, options, str(session.number))
    return replace(scored, rankings=tuple(rankings))


def has_sessions(scored: ScoredEvent) -> bool:
    """True if a session is less than the event: one of several, or with scores carried over."""
    carried = any(tally.entrant.carried for tally in scored.tallies)
    return len(scored.session_tallies) > 1 or (carried and bool(scored.session_tallies))


def _lists(
    scored: ScoredEvent, tallies: Sequence[Tally], options: ScoringOptions, session: str
) -> tuple[Ranking, ...]:
    rules = RankingRules(
        scored.winners,
        options.rank_sections_apart or are_apart(scored.event),
        options.strata,
        options.handicap,
        options.minimum_boards,
        options.tie_break,
        session,
        scored.one_winner,
    )
    printed = tuple(tallies)
    if scored.profile.totals_unit:
        full = full_programme(scored, tallies, options, session)
        printed = as_printed(tallies, scored.profile.totals_unit, full)
    return rank_event(break_ties(scored, printed, options.tie_break), rules)


def full_programme(
    scored: ScoredEvent, tallies: Sequence[Tally], options: ScoringOptions, session: str = ""
) -> Fraction:
    """The most any entrant could have got, in whichever section, the boards that it did not get to
    play included; or what the organiser or the file says. Where percentages of sessions are
    averaged, the programme is as many per cent for everybody."""
    if options.mean_of_sessions and not session:
        return max((t.possible for t in tallies), default=Fraction(0))
    in_file = scored.event.facts.get("programme")
    programme = Fraction(options.programme or (in_file if isinstance(in_file, Fraction) else 0))
    unplayed: dict[str, Fraction] = {}
    for board in scored.boards:
        if not session or str(board.session) == session:
            for line in board.lines:
                for side in Side:
                    if line.side(side) is None:
                        for who in entrants(line.result, side):
                            unplayed[who] = unplayed.get(who, Fraction(0)) + max_top([board])
    return max([programme, *(t.possible + unplayed.get(t.id, 0) for t in tallies)])


def as_printed(tallies: Sequence[Tally], unit: Fraction, full: Fraction) -> tuple[Tally, ...]:
    """Some programs bring totals to a full programme, round them, and print percentages of that;
    the exact percentage still ranks."""
    return tuple(
        replace(tally, facts={**tally.facts, **_printed(tally, unit, full)})
        if tally.possible
        else tally
        for tally in tallies
    )


def _printed(tally: Tally, unit: Fraction, full: Fraction) -> dict[str, Fraction]:
    total = half_up(tally.points * full / tally.possible, unit)
    return {"printed_points": total, "printed_score": 100 * total / full}
