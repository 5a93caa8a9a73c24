"""The grid of pairs and players: typed with completion, pasted from a spreadsheet, and who is
nearly called like a member accepted or refused. Nobody becomes a member here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import JSONResponse, Response

from honours.formats.entrants import sought
from honours.formats.members import NOBODY, keep_answers, kept_answers
from honours.model import EventEntrant
from honours.model.message import mark
from honours.model.rights import SCORE
from honours.web.events.access import stored_event
from honours.web.events.event_page import EventPage, Page
from honours.web.events.people import KnownMembers, PeopleDirectory, Person
from honours.web.events.service import OpenEvent
from honours.web.http.access import guarded_router, may, own_name, signed_before
from honours.web.http.forms import FormFields

router = guarded_router()

_SEATS = {"pairs": 2, "individual": 1, "teams": 4}
Words = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayerCell:
    """A player in a cell of the grid, and the members who may be meant."""

    name: str = ""
    number: str = ""
    meant: tuple[Person, ...] = ()

    @property
    def is_sure(self) -> bool:
        """True where there is one member of exactly this name."""
        return len(self.meant) == 1 and sought(self.meant[0].name) == sought(self.name)


@dataclass(frozen=True, slots=True)
class NamesRow:
    """An entrant and its players, with a place for each that is missing."""

    entrant: str
    line: str
    players: tuple[PlayerCell, ...]


def grid(opened: OpenEvent, known: KnownMembers, refused: Mapping[str, str]) -> list[NamesRow]:
    """Every entrant with its players, in the order of their numbers."""
    nobody = {sought(name) for name, answer in refused.items() if answer in NOBODY}
    played = opened.account.played
    most = max((len(one.entrant.players) for one in opened.entrants()), default=0)
    wide = max(most, _SEATS[played.kind] if played else 1)
    rows = [_row(one, wide, known, nobody) for one in opened.entrants()]
    return sorted(rows, key=lambda row: natural(row.entrant))


def unnumbered(opened: OpenEvent) -> list[str]:
    """The names of those who play without a number."""
    every = [player for one in opened.entrants() for player in one.entrant.players]
    return [player.name for player in every if player.name and not player.number]


def numbered(opened: OpenEvent) -> list[tuple[str, str]]:
    """The names and numbers of those who play with a number."""
    every = [player for one in opened.entrants() for player in one.entrant.players]
    return [(player.name, player.number) for player in every if player.number]


def typed_names(form: Mapping[str, str]) -> list[str]:
    """Every name that the grid has."""
    return [text for key, text in form.items() if key.partition(".")[0] in ("p", "player")]


def natural(entrant: str) -> tuple[bool, int, str]:
    """The order of pairs: by number, then those without a number."""
    numbered = entrant.isdecimal()
    return not numbered, int(entrant[:9]) if numbered else 0, entrant


def _row(one: EventEntrant, wide: int, known: KnownMembers, nobody: set[str]) -> NamesRow:
    players = [_player(p.name, p.number, known, nobody) for p in one.entrant.players]
    players += [PlayerCell()] * (wide - len(players))
    return NamesRow(one.entrant.id, one.line, tuple(players))


def _player(name: str, number: str, known: KnownMembers, nobody: set[str]) -> PlayerCell:
    if number or not name or sought(name) in nobody:
        return PlayerCell(name, number)
    named = PlayerCell(name, "", tuple(known.meant(name)))
    # who is in the ledger without a number is known by the name: there is nothing to accept
    return PlayerCell(name) if named.is_sure and named.meant[0].number.startswith("#") else named


def grid_rulings(opened: OpenEvent, form: Mapping[str, str], known: KnownMembers) -> list[Words]:
    """The rulings that make the event match the grid: only for what differs."""
    made = []
    for one in opened.entrants():
        entrant = one.entrant
        if form.get(f"gone.{entrant.id}"):
            made.append({"kind": "phantom", "pair": entrant.id})
            continue
        before = [(player.name, player.number) for player in entrant.players]
        after = _players(entrant.id, form, known)
        if after and after != [pair for pair in before if pair[0]]:
            made.append(_naming(entrant.id, after))
        made += _substitution(entrant.id, form, known)
    return made


def _players(entrant: str, form: Mapping[str, str], known: KnownMembers) -> list[tuple[str, str]]:
    players = []
    place = 0
    while (name := form.get(f"p.{entrant}.{place}")) is not None:
        number = form.get(f"n.{entrant}.{place}", "").strip()
        clean = " ".join(name.split())[:200]
        if clean:
            players.append((clean, number or known.number_of(clean)))
        place += 1
    return players


def _naming(entrant: str, players: list[tuple[str, str]]) -> Words:
    numbers = [number for _, number in players]
    return {
        "kind": "name",
        "pair": entrant,
        "players": [name for name, _ in players],
        "numbers": numbers if any(numbers) else [],
    }


def _substitution(entrant: str, form: Mapping[str, str], known: KnownMembers) -> list[Words]:
    absent, player = form.get(f"absent.{entrant}", ""), form.get(f"player.{entrant}", "").strip()
    if not absent or not player:
        return []
    words = {"kind": "substitute", "pair": entrant, "absent": absent, "player": player}
    return [{**words, "number": known.number_of(player)}]


def member_rulings(
    opened: OpenEvent, answers: Mapping[str, str], called: Mapping[str, str]
) -> list[Words]:
    """The rulings that make players the members they were accepted to be, as these are ``called``,
    and take a number away from whoever is not its member: so the ledger knows them too."""
    answered = {sought(name): number for name, number in answers.items()}

    def decided(name: str, number: str) -> tuple[str, str]:
        answer = answered.get(sought(name), number)
        return (name, "") if answer in NOBODY else (called.get(answer, name), answer)

    made = []
    for one in opened.entrants():
        before = [(player.name, player.number) for player in one.entrant.players]
        after = [decided(*player) for player in before]
        if after != before:
            made.append(_naming(one.entrant.id, after))
    return made


# --- pages ----------------------------------------------------------------------------------------


@router.get("/events/{event_id}/names")
@may(SCORE, stored_event)
def name_grid(page: Page) -> Response:
    opened, everybody = page.opened, _people(page)
    kept = kept_answers(page.service.store.ruled_on(page.id))
    rows = grid(opened, everybody.among(unnumbered(opened)), kept)
    unlike = everybody.unlike(numbered(opened))
    asked = {player.name: player for row in rows for player in row.players if player.meant}
    return page.shown(
        "event_names.html",
        rows=rows,
        unlike={name: (number, member) for (name, number), member in unlike.items()},
        kept=page.request.query_params.get("kept", ""),
        proposals={name: one.meant for name, one in asked.items() if not one.is_sure},
        namesakes={name: one.meant for name, one in asked.items() if one.is_sure},
    )


@router.get("/events/{event_id}/names/people")
@may(SCORE, stored_event)
def completions(page: Page, q: str = "") -> Response:
    """Return the people a few letters may stand for."""
    offered = _people(page).completing(q[:60])
    return JSONResponse([{"name": one.name, "number": one.number} for one in offered])


@router.post("/events/{event_id}/names")
@may(SCORE, stored_event, mark("named pairs of event {event_id}"))
def keep_names(page: Page, form: FormFields) -> Response:
    known = _people(page).among(typed_names(form))
    return _named(page, grid_rulings(page.opened, form, known))


@router.post("/events/{event_id}/names/decide")
@may(SCORE, stored_event, mark("identified players of event {event_id}"))
def decide(page: Page, form: FormFields) -> Response:
    """Accept members for players, or refuse them: ``d.NAME`` is a member's number, or nothing. What
    was decided is remembered, and not asked again."""
    answers = {key[2:]: number or "none" for key, number in form.items() if key.startswith("d.")}
    made = member_rulings(page.opened, answers, _people(page).called(answers.values()))
    answer = _named(page, made)
    keep_answers(page.service.store.ruled_on(page.id), answers)
    return answer


def _people(page: EventPage) -> PeopleDirectory:
    return PeopleDirectory(page.request, page.service, page.opened.kept.club)


def _named(page: EventPage, made: list[Words]) -> Response:
    """Back at the grid, with rulings made by whoever signed in, else by who ruled before in this
    browser."""
    who = own_name(page.request) or signed_before(page.request) or "—"
    if made:
        page.service.rule_all(page.id, [{**words, "by": who} for words in made])
    return page.back(f"/names?kept={len(made)}")
