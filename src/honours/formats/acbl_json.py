"""ACBL club results: the JSON in a published page, or saved on its own.

Experimental: written from the description of the format, no real file has been seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.errors import FileProblem
from honours.formats.contracts import (
    average,
    is_not_played,
    is_passed_out,
    parse_contract,
    parse_score,
    parse_seat,
    parse_tricks,
)
from honours.formats.dates import parse_day
from honours.formats.entrants import EW, NS, Seating, line_of, unique_ids
from honours.formats.opening import read_text
from honours.formats.sheet import Problems, parse_number
from honours.model import (
    Adjusted,
    Artificial,
    Assigned,
    Entrant,
    Event,
    EventEntrant,
    Player,
    Result,
    Session,
    Source,
    Value,
)

_EMBEDDED = re.compile(r"\bvar\s+data\s*=\s*(?=\{)")
_FIGURES = {
    "percentage": "percentage",
    "score": "total_score",
    "boards_played": "boards_played",
    "adjustment": "adjustment",
}
Object = Mapping[str, Any]


def is_acbl_json(text: str) -> bool:
    """Whether a page or a text has an object with sessions in it."""
    begins = text.lstrip().startswith("{") or _EMBEDDED.search(text) is not None
    return begins and '"sessions"' in text and ('"pair_summaries"' in text or '"sections"' in text)


def read_acbl_json(path: str | Path) -> Event:
    """Read a club's published results; FileProblems lists all that is wrong in them."""
    return _Reading(str(path)).event(_object(path, read_text(path)))


def _object(path: str | Path, text: str) -> Object:
    match = _EMBEDDED.search(text)
    start = match.end() if match else len(text) - len(text.lstrip())
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise FileProblem(path, f"not JSON: {error}"[:200]) from error
    if not isinstance(found, dict) or not _items(found, "sessions"):
        raise FileProblem(path, "no sessions in it", "an ACBL club result")
    return found


def _items(told: Object, name: str) -> list[Object]:
    """A list of objects; what is none of that is left out."""
    value = told.get(name)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _word(told: Object, *names: str) -> str:
    for name in names:
        value = told.get(name)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and value != "":
            return str(value).strip()
    return ""


class _Reading:
    def __init__(self, path: str) -> None:
        self._path, self._problems = path, Problems(path)
        self._people: dict[Seating, EventEntrant] = {}

    def event(self, data: Object) -> Event:
        sessions = _items(data, "sessions")
        lines = [list(self._session(told)) for told in sessions]
        if not any(lines) and not self._problems.found:
            self._problems.add("no results in it")
        self._problems.settle()
        ids = unique_ids(self._people)
        return Event(
            title=_word(data, "name", "event_name", "title") or Path(self._path).stem,
            kind="pairs",
            scoring="matchpoints",
            entrants=tuple(
                replace(e, entrant=replace(e.entrant, id=ids[seating]))
                for seating, e in self._people.items()
            ),
            sessions=tuple(
                Session(n, tuple(_with_ids(sides, r, ids) for sides, r in found))
                for n, found in enumerate(lines, start=1)
            ),
            winners=2 if {s.line for s in self._people} == {NS, EW} else 1,
            date=self._day(_word(data, "start_date", "date")),
            club=_word(data, "club_name", "club"),
            program=_word(data, "program", "software"),
            source=Source(self._path),
        )

    def _day(self, text: str) -> date | None:
        return self._problems.attempt(0, parse_day, text[:10]) if text else None

    # --- who --------------------------------------------------------------------------------

    def _session(self, told: Object) -> Iterator[tuple[tuple[Seating, Seating], Result]]:
        for section in _items(told, "sections"):
            name = _word(section, "name", "letter", "section")
            lines = set()
            for summary in _items(section, "pair_summaries"):
                lines.add(self._pair(summary, name).line)
            apart = {NS, EW} <= lines
            for board in _items(section, "boards"):
                for result in _items(board, "board_results"):
                    if (line := self._line(board, result, name, apart)) is not None:
                        yield line

    def _pair(self, told: Object, section: str) -> Seating:
        number = _word(told, "pair_number")
        seating = Seating(section, number, line_of(_word(told, "direction")))
        if not number:
            self._problems.add(f"a pair of section {section} without a number")
        players = tuple(self._player(player) for player in _items(told, "players"))
        self._people.setdefault(
            seating,
            EventEntrant(
                Entrant("", players),
                number,
                seating.line,
                section,
                _word(told, "strat"),
                self._number(told, "handicap") or Fraction(0),
                published=self._published(told),
            ),
        )
        return seating

    def _player(self, told: Object) -> Player:
        facts: dict[str, Value] = {}
        holding = self._number(told, "mp_total")
        if holding is not None:
            facts["masterpoints"] = holding
        return Player(_word(told, "name"), _word(told, "id_number"), facts)

    def _published(self, told: Object) -> dict[str, Value]:
        facts: dict[str, Value] = {}
        for key, name in _FIGURES.items():
            number = self._number(told, key)
            if number is not None:
                facts[name] = number
        for place in _items(told, "strat_place"):
            where = f"{_word(place, 'type')} {_word(place, 'strat_number')}".strip().lower()
            facts[f"place {where}".strip()] = _word(place, "rank")
        awards = [a for p in _items(told, "players") for a in _items(p, "awards_score")]
        if awards and (total := _word(awards[0], "total")):
            facts["masterpoints"] = self._number(awards[0], "total") or total
        return facts

    def _number(self, told: Object, name: str) -> Fraction | None:
        text = _word(told, name)
        return (
            self._problems.attempt(0, lambda t: parse_number(t, name=name), text) if text else None
        )

    # --- what -------------------------------------------------------------------------------

    def _line(
        self, board: Object, told: Object, section: str, apart: bool
    ) -> tuple[tuple[Seating, Seating], Result] | None:
        number, ns, ew = (
            _word(board, "board_number", "board"),
            _word(told, "ns_pair"),
            _word(told, "ew_pair"),
        )
        where = f"section {section}, board {number}, {ns} v {ew}"
        try:
            if not number.isdecimal() or not 1 <= int(number[:6]) <= 9999 or not ns or not ew:
                raise ValueError("no board or no pair")
            bare = Result(
                int(number),
                (ns,),
                (ew,),
                section=section,
                round=_whole(told, "round_number"),
                table=_whole(told, "table_number"),
                published=self._figures(told),
                source=Source(self._path),
            )
            result = _outcome(told, bare)
        except ValueError as error:
            self._problems.add(f"{where}: {error}")
            return None
        lines = (NS, EW) if apart else ("", "")
        sides = (
            self._known(Seating(section, ns, lines[0])),
            self._known(Seating(section, ew, lines[1])),
        )
        return sides, result

    def _known(self, seating: Seating) -> Seating:
        """The listed pair of that number, or one taken in without players."""
        listed = [s for s in self._people if s[:2] == seating[:2]]
        found = next((s for s in listed if s.line == seating.line or len(listed) == 1), None)
        if found is None:
            self._people[seating] = EventEntrant(
                Entrant(""), seating.number, seating.line, seating.section
            )
        return found or seating

    def _figures(self, told: Object) -> dict[str, Value]:
        names = (("ns_match_points", "ns_matchpoints"), ("ew_match_points", "ew_matchpoints"))
        found = ((name, self._number(told, key)) for key, name in names)
        return {name: number for name, number in found if number is not None}


def _whole(told: Object, name: str) -> int:
    text = _word(told, name)
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def _outcome(told: Object, bare: Result) -> Result:
    ns, ew = _word(told, "ns_score"), _word(told, "ew_score")
    contract = _word(told, "contract")
    if any(is_not_played(text) for text in (ns, contract) if text):
        return bare
    sides = [average(ns) or _score(ns), average(ew) or _negative(_score(ew))]
    if any(isinstance(side, Artificial) for side in sides):
        return replace(bare, adjusted=Adjusted(_given(sides[0]), _given(sides[1])))
    score = sides[0] if isinstance(sides[0], int) else None
    if is_passed_out(contract):
        return replace(bare, score=0, passed_out=True)
    if not contract or not _word(told, "declarer"):
        return replace(bare, score=score)
    call = parse_contract(contract)
    tricks = _word(told, "tricks_taken") or _word(told, "result")
    return replace(
        bare,
        score=score,
        contract=call.played_by(parse_seat(_word(told, "declarer"))),
        tricks=parse_tricks(tricks, call.level) if tricks else None,
    )


def _score(text: str) -> int | None:
    return None if text in ("", "PASS") else parse_score(text)


def _negative(score: int | None) -> int | None:
    return None if score is None else -score


def _given(side: Artificial | int | None) -> Artificial | Assigned:
    if isinstance(side, Artificial):
        return side
    return Assigned(((Fraction(1), side or 0),))


def _with_ids(sides: Sequence[Seating], result: Result, ids: Mapping[Seating, str]) -> Result:
    return replace(result, ns=(ids[sides[0]],), ew=(ids[sides[1]],))
