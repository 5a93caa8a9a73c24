"""The base of every reader: a file's bytes and text, all that is wrong in it, its days, and whether
it is whole.

Problems are gathered while a file is read and raised together. What looks cut off in a file that
cannot say whether it is whole is a doubt, which whoever pays asks about.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from fractions import Fraction
from functools import cache
from io import BytesIO
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import BinaryIO, TypeVar

from honours.errors import FileProblem, WrongValue, message_of, raise_problems
from honours.model import Event, Result
from honours.model.message import Message, mark, plural

MEGABYTE = 1 << 20
LARGEST = 512 * MEGABYTE
"""Above this no reader starts: a results file is a thousand times smaller."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@contextmanager
def open_checked(path: str | Path, largest: int = LARGEST) -> Iterator[BinaryIO]:
    """A file to read from, or a FileProblem that says why not; its size is looked at first. ``-``
    is standard input, which is kept, as a pipe is, to be read as often as need be."""
    file, kept = Path(path), None
    try:
        if str(path) == "-" or file.is_fifo() or file.is_char_device():
            kept = _kept(str(path))
        elif not file.is_file():
            if file.is_dir():
                raise FileProblem(path, "a folder", "a file in it")
            raise FileProblem(path, "no such file", "the path of a file, from the current folder")
        size = file.stat().st_size if kept is None else len(kept)
        if size > largest:
            megabytes, limit = size // MEGABYTE, largest // MEGABYTE
            raise FileProblem(
                path,
                "{megabytes} MB, too large to read",
                "at most {limit} MB",
                megabytes=megabytes,
                limit=limit,
            )
        if size == 0:
            raise FileProblem(path, "an empty file", "results or standings in it")
        with file.open("rb") if kept is None else BytesIO(kept) as opened:
            yield opened
    except OSError as error:
        raise FileProblem(path, "cannot be read ({strerror})", strerror=error.strerror) from error


@cache
def _kept(path: str) -> bytes:
    """The bytes of a stream, kept because it cannot be read again."""
    with sys.stdin.buffer if path == "-" else Path(path).open("rb") as come:
        return come.read(LARGEST + 1)


def read_bytes(path: str | Path, largest: int = LARGEST) -> bytes:
    """The whole file."""
    with open_checked(path, largest) as file:
        return file.read()


def decode(path: str | Path, data: bytes) -> str:
    """Text in whatever encoding it is: a byte order mark, UTF-8, UTF-16, else Windows-1252."""
    try:
        text = data.decode(encoding_of(data)).rstrip("\0\x1a")  # ends that old programs leave
    except UnicodeDecodeError as error:
        raise FileProblem(
            path, "not text: {reason} at byte {start}", reason=error.reason, start=error.start
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileProblem(path, "not a text file: it holds a zero character", line=line)
    return text


def encoding_of(data: bytes) -> str:
    """The encoding of a text, from its mark or its bytes."""
    for begin, encoding in _MARKS:
        if data.startswith(begin):
            return encoding
    if (wide := _unmarked_utf16(data[:4096])) is not None:
        return wide
    for encoding in ("utf-8", "cp1252"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def _unmarked_utf16(head: bytes) -> str | None:
    """Western text in UTF-16 has a zero in nearly every second byte, always on the same side."""
    pairs = len(head) // 2
    if pairs < 2:
        return None
    if head[1::2].count(0) > 0.7 * pairs and head[0::2].count(0) == 0:
        return "utf-16-le"
    if head[0::2].count(0) > 0.7 * pairs and head[1::2].count(0) == 0:
        return "utf-16-be"
    return None


def read_text(path: str | Path, largest: int = LARGEST) -> str:
    return decode(path, read_bytes(path, largest))


def read_latin(path: str | Path) -> str:
    """A text that is ISO-8859-15 where it is not UTF-8, as European go programs write it."""
    data = read_bytes(path)
    if encoding_of(data) == "cp1252" and not any(0x80 <= byte < 0xA0 for byte in data):
        return data.decode("iso-8859-15").replace("\0", "")
    return decode(path, data)


# --- problems ----------------------------------------------------------------------------------


MOST_PROBLEMS = 100
"""As many are listed; the rest are counted, so that a wholly wrong file has a readable answer."""

_LONGEST_FOUND = 400
_T = TypeVar("_T")


class Problems:
    """Gathers what is wrong in one file, to be raised together."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.found: list[FileProblem] = []
        self.more = 0

    def add(
        self, found: str, line: int | None = None, expected: str = "", **values: object
    ) -> None:
        if len(self.found) < MOST_PROBLEMS:
            problem = FileProblem(self.path, found, expected, line, **values)
            if len(problem.found) > _LONGEST_FOUND:
                shown = Message("{found} …", found=problem.found[:_LONGEST_FOUND])
                problem = FileProblem(self.path, shown, problem.expected, line)
            self.found.append(problem)
        else:
            self.more += 1

    def settle(self) -> None:
        """Raise everything gathered, if there is anything."""
        if self.more:
            more = plural("and {count} more problem", "and {count} more problems", count=self.more)
            self.found.append(FileProblem(self.path, more))
        raise_problems(self.found)

    def attempt(self, line: int, read: Callable[[str], _T], text: str) -> _T | None:
        """The value that ``read`` makes of a cell; ``None`` if it fails, with the failure noted."""
        try:
            return read(text)
        except ValueError as error:
            self.add(message_of(error), line)
            return None


# --- days --------------------------------------------------------------------------------------


ISO = r"(?P<year>\d{4})-?(?P<month>\d\d)-?(?P<day>\d\d)"
"""``2025-03-31`` or ``20250331``, anywhere in a text."""
_LONGEST = 40
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED = re.compile(
    r"(?:(?P<before>\d{1,2})(?:st|nd|rd|th)?[ .-]{1,3})?"
    rf"\b(?P<month>(?:{'|'.join(_MONTHS)})[a-z]{{0,7}})\b[ .,-]{{1,3}}"
    r"(?:(?P<after>\d{1,2})(?:st|nd|rd|th)?[ ,]{1,3})?(?P<year>\d{4})\b",
    re.IGNORECASE,
)
_TWO_FIGURES, _FIRST_OF_LAST, _THIS_CENTURY, _LAST_CENTURY = 100, 70, 2000, 1900


def day_like(pattern: str, text: str) -> date | None:
    """The day that a pattern with year, month and day finds in a text, if it is one."""
    match = re.search(pattern, text)
    try:
        return date(*(int(match[part]) for part in ("year", "month", "day"))) if match else None
    except ValueError:
        return None


def iso_day(name: str, text: str) -> str:
    """A day as the ledger keeps it; an InputError where the text is not one."""
    day = day_like(rf"\A{ISO}\Z", text)
    if day is None or day.isoformat() != text:
        raise WrongValue(name, text, "not a date; expected e.g. 2017-01-14")
    return text


def named_day(text: str) -> date | None:
    """The day that a text tells with the month in words, if it is one."""
    named = _NAMED.search(text)
    if named is None:
        return None
    month = 1 + _MONTHS.index(named["month"][:3].lower())
    try:
        return date(int(named["year"]), month, int(named["before"] or named["after"] or 0))
    except ValueError:
        return None


def day_if_one(text: str) -> date | None:
    """As :func:`parse_day`; ``None`` where the text is no day."""
    try:
        return parse_day(text)
    except ValueError:
        return None


def parse_day(text: str) -> date:
    """A day as 2025-03-31, 20250331, 31/03/2025, 31/03/25 or 31 March 2025."""
    day = text[:_LONGEST]
    try:
        if compact := re.fullmatch(r"\s*(\d{4})(\d\d)(\d\d)\s*", day):
            return date(*map(int, compact.groups()))
        if named := named_day(day):
            return named
        parts = [int(part) for part in re.findall(r"\d{1,9}", day)][:3]
        if re.match(r"\d{4}\D", day):
            return date(parts[0], parts[1], parts[2])
        return date(_century(parts[2]), parts[1], parts[0])
    except (ValueError, IndexError, OverflowError, TypeError):
        raise ValueError(
            Message("date {text!r} is not like 2025-03-31 or 31/03/2025", text=text)
        ) from None


def _century(year: int) -> int:
    """A year of two figures is of this century, or from 70 on of the last."""
    if year >= _TWO_FIGURES:
        return year
    return year + (_LAST_CENTURY if year >= _FIRST_OF_LAST else _THIS_CENTURY)


# --- files that look cut off -------------------------------------------------------------------


_FEWEST_BOARDS = 4


def unended(text: str) -> Iterator[Message]:
    """A doubt about a text whose last line has no end and is shorter than the one before."""
    before, _, last = text.rpartition("\n")
    if last.strip() and len(last) < len(before.rpartition("\n")[2].rstrip("\r")):
        yield Message("it ends in the middle of a line: {last!r}", last=last.strip()[-40:])


def stops_short(event: Event) -> Iterator[Message]:
    """Doubts about results that stop in the middle: of a board, a table or a round; or that are
    fewer than the file says were played."""
    numbers = {e.entrant.id: e.number for e in event.entrants}
    for session in event.sessions:
        lines = session.results
        yield from islice(chain(_of_boards(lines), _of_tables(lines, numbers)), 1)
        yield from rounds_short(match.round for match in session.matches)
    boards = Counter(who for s in event.sessions for r in s.results for who in (*r.ns, *r.ew))
    matches = Counter(who for s in event.sessions for m in s.matches for who in (m.home, m.away))
    for fact, played, template in (
        ("boards_played", boards, mark("it says that {who} played {said} boards, but has {has}")),
        ("rounds_played", matches, mark("it says that {who} played {said} rounds, but has {has}")),
    ):
        for e in event.entrants:
            said, has = e.published.get(fact), played[e.entrant.id]
            if isinstance(said, Fraction) and said > has > 0:
                who = e.entrant.title or e.number
                yield Message(template, who=who, said=int(said), has=has)
                break


def rounds_short(matches: Iterable[int]) -> Iterator[Message]:
    """A doubt where the last round has fewer matches than any other."""
    rounds = Counter(matches)
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


def _of_tables(results: Sequence[Result], numbers: Mapping[str, str]) -> Iterator[Message]:
    """A doubt where tables come one after the other, and those of the last met on fewer boards than
    all others, or the last round has fewer tables than any other. The two tables of a match are
    one, by the numbers of its teams."""
    sides = [(r.section, r.round, r.ns, r.ew) for r in results]
    tables = {
        (section, number, ns, ew): (
            section,
            number,
            frozenset(numbers.get(who, who) for who in (*ns, *ew)),
        )
        for section, number, ns, ew in set(sides)
    }
    meetings = [tables[side] for side in sides]
    met = Counter(meetings)
    if len(met) < 2 or sum(a != b for a, b in pairwise(meetings)) > len(met) - 1:
        return
    *before, last = met
    fewest = min(met[meeting] for meeting in before)
    if met[last] < fewest:
        yield Message(
            "it ends in the middle of a table: {who} met on {count} boards, all others on {fewest} "
            "or more",
            who=" – ".join(sorted(last[2])),
            count=met[last],
            fewest=fewest,
        )
    yield from rounds_short(r for s, r, _ in met if s == last[0] and 0 < r <= last[1])


def _of_boards(results: Sequence[Result]) -> Iterator[Message]:
    """A doubt where boards come one after the other, and the last has fewer results than any
    other, or its pairs met on fewer boards than others do."""
    boards = [result.board for result in results]
    times = Counter(boards)
    one_by_one = sum(a != b for a, b in pairwise(boards)) == len(times) - 1
    if len(times) < _FEWEST_BOARDS or not one_by_one:
        return
    *before, last = times
    fewest = min(times[board] for board in before)
    if times[last] < fewest:
        yield Message(
            "it ends in the middle of board {board}: {count} results, and {fewest} or more of "
            "each board before",
            board=last,
            count=times[last],
            fewest=fewest,
        )
    met = Counter((r.section, r.ns, r.ew) for r in results)
    usual = Counter(met.values()).most_common(1)[0][0]
    there = [met[r.section, r.ns, r.ew] for r in results if r.board == last]
    others = [met[r.section, r.ns, r.ew] for r in results if r.board == before[0]]
    if len(there) > 1 and max(there) < usual and min(others) >= usual:
        yield Message(
            "it ends in the middle of a round: whoever played board {board} met for {count} "
            "boards, others for {usual}",
            board=last,
            count=max(there),
            usual=usual,
        )


# --- parts of an event -------------------------------------------------------------------------


PARTIAL = "part"
"""The fact that says which part of an event a file has."""
ONE_PAIR = "one pair's results"
ONE_BOARD = "one board"
ONE_TABLE = "one table's results"
_FOR_HANDS = Message(
    "results; put it beside a file of results, under the same name, to show its hands"
)
WORDS = {
    ONE_PAIR: Message("one pair's results"),
    ONE_BOARD: Message("one board"),
    ONE_TABLE: Message("one table's results"),
}


def require_whole(event: Event, path: str) -> None:
    """Refuse to score a part without the results it would be compared with; one board is whole in
    itself."""
    part = str(event.facts.get(PARTIAL, ""))
    if part in (ONE_PAIR, ONE_TABLE):
        raise FileProblem(
            path,
            "{part} of each board, which nothing can be compared with",
            "the results of everybody: the event's own file, or its page of all results",
            part=WORDS[part],
        )


def require_every_board(event: Event, path: str) -> None:
    """Refuse to award one board of an event as if it were the event."""
    if event.facts.get(PARTIAL) == ONE_BOARD:
        raise FileProblem(
            path,
            "one board of an event, which can be scored; awards need the whole event",
            "the results of every board: the event's own file, or its page of all results",
        )


def hand_record_alone(path: str | Path, kind: str, boards: int) -> FileProblem:
    """The problem to report where a hand record is asked for results."""
    fault = plural(
        "a hand record ({kind}): {count:,} board, and no results",
        "a hand record ({kind}): {count:,} boards, and no results",
        count=boards,
        kind=kind,
    )
    return FileProblem(path, fault, _FOR_HANDS)
