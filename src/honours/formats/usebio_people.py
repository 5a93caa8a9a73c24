"""Participants of a USEBIO file: pairs, teams and players, and what it publishes of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from honours.formats.entrants import EW, NS, EntrantKey, line_of, unique_ids
from honours.formats.problems import Problems
from honours.formats.usebio_lines import number_of
from honours.formats.usebio_remarks import ENTRANT, PLAYER, facts_kept, value_kept
from honours.formats.xml import Element
from honours.model import Entrant, EventEntrant, Game, Player, Result, Value

FIGURES = {
    "PERCENTAGE": "percentage",
    "TOTAL_SCORE": "total_score",
    "WINS_OR_DRAWS": "wins_or_draws",
    "BOARDS_PLAYED": "boards_played",
    "ADJUSTMENT": "adjustment",
    "STRAT_PLACE": "strat_place",
}
"""The figures a participant publishes, and what we call them."""


_PAIR = 2
_PLACE = re.compile(r"(?:=|T-?)? *(\d{1,6})(?:st|nd|rd|th)? *(?:=|[-/] *\d{1,6})?", re.IGNORECASE)
"""``1``, ``1=``, ``=1``, ``T1``, ``1st``, ``1/2`` and ``1-2``, of which the first counts."""
_NO_PLACE = ("", "n/a", "na", "none", "nr", "unplaced")


@dataclass(slots=True)
class Participant:
    """One of the file's participants; ``aliases`` are the pair numbers of a team."""

    seating: EntrantKey
    players: tuple[Player, ...]
    name: str = ""
    stratum: str = ""
    handicap: Fraction = Fraction(0)
    carried: Fraction = Fraction(0)
    published: dict[str, Value] = field(default_factory=dict)
    games: tuple[Game, ...] = ()
    aliases: tuple[str, ...] = ()


class Participants:
    """Everyone in an event, and who a number on a traveller is."""

    def __init__(self, problems: Problems, two_lines: bool) -> None:
        self._problems, self._two_lines = problems, two_lines
        self._known: dict[EntrantKey, Participant] = {}
        self._session: dict[EntrantKey, str] = {}
        self._numbers: dict[tuple[str, str], list[Participant]] = {}
        self._ids: dict[EntrantKey, str] = {}
        self.unlisted: list[str] = []
        self.elements: dict[EntrantKey, Element] = {}
        self._sides: dict[tuple[str, ...], tuple[str, ...]] = {}

    def add(self, group: Element, session: str, section: str) -> None:
        """The participants of one PARTICIPANTS element, which may repeat those of another."""
        for element in group.children:
            if element.tag in ("PAIR", "TEAM", "PLAYER"):
                self._add(self._read(element, section), element, session)

    def _add(self, person: Participant, element: Element, session: str) -> None:
        known = self._known.get(person.seating)
        if known is None:
            self._register(person, session)
            self.elements[person.seating] = element
        elif self._session[person.seating] == session:
            number = person.seating.number
            self._problems.add("participant {number!r} again", element.line, number=number)
        else:
            extra = {f"{name}.{session}": v for name, v in person.published.items()}
            known.published.update(extra)

    def _register(self, person: Participant, session: str) -> None:
        self._known[person.seating] = person
        self._session[person.seating] = session
        for number in {person.seating.number, *person.aliases}:
            self._numbers.setdefault((person.seating.section, number), []).append(person)

    def _read(self, e: Element, section: str) -> Participant:
        number = e.get("TEAM_ID") or e.word("PAIR_NUMBER") or e.word("PLAYER_NUMBER")
        number = number or e.word("TEAM_ID") or e.word("NATIONAL_ID_NUMBER")
        if not number:
            self._problems.add("a {tag} without a number", e.line, tag=e.tag)
        line = line_of(e.word("DIRECTION")) if self._two_lines else ""
        pairs = list(e.all("PAIR"))
        return Participant(
            EntrantKey(section, number, line if line in (NS, EW) else ""),
            tuple(_player(member, self._problems) for member in members_of(e)),
            name=e.get("TEAM_NAME").strip(),
            stratum=e.word("STRAT_NUMBER")
            or value_kept(str, e, ENTRANT, "stratum", self._problems)
            or "",
            handicap=number_of(e, "HANDICAP", self._problems) or Fraction(0),
            published={**self._published(e), **facts_kept(e, ENTRANT, "published", self._problems)},
            carried=value_kept(Fraction, e, ENTRANT, "carried", self._problems) or Fraction(0),
            games=value_kept(tuple[Game, ...], e, ENTRANT, "games", self._problems) or (),
            aliases=tuple(pair.word("PAIR_NUMBER") for pair in pairs),
        )

    def _published(self, e: Element) -> dict[str, Value]:
        facts: dict[str, Value] = {}
        awarded = e.first("MASTER_POINTS") or e
        own = ((e, tag, name) for tag, name in FIGURES.items())
        for source, tag, name in (*own, (awarded, "MASTER_POINTS_AWARDED", "masterpoints")):
            number = number_of(source, tag, self._problems)
            if number is not None:
                facts[name] = number
        if kind := awarded.word("MASTER_POINT_TYPE"):
            facts["masterpoint_type"] = kind
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
                        person = Participant(EntrantKey(line.section, number, ""), ())
                        self._register(person, "")
                        self.unlisted.append(number)
        self._ids = unique_ids(self._known)

    def _find(self, section: str, number: str, side: str) -> Participant | None:
        candidates = self._numbers.get((section, number)) or self._numbers.get(("", number), [])
        return next((p for p in candidates if len(candidates) == 1 or p.seating.line == side), None)

    def id(self, section: str, number: str, side: str = "") -> str:
        person = self._find(section, number, side)
        assert person is not None, "settle() took in everyone on a line"
        return self._ids[person.seating]

    def team(self, number: str, element: Element) -> str:
        """The id of a side of a match."""
        person = self._find("", number, "") or next(
            (candidates[0] for (_, known), candidates in self._numbers.items() if known == number),
            None,
        )
        if person is None:
            self._problems.add(
                "a match of {number!r}, who is no participant", element.line, number=number
            )
            return ""
        return self._ids[person.seating]

    def listed(self) -> Iterator[tuple[str, Element]]:
        """The listed participants' ids, and where the file lists them first."""
        for seating, element in self.elements.items():
            yield self._ids[seating], element

    def seat(self, line: Result) -> Result:
        ns = tuple(self.id(line.section, number, NS) for number in line.ns)
        ew = tuple(self.id(line.section, number, EW) for number in line.ew)
        ns, ew = (self._sides.setdefault(side, side) for side in (ns, ew))
        return replace(line, ns=ns, ew=ew)

    def entrants(self) -> Iterator[EventEntrant]:
        for seating, person in self._known.items():
            yield EventEntrant(
                Entrant(self._ids[seating], person.players, person.name),
                seating.number,
                seating.line,
                seating.section,
                person.stratum,
                person.handicap,
                person.carried,
                person.published,
                person.games,
            )


def members_of(e: Element) -> list[Element]:
    """The players of a participant, in the order its entrant has them."""
    own = [e] if e.tag == "PLAYER" else [*e.all("PLAYER")]
    if e.tag == "PAIR" and len(own) > _PAIR:  # salliere has room for a third, empty or not
        own = own[:_PAIR] + [p for p in own[_PAIR:] if p.word("PLAYER_NAME")]
    return own + [player for pair in e.all("PAIR") for player in pair.all("PLAYER")]


def _player(e: Element, problems: Problems) -> Player:
    club = e.word("CLUB_ID_NUMBER")
    facts: dict[str, Value] = {"club_number": club} if club else {}
    facts |= facts_kept(e, PLAYER, "facts", problems)
    return Player(e.word("PLAYER_NAME"), e.word("NATIONAL_ID_NUMBER"), facts)


def groups(event: Element) -> Iterator[tuple[str, str, Element]]:
    """Every PARTICIPANTS element of an event, with its session and section."""
    for group in event.all("PARTICIPANTS"):
        yield "", "", group
    for session in event.all("SESSION"):
        yield from _in_session(session.get("SESSION_ID"), session)
    yield from _in_sections("", event.all("SECTION"))


def _in_session(name: str, session: Element) -> Iterator[tuple[str, str, Element]]:
    for group in session.all("PARTICIPANTS"):
        yield name, "", group
    yield from _in_sections(name, session.all("SECTION"))


def _in_sections(session: str, sections: Iterable[Element]) -> Iterator[tuple[str, str, Element]]:
    for section in sections:
        for group in section.all("PARTICIPANTS"):
            yield session, section.get("SECTION_ID"), group


def kinds(groups: Sequence[tuple[str, str, Element]]) -> set[str]:
    """PAIR, TEAM or PLAYER: what the participants are."""
    return {element.tag for _, _, group in groups for element in group.children}
