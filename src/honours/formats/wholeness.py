"""Whether a file that cannot say so is whole: what looks as if it were cut off is a doubt, which
whoever pays asks about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from honours.model import Event, Match, Result
from honours.model.message import Message

_FEWEST_BOARDS = 4


def unended(text: str) -> Iterator[Message]:
    """A doubt about a text whose last line has no end and is shorter than the one before."""
    before, _, last = text.rpartition("\n")
    if last.strip() and len(last) < len(before.rpartition("\n")[2].rstrip("\r")):
        yield Message("it ends in the middle of a line: {last!r}", last=last.strip()[-40:])


def stops_short(event: Event) -> Iterator[Message]:
    """Doubts about results that stop in the middle: of the last board, or of the boards that the
    pairs at its tables play together; or that are fewer than the file says were played."""
    for session in event.sessions:
        yield from _of_boards(session.results)
        yield from _of_rounds(session.matches)
    played = Counter(
        who
        for session in event.sessions
        for result in session.results
        for who in (*result.ns, *result.ew)
    )
    short = [
        e
        for e in event.entrants
        if isinstance(said := e.published.get("boards_played"), Fraction)
        and said > played[e.entrant.id] > 0
    ]
    if short:
        first = short[0]
        yield Message(
            "it says that {who} played {said} boards, and has {has} of them",
            who=first.entrant.title or first.number,
            said=int(Fraction(first.published["boards_played"])),
            has=played[first.entrant.id],
        )


def _of_rounds(matches: Sequence[Match]) -> Iterator[Message]:
    rounds = Counter(match.round for match in matches)
    last = max(rounds, default=0)
    fewest = min((count for number, count in rounds.items() if number < last), default=0)
    if rounds[last] < fewest:
        yield Message(
            "it ends in the middle of round {round}: {count} matches, and {fewest} or more of each "
            "round before",
            round=last,
            count=rounds[last],
            fewest=fewest,
        )


def _of_boards(results: Sequence[Result]) -> Iterator[Message]:
    boards = [result.board for result in results]
    ordered = list(dict.fromkeys(boards))
    one_by_one = sum(a != b for a, b in pairwise(boards)) == len(ordered) - 1
    if len(ordered) < _FEWEST_BOARDS or not one_by_one:
        return
    times, last = Counter(boards), ordered[-1]
    if times[last] < min(times[board] for board in ordered[:-1]):
        yield Message(
            "it ends in the middle of board {board}: {count} results, and {fewest} or more of "
            "each board before",
            board=last,
            count=times[last],
            fewest=min(times[board] for board in ordered[:-1]),
        )
        return
    met = Counter((r.section, r.ns, r.ew) for r in results)
    usual = Counter(met.values()).most_common(1)[0][0]
    there = [met[r.section, r.ns, r.ew] for r in results if r.board == last]
    others = [met[r.section, r.ns, r.ew] for r in results if r.board == ordered[0]]
    if len(there) > 1 and max(there) < usual and min(others) >= usual:
        yield Message(
            "it ends in the middle of a round: whoever played board {board} met for {count} "
            "boards, others for {usual}",
            board=last,
            count=max(there),
            usual=usual,
        )
