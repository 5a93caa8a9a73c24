"""Member lists: who has which number, and what each held or was rated on which day; and who of
them the players of a file are.

A list is a CSV with ``number`` and ``name``, or one of a go federation. With a ``date`` column a
member may have several lines, each saying what held from that day on. Any further column is a fact
of the members that a rulebook may ask for.

Players are found by number, then by name; order, case and accents do not matter. Who is nearly
called like a member is proposed with a score, and stays unmatched until a person confirms it; what
was confirmed is kept beside the file (``results.csv.names``) and holds the next time.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from honours.errors import FileProblem, InputError, UnknownName
from honours.files import write_whole
from honours.formats.aga import aga_day, squeezed
from honours.formats.entrants import sought, words_of
from honours.formats.format import UNSEEN, Format, Seen, lines
from honours.formats.go import GoTournament, parse_rank
from honours.formats.reading import MEGABYTE, Problems, parse_day, read_text
from honours.formats.sheet import Row, Sheet, Vocabulary, plain, vocabulary
from honours.formats.table_standings import StandingsFile
from honours.model import Event, EventEntrant, Facts, Player, Value
from honours.model.member import DETAILS, Detail
from honours.model.message import Message, Remedy, by_option, quoted
from honours.processes.limits import bounded
from honours.rings import added, require

_FIGURES = ("masterpoints", "rating", "gor", "grade", "skill", "handicap")
COLUMNS = vocabulary("members")
LARGEST = 64 * MEGABYTE
_YES = {
    **dict.fromkeys(("yes", "y", "true", "1", "x"), "yes"),
    **dict.fromkeys(("no", "n", "false", "0"), "no"),
}


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A list's entry for a member from a day on; ``since`` is ``None`` where it has no dates."""

    number: str
    name: str
    facts: Facts = field(default_factory=dict)
    since: date | None = None
    expires: date | None = None


@dataclass(frozen=True, slots=True)
class MemberList:
    """Members by number, the lines of each from the earliest; ``unnumbered`` are how many the list
    has without a number, by which nobody can be found in it."""

    path: str
    members: Mapping[str, tuple[MemberLine, ...]]
    ignored: tuple[str, ...] = ()
    unnumbered: int = 0

    @property
    def dated(self) -> bool:
        return any(line.since for lines in self.members.values() for line in lines)

    @property
    def figures(self) -> frozenset[str]:
        """The figures of strength that the list has, of some at least."""
        named = {f for lines in self.members.values() for line in lines for f in line.facts}
        return frozenset(named.intersection(_FIGURES))

    def latest(self, number: str) -> MemberLine:
        return self.members[number][-1]

    def on(self, number: str, day: date | None) -> MemberLine | None:
        """The line that held on a day: the last line not after it; ``None`` if all came later."""
        lines = self.members[number]
        if day is None:
            if len(lines) > 1:
                raise InputError(
                    "{path} has dates, and the event has none: say {remedy}",
                    path=self.path,
                    remedy=by_option("date"),
                )
            return lines[0]
        return next((e for e in reversed(lines) if e.since is None or e.since <= day), None)


def read_members(path: str | Path) -> MemberList:
    """Read a member list; FileProblems lists all that is wrong in it."""
    with bounded(str(path)):
        return _read_members(path)


def _read_members(path: str | Path) -> MemberList:
    seen = Seen(path)
    for form in added("formats"):
        if form.told[1](seen) and isinstance(listed := form.read(path), MemberList):
            return listed
    text = read_text(path, LARGEST)
    told = [line for line in text.splitlines() if line.strip()]
    for parse in (of_the_egf, of_the_ffg, of_the_aga):
        if is_list_of(parse, told):
            return _of_a_federation(parse, path)
    sheet = Sheet(str(path), text, COLUMNS)
    sheet.require("number")
    sheet.require("name", "last")
    sheet.problems.settle()
    members: dict[str, list[MemberLine]] = {}
    for line, row in sheet.rows():
        member = _member_line(sheet, line, row)
        earlier = members.setdefault(member.number, [])
        if any(e.since == member.since for e in earlier):
            sheet.problems.add(
                "member {number} again", line, "another date, or one line", number=member.number
            )
        earlier.append(member)
    if not members:
        sheet.problems.add("a header and no members")
    sheet.problems.settle()
    ordered = {n: tuple(sorted(es, key=lambda e: e.since or date.min)) for n, es in members.items()}
    return MemberList(str(path), ordered, sheet.columns.ignored)


def _member_line(sheet: Sheet, line: int, row: Row) -> MemberLine:
    """A row's member with facts and dates."""
    number, name = sheet.words(row, "number"), _called(sheet, row)
    if not number or not name:
        sheet.problems.add("a member without a number or a name", line)
    return MemberLine(
        number,
        name,
        _facts(sheet, line, row),
        _day(sheet, line, row, "date"),
        _day(sheet, line, row, "expires"),
    )


def _called(sheet: Sheet, row: Row) -> str:
    """The name of a row, which may stand in two columns."""
    both = f"{sheet.words(row, 'first')} {sheet.words(row, 'last')}".strip()
    return sheet.words(row, "name") or both


def _facts(sheet: Sheet, line: int, row: Row) -> dict[str, Value]:
    """A member's figures, and what further columns say."""
    facts: dict[str, Value] = dict(sheet.further(row))
    for name in _FIGURES:
        value = sheet.number(line, row, name)
        if value is not None:
            facts[name] = value
    eligible = sheet.text(row, "eligible")
    if eligible and eligible.casefold() not in _YES:
        sheet.problems.add("eligible {eligible!r}", line, "yes or no", eligible=eligible)
    elif eligible:
        facts["eligible"] = _YES[eligible.casefold()]
    return facts


def _day(sheet: Sheet, line: int, row: Row, column: str) -> date | None:
    text = sheet.text(row, column)
    return sheet.problems.attempt(line, parse_day, text) if text else None


def _of_a_federation(parse: Callable[[str], RatedPlayer | None], path: str | Path) -> MemberList:
    """A federation's list, those without a number counted."""
    problems = Problems(str(path))
    listed = list(rated_players(parse, read_text(path, LARGEST).splitlines(), problems))
    for one in listed:
        rating = one.facts.get("rating")
        if parse is of_the_aga and isinstance(rating, Fraction) and abs(rating) < 1:
            problems.add(
                "rating {rating} of {number}",
                expected="none between -1 and 1",
                rating=str(float(rating)),
                number=one.number,
            )
    numbered = [one for one in listed if one.number]
    if not numbered:
        problems.add("no members in it", expected="a line for each member")
    problems.settle()
    members = {
        one.number: (MemberLine(one.number, one.name, one.facts, expires=one.expires),)
        for one in numbered
    }
    return MemberList(str(path), members, unnumbered=len(listed) - len(numbered))


# --- rating lists of go federations ------------------------------------------------------------


_LOOKED_AT = 60
_FIXED = re.compile(
    r"(?P<name>.+?) (?P<number>\d{1,12}) (?P<kind>[A-Za-z]+)(?: (?P<rating>-?\d{1,4}\.\d{1,9}))?"
    r"(?: (?P<expires>\d{1,2}/\d{1,2}/\d{4}))?(?: [A-Za-z]\S*)*"
)
_EGF = re.compile(r".(\d{8})  (.{37}).(.{3}).(.{4}).{3}(.{3}).{8}([ \d-]{4})(?!\d)")
_FFG = re.compile(r"([^\W\d].{37})([ \d-]{5}) ([A-Za-z-]) ([\dA-Z]{7}|-{7}) (.{4})")
_NO_FFG_RATING = -9999


class RatedPlayer(NamedTuple):
    """A line of a list; the number is empty where the federation gave none."""

    number: str
    name: str
    facts: dict[str, Value]
    expires: date | None = None


def of_the_aga(raw: str) -> RatedPlayer | None:
    """A member of the AGA's list, which is tab-separated or of fixed width."""
    if "\t" in raw:
        name, number, _, rating, expires = ([c.strip() for c in raw.split("\t")] + [""] * 5)[:5]
        if not number.isdecimal() or not re.fullmatch(r"(?:-?\d{1,4}(\.\d{1,9})?)?", rating):
            return None
    else:
        match = _FIXED.fullmatch(squeezed(raw))
        if match is None:
            return None
        name, number, rating, expires = match.group("name", "number", "rating", "expires")
    facts: dict[str, Value] = {"rating": Fraction(rating)} if rating else {}
    return RatedPlayer(number, name, facts, aga_day(expires or ""))


def of_the_egf(raw: str) -> RatedPlayer | None:
    """A player of the EGF's list: number, name, country, club, grade and rating in columns."""
    match = _EGF.match(raw)
    if match is None or not match[6].strip(" -").isdecimal():
        return None
    facts: dict[str, Value] = {"gor": Fraction(int(match[6]))}
    if (grade := parse_rank(match[5])) is not None:
        facts["grade"] = Fraction(grade)
    return RatedPlayer(match[1], " ".join(match[2].split()), facts)


def of_the_ffg(raw: str) -> RatedPlayer | None:
    """A player of the FFG's list: name, rating, licence and club in columns. Its ratings are on
    its own scale, on which 1 dan begins at 0; who has none is at -9999."""
    match = _FFG.match(raw)
    if match is None or not re.fullmatch(r"-?\d{1,4}", match[2].strip()):
        return None
    rating = int(match[2])
    facts: dict[str, Value] = {}
    if rating != _NO_FFG_RATING:
        facts = {
            "rating": Fraction(rating),
            "rating_scale": "FFG",
            "grade": Fraction(rating // 100),
        }
    return RatedPlayer(match[4].strip("-"), " ".join(match[1].split()), facts)


def is_list_of(parse: Callable[[str], RatedPlayer | None], lines: Sequence[str]) -> bool:
    """True if at least half of the first lines are players of such a list; of the AGA's, which has
    none, all of them, and somebody with a rating or a date."""
    parsed = [parse(line) for line in lines[:_LOOKED_AT]]
    players = [player for player in parsed if player is not None]
    if parse is of_the_aga and len(players) < len(parsed):
        return False
    return 2 * len(players) >= len(parsed) and any(p.facts or p.expires for p in players)


def rated_players(
    parse: Callable[[str], RatedPlayer | None], lines: Sequence[str], problems: Problems
) -> Iterator[RatedPlayer]:
    """The players of a list; a line of the AGA's that is none is a problem."""
    seen: set[str] = set()
    for line, raw in enumerate(lines, start=1):
        player = parse(raw)
        if player is None:
            if raw.strip() and parse is of_the_aga:
                problems.add(
                    "{raw!r} is not a member",
                    line,
                    "a name and an AGA number",
                    raw=raw.strip()[:60],
                )
        elif player.number in seen and player.number:
            problems.add("member {number} again", line, number=player.number)
        else:
            seen.add(player.number)
            yield player


# --- names in a long list ----------------------------------------------------------------------


INITIALS = 90
"""The score of a name of which one side has initials only, and all else is the same."""
LEAST = 80
"""Names less alike than this, of 100, are not proposed."""
AS_MANY = 3


class NameProposal(NamedTuple):
    """Somebody who may be meant, and how alike the names are, of 100."""

    number: str
    score: int


class NameIndex:
    """Numbers by name; several may have one name, and one several."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._in_order: dict[str, list[str]] = {}
        self._by_words: dict[tuple[str, ...], list[str]] = {}
        self._by_word: dict[str, list[tuple[str, ...]]] = {}
        every = list(names)
        for name, number in every:
            for numbers in (
                self._by_words.setdefault(words_of(name), []),
                self._in_order.setdefault(sought(name), []),
            ):
                if number not in numbers:
                    numbers.append(number)
        for words in self._by_words:
            for word in words:
                self._by_word.setdefault(word, []).append(words)
        self._spelled = {" ".join(words): words for words in self._by_words}
        for name, _ in every:  # a wrong first letter changes the order of words
            self._spelled.setdefault(sought(name), words_of(name))

    def same(self, name: str) -> tuple[str, ...]:
        """The numbers of those whose names have the same words: in this order, else in whatever
        order."""
        words = words_of(name)
        if not words:
            return ()
        return tuple(self._in_order.get(sought(name), ()) or self._by_words.get(words, ()))

    def alike(self, name: str) -> tuple[NameProposal, ...]:
        """Proposals of who may be meant, the likeliest first."""
        words = words_of(name)
        if not words:
            return ()
        require("rapidfuzz")
        from rapidfuzz import fuzz, process

        near = self._with_initials(words)
        initials = {number for name_words in near for number in self._by_words[name_words]}
        scores = dict.fromkeys(initials, INITIALS)
        for spelled in dict.fromkeys((" ".join(words), sought(name))):
            for text, score, _ in process.extract(
                spelled, self._spelled.keys(), scorer=fuzz.ratio, limit=AS_MANY, score_cutoff=LEAST
            ):
                for number in self._by_words[self._spelled[text]]:
                    scores[number] = max(scores.get(number, 0), int(score))
        ordered = sorted(
            scores.items(), key=lambda item: (-item[1], item[0] not in initials, item[0])
        )
        return tuple(NameProposal(number, score) for number, score in ordered[:AS_MANY])

    def _with_initials(self, words: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The names that are this one if a single letter stands for a word, on either side."""
        near = {one for word in words if len(word) > 1 for one in self._by_word.get(word, ())}
        return [one for one in near if one != words and _same_but_for_initials(words, one)]


def _same_but_for_initials(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """True if two names differ only where one of them has an initial."""
    mine, theirs = list(one), list(other)
    for word in one:
        if len(word) > 1 and word in theirs:
            mine.remove(word)
            theirs.remove(word)
    if len(mine) != len(theirs) or not mine:
        return False
    return all(
        (len(a) == 1 or len(b) == 1) and a[0] == b[0]
        for a, b in zip(sorted(mine), sorted(theirs), strict=True)
    )


# --- members for a ledger ----------------------------------------------------------------------


_WHO = ("number", "name", "first", "last")


@dataclass(frozen=True, slots=True)
class ListedMember:
    """A row of a list of members; details without a column are left open."""

    line: int
    number: str
    name: str
    details: Mapping[str, bool | str]
    balances: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class EnrolmentList:
    """The members of a list, and the columns that nothing was made of."""

    rows: Collection[ListedMember]
    unread: tuple[str, ...] = ()


class _RowsOfSheet(Collection[ListedMember]):
    """The rows of a list, read anew each time somebody goes through them: a federation's are more
    than fit into memory."""

    def __init__(self, sheet: Sheet, kind_names: Sequence[str]) -> None:
        self._sheet, self._kinds = sheet, kind_names
        self._count = sum(1 for _ in sheet.rows())

    def __iter__(self) -> Iterator[ListedMember]:
        return (_listed(self._sheet, line, row, self._kinds) for line, row in self._sheet.rows())

    def __len__(self) -> int:
        return self._count

    def __contains__(self, row: object) -> bool:
        return any(row == one for one in self)


def read_enrolment(
    path: str | Path, kind_names: Sequence[str] = (), *, lazily: bool = False
) -> EnrolmentList:
    """A CSV of members: number, name (or first and last), visitor, opted_out; a column called
    like a kind of points holds opening balances."""
    with bounded(str(path)):
        return _read_enrolment(path, kind_names, lazily)


def _read_enrolment(path: str | Path, kind_names: Sequence[str], lazily: bool) -> EnrolmentList:
    columns = Vocabulary(
        {
            **{name: COLUMNS.spellings[name] for name in _WHO},
            **{_column(one): one.spellings for one in DETAILS},
            **{kind: (plain(kind),) for kind in kind_names},
        },
        numeric=frozenset(kind_names),
    )
    sheet = Sheet(str(path), read_text(path), columns)
    sheet.require("name", "last")
    sheet.problems.settle()
    every = _RowsOfSheet(sheet, kind_names)
    rows: Collection[ListedMember] = every if lazily else tuple(every)
    numbers = array("q", (hash(row.number) for row in rows if row.number))
    # A part of them at a time, because all together are many; nearly always one is there twice.
    if sum(len({n for n in numbers if n % 16 == part}) for part in range(16)) < len(numbers):
        _check_numbers(sheet, rows)
    sheet.problems.settle()
    return EnrolmentList(rows, sheet.columns.ignored)


def _listed(sheet: Sheet, line: int, row: Row, kind_names: Sequence[str]) -> ListedMember:
    """A row's member with details and opening balances."""
    name = _called(sheet, row)
    if not name:
        sheet.problems.add("no name", line)
    held = ((kind, sheet.number(line, row, kind)) for kind in kind_names)
    return ListedMember(
        line,
        sheet.text(row, "number"),
        name,
        {one.name: _detail(sheet, row, one) for one in DETAILS if _column(one) in sheet.columns},
        balances=tuple((kind, amount) for kind, amount in held if amount is not None),
    )


def _column(detail: Detail) -> str:
    return detail.name.replace("_", "")


def _detail(sheet: Sheet, row: Row, detail: Detail) -> bool | str:
    column = _column(detail)
    return (
        _YES.get(sheet.text(row, column).casefold()) == "yes"
        if detail.is_yes_no
        else sheet.words(row, column)
    )


def _check_numbers(sheet: Sheet, rows: Iterable[ListedMember]) -> None:
    """Note a number that two rows have."""
    first: dict[str, int] = {}
    for row in rows:
        known = first.setdefault(row.number, row.line) if row.number else row.line
        if known != row.line:
            sheet.problems.add(
                "number {number} again, first on line {known}",
                row.line,
                number=row.number,
                known=known,
            )


# --- players and members -----------------------------------------------------------------------


SAME = 100
"""The score of a name that several members have."""
NOBODY = ("", "-", "none")
"""Answers that say a player is no member."""
Content = TypeVar("Content", bound=Event | StandingsFile | GoTournament)


@dataclass(slots=True)
class Matching:
    """Finds members for players, and remembers what somebody has to look at. ``confirmed`` is name
    or number → member number, as people answered."""

    members: MemberList
    day: date | None = None
    confirmed: Mapping[str, str] = field(default_factory=dict)
    near: dict[str, tuple[NameProposal, ...]] = field(default_factory=dict)
    unmatched: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    matched: dict[str, tuple[str, str]] = field(default_factory=dict)
    used: dict[str, str] = field(default_factory=dict)
    """The answers that decided who somebody of this file is."""
    _index: NameIndex = field(init=False, repr=False)
    _answers: dict[str, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._index = NameIndex(
            (line.name, number) for number, lines in self.members.members.items() for line in lines
        )
        self._answers = {sought(name): number for name, number in self.confirmed.items()}
        for name, number in self.confirmed.items():
            if number not in NOBODY and number not in self.members.members:
                raise UnknownName(
                    Message("member number (confirmed for {who})", who=name),
                    number,
                    list(self.members.members)[:20],
                )

    def player(self, player: Player) -> Player:
        """The player as the list knows them, or unchanged."""
        if not player.name and not player.number:
            return player
        number = self._number(player)
        if number is None:
            return player
        self._claim(number, player)
        line = self.members.on(number, self.day)
        if line is None:
            self._note(
                Message(
                    "{name}: the list has nothing for {day} or earlier",
                    name=player.name or number,
                    day=self.day,
                )
            )
            return replace(player, number=number)
        if line.expires and self.day and line.expires < self.day:
            self._note(
                Message(
                    "{name} ({number}): membership expired {expires}",
                    name=line.name,
                    number=number,
                    expires=line.expires,
                )
            )
        for figure in sorted(self.members.figures - line.facts.keys()):
            self._note(
                Message(
                    "{name} ({number}) has no {figure} in the list",
                    name=line.name,
                    number=number,
                    figure=figure,
                )
            )
        name = player.name or line.name
        facts = {**player.facts, **line.facts}
        if "rating" in line.facts and "rating_scale" not in line.facts:
            # the list's own rating, whatever scale the file's was on
            facts.pop("rating_scale", None)
        return replace(player, name=name, number=number, facts=facts)

    def _number(self, player: Player) -> str | None:
        """The member number of a player: as confirmed, by number, or by a unique name."""
        for word in (player.name, player.number):
            answer = self._answers.get(sought(word)) if word else None
            if answer is not None:
                self.used[word] = answer
                return None if answer in NOBODY else answer
        if player.number in self.members.members:
            return self._by_number(player)
        namesakes = self._index.same(player.name)
        if len(namesakes) == 1 and not player.number:
            return namesakes[0]
        known = tuple(NameProposal(number, SAME) for number in namesakes)
        self._propose(player, known or self._index.alike(player.name))
        return None

    def _by_number(self, player: Player) -> str:
        """The player's own number, with a note where the names differ."""
        line = self.members.latest(player.number)
        if player.name and words_of(player.name) != words_of(line.name):
            self._note(
                Message(
                    "{number} is {name} in the results, {listed} in the list",
                    number=player.number,
                    name=player.name,
                    listed=line.name,
                )
            )
        return player.number

    def _propose(self, player: Player, proposals: tuple[NameProposal, ...]) -> None:
        name = player.name or player.number
        if proposals:
            self.near[name] = proposals
        elif name not in self.unmatched:
            self.unmatched.append(name)

    def _claim(self, number: str, player: Player) -> None:
        """Two different people of a file may not be the same member."""
        who = (sought(player.name), player.number)
        first = self.matched.setdefault(number, who)
        if first[0] and who[0] and first != who:
            raise InputError(
                "member {number} would be both {first!r} and {who!r}: say which with {remedy}",
                number=number,
                first=first[0],
                who=who[0],
                remedy=by_option("confirm"),
            )

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def report(self) -> Iterator[str]:
        """Lines for somebody to look at; near misses with how alike the names are, out of 100, and
        the answer that confirms them."""
        yield from self.notes
        for name, proposals in self.near.items():
            for number, score in proposals:
                answer = quoted(f"{name}={number}")
                yield Message(
                    "{name}: is it {member} ({number})? {score} of 100 alike; {remedy}",
                    name=name,
                    member=self.members.latest(number).name,
                    number=number,
                    score=score,
                    remedy=Remedy("{typed}", typed=f"--confirm {answer}", field=Message("Names")),
                )
        for name in self.unmatched:
            yield Message("not in the member list: {name}", name=name)


class Recogniser(Protocol):
    """Whoever says who a player is, or what to call one."""

    def player(self, player: Player) -> Player:
        """The player as they are to be known."""


def match(content: Content, matching: Recogniser) -> Content:
    """An event, standings or a go tournament with its players as the list knows them."""
    matched: Content = _MATCHED[type(content)](content, matching)
    return matched


def _event(event: Event, matching: Recogniser) -> Event:
    known = matching.player
    entrants = (replace(e, entrant=e.entrant.with_players(known)) for e in event.entrants)
    return replace(event, entrants=tuple(map(_handicapped, entrants)))


def _handicapped(one: EventEntrant) -> EventEntrant:
    """An entrant with the mean of its players' handicaps in the list, if the file says none."""
    own = [player.facts.get("handicap") for player in one.entrant.players]
    told = [value for value in own if isinstance(value, Fraction)]
    if one.handicap or not told or len(told) < len(own):
        return one
    return replace(one, handicap=sum(told, Fraction(0)) / len(told))


def _standings(file: StandingsFile, matching: Recogniser) -> StandingsFile:
    return replace(file, lists=tuple(one.with_players(matching.player) for one in file.lists))


def _tournament(tournament: GoTournament, matching: Recogniser) -> GoTournament:
    players = tuple(replace(p, player=matching.player(p.player)) for p in tournament.players)
    listed = tournament.listed and tournament.listed.with_players(matching.player)
    return replace(tournament, players=players, listed=listed)


_MATCHED: Mapping[type, Callable[..., Any]] = {
    Event: _event,
    StandingsFile: _standings,
    GoTournament: _tournament,
}


def read_answers(path: str | Path) -> dict[str, str]:
    """Answers from a file, ``name=number`` a line; ``#`` begins a comment."""
    answers: dict[str, str] = {}
    for number, raw in enumerate(read_text(path).splitlines(), start=1):
        text = raw.partition("#")[0].strip()
        if text:
            name, sign, answer = text.rpartition("=")
            if not sign or not name.strip():
                raise FileProblem(path, "{text!r}", "name=number", number, text=text)
            answers[name.strip()] = answer.strip()
    return answers


def parse_answers(texts: Iterable[str]) -> dict[str, str]:
    """Answers from the command line, each ``name=number``."""
    answers: dict[str, str] = {}
    for text in texts:
        name, sign, answer = text.rpartition("=")
        if not sign or not name.strip():
            raise InputError("{text!r}: expected name=number, or name=none", text=text)
        answers[name.strip()] = answer.strip()
    return answers


# --- decisions kept beside a file ---------------------------------------------------------------

_HEADING = "# Who the players of this file are, as confirmed: name=number, or name=none.\n"


def names_beside(path: str | Path) -> Path:
    """The path of the file that says who the players are: ``results.csv.names`` for
    ``results.csv``."""
    return Path(f"{path}.names")


def kept_answers(path: str | Path) -> dict[str, str]:
    """The answers confirmed for a file before."""
    beside = names_beside(path)
    return read_answers(beside) if beside.is_file() else {}


def keep_answers(path: str | Path, answers: Mapping[str, str]) -> Path | None:
    """Keep what was confirmed beside its file, with what is there; ``None`` if nothing is new."""
    before = kept_answers(path)
    after = {**before, **answers}
    if after == before:
        return None
    beside = names_beside(path)
    if beside.exists() and not read_text(beside).startswith(_HEADING.strip()):
        raise FileProblem(beside, "not written by us", "a file of names, or none")
    lines = "".join(f"{name}={number}\n" for name, number in after.items())
    write_whole(beside, (_HEADING + lines).encode("utf-8"))
    return beside


FORMATS = tuple(
    Format(name, title, lines(partial(is_list_of, parse)), partial(_of_a_federation, parse), UNSEEN)
    for name, title, parse in (
        ("egf-members", "EGF rating list", of_the_egf),
        ("ffg-members", "FFG rating list", of_the_ffg),
        ("aga-members", "AGA member list", of_the_aga),
    )
)
