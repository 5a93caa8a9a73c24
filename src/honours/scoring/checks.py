"""What is wrong or odd in an event before it is scored: all of it at once, with file and line."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from honours.errors import FileProblem, FileProblems
from honours.model import Assigned
from honours.scoring.contracts import TRICKS, can_be_scored, ns_score
from honours.scoring.movement import clashes
from honours.scoring.profiles import DEFAULT
from honours.scoring.profiles import profile as named_profile
from honours.scoring.scored import Oddity
from honours.scoring.sides import is_played

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from honours.model import Event, Result, Session
    from honours.scoring.profiles import Profile

SMALLEST_SCORE = 10


def check_event(event: Event, profile: Profile) -> tuple[Oddity, ...]:
    """Refuse an event that cannot be scored; what is merely odd is returned."""
    problems = problems_of(event, profile)
    if problems:
        problems.sort(key=lambda p: p.line or 0)
        raise FileProblems(problems)
    return tuple(_oddities(event, profile))


def problems_of(event: Event, profile: Profile | None = None) -> list[FileProblem]:
    """All that keeps an event from being scored; by the default profile, unless another."""
    return list(_problems(event, profile or named_profile(DEFAULT)))


def _problems(event: Event, profile: Profile) -> Iterator[FileProblem]:
    if not any(session.results or session.matches for session in event.sessions):
        yield problem(event, None, "there are no results in it", "at least one board")
    known = {e.entrant.id for e in event.entrants}
    for session in event.sessions:
        for result in session.results:
            for found, expected in _line_problems(result, known):
                yield problem(event, result, f"board {result.board}: {found}", expected)
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
                text = f"board {result.board}: {both} plays against itself"
                yield problem(event, result, text, "two different entrants")
        yield from _duplicates(event, session)
        yield from (p for board, p in _lone_boards(event, session) if board not in unreadable)
        yield from _impossible(event, session, profile)


def problem(event: Event, result: Result | None, found: str, expected: str) -> FileProblem:
    """A problem where the line was read, or in the event where it was not read from a file."""
    source = (result and result.source) or event.source
    path = source.path if source else event.title or "the event"
    return FileProblem(path, found, expected, source.line if source else None)


def _line_problems(result: Result, known: set[str]) -> Iterator[tuple[str, str]]:
    yield from _seat_problems(result, known)
    if result.board < 1:
        yield f"there is no board {result.board}", "1 or more"
    contract = result.contract
    if contract and not 1 <= contract.level <= 7:
        yield f"a contract at level {contract.level}", "1 to 7"
    if result.tricks is not None and not 0 <= result.tricks <= TRICKS:
        yield f"{result.tricks} tricks", f"0 to {TRICKS}"
    if result.score is not None and result.score % SMALLEST_SCORE:
        yield f"a score of {result.score}", "a multiple of 10"
    if contract and result.tricks is None and result.score is None and not result.adjusted:
        yield "a contract without its result", "tricks or a score"
    yield from _ruling_problems(result)


def _seat_problems(result: Result, known: set[str]) -> Iterator[tuple[str, str]]:
    for side, who in (("North-South", result.ns), ("East-West", result.ew)):
        if not who or not all(who):
            yield f"nobody sits {side}", "two sides; a sit-out has no line"
        for missing in sorted(set(who) - known - {""}):
            yield f"{side} is {missing}, who is not an entrant", "an entrant of the event"


def _ruling_problems(result: Result) -> Iterator[tuple[str, str]]:
    given = (result.adjusted.ns, result.adjusted.ew) if result.adjusted else ()
    for ruling in dict.fromkeys(given):
        if isinstance(ruling, Assigned):
            total = sum(weight for weight, _ in ruling.scores)
            if total != 1 or any(weight <= 0 for weight, _ in ruling.scores):
                yield f"weights that add up to {total}", "positive ones that add up to 1"
        elif not 0 <= ruling.share <= 1:
            yield f"an artificial score of {ruling.share * 100}%", "0 to 100%"


def _duplicates(event: Event, session: Session) -> Iterator[FileProblem]:
    first: dict[tuple[object, ...], Result] = {}
    for result in session.results:
        # Teams of eight meet at four tables, and in another round on the same numbers.
        where_met = (result.round, result.table) if event.kind == "teams" else ()
        key = (result.board, result.ns, result.ew, result.section, *where_met)
        if key in first:
            earlier = first[key].source
            where = f", as line {earlier.line} has" if earlier and earlier.line else ""
            text = f"board {result.board}: {_pairs(result)} again{where}"
            yield problem(event, result, text, "each meeting once")
        first.setdefault(key, result)


def _lone_boards(event: Event, session: Session) -> Iterator[tuple[int, FileProblem]]:
    if event.kind == "teams":
        return
    lines = Counter(result.board for result in session.results)
    for result in session.results:
        if lines[result.board] == 1 and is_played(result):
            text = f"board {result.board}: nobody but {_pairs(result)} played it"
            yield result.board, problem(event, result, text, "another result to compare with")


def _impossible(event: Event, session: Session, profile: Profile) -> Iterator[FileProblem]:
    if event.kind == "teams":
        return
    for clash in clashes(session):
        if clash.repeated_board and profile.repeated_board != "refused":
            continue
        lines = ", ".join(str(r.source.line) for r in clash.lines if r.source and r.source.line)
        text = clash.what + (f" (lines {lines})" if lines else "")
        yield problem(event, clash.lines[-1], text, "a possible movement")


def _pairs(result: Result) -> str:
    return f"{'+'.join(result.ns)} against {'+'.join(result.ew)}"


def _oddities(event: Event, profile: Profile) -> Iterator[Oddity]:
    for session in event.sessions:
        for result in session.results:
            text = _odd_score(result)
            if text:
                yield Oddity(f"board {result.board}: {text}", result.source)
        # Where the first counts; any other clash was refused before.
        for clash in clashes(session) if profile.repeated_board == "first" else ():
            text = f"{clash.what}: only the first counts for it"
            yield Oddity(text, clash.lines[-1].source)


def _odd_score(result: Result) -> str:
    if result.score is None:
        return ""
    if result.contract and result.tricks is not None:
        due = ns_score(result.contract, result.tricks, result.board)
        return "" if due == result.score else f"scored {result.score}, the contract gives {due}"
    if can_be_scored(result.score, result.board):
        return ""
    return f"no contract scores {result.score} at this vulnerability"
