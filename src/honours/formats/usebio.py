"""USEBIO XML, versions 1.0 to 1.3: what British scoring programs write.

Boards are turned into results as they are read and dropped, so that a long file takes the room of
its records. Swiss events, individuals and strata are read from the format's description alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.acbl_facts import facts_of_limits
from honours.formats.dates import parse_day
from honours.formats.format import Format, rarely_seen, root
from honours.formats.problems import Problems
from honours.formats.usebio_lines import board_number, number_of, read_hands, read_line
from honours.formats.usebio_people import Participants, groups, kinds
from honours.formats.usebio_remarks import (
    EVENT,
    SESSION,
    facts_kept,
    is_bye,
    match_kept,
    value_kept,
)
from honours.formats.xml import Element, read_xml
from honours.model import Board, Event, EventEntrant, Match, Penalty, Result, Session, Source, Value
from honours.model.message import Message

_SCORING = {
    "MATCH_POINTS": "matchpoints",
    "MATCHPOINTS": "matchpoints",
    "MP": "matchpoints",
    "CROSS_IMPS": "cross-imps",
    "CROSS_IMP": "cross-imps",
    "XIMPS": "cross-imps",
    "BUTLER": "butler",
    "BUTLER_IMPS": "butler",
    "CROSS_IMP_PAIRS": "cross-imps",
    "BUTLER_PAIRS": "butler",
    "IMPS": "imps",
    "IMP": "imps",
    "POINT_A_BOARD": "board-a-match",
    "PAB": "board-a-match",
    "BOARD_A_MATCH": "board-a-match",
    "BAM": "board-a-match",
}
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
_FACTS = (
    "EVENT_IDENTIFIER",
    "EVENT_ID",
    "EVENT_RATING",
    "PROGRAM_VERSION",
    "MASTER_POINT_SCALE",
    "MASTER_POINT_TYPE",
    "MPS_AWARDED_FLAG",
    "MATCH_SCORING_METHOD",
    "EBU_CHARGE_CODE",
    "P2P_CHARGE_RATE",
    "VENUE",
)
NEWER = {
    "event_identifier": "EVENT_ID",
    "master_point_scale": "EVENT_RATING",
    "p2p_charge_rate": "EBU_CHARGE_CODE",
}
"""Facts by what version 1.3 calls their elements; we have one name for both."""
_OF_NEWER = {tag: name for name, tag in NEWER.items()}
INSTRUCTION = "honours-awarded-under"
"""The processing instruction that says which rulebook gave the master points we wrote."""
_NUMBERS = ("SESSION_COUNT", "SECTION_COUNT", "BOARDS_PLAYED", "PAIRS")
KNOWN_FACTS = frozenset((*_FACTS, *_NUMBERS))
"""Facts of an event that USEBIO has an element for."""


@dataclass(slots=True)
class _Collected:
    """What was taken from one event's boards and matches, by the session they are of."""

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
        if ended.tag == "SESSION" and SESSION in ended.instructions:
            penalties = value_kept(tuple[Penalty, ...], ended, SESSION, "penalties", self.problems)
            self._collected.penalties[ended.get("SESSION_ID")] = penalties or ()
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
        people = Participants(self.problems, two_lines=e.word("WINNER_TYPE") == "2")
        for session, section, group in groups(e):
            people.add(group, session, section)
        people.settle(line for lines in self._collected.results.values() for line in lines)
        if self._keep:
            self.listed.append((e, people))
        return people

    def _sessions(self, people: Participants, e: Element) -> tuple[Session, ...]:
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
        given = Match(
            round=int(number_of(match, "ROUND_NUMBER", self.problems) or 0),
            home=people.team(home, match),
            away="" if is_bye(match, self.problems) else people.team(away, match),
            boards=int(match.get("boards", "0")),
            source=Source(self.path, match.line),
        )
        if vps:
            given = replace(given, home_vps=scores[0], away_vps=scores[1])
        else:
            given = replace(given, home_imps=scores[0], away_imps=scores[1])
        return match_kept(match, given, self.problems)

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
        """How the lines are scored, by the figures they publish."""
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
        facts: dict[str, Value] = {"event_type": e.get("EVENT_TYPE")}
        words = {_OF_NEWER.get(tag, tag.lower()): e.word(tag) for tag in _FACTS if e.word(tag)}
        facts.update(words)
        for tag in _NUMBERS:
            number: Fraction | None = number_of(e, tag, self.problems)
            if number is not None:
                facts[tag.lower()] = number
        strata = {s.word("STRAT_NUMBER"): s for s in _strata(e)}
        if strata:
            limits = [(s.word("STRAT_LABEL"), self._limit(s)) for _, s in sorted(strata.items())]
            top = [] if "1" in strata else [("", Fraction(0))]
            facts |= facts_of_limits([*top, *limits])
        if people.unlisted:
            facts["unlisted"] = ", ".join(people.unlisted)
        if contact := e.word("CONTACT", "FULL_NAME"):
            facts["contact"] = contact
        if INSTRUCTION in e.instructions:
            facts["awarded_under"] = e.instructions[INSTRUCTION]
        return {**facts, **facts_kept(e, EVENT, "facts", self.problems)}

    def _limit(self, stratum: Element) -> Fraction:
        return number_of(stratum, "UPPER_LIMIT", self.problems) or Fraction(0)


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


FORMATS = (Format("usebio", "USEBIO results", root("USEBIO"), read_usebio, rarely_seen),)
