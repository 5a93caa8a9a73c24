"""The evening as an event: what was entered, who played, and the rulings made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from honours.errors import InputError
from honours.evening.evening import Evening
from honours.evening.hidden_boards import board_ruled_on
from honours.evening.plan import EveningPlan
from honours.evening.sections import with_one_winner
from honours.formats.detect import format_called
from honours.formats.go import GoTournament
from honours.formats.rulings import read_ruling
from honours.model import Board, Entrant, Event, EventEntrant, Match, Player, Result, Session, Value
from honours.model.message import Message
from honours.pipeline import Account, Report, inquired, ranked, ruled
from honours.rulebooks import load
from honours.scoring.movement import ONE_WINNER, SECTIONS_APART, comparison
from honours.scoring.scored import is_played, table_score

PROGRAM = "Honours"
FieldBoard = tuple[str, int]
"""The sections that are compared with each other, empty where all are, and a board of theirs."""
HALVES_APART = ("american-whist", "multiple-teams")
"""Movements of teams in which the two halves of a match are played in different rounds."""


def event_of(evening: Evening) -> Event:
    """Everything entered, as an event before any ruling."""
    plan = evening.plan
    results = tuple(sorted(_results(evening), key=lambda r: (r.board, r.round, r.table)))
    boards = tuple(Board(n, deal.deal, plan.section) for n, deal in evening.deals.items())
    byes = tuple(_byes(evening)) if plan.swiss else ()
    session = Session(1, results, byes, boards=boards)
    present = {who for result in results for who in (*result.ns, *result.ew)}
    present |= {match.home for match in byes}
    return Event(
        plan.title,
        plan.kind,
        plan.scoring,
        tuple(_entrant(evening, who, results) for who in evening.entrants if who in present),
        (session,),
        winners=plan.winners if plan.kind == "pairs" and not plan.swiss else 0,
        swiss=plan.swiss,
        date=date.fromisoformat(plan.date) if plan.date else None,
        club=plan.club,
        program=PROGRAM,
        facts=_facts_of_sections(plan),
    )


def _facts_of_sections(plan: EveningPlan) -> dict[str, Value]:
    one_winner = with_one_winner(plan.sections)
    apart = {SECTIONS_APART: "yes" if plan.sections_apart else "no"} if plan.sections else {}
    return {**apart, **({ONE_WINNER: ", ".join(one_winner)} if one_winner else {})}


def _results(evening: Evening) -> Iterator[Result]:
    plan = evening.plan
    first = _first_met(evening) if plan.swiss and plan.kind == "teams" else {}
    for line in evening.lines.values():
        if line.is_there:
            scored = replace(line.result, score=table_score(line.result))
            result = replace(scored, section=evening.section_of(line.place.table))
            number = first.get(frozenset((*line.ns, *line.ew)), line.place.round)
            yield replace(result, round=0 if plan.movement in HALVES_APART else number)


def _first_met(evening: Evening) -> dict[frozenset[str], int]:
    """The round in which two teams began their match; a match in a triangle continues in the
    next round."""
    first: dict[frozenset[str], int] = {}
    for number, round_ in enumerate(evening.rounds, 1):
        for seats in round_:
            if seats.is_played:
                first.setdefault(frozenset(seats.entrants), number)
    return first


def _byes(evening: Evening) -> Iterator[Match]:
    """Yield who sat out in the rounds of a Swiss event that were played, and what that is worth."""
    points = Fraction(evening.plan.bye)
    for number in sorted({place.round for place, line in evening.lines.items() if line.is_there}):
        for seats in evening.seats(number):
            if not seats.is_played:
                yield from (Match(number, who, "", home_vps=points) for who in seats.entrants)


def _entrant(evening: Evening, who: str, results: Sequence[Result]) -> EventEntrant:
    plan = evening.plan
    players = evening.names.get(who, ())
    if plan.kind == "individual" and not players:
        players = (Player(who),)
    line, section = "", _section(evening, who)
    if plan.winners == 2 and plan.kind == "pairs" and section not in with_one_winner(plan.sections):
        line = "NS" if any(who in result.ns for result in results) else "EW"
    return EventEntrant(Entrant(who, players, evening.teams.get(who, "")), who, line, section)


def _section(evening: Evening, who: str) -> str:
    """The section that an entrant belongs to."""
    names = (one.name for one in evening.plan.sections)
    return next((name for name in names if who.startswith(name)), evening.plan.section)


def comparable_so_far(event: Event) -> Event:
    """The event without boards that only one table has played so far: they cannot be compared
    yet, which is no fault during play."""
    if event.kind == "teams":
        return event
    sessions = []
    for session in event.sessions:
        times = _times_played(event, session)
        kept = tuple(r for at, r in _in_fields(event, session) if times[at] > 1)
        sessions.append(replace(session, results=kept))
    return replace(event, sessions=tuple(sessions))


def uncompared_boards(evening: Evening) -> frozenset[FieldBoard]:
    """Boards that only one table of a field has played and nobody has ruled on, so that there is
    nothing to compare them with."""
    event = event_of(evening)
    if event.kind == "teams":
        return frozenset()
    ruled_on = {board_ruled_on(words) for words in evening.rulings}
    times = _times_played(event, event.sessions[0])
    return frozenset(at for at, n in times.items() if n == 1 and at[1] not in ruled_on)


def event_at_the_end(evening: Evening) -> Event:
    """The event that an evening becomes: boards that only one table has played are left out, and
    return when another result is entered."""
    event, left_out = event_of(evening), uncompared_boards(evening)
    [session] = event.sessions
    results = tuple(r for at, r in _in_fields(event, session) if at not in left_out)
    if not any(map(is_played, results)):
        raise InputError(Message("no board was played at two tables yet"))
    return replace(event, sessions=(replace(session, results=results),))


def _in_fields(event: Event, session: Session) -> Iterator[tuple[FieldBoard, Result]]:
    """Each result with the sections whose results it is compared with, and its board."""
    field_of = comparison(event, False, "").field_of
    return (((field_of(r.section), r.board), r) for r in session.results)


def _times_played(event: Event, session: Session) -> Counter[FieldBoard]:
    return Counter(at for at, result in _in_fields(event, session) if is_played(result))


def ranked_so_far(account: Account) -> Report:
    """Rank an event while it is being played."""
    if isinstance(account.content, GoTournament):
        return ranked(replace(account, content=account.content.so_far()))
    if account.played is None:
        return ranked(account)
    event = comparable_so_far(account.played)
    if not any(session.results or session.matches for session in event.sessions):
        raise InputError("no board was played at two tables yet")
    return ranked(replace(account, content=event))


def account_of(evening: Evening, read: Account | None = None) -> Account:
    """The evening as a file would present it, with the rulings made; ``read`` is the content of
    a watched evening's file."""
    event = event_at_the_end if evening.ended else event_of
    account = read or Account(
        f"{evening.plan.title}.json", format_called("honours"), event(evening)
    )
    if not account.played:
        return account
    return ruled(account, [read_ruling(words) for words in evening.rulings])


def _foreseen(report: Report) -> Report:
    """The report with a remark that its awards are foreseen, where something usual was taken."""
    if not (report.inquiry and report.inquiry.confirmed):
        return report
    remark = Message(
        "awards for an ordinary session; you are asked about anything unusual before they count"
    )
    return replace(report, remarks=(*report.remarks, remark))


def with_awards(
    evening: Evening, report: Report, folders: Sequence[str] = ()
) -> tuple[Report, str]:
    """The report with what the evening's rulebook would award, or why it would not."""
    if not evening.plan.rulebook:
        return report, ""
    try:
        book = load(evening.plan.rulebook, folders)
        given = dict(evening.plan.given)
        return _foreseen(inquired(report, book, given, as_usual=True)), ""
    except InputError as error:
        return report, error.message
