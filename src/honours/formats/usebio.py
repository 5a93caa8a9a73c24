"""USEBIO XML, versions 1.0 to 1.3: what British scoring programs write.

Boards are turned into results as they are read and dropped, so that a long file takes the room of
its records. Swiss events, individuals and strata are read from the format's description alone.

What USEBIO has no element for (rounds, tables, holdings, carry-over, penalties, weighted rulings,
facts of the event) is written as small JSON objects in processing instructions: others pass over
them, we read them again. Into a file that was read, only the bytes of awards and member numbers
change.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.sax.saxutils import escape, quoteattr

from honours.errors import FileProblem, message_of
from honours.formats.acblscore import facts_of_limits
from honours.formats.entrants import EW, NS, EntrantKey, entrants_with_ids, line_of, unique_ids
from honours.formats.format import Format, WrittenFile, rarely_seen, root
from honours.formats.json_data import NotPlain, from_plain, number_text, to_plain
from honours.formats.lin import parse_lin
from honours.formats.notation import (
    read_outcome,
)
from honours.formats.reading import Problems, parse_day, read_bytes
from honours.formats.sheet import parse_number
from honours.formats.xml import Element, read_xml
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    Board,
    Entrant,
    Event,
    EventEntrant,
    Facts,
    Game,
    Match,
    Penalty,
    Player,
    Result,
    Session,
    Source,
    Value,
)
from honours.model.message import Message
from honours.scoring.contracts import write_bid

_LONGEST = 20_000
_WORDS = tomllib.loads(files(__package__).joinpath("usebio.toml").read_text("utf-8"))
_SCORING, NEWER, PUBLISHED, FIGURES = (
    _WORDS[name] for name in ("scoring", "newer", "published", "figures")
)
_FACTS, _NUMBERS = _WORDS["facts"].split(), _WORDS["numbers"].split()
LINE, ENTRANT, PLAYER = "honours-line", "honours-entrant", "honours-player"
EVENT, SESSION, MATCH = "honours-event", "honours-session", "honours-match"
_KEPT: Mapping[str, Mapping[str, Any]] = {
    LINE: {
        "round": int,
        "table": int,
        "version": str,
        "adjusted": AdjustedScore,
        "published": Facts,
    },
    ENTRANT: {"published": Facts, "carried": Fraction, "stratum": str, "games": tuple[Game, ...]},
    PLAYER: {"facts": Facts},
    EVENT: {"facts": Facts},
    SESSION: {"penalties": tuple[Penalty, ...]},
    MATCH: {"home": Fraction, "away": Fraction, "bye": bool, "boards": int},
}
"""The values that our instructions hold, by their targets."""


def instruction(target: str, **values: Any) -> str:
    """An XML instruction that holds these values; empty if there are none."""
    plain = {name: to_plain(value) for name, value in values.items()}
    content = {name: value for name, value in plain.items() if value not in (None, "", 0, {}, [])}
    if not content:
        return ""
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":")).replace("?>", "?\\u003e")
    return f"<?{target} {text}?>"


def kept(element: Element, target: str, problems: Problems) -> dict[str, Any]:
    """The values that an instruction of ours holds in an element; none where there is none."""
    if target not in element.instructions:
        return {}
    text = element.instructions[target]
    try:
        data = json.loads(text) if len(text) <= _LONGEST else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        problems.add("the instruction {target}: not an object", element.line, target=target)
        return {}
    values = {}
    for name, kind in _KEPT[target].items():
        try:
            values.update({name: from_plain(kind, data[name])} if name in data else {})
        except NotPlain as error:
            problems.add("an instruction of ours: {error}", element.line, error=error)
    return values


# --- boards ------------------------------------------------------------------------------------


_SEATS = (("NORTH", "N"), ("SOUTH", "S"), ("EAST", "E"), ("WEST", "W"))
_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")


def board_number(board: Element, problems: Problems) -> int:
    text = board.word("BOARD_NUMBER")
    if not text.isdecimal() or len(text) > 4 or not 1 <= int(text) <= 9999:
        problems.add("board number {text!r}", board.line, text=text)
        return 0
    return int(text)


def read_line(line: Element, board: int, path: str, problems: Problems) -> Result | None:
    """One traveller line, its pairs still by the numbers of the file."""
    ns, ew = _sides(line)
    there, played = (*ns, *ew), line.word("SCORE") or line.word("CONTRACT")
    if any(there) and not all(there) and not played:
        return None  # A pair that sits out has a line in some files.
    if not all(there):
        problems.add("a line without both of its pairs", line.line)
        return None
    ours = kept(line, LINE, problems)
    published = _shared(tuple(_figures(line, PUBLISHED, problems).items()))
    bare = Result(
        board,
        ns,
        ew,
        version=ours.get("version", ""),
        round=ours.get("round", 0),
        table=ours.get("table", 0),
        lead=intern(line.word("LEAD")),
        remark=line.word("NOTES"),
        published={**published, **ours["published"]} if "published" in ours else published,
        source=Source(path, line.line),
    )
    try:
        result = _outcome(line, bare)
        return replace(result, adjusted=ours["adjusted"]) if "adjusted" in ours else result
    except ValueError as error:
        problems.add(message_of(error), line.line)
        return None


def _sides(line: Element) -> tuple[tuple[str, ...], tuple[str, ...]]:
    pairs = line.word("NS_PAIR_NUMBER"), line.word("EW_PAIR_NUMBER")
    if any(pairs):
        return (pairs[0],), (pairs[1],)
    n, s, e, w = (_player(line, *names) for names in _SEATS)
    return (n, s), (e, w)


def _player(line: Element, seat: str, letter: str) -> str:
    """A single player's number in a line of an individual, in the spellings we can think of."""
    tags = (f"{seat}_PLAYER_NUMBER", f"{letter}_PLAYER_NUMBER", f"{seat}_NUMBER", seat)
    return next((word for tag in tags if (word := line.word(tag))), "")


@lru_cache(1 << 14)
def _shared(items: tuple[tuple[str, Value], ...]) -> Facts:
    """One object for the same figures: a long file has them many times over."""
    return dict(items)


def _figures(e: Element, names: Mapping[str, str], problems: Problems) -> dict[str, Value]:
    """The figures that an element publishes, by what we call them."""
    numbers = ((names[c.tag], number_in(c, problems)) for c in e.children if c.tag in names)
    return {name: number for name, number in numbers if number is not None}


def _outcome(line: Element, bare: Result) -> Result:
    """The outcome; a contract that is mistyped beside a score is kept as a remark."""
    score, contract = (
        "" if _is_blank(text) else text for text in (line.word("SCORE"), line.word("CONTRACT"))
    )
    seat, tricks = line.word("PLAYED_BY"), line.word("TRICKS")
    return read_outcome(bare, contract, seat, tricks, score, lenient=True)


def read_hands(board: Element, number: int) -> Board | None:
    """A board's four hands as a PBN deal from North, told by themselves or in the movie of a line;
    nothing when any is missing."""
    hands = {
        hand.word("DIRECTION")[:1].upper(): ".".join(
            "".join(hand.word(suit).upper().replace("10", "T").split()).strip("-")
            for suit in _SUITS
        )
        for hand in board.all("HAND")
    }
    if set(hands) == set("NESW"):
        return Board(number, "N:" + " ".join(hands[seat] for seat in "NESW"))
    records = (line.word("LIN_DATA") for line in board.all("TRAVELLER_LINE"))
    first = next((text for text in records if text), "")
    dealt = next(parse_lin(unquote(first)), None) if first else None
    return Board(number, dealt.deal) if dealt is not None and dealt.deal else None


def number_of(element: Element, tag: str, problems: Problems) -> Fraction | None:
    """A child's number, ``None`` when empty or absent."""
    child = element.first(tag)
    return None if child is None else number_in(child, problems)


def number_in(e: Element, problems: Problems) -> Fraction | None:
    """The number of an element; USEBIO parts no thousands, so that a comma is a decimal one."""
    if _is_blank(e.text):
        return None
    decimal = "," if "," in e.text and "." not in e.text else "."
    return problems.attempt(e.line, lambda text: parse_number(text, decimal, e.tag), e.text)


def _is_blank(text: str) -> bool:
    """True if a program says that there is no figure."""
    return text.strip("-– ").lower() in ("", "n/a", "na", "none")


# --- participants ------------------------------------------------------------------------------


_PAIR = 2
_PLACE = re.compile(r"(?:=|T-?)? *(\d{1,6})(?:st|nd|rd|th)? *(?:=|[-/] *\d{1,6})?", re.IGNORECASE)
"""``1``, ``1=``, ``=1``, ``T1``, ``1st``, ``1/2`` and ``1-2``, of which the first counts."""
_NO_PLACE = ("", "n/a", "na", "none", "nr", "unplaced")


class Participants:
    """Everyone in an event, and who a number on a traveller is."""

    def __init__(self, problems: Problems, two_lines: bool) -> None:
        self._problems, self._two_lines = problems, two_lines
        self._known: dict[EntrantKey, EventEntrant] = {}
        self._session: dict[EntrantKey, str] = {}
        self._numbers: dict[tuple[str, str], list[EntrantKey]] = {}
        self._ids: dict[EntrantKey, str] = {}
        self.unlisted: list[str] = []
        self.elements: dict[EntrantKey, Element] = {}
        self._sides: dict[tuple[str, ...], tuple[str, ...]] = {}

    def add(self, group: Element, session: str, section: str) -> None:
        """The participants of one PARTICIPANTS element; who is listed again in another session
        adds figures."""
        for e in group.children:
            if e.tag not in ("PAIR", "TEAM", "PLAYER"):
                continue
            one = self._read(e, section)
            key = EntrantKey(section, one.number, one.line)
            known = self._known.get(key)
            if known is None:
                self._register(
                    key, one, session, (pair.word("PAIR_NUMBER") for pair in e.all("PAIR"))
                )
                self.elements[key] = e
            elif self._session[key] == session:
                self._problems.add("participant {number!r} again", e.line, number=one.number)
            else:
                later = {f"{name}.{session}": v for name, v in one.published.items()}
                self._known[key] = replace(known, published={**known.published, **later})

    def _register(
        self, key: EntrantKey, one: EventEntrant, session: str, aliases: Iterable[str] = ()
    ) -> None:
        """Take a participant in, a team also by the numbers of its pairs."""
        self._known[key], self._session[key] = one, session
        for number in {key.number, *aliases}:
            self._numbers.setdefault((key.section, number), []).append(key)

    def _read(self, e: Element, section: str) -> EventEntrant:
        """A participant as its element tells it."""
        tags = ("PAIR_NUMBER", "PLAYER_NUMBER", "TEAM_ID", "NATIONAL_ID_NUMBER")
        number = next(filter(None, (e.get("TEAM_ID"), *map(e.word, tags))), "")
        if not number:
            self._problems.add("a {tag} without a number", e.line, tag=e.tag)
        line = line_of(e.word("DIRECTION")) if self._two_lines else ""
        players = tuple(self._player(member, e) for member in members_of(e))
        ours = kept(e, ENTRANT, self._problems)
        return EventEntrant(
            Entrant("", players, e.get("TEAM_NAME").strip()),
            number,
            line if line in (NS, EW) else "",
            section,
            e.word("STRAT_NUMBER") or ours.get("stratum", ""),
            number_of(e, "HANDICAP", self._problems) or Fraction(0),
            ours.get("carried", Fraction(0)),
            {**self._published(e), **ours.get("published", {})},
            ours.get("games", ()),
        )

    def _player(self, e: Element, entrant: Element) -> Player:
        """A player, with the points that are the player's own and not the entrant's."""
        player = _listed_player(e, self._problems)
        own = {} if e is entrant else self._awarded(e)
        return replace(player, facts={**player.facts, **{f"own_{n}": v for n, v in own.items()}})

    def _awarded(self, e: Element) -> dict[str, Value]:
        awarded = e.first("MASTER_POINTS") or e
        facts = _figures(awarded, {"MASTER_POINTS_AWARDED": "masterpoints"}, self._problems)
        kind = awarded.word("MASTER_POINT_TYPE")
        return facts | ({"masterpoint_type": kind} if kind else {})

    def _published(self, e: Element) -> dict[str, Value]:
        """The figures and the place published of a participant."""
        facts = _figures(e, FIGURES, self._problems) | self._awarded(e)
        place = e.word("PLACE")
        if match := _PLACE.fullmatch(place):
            if int(match[1]):
                facts["place"] = Fraction(int(match[1]))
        elif place.strip("- ").lower() not in _NO_PLACE:
            self._problems.add("place {place!r}", e.line, place=place)
        return facts

    # --- who a number is --------------------------------------------------------------------

    def settle(self, lines: Iterable[Result]) -> None:
        """Take in who plays without being listed (a phantom pair), then give everyone an id."""
        for line in lines:
            for side, numbers in ((NS, line.ns), (EW, line.ew)):
                for number in numbers:
                    if self._find(line.section, number, side) is None:
                        key = EntrantKey(line.section, number, "")
                        stranger = EventEntrant(Entrant(""), number, section=line.section)
                        self._register(key, stranger, "")
                        self.unlisted.append(number)
        self._ids = unique_ids(self._known)

    def _find(self, section: str, number: str, side: str) -> EntrantKey | None:
        keys = self._numbers.get((section, number)) or self._numbers.get(("", number), [])
        return next((key for key in keys if len(keys) == 1 or key.line == side), None)

    def id(self, section: str, number: str, side: str) -> str:
        key = self._find(section, number, side)
        assert key is not None, "settle() took in everyone on a line"
        return self._ids[key]

    def team(self, number: str, element: Element) -> str:
        """The id of a side of a match."""
        of_sections = (keys[0] for (_, known), keys in self._numbers.items() if known == number)
        key = self._find("", number, "") or next(of_sections, None)
        if key is None:
            self._problems.add(
                "a match of {number!r}, who is not a participant", element.line, number=number
            )
            return ""
        return self._ids[key]

    def listed(self) -> Iterator[tuple[str, Element]]:
        """The listed participants' ids, and where the file lists them first."""
        return ((self._ids[key], element) for key, element in self.elements.items())

    def seat(self, line: Result) -> Result:
        ns = tuple(self.id(line.section, number, NS) for number in line.ns)
        ew = tuple(self.id(line.section, number, EW) for number in line.ew)
        ns, ew = (self._sides.setdefault(side, side) for side in (ns, ew))
        return replace(line, ns=ns, ew=ew)

    def entrants(self) -> tuple[EventEntrant, ...]:
        return entrants_with_ids(self._known, self._ids)


def members_of(e: Element) -> list[Element]:
    """The players of a participant, in the order its entrant has them."""
    own = [e] if e.tag == "PLAYER" else [*e.all("PLAYER")]
    if e.tag == "PAIR" and len(own) > _PAIR:  # salliere has room for a third, empty or not
        own = own[:_PAIR] + [p for p in own[_PAIR:] if p.word("PLAYER_NAME")]
    return own + [player for pair in e.all("PAIR") for player in pair.all("PLAYER")]


def _listed_player(e: Element, problems: Problems) -> Player:
    club = e.word("CLUB_ID_NUMBER")
    facts: dict[str, Value] = {"club_number": club} if club else {}
    facts |= kept(e, PLAYER, problems).get("facts", {})
    return Player(e.word("PLAYER_NAME"), e.word("NATIONAL_ID_NUMBER"), facts)


def groups(e: Element, session: str = "", section: str = "") -> Iterator[tuple[str, str, Element]]:
    """Every PARTICIPANTS element of an event, with its session and section."""
    for child in e.children:
        if child.tag == "PARTICIPANTS":
            yield session, section, child
        elif child.tag == "SESSION":
            yield from groups(child, child.get("SESSION_ID"))
        elif child.tag == "SECTION":
            yield from groups(child, session, child.get("SECTION_ID"))


def kinds(groups: Sequence[tuple[str, str, Element]]) -> set[str]:
    """PAIR, TEAM or PLAYER: what the participants are."""
    return {element.tag for _, _, group in groups for element in group.children}


# --- events ------------------------------------------------------------------------------------


_IN_THE_TYPE = (
    ("CROSS", "cross-imps"),
    ("BUTLER", "butler"),
    ("TEAM", "imps"),
    ("MP_PAIRS", "matchpoints"),
)
_ON_THE_LINES = (
    ("cross_imps", "cross-imps"),
    ("butler", "butler"),
    ("matchpoints", "matchpoints"),
)
_PAIRS = ("", "PAIRS", "MP_PAIRS", "SWISS_PAIRS", "INDIVIDUAL")
_OF_NEWER = {tag: name for name, tag in NEWER.items()}
INSTRUCTION = "honours-awarded-under"
"""The processing instruction that says which rulebook gave the master points we wrote."""
KNOWN_FACTS = frozenset((*_FACTS, *_NUMBERS))
"""Facts of an event that USEBIO has an element for."""


@dataclass(slots=True)
class _Collected:
    """The boards and matches taken from one event, by the session they are of."""

    results: dict[str, list[Result]] = field(default_factory=dict)
    matches: dict[str, list[Element]] = field(default_factory=dict)
    boards: dict[str, list[Board]] = field(default_factory=dict)
    penalties: dict[str, tuple[Penalty, ...]] = field(default_factory=dict)


def read_usebio(path: str | Path) -> tuple[Event, ...]:
    """Read every event of a file; FileProblems lists all that is wrong in it."""
    reading = UsebioReader(str(path))
    root = read_xml(path, reading.watch)
    if root.tag != "USEBIO":
        raise FileProblem(path, "an XML file of {tag}", "USEBIO", tag=root.tag)
    if not reading.events and not reading.problems.found:
        reading.problems.add("no event in it")
    reading.problems.settle()
    club, number = root.word("CLUB", "CLUB_NAME"), root.word("CLUB", "CLUB_ID_NUMBER")
    version = root.get("Version") or root.get("VERSION")
    facts = {"usebio": version or "not said", **({"club_number": number} if number else {})}
    return tuple(
        replace(event, club=club, facts={**event.facts, **facts}) for event in reading.events
    )


class UsebioReader:
    """One file on its way to Events; when asked, ``listed`` keeps where its participants are."""

    def __init__(self, path: str, keep: bool = False) -> None:
        self._keep = keep
        self.path, self.problems = path, Problems(path)
        self.events: list[Event] = []
        self.listed: list[tuple[Element, Participants]] = []
        self._collected = _Collected()

    def watch(self, opened: Sequence[Element], ended: Element) -> bool:
        """Take what is complete; true when it need not be kept."""
        if ended.tag == "SESSION":
            penalties = kept(ended, SESSION, self.problems).get("penalties", ())
            self._collected.penalties[ended.get("SESSION_ID")] = penalties
        if ended.tag not in ("EVENT", "BOARD", "MATCH"):
            return False
        if ended.tag == "EVENT":
            self.events.append(self._event(ended))
            self._collected = _Collected()
            return True
        inside = [element.tag for element in opened]
        if "EVENT" not in inside:
            return False
        if ended.tag == "BOARD" and "MATCH" not in inside:
            self._board(opened, ended, hands="HANDSET" in inside)
            return True
        if ended.tag == "MATCH":
            self._match(opened, ended)
        return False

    # --- boards and matches -----------------------------------------------------------------

    def _board(self, opened: Sequence[Element], board: Element, hands: bool) -> None:
        """Take a board's hands, and its lines unless it is of a set of hands."""
        session, section = _where(opened)
        number = board_number(board, self.problems)
        if (deal := read_hands(board, number)) is not None:
            self._collected.boards.setdefault(session, []).append(deal)
        if not hands:
            self._collected.results.setdefault(session, []).extend(
                self._lines(board, number, section)
            )

    def _lines(
        self, board: Element, number: int, section: str, round_: int = 0
    ) -> Iterable[Result]:
        for line in board.all("TRAVELLER_LINE"):
            result = read_line(line, number, self.path, self.problems)
            if result is not None:
                yield replace(result, section=section, round=round_ or result.round)

    def _match(self, opened: Sequence[Element], match: Element) -> None:
        """A match keeps its head; its boards become results of its round."""
        session, section = _where(opened)
        round_ = number_of(match, "ROUND_NUMBER", self.problems)
        results = self._collected.results.setdefault(session, [])
        boards = list(match.all("BOARD"))
        for board in boards:
            number = board_number(board, self.problems)
            results += self._lines(board, number, section, int(round_ or 0))
        match.children = [child for child in match.children if child.tag != "BOARD"]
        match.attributes["boards"] = str(len(boards))
        self._collected.matches.setdefault(session, []).append(match)

    # --- the event --------------------------------------------------------------------------

    def _event(self, e: Element) -> Event:
        """The event of an element that has ended."""
        people = self._people(e)
        winners = e.word("WINNER_TYPE")
        kind = _kind(e, kinds(list(groups(e))))
        return Event(
            title=e.word("EVENT_DESCRIPTION") or e.word("TITLE"),
            kind=kind,
            scoring=self._scoring(e, kind),
            entrants=tuple(_in_strata(e, people.entrants())),
            sessions=self._sessions(people, e),
            winners=int(winners) if winners in ("1", "2") else 0,
            swiss="SWISS" in e.get("EVENT_TYPE"),
            date=self._day(e),
            program=e.word("PROGRAM_NAME"),
            facts=self._facts(e, people),
            source=Source(self.path, e.line),
        )

    def _people(self, e: Element) -> Participants:
        """The participants of an event, with those met on its lines."""
        people = Participants(self.problems, two_lines=e.word("WINNER_TYPE") == "2")
        for session, section, group in groups(e):
            people.add(group, session, section)
        people.settle(line for lines in self._collected.results.values() for line in lines)
        if self._keep:
            self.listed.append((e, people))
        return people

    def _sessions(self, people: Participants, e: Element) -> tuple[Session, ...]:
        """The sessions by name, in the order they came."""
        sessions = self._collected
        names = dict.fromkeys([*sessions.results, *sessions.matches, *sessions.boards])
        if len(names) > 1:
            names.pop("", None)
        numbered = all(re.fullmatch("[1-9][0-9]?", name) for name in names)
        vps = "VP" in (e.word("MATCH_SCORING_METHOD") or e.word("SCORING_METHOD"))
        return tuple(
            Session(
                int(name) if numbered else place,
                tuple(people.seat(line) for line in sessions.results.get(name, ())),
                tuple(self._given(people, m, vps) for m in sessions.matches.get(name, ())),
                tuple(sessions.boards.get(name, ())),
                sessions.penalties.get(name, ()),
            )
            for place, name in enumerate(names, start=1)
        )

    def _given(self, people: Participants, match: Element, vps: bool) -> Match:
        """A match as its element tells it, in victory points or IMPs."""
        home = match.word("TEAM") or match.word("NS_PAIR_NUMBER")
        away = match.word("OPPOSING_TEAM") or match.word("EW_PAIR_NUMBER")
        scores = [
            number_of(match, tag, self.problems)
            for tag in (
                ("TEAM_SCORE", "OPPOSING_TEAM_SCORE")
                if match.first("TEAM_SCORE")
                else ("NS_SCORE", "EW_SCORE")
            )
        ]
        ours = kept(match, MATCH, self.problems)
        given = Match(
            round=int(number_of(match, "ROUND_NUMBER", self.problems) or 0),
            home=people.team(home, match),
            away="" if ours.get("bye") else people.team(away, match),
            boards=ours.get("boards") or int(match.get("boards", "0")),
            source=Source(self.path, match.line),
        )
        if not vps:
            return replace(given, home_imps=scores[0], away_imps=scores[1])
        return replace(
            given,
            home_imps=ours.get("home"),
            away_imps=ours.get("away"),
            home_vps=scores[0],
            away_vps=scores[1],
        )

    def _scoring(self, e: Element, kind: str) -> str:
        """The newer way names the method, the older one has it in the type of the event; where
        neither says it, the figures on the lines show it."""
        method = e.word("BOARD_SCORING_METHOD").upper()
        if method and method not in _SCORING:
            self.problems.add(
                "scoring method {method!r}",
                e.line,
                "one of {scoring}",
                method=method,
                scoring=tuple(_SCORING),
            )
            return ""
        named = _SCORING.get(method) or next(
            (scoring for word, scoring in _IN_THE_TYPE if word in e.get("EVENT_TYPE").upper()), ""
        )
        if kind != "teams" and named in ("", "imps"):
            return self._shown() or self._scoring_by_name(e, named)
        return named or "imps"

    def _shown(self) -> str:
        """The scoring of the lines, by the figures they publish."""
        named = {
            name
            for lines in self._collected.results.values()
            for line in lines
            for name in line.published
        }
        return next((scoring for word, scoring in _ON_THE_LINES if f"ns_{word}" in named), "")

    def _scoring_by_name(self, e: Element, scoring: str) -> str:
        """Pairs whose lines have no figures: matchpoints, unless the file speaks of IMPs, which
        may be compared in two ways."""
        older = e.word("SCORING_METHOD").upper()
        type_ = e.get("EVENT_TYPE")
        if scoring == "imps" or "IMP" in older:
            fault = Message(
                "{type} scored in IMPs, and no figure on any line", type=type_ or "an event"
            )
            expected = Message("BOARD_SCORING_METHOD CROSS_IMPS or BUTLER")
            self.problems.add(fault, e.line, expected)
        elif type_.upper() not in _PAIRS:
            fault = Message(
                "EVENT_TYPE {type!r}, and no figure on any line that shows how it is scored",
                type=type_,
            )
            self.problems.add(
                fault, e.line, "BOARD_SCORING_METHOD, one of {scoring}", scoring=tuple(_SCORING)
            )
        return "matchpoints"

    def _day(self, e: Element) -> date | None:
        return self.problems.attempt(e.line, parse_day, day) if (day := e.word("DATE")) else None

    def _facts(self, e: Element, people: Participants) -> dict[str, Value]:
        """Facts of the event: its elements, its strata, and what our instruction holds."""
        facts: dict[str, Value] = {"event_type": e.get("EVENT_TYPE")}
        words = {_OF_NEWER.get(tag, tag.lower()): e.word(tag) for tag in _FACTS if e.word(tag)}
        facts.update(words)
        for tag in _NUMBERS:
            number: Fraction | None = number_of(e, tag, self.problems)
            if number is not None:
                facts[tag.lower()] = number
        strata = {s.word("STRAT_NUMBER"): s for s in _strata(e)}
        if strata:
            limits = [
                (s.word("STRAT_LABEL"), number_of(s, "UPPER_LIMIT", self.problems) or Fraction(0))
                for _, s in sorted(strata.items())
            ]
            top = [] if "1" in strata else [("", Fraction(0))]
            facts |= facts_of_limits([*top, *limits])
        if people.unlisted:
            facts["unlisted"] = ", ".join(people.unlisted)
        if contact := e.word("CONTACT", "FULL_NAME"):
            facts["contact"] = contact
        if INSTRUCTION in e.instructions:
            facts["awarded_under"] = e.instructions[INSTRUCTION]
        return {**facts, **kept(e, EVENT, self.problems).get("facts", {})}


def _where(opened: Sequence[Element]) -> tuple[str, str]:
    """The session and section something is in."""
    session = next((e.get("SESSION_ID") for e in opened if e.tag == "SESSION"), "")
    section = next((e.get("SECTION_ID") for e in opened if e.tag == "SECTION"), "")
    return session, section


def _strata(e: Element) -> list[Element]:
    """The strata that an event of version 1.3 declares, with a label each."""
    listed = e.first("STRATIFICATION", "STRATS")
    strata = list(listed.all("STRAT")) if listed is not None else []
    return [stratum for stratum in strata if stratum.word("STRAT_LABEL")]


def _in_strata(e: Element, entrants: Iterable[EventEntrant]) -> Iterator[EventEntrant]:
    """Entrants in the strata that their numbers mean."""
    labels = {s.word("STRAT_NUMBER"): s.word("STRAT_LABEL") for s in _strata(e)}
    for entrant in entrants:
        yield replace(entrant, stratum=labels.get(entrant.stratum, entrant.stratum))


def _kind(e: Element, participants: set[str]) -> str:
    kind = e.get("EVENT_TYPE")
    if "TEAM" in kind or "TEAM" in participants:
        return "teams"
    return "individual" if "INDIVIDUAL" in kind or participants == {"PLAYER"} else "pairs"


# --- writing -----------------------------------------------------------------------------------


_METHODS = {ours: theirs for theirs, ours in reversed(_SCORING.items())}
_KINDS = {"pairs": "PAIRS", "teams": "TEAMS", "individual": "INDIVIDUAL"}
_FIGURES = {**FIGURES, "PLACE": "place"}
_AWARDED = ("masterpoints", "masterpoint_type")
_OURS = {"event_type", "usebio", "unlisted", "awarded_under", "club_number", "contact"}
_WRITTEN = frozenset((*_FIGURES.values(), *_AWARDED))
_FIGURES_OF_LINES = frozenset(PUBLISHED.values())
VERSIONS = ("1.2", "1.3")
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_IN_REMARKS = re.compile(r"<\?(honours-\w+) (\{.*?\})\?>")
_LOST = {
    (LINE, "round"): Message("rounds"),
    (LINE, "table"): Message("tables"),
    (LINE, "version"): Message("versions of fouled boards"),
    (LINE, "adjusted"): Message("rulings that are not a whole percentage for either side"),
    (ENTRANT, "games"): Message("games"),
    (ENTRANT, "carried"): Message("carry-over"),
    (PLAYER, "facts"): Message("holdings"),
    (SESSION, "penalties"): Message("penalties"),
}
"""What other programs will not find in the document, although ours will: what instructions hold."""


def write_usebio(event: Event, *more: Event, version: str = "1.2") -> WrittenFile:
    """A new document of an event, or of several of one club."""
    events = (event, *more)
    number = event.facts.get("club_number")
    club = f"<CLUB>{_tag('CLUB_NAME', event.club)}{_tag('CLUB_ID_NUMBER', number)}</CLUB>"
    body = "\n".join(part for each in events for part in _event(each, version))
    text = f'{_HEAD}<USEBIO Version="{version}">\n{club}\n{body}\n</USEBIO>\n'
    held = [(target, key) for target, keys in _IN_REMARKS.findall(text) for key in json.loads(keys)]
    lost = tuple(
        Message(
            "{what} (Honours can read it back from the file, other programs cannot)",
            what=_LOST[key],
        )
        for key in dict.fromkeys(held)
        if key in _LOST
    )
    return WrittenFile(text.encode("utf-8"), lost)


def _tag(name: str, value: Value | int | None) -> str:
    """A small element; nothing for an empty value."""
    if value is None or value == "":
        return ""
    text = number_text(value) if isinstance(value, Fraction) else str(value)
    if isinstance(value, Fraction) and "/" in text:
        raise ValueError(Message("{value} is not a decimal number", value=value))
    return f"<{name}>{escape(text)}</{name}>"


def _event(event: Event, version: str) -> Iterator[str]:
    """The elements of an event, line by line."""
    swiss = "SWISS_" if event.swiss else ""
    yield f'<EVENT EVENT_TYPE="{swiss}{_KINDS[event.kind]}">'
    if under := event.facts.get("awarded_under"):
        yield f"<?honours-awarded-under {under}?>"
    yield _tag("BOARD_SCORING_METHOD", _METHODS[event.scoring])
    matches = [match for session in event.sessions for match in session.matches]
    if any(m.home_vps is not None for m in matches) and "match_scoring_method" not in event.facts:
        yield _tag("MATCH_SCORING_METHOD", "VPS")
    yield _tag("PROGRAM_NAME", event.program)
    yield _tag("EVENT_DESCRIPTION", event.title)
    form = "%d/%m/%Y" if version == "1.2" else "%Y-%m-%d"
    yield _tag("DATE", event.date.strftime(form) if event.date else "")
    yield _tag("WINNER_TYPE", event.winners or None)
    yield from _facts(event, version)
    yield "<PARTICIPANTS>" if not _sections(event) else ""
    if not _sections(event):
        yield from _participants(event, event.entrants, version)
        yield "</PARTICIPANTS>"
    for session in event.sessions:
        yield from _session(event, session, version)
    yield "</EVENT>"


def _facts(event: Event, version: str) -> Iterator[str]:
    """The facts that USEBIO has an element for, then the others, for us alone."""
    rest: dict[str, Value] = {}
    for name, value in event.facts.items():
        if name.upper() in KNOWN_FACTS:
            newer = NEWER.get(name, "") if version != "1.2" else ""
            yield _tag(newer or name.upper(), value)
        elif name not in _OURS:
            rest[name] = value
    if contact := event.facts.get("contact"):
        yield f"<CONTACT>{_tag('FULL_NAME', contact)}</CONTACT>"
    if version != "1.2":
        yield _stratification(event)
    yield instruction(EVENT, facts=rest)


def _stratification(event: Event) -> str:
    """The strata, the top one first, as 1.3 declares them."""
    strata = "".join(
        "<STRAT>"
        + _tag("STRAT_NUMBER", number)
        + _tag("STRAT_LABEL", label)
        + _tag("UPPER_LIMIT", event.facts.get(f"stratum_limit.{label}"))
        + _tag("NUMBER_OF_PAIRS", sum(e.stratum >= label for e in event.entrants))
        + "</STRAT>"
        for label, number in _stratum_numbers(event, "1.3").items()
    )
    return f"<STRATIFICATION><STRATS>{strata}</STRATS></STRATIFICATION>" if strata else ""


def _stratum_numbers(event: Event, version: str) -> dict[str, int]:
    """The strata by label with their numbers, the top one first; 1.2 has none."""
    labels = sorted({e.stratum for e in event.entrants} - {""}) if version != "1.2" else []
    return {label: number for number, label in enumerate(labels, start=1)}


def _sections(event: Event) -> list[str]:
    return list(dict.fromkeys(e.section for e in event.entrants if e.section))


def _participants(event: Event, entrants: Iterable[EventEntrant], version: str) -> Iterator[str]:
    unlisted = str(event.facts.get("unlisted", "")).split(", ")
    strata, ids = _stratum_numbers(event, version), _ids_when_read(event)
    for entrant in entrants:
        if entrant.number not in unlisted or entrant.entrant.players:
            yield _participant(event.kind, entrant, strata.get(entrant.stratum), ids)


def _ids_when_read(event: Event) -> dict[str, str]:
    """The ids that a reader of the document will give to entrants, by their own."""
    if not any(entrant.games for entrant in event.entrants):
        return {}
    lined = event.winners == 2
    keys = {
        e.entrant.id: EntrantKey(e.section, e.number, e.line if lined else "")
        for e in event.entrants
    }
    ids = unique_ids(keys.values())
    return {own: ids[key] for own, key in keys.items()}


def _participant(kind: str, e: EventEntrant, stratum: int | None, ids: Mapping[str, str]) -> str:
    """The element of a pair, team or player."""
    inner = "".join(_tag(tag, e.published.get(name)) for tag, name in _FIGURES.items())
    inner += _tag("HANDICAP", e.handicap or None) + _tag("STRAT_NUMBER", stratum)
    inner += _masterpoints(e.published)
    inner += instruction(
        ENTRANT,
        published={k: v for k, v in e.published.items() if k not in _WRITTEN},
        carried=e.carried or None,
        stratum="" if stratum else e.stratum,
        # A reader of the file will know opponents by other ids.
        games=tuple(replace(game, opponent=ids.get(game.opponent, "")) for game in e.games),
    )
    if kind == "individual":
        player = e.entrant.players[0] if e.entrant.players else Player("")
        return f"<PLAYER>{_tag('PLAYER_NUMBER', e.number)}{inner}{_person(player)}</PLAYER>"
    people = "".join(_team_mate(player) for player in e.entrant.players)
    if kind == "teams":
        named = f"TEAM_ID={quoteattr(e.number)} TEAM_NAME={quoteattr(e.entrant.name)}"
        return f"<TEAM {named}>{inner}{people}</TEAM>"
    numbered = _tag("PAIR_NUMBER", e.number) + _tag("DIRECTION", e.line)
    return f"<PAIR>{numbered}{inner}{people}</PAIR>"


def _masterpoints(published: Facts) -> str:
    inner = _tag("MASTER_POINTS_AWARDED", published.get("masterpoints"))
    inner += _tag("MASTER_POINT_TYPE", published.get("masterpoint_type"))
    return f"<MASTER_POINTS>{inner}</MASTER_POINTS>" if inner else ""


def _person(player: Player) -> str:
    own = {k: v for k, v in player.facts.items() if not k.startswith("own_") and k != "club_number"}
    return (
        _tag("PLAYER_NAME", player.name)
        + _tag("NATIONAL_ID_NUMBER", player.number)
        + _tag("CLUB_ID_NUMBER", player.facts.get("club_number"))
        + instruction(PLAYER, facts=own)
    )


def _team_mate(player: Player) -> str:
    """A player of a pair or team; those who were not all awarded the same have their own."""
    own = {name: player.facts[f"own_{name}"] for name in _AWARDED if f"own_{name}" in player.facts}
    return f"<PLAYER>{_person(player)}{_masterpoints(own)}</PLAYER>"


def _session(event: Event, session: Session, version: str) -> Iterator[str]:
    """The elements of a session, section by section."""
    numbers = {e.entrant.id: e.number for e in event.entrants}
    kept_penalties = instruction(SESSION, penalties=session.penalties)
    yield f'<SESSION SESSION_ID="{session.number}">{kept_penalties}'
    for section in _sections(event) or [""]:
        if section:
            yield f"<SECTION SECTION_ID={quoteattr(section)}>"
            if session.number == event.sessions[0].number:
                members = [e for e in event.entrants if e.section == section]
                people = _participants(event, members, version)
                yield f"<PARTICIPANTS>{''.join(people)}</PARTICIPANTS>"
        lines = [r for r in session.results if r.section == section or not section]
        yield from _boards(lines, session, numbers)
        if section:
            yield "</SECTION>"
    if session.boards:
        yield f"<HANDSET>{''.join(_hands(board) for board in session.boards)}</HANDSET>"
    yield "</SESSION>"


def _boards(lines: Iterable[Result], session: Session, numbers: Mapping[str, str]) -> Iterator[str]:
    """Lines in matches go there; the rest by board, in the order they came."""
    matched: dict[tuple[int, frozenset[str]], list[Result]] = {
        (m.round, frozenset((m.home, m.away))): [] for m in session.matches
    }
    loose: list[Result] = []
    for line in lines:
        matched.get((line.round, frozenset((*line.ns, *line.ew))), loose).append(line)
    yield from _grouped(loose, numbers)
    for match in session.matches:
        # Two matches of one round between the same teams: their lines are written once.
        results = matched.pop((match.round, frozenset((match.home, match.away))), [])
        yield _match(match, "".join(_grouped(results, numbers, in_match=True)), numbers)


def _grouped(
    lines: Iterable[Result], numbers: Mapping[str, str], in_match: bool = False
) -> Iterator[str]:
    """The boards of lines, in the order they came."""
    boards: dict[int, list[Result]] = {}
    for line in lines:
        boards.setdefault(line.board, []).append(line)
    for board, results in boards.items():
        inner = "".join(_line(line, numbers, in_match) for line in results)
        yield f"<BOARD>{_tag('BOARD_NUMBER', board)}{inner}</BOARD>"


def _match(match: Match, boards: str, numbers: Mapping[str, str]) -> str:
    """The element of a match."""
    home = match.home_imps if match.home_vps is None else match.home_vps
    away = match.away_imps if match.away_vps is None else match.away_vps
    head = _tag("ROUND_NUMBER", match.round) + _tag("TEAM", numbers.get(match.home, ""))
    head += _tag("OPPOSING_TEAM", numbers.get(match.away, ""))
    head += _tag("TEAM_SCORE", home) + _tag("OPPOSING_TEAM_SCORE", away)
    in_vps = match.home_vps is not None
    head += instruction(
        MATCH,
        home=match.home_imps if in_vps else None,
        away=match.away_imps if in_vps else None,
        bye=not match.away,  # USEBIO has no word for one
        boards=match.boards,
    )
    return f"<MATCH>{head}{boards}</MATCH>"


def _line(line: Result, numbers: Mapping[str, str], in_match: bool) -> str:
    """The element of a traveller line."""
    ns, ew = ([numbers.get(id, id) for id in side] for side in (line.ns, line.ew))
    if len(ns) == 1:
        who = _tag("NS_PAIR_NUMBER", ns[0]) + _tag("EW_PAIR_NUMBER", ew[0])
    else:
        seats = zip("NSEW", (*ns, *ew), strict=True)
        who = "".join(_tag(f"{seat}_PLAYER_NUMBER", number) for seat, number in seats)
    figures = "".join(_tag(tag, line.published.get(name)) for tag, name in PUBLISHED.items())
    inner = (
        f"{who}{_write_played(line)}{_tag('LEAD', line.lead)}{figures}{_tag('NOTES', line.remark)}"
    )
    inner += instruction(
        LINE,
        round=0 if in_match else line.round,
        table=line.table,
        version=line.version,
        adjusted=None if line.adjusted and is_plain(line.adjusted) else line.adjusted,
        published={k: v for k, v in line.published.items() if k not in _FIGURES_OF_LINES},
    )
    return f"<TRAVELLER_LINE>{inner}</TRAVELLER_LINE>"


def _write_played(line: Result) -> str:
    """The elements that tell what happened."""
    if line.adjusted is not None:
        return _tag("SCORE", _shares(line.adjusted))
    if line.passed_out:
        return _tag("CONTRACT", "PASS") + _tag("SCORE", line.score)
    if line.contract is None:
        return _tag("SCORE", "NP" if line.score is None else line.score)
    c = line.contract
    contract = _tag("CONTRACT", write_bid(c))
    played = _tag("PLAYED_BY", c.declarer.value) + _tag("TRICKS", line.tricks)
    return contract + played + _tag("SCORE", line.score)


def is_plain(adjusted: AdjustedScore) -> bool:
    """True if USEBIO can say it: whole percentages below a hundred for both sides."""
    return all(
        isinstance(side, ArtificialScore)
        and not side.session_rule
        and (side.share * 100).denominator == 1
        and side.share < 1
        for side in (adjusted.ns, adjusted.ew)
    )


def _shares(adjusted: AdjustedScore) -> str:
    """``A6040``; USEBIO knows whole percentages below a hundred and nothing else."""
    shares = [
        int(side.share * 100) if isinstance(side, ArtificialScore) else 50
        for side in (adjusted.ns, adjusted.ew)
    ]
    return "A" + "".join(f"{min(share, 99):02d}" for share in shares)


def _hands(board: Board) -> str:
    """The element of a board's hands."""
    first, _, cards_dealt = board.deal.partition(":")
    seats = "NESWNESW"["NESW".index(first) :] if first in "NESW" else "NESW"
    hands = ""
    for seat, hand in zip(seats, cards_dealt.split(), strict=False):
        suits = "".join(
            f"<{suit}>{cards}</{suit}>"
            for suit, cards in zip(_SUITS, hand.split("."), strict=False)
        )
        hands += f"<HAND>{_tag('DIRECTION', seat)}{suits}</HAND>"
    return f"<BOARD>{_tag('BOARD_NUMBER', board.number)}{hands}</BOARD>"


# --- awards into a file that was read ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UsebioAwards:
    """The awards of an event's entrants: id → amount in the file's unit, and under what.

    ``numbers`` are their players' member numbers, id → one a player, empty where not known.
    """

    rulebook: str
    amounts: Mapping[str, str]
    kind: str = ""
    numbers: Mapping[str, Sequence[str]] = field(default_factory=dict)


class _Edit(NamedTuple):
    start: int
    end: int
    new: str


def patch_usebio(path: str | Path, grant: UsebioAwards) -> bytes:
    """The file's bytes with the grant's master points in them."""
    data = read_bytes(path)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FileProblem(path, "a UTF-16 file", "one byte a character, to patch")
    reading = UsebioReader(str(path), keep=True)
    read_xml(path, reading.watch)
    reading.problems.settle()
    if len(reading.listed) != 1:
        raise FileProblem(path, "{count} events", "one event to award", count=len(reading.listed))
    event, people = reading.listed[0]
    elements = dict(people.listed())
    unknown = [id for id in grant.amounts if id not in elements]
    if unknown:
        raise FileProblem(
            path, "no participant {unknown}", "those of the awards", unknown=tuple(unknown)
        )
    edits = [*_instruction(data, event, grant.rulebook)]
    for id, amount in grant.amounts.items():
        edits += _award(data, elements[id], amount, grant.kind)
        edits += _members(data, elements[id], grant.numbers.get(id, ()))
    return _applied(data, edits)


def _applied(data: bytes, edits: list[_Edit]) -> bytes:
    parts, at = [], 0
    for edit in sorted(edits):
        parts += [data[at : edit.start], edit.new.encode("ascii", "xmlcharrefreplace")]
        at = edit.end
    return b"".join([*parts, data[at:]])


def _opened(data: bytes, element: Element) -> int:
    """The offset of the end of an element's opening tag; quotes may hold a ``>``."""
    at, quote = element.start, b""
    while at < len(data):
        byte = data[at : at + 1]
        if quote:
            quote = b"" if byte == quote else quote
        elif byte in (b'"', b"'"):
            quote = byte
        elif byte == b">":
            return at + 1
        at += 1
    return at


def _ended(data: bytes, element: Element) -> int:
    """The offset of an element's end, its closing tag included."""
    opened = _opened(data, element)
    return opened if data[opened - 2 : opened] == b"/>" else data.index(b">", element.close) + 1


def _instruction(data: bytes, event: Element, rulebook: str) -> Iterator[_Edit]:
    """The edit that says which rulebook gave the points."""
    name = rulebook.replace("?>", "")
    new = f"<?{INSTRUCTION} {name}?>"
    if INSTRUCTION in event.instructions:
        start = data.index(b"<?" + INSTRUCTION.encode(), event.start)
        yield _Edit(start, data.index(b"?>", start) + 2, new)
    else:
        at = _opened(data, event)
        yield _Edit(at, at, _indent(data, event.children[0].start if event.children else at) + new)


def _award(data: bytes, element: Element, amount: str, kind: str) -> Iterator[_Edit]:
    """The edits that put an award where the file has it, or where it belongs."""
    nested = element.first("MASTER_POINTS")
    holder = nested or element
    awarded, typed = holder.first("MASTER_POINTS_AWARDED"), holder.first("MASTER_POINT_TYPE")
    if awarded is None:
        if nested is not None:
            yield _Edit(nested.start, _ended(data, nested), _nested("", amount, kind))
            return
        before = next((e for e in element.children if e.tag in ("PLAYER", "PAIR")), None)
        at = before.start if before else element.close
        indent = _indent(data, at)
        yield _Edit(at, at, _nested(indent, amount, kind) + indent)
        return
    yield _replaced(data, awarded, amount)
    if typed is not None and kind:
        yield _replaced(data, typed, kind)


def _members(data: bytes, element: Element, numbers: Sequence[str]) -> Iterator[_Edit]:
    """Member numbers where they are not those of the file."""
    for player, number in zip(members_of(element), numbers, strict=False):
        held = player.first("NATIONAL_ID_NUMBER")
        # A player without another number is known by this one on the travellers.
        named_by = player is element and not player.word("PLAYER_NUMBER")
        if not number or named_by or number == player.word("NATIONAL_ID_NUMBER"):
            continue
        if held is not None:
            yield _replaced(data, held, number)
            continue
        name = player.first("PLAYER_NAME")
        at = _ended(data, name) if name else player.close
        indent = _indent(data, name.start) if name else ""
        yield _Edit(at, at, f"{indent}<NATIONAL_ID_NUMBER>{escape(number)}</NATIONAL_ID_NUMBER>")


def _replaced(data: bytes, element: Element, text: str) -> _Edit:
    new = f"<{element.tag}>{escape(text)}</{element.tag}>"
    return _Edit(element.start, _ended(data, element), new)


def _nested(indent: str, amount: str, kind: str) -> str:
    inner = indent + "  " if indent else ""
    typed = f"{inner}<MASTER_POINT_TYPE>{escape(kind)}</MASTER_POINT_TYPE>" if kind else ""
    awarded = f"{inner}<MASTER_POINTS_AWARDED>{escape(amount)}</MASTER_POINTS_AWARDED>"
    return f"<MASTER_POINTS>{awarded}{typed}{indent}</MASTER_POINTS>"


def _indent(data: bytes, at: int) -> str:
    """The line end and space before a place, to go on in the same manner."""
    start = at
    while start > 0 and data[start - 1 : start] in (b" ", b"\t"):
        start -= 1
    if start == 0 or data[start - 1 : start] not in (b"\n", b"\r"):
        return ""
    newline = "\r\n" if data[max(0, start - 2) : start] == b"\r\n" else "\n"
    return newline + data[start:at].decode("ascii")


FORMATS = (Format("usebio", "USEBIO results", root("USEBIO"), read_usebio, rarely_seen),)
