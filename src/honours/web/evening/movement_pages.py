"""The movement while it is played: who sits where, a late pair, other seats from a round on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.errors import InputError, WrongValue
from honours.evening.evening import Evening
from honours.evening.plan import TableRound, rounds_data
from honours.evening.sections import EveningSection, table_number
from honours.evening.store import KeptEvening
from honours.evening.swiss_rounds import begun_triangle
from honours.model.message import Message
from honours.model.rights import DIRECT
from honours.model.table import Table
from honours.reports.movements import seating_table, spelled
from honours.web.evening.access import (
    By,
    Kept,
    Service,
    act,
    may_change_the_movement,
    may_pair_a_round,
    may_seat_a_late_pair,
    stored_evening,
)
from honours.web.evening.pages import head
from honours.web.http.access import guarded_router, may
from honours.web.http.forms import FormFields, whole, whole_in
from honours.web.http.problems import Problem, problem_of
from honours.web.templating import render

router = guarded_router()
_ONE = "/evenings/{evening_id}"


@router.get(_ONE + "/movement")
@may(DIRECT, stored_evening)
def movement(request: Request, kept: Kept) -> Response:
    return _page(request, kept)


def _page(
    request: Request,
    kept: KeptEvening,
    problem: Problem | None = None,
    text: str = "",
    first: int = 0,
) -> Response:
    evening = kept.now()
    begin = first or min(first_free_round(evening), max(1, len(evening.rounds)))
    return render(
        request,
        "movement.html",
        422 if problem else 200,
        **head(request, kept, evening),
        rounds=rounds_table(evening),
        first=begin,
        text=text or seats_text(evening, begin),
        problem=problem,
        seated=_seated(evening, request.query_params.get("late", "")),
        triangle=bool(begun_triangle(evening)),
        odd=evening.plan.kind == "teams" and len(evening.entrants) % 2 == 1,
    )


def _seated(evening: Evening, late: str) -> Message | None:
    """Where a pair that came late sits down."""
    if evening.plan.swiss and late in evening.entrants:
        return Message("They are number {pair}, and are paired from the next round on.", pair=late)
    for number, one in enumerate(evening.rounds, 1):
        for seats in one:
            if seats.is_played and late in seats.entrants:
                return Message(
                    "They are pair {pair}, and sit down at table {table} in round {round}.",
                    pair=late,
                    table=evening.table_name(seats.table),
                    round=number,
                )
    return None


def first_free_round(evening: Evening) -> int:
    """The first round in which nothing was entered yet."""
    entered = [place.round for place, line in evening.lines.items() if line.is_there]
    return max(entered, default=0) + 1


def rounds_table(evening: Evening) -> Table:
    """All rounds, a row a table."""
    return seating_table(
        (number, evening.table_name(s.table), "+".join(s.ns), "+".join(s.ew), s.boards)
        for number, one in enumerate(evening.rounds, 1)
        for s in one
    )


def seats_text(evening: Evening, first: int) -> str:
    """The rounds from one on as a small text: a line a table."""
    lines = []
    for number, one in enumerate(evening.rounds[first - 1 :], first):
        lines.append(f"round {number}")
        lines += [
            f"{evening.table_name(s.table)}: {_side(s.ns)} {_side(s.ew)} {_boards(s.boards)}"
            for s in one
        ]
    return "\n".join(lines)


def _side(who: tuple[str, ...]) -> str:
    return "+".join(who) or "-"


def _boards(boards: tuple[int, ...]) -> str:
    return spelled(boards).replace("–", "-").replace(" ", "") or "-"


def read_seats(text: str, sections: Sequence[EveningSection] = ()) -> list[list[dict[str, Any]]]:
    """Rounds from such a text; InputError names the line."""
    rounds: list[list[TableRound]] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.lower().startswith("round"):
            rounds.append([])
        elif line:
            rounds = rounds or [[]]
            rounds[-1].append(_seats(number, line, sections))
    return rounds_data(tuple(one) for one in rounds if one)


def _seats(number: int, line: str, sections: Sequence[EveningSection]) -> TableRound:
    try:
        name, _, rest = line.partition(":")
        ns, ew, boards = rest.split()
        table = table_number(sections, name.strip())
        return TableRound(table, _who(ns), _who(ew), _numbers(boards))
    except ValueError as error:
        raise InputError(
            "line {line}: {text!r} is not like 3: 5 12 7-9", line=number, text=line[:60]
        ) from error


def _who(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split("+"))


def _numbers(text: str) -> tuple[int, ...]:
    if text == "-":
        return ()
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    if len(numbers) > 64:
        raise ValueError(text)
    return tuple(numbers)


@router.post(_ONE + "/movement")
@may_change_the_movement
def change_movement(request: Request, kept: Kept, form: FormFields) -> Response:
    text = form.get("text", "")[:100_000]
    try:
        first = whole_in(form, "first")
        sections = kept.now().plan.sections
        rounds = read_seats(text, sections)
        act(request, kept, "seats", {"first": first, "rounds": rounds})
    except InputError as error:
        start = whole(form.get("first", "")) or 1
        return _page(request, kept, problem_of(error), text, start)
    return RedirectResponse(f"/evenings/{kept.id}/movement", 303)


@router.post(_ONE + "/late-pair")
@may_seat_a_late_pair
def late_pair(request: Request, service: Service, kept: Kept, by: By, form: FormFields) -> Response:
    players = [
        {"name": form[name].strip()[:100]}
        for name in ("player0", "player1")
        if form.get(name, "").strip()
    ]
    try:
        first, rounds = whole(form.get("first", "")), len(kept.now().rounds)
        if first is None or not 1 <= first <= rounds:
            raise WrongValue("first", "", "expected a round from 1 to {last}", last=rounds)
        late = service.add_late_pair(kept, by, first, players)
    except InputError as error:
        return _page(request, kept, problem_of(error))
    return RedirectResponse(f"/evenings/{kept.id}/movement?late={late}", 303)


@router.post(_ONE + "/swiss-round")
@may_pair_a_round
def swiss_round(
    request: Request, service: Service, kept: Kept, by: By, form: FormFields
) -> Response:
    try:
        service.add_swiss_round(kept, by, bool(form.get("triangle")))
    except InputError as error:
        return _page(request, kept, problem_of(error))
    return RedirectResponse(f"/evenings/{kept.id}/movement", 303)
