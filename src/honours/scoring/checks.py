"""Faults and oddities of an event before it is scored: all of it at once, with file and line; and
boards that look wrong, proposed for a director to look at.
"""

from __future__ import annotations

import itertools
import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from honours.errors import FileProblem, FileProblems
from honours.model import AssignedScore, Event, Result, Session
from honours.model.message import Message
from honours.scoring.contracts import TRICKS, can_be_scored, ns_score
from honours.scoring.matchpoints import is_flat_minus
from honours.scoring.movement import clashes
from honours.scoring.profiles import DEFAULT, Profile
from honours.scoring.profiles import profile as named_profile
from honours.scoring.scored import Oddity, Side, artificial, is_played, table_score

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
    """Problems between lines that may each be right: twice the same, alone, or impossible.

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
    """A fault of a line, with its board."""
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


# --- suspect boards ----------------------------------------------------------------------------


# Scores of one deal seldom leave a hole this wide, unless a slam swings.
WIDE = 700
FEWEST = 4
TURNED = Message("perhaps entered in the wrong direction")
FOULED = Message("perhaps fouled: scores far from the rest")
FOULED_SINCE = Message("perhaps fouled: from one round on the scores are far from the rest")


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Lines of a board whose scores are far from the rest; ``what`` is the likely reason."""

    board: int
    lines: tuple[Result, ...]
    what: Message

    @property
    def pairs(self) -> tuple[str, ...]:
        return tuple("+".join(line.ns) for line in self.lines)

    @property
    def remedy(self) -> str:
        """The ruling that would put it right, as it is typed; empty where it is not clear which
        one."""
        if self.what == TURNED:
            return f"correct {self.board} --pair {shlex.quote(self.pairs[0])} --turned"
        fouled = self.what in (FOULED, FOULED_SINCE)
        pairs = shlex.quote(",".join(self.pairs))
        return f"fouled {self.board} --pairs {pairs}" if fouled else ""

    @property
    def message(self) -> Message:
        """The board, the likely reason, and who got what."""
        return Message(
            "board {board}: {what} (NS {pairs}: {scores})",
            board=self.board,
            what=self.what,
            pairs=self.pairs,
            scores=tuple(table_score(line) for line in self.lines),
        )

    def __str__(self) -> str:
        return str(self.message)


def suspicions(event: Event) -> tuple[Suspicion, ...]:
    """Every board with a group of scores far from the others."""
    every: list[Suspicion] = []
    for session in event.sessions:
        travellers: dict[tuple[str, int, str], list[Result]] = {}
        for result in session.results:
            if table_score(result) is not None and result.adjusted is None:
                key = (result.section, result.board, result.version)
                travellers.setdefault(key, []).append(result)
        for results in travellers.values():
            every += _suspect(results)
    return tuple(every)


def _suspect(results: Sequence[Result]) -> Iterator[Suspicion]:
    if len(results) < FEWEST:
        return
    ordered = sorted(results, key=_score)
    gaps = [_score(b) - _score(a) for a, b in itertools.pairwise(ordered)]
    widest = max(gaps)
    if widest < WIDE or gaps.count(widest) > 1:
        return
    cut = gaps.index(widest) + 1
    apart, rest = sorted((ordered[:cut], ordered[cut:]), key=len)
    if 2 * len(apart) >= len(results) and not _in_sequence(apart, rest):
        return
    yield Suspicion(results[0].board, tuple(apart), _explanation(apart, rest))


def _score(result: Result) -> int:
    return table_score(result) or 0


def _explanation(apart: Sequence[Result], rest: Sequence[Result]) -> Message:
    low, high = _score(min(rest, key=_score)), _score(max(rest, key=_score))
    if all(low <= -_score(line) <= high for line in apart):
        return TURNED
    if len(apart) > 1 and _in_sequence(apart, rest):
        return FOULED_SINCE
    if len(apart) == 1 and not _in_sequence(apart, rest):
        return Message("far from the rest")
    return FOULED


def _in_sequence(apart: Sequence[Result], rest: Sequence[Result]) -> bool:
    """True if rounds are known and all of one group were played before the other."""
    here, there = [x.round for x in apart], [x.round for x in rest]
    known = all(here) and all(there)
    return known and (min(here) > max(there) or max(here) < min(there))
