"""What is wrong or odd in an event before it is scored: all of it at once, with file and line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from honours.errors import FileProblem, FileProblems
from honours.model import AssignedScore, Event, Result, Session
from honours.model.message import Message
from honours.scoring.contracts import TRICKS, can_be_scored, ns_score
from honours.scoring.matchpoints import is_flat_minus
from honours.scoring.movement import clashes
from honours.scoring.profiles import DEFAULT, Profile
from honours.scoring.profiles import profile as named_profile
from honours.scoring.scored import Oddity
from honours.scoring.sides import Side, artificial, is_played

SMALLEST_SCORE = 10


def check_event(event: Event, profile: Profile) -> tuple[Oddity, ...]:
    """Refuse an event that cannot be scored; return what is merely odd."""
    problems = problems_of(event, profile)
    if problems:
        problems.sort(key=lambda p: p.line or 0)
        raise FileProblems(problems)
    return tuple(_oddities(event, profile))


def problems_of(event: Event, profile: Profile | None = None) -> list[FileProblem]:
    """Everything that keeps an event from being scored, by the default profile unless another is
    given."""
    return list(_problems(event, profile or named_profile(DEFAULT)))


def _problems(event: Event, profile: Profile) -> Iterator[FileProblem]:
    if not any(session.results or session.matches for session in event.sessions):
        none, some = Message("there are no results in it"), Message("at least one board")
        yield problem(event, None, none, some)
    known = {e.entrant.id for e in event.entrants}
    for session in event.sessions:
        for result in session.results:
            for what, expected in _line_problems(result, known):
                yield problem(event, result, on_board(result, what), expected)
    yield from between_lines(event, profile)


def between_lines(
    event: Event, profile: Profile, unreadable: Collection[int] = ()
) -> Iterator[FileProblem]:
    """What is wrong with lines that may each be right: twice the same, alone, or impossible.

    A reader that found lines it cannot make sense of tells these too, so that all is told at
    once; on the boards of such lines nothing can be said of who else played them.
    """
    for session in event.sessions:
        for result in session.results:
            for both in sorted(set(result.ns) & set(result.ew) - {""}):
                itself = on_board(result, Message("{who} plays against itself", who=both))
                yield problem(event, result, itself, Message("two different entrants"))
        yield from _duplicates(event, session)
        yield from (p for board, p in _lone_boards(event, session) if board not in unreadable)
        yield from _impossible(event, session, profile)


def on_board(result: Result, message: Message) -> Message:
    """What is wrong with a line, and on which board."""
    return Message("board {board}: {what}", board=result.board, what=message)


def problem(event: Event, result: Result | None, what: Message, expected: Message) -> FileProblem:
    """A problem where the line was read, or in the event where it was not read from a file."""
    source = (result and result.source) or event.source
    path = source.path if source else event.title or "the event"
    return FileProblem(path, what, expected, source.line if source else None)


Mistake = tuple[Message, Message]
"""What was found in a line, and what was expected instead."""


def _line_problems(result: Result, known: set[str]) -> Iterator[Mistake]:
    yield from _seat_problems(result, known)
    if result.board < 1:
        yield Message("there is no board {board}", board=result.board), Message("1 or more")
    contract = result.contract
    if contract and not 1 <= contract.level <= 7:
        yield Message("a contract at level {level}", level=contract.level), Message("1 to 7")
    if result.tricks is not None and not 0 <= result.tricks <= TRICKS:
        yield Message("{tricks} tricks", tricks=result.tricks), Message("0 to 13")
    if result.score is not None and result.score % SMALLEST_SCORE:
        yield Message("a score of {score}", score=result.score), Message("a multiple of 10")
    if contract and result.tricks is None and result.score is None and not result.adjusted:
        yield Message("a contract without its result"), Message("tricks or a score")
    yield from _ruling_problems(result)


def _seat_problems(result: Result, known: set[str]) -> Iterator[Mistake]:
    sides = ((Message("North-South"), result.ns), (Message("East-West"), result.ew))
    for side, who in sides:
        if not who or not all(who):
            nobody = Message("nobody sits {side}", side=side)
            yield nobody, Message("two sides; a sit-out has no line")
        for missing in sorted(set(who) - known - {""}):
            stranger = Message("{side} is {who}, who is not an entrant", side=side, who=missing)
            yield stranger, Message("an entrant of the event")


def _ruling_problems(result: Result) -> Iterator[Mistake]:
    given = (result.adjusted.ns, result.adjusted.ew) if result.adjusted else ()
    for ruling in dict.fromkeys(given):
        if isinstance(ruling, AssignedScore):
            total = sum(weight for weight, _ in ruling.scores)
            if total != 1 or any(weight <= 0 for weight, _ in ruling.scores):
                sum_ = Message("weights that add up to {total}", total=total)
                yield sum_, Message("positive ones that add up to 1")
        elif not 0 <= ruling.share <= 1:
            share = Message("an artificial score of {percent}%", percent=ruling.share * 100)
            yield share, Message("0 to 100%")


def _duplicates(event: Event, session: Session) -> Iterator[FileProblem]:
    first: dict[tuple[object, ...], Result] = {}
    for result in session.results:
        # Teams of eight meet at four tables, and in another round on the same numbers.
        where_met = (result.round, result.table) if event.kind == "teams" else ()
        key = (result.board, result.ns, result.ew, result.section, *where_met)
        if key in first:
            earlier = first[key].source
            again = Message("{pairs} again", pairs=_pairs(result))
            if earlier and earlier.line:
                again = Message(
                    "{pairs} again, as line {line} has", pairs=_pairs(result), line=earlier.line
                )
            yield problem(event, result, on_board(result, again), Message("each meeting once"))
        first.setdefault(key, result)


def _lone_boards(event: Event, session: Session) -> Iterator[tuple[int, FileProblem]]:
    if event.kind == "teams":
        return
    lines = Counter(result.board for result in session.results)
    for result in session.results:
        if lines[result.board] == 1 and is_played(result):
            alone = on_board(result, Message("nobody but {pairs} played it", pairs=_pairs(result)))
            other = Message("another result to compare with")
            yield result.board, problem(event, result, alone, other)


def _impossible(event: Event, session: Session, profile: Profile) -> Iterator[FileProblem]:
    if event.kind == "teams":
        return
    for clash in clashes(session):
        if clash.repeated_board and profile.repeated_board != "refused":
            continue
        lines = tuple(r.source.line for r in clash.lines if r.source and r.source.line)
        what = Message("{what} (lines {lines})", what=clash.what, lines=lines)
        clashing = what if lines else clash.what
        yield problem(event, clash.lines[-1], clashing, Message("a possible movement"))


def _pairs(result: Result) -> Message:
    return Message("{ns} against {ew}", ns="+".join(result.ns), ew="+".join(result.ew))


def _oddities(event: Event, profile: Profile) -> Iterator[Oddity]:
    for session in event.sessions:
        for result in session.results:
            odd = _odd_score(result)
            if odd:
                yield Oddity(on_board(result, odd), result.source)
        # Where the first counts; any other clash was refused before.
        for clash in clashes(session) if profile.repeated_board == "first" else ():
            first = Message("{clash}: only the first counts for it", clash=clash.what)
            yield Oddity(first, clash.lines[-1].source)
    yield from _flat_averages(event, profile)


def _flat_averages(event: Event, profile: Profile) -> Iterator[Oddity]:
    """A note where the profile departs from the law; given once."""
    boards = sorted(
        {
            result.board
            for session in event.sessions
            for result in session.results
            for side in Side
            if (ruling := artificial(result, side)) and is_flat_minus(ruling, profile)
        }
    )
    if boards and event.scoring == "matchpoints":
        yield Oddity(
            Message(
                "average minus (boards {boards}) stays 40%, as profile {profile} has it from one "
                "published line; Law 12C2 gives a pair below 40% its own session: "
                "flat_average_minus=false",
                boards=tuple(boards),
                profile=profile.name,
            )
        )


def _odd_score(result: Result) -> Message | None:
    if result.score is None:
        return None
    if result.contract and result.tricks is not None:
        due = ns_score(result.contract, result.tricks, result.board)
        if due == result.score:
            return None
        return Message("scored {score}, the contract gives {due}", score=result.score, due=due)
    if can_be_scored(result.score, result.board):
        return None
    return Message("no contract scores {score} at this vulnerability", score=result.score)
