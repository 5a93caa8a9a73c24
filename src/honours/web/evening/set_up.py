"""An evening's plan from a request: pairs and boards, a kind of movement, or rounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import date

from honours.errors import InputError, UnknownName, WrongValue
from honours.evening.plan import EveningPlan, read_rounds, with_movement
from honours.evening.seating import seat_faults
from honours.evening.sections import with_sections
from honours.evening.swiss_rounds import first_swiss_round
from honours.movements.balance import best_switched
from honours.movements.choosing import (
    KINDS,
    OF_PLAYERS,
    OF_TEAMS,
    Offer,
    Wishes,
    movement_of,
    offers_for,
)
from honours.movements.generators import IndividualMovement, barometer
from honours.movements.movement import Movement, chosen_movement
from honours.web.evening.api_models import EveningRequest, SectionRequest

_SEATED = frozenset({"rounds", "movement", "sections"})
_AS_ASKED = {one.name for one in fields(EveningPlan)} & EveningRequest.model_fields.keys() - _SEATED
"""What is planned as it was asked for; who sits where is worked out."""
_SWISS = re.compile(r"swiss|offer:swiss:\d+:(\d{1,2}):0")


def plan_of(
    asked: EveningRequest, club: str, by: str, own: Sequence[Movement] = (), file: str = ""
) -> EveningPlan:
    """The plan of an evening that somebody asks for; ``own`` are the movements of a file."""
    try:
        day = date.fromisoformat(asked.date).isoformat() if asked.date else ""
    except ValueError as error:
        raise WrongValue("date", asked.date, "expected a day like 2026-11-17") from error
    as_asked = {name: getattr(asked, name) for name in _AS_ASKED}
    playing = {by: asked.playing} if asked.playing else {}
    settled = {"title": asked.title.strip(), "date": day, "club": club, "playing": playing}
    plan = EveningPlan(**{**as_asked, **settled, "director": asked.director or by})
    if asked.watched:
        return replace(plan, kind="pairs")
    if asked.rounds is not None:
        return _by_rounds(plan, asked)
    if own:
        return _by_file(plan, asked, own, file)
    if not asked.sections:
        return _seated(plan, asked, asked)
    further = [_seated(plan, asked, part) for part in asked.sections]
    return with_sections(plan, [_seated(plan, asked, asked), *further])


def _by_rounds(plan: EveningPlan, asked: EveningRequest) -> EveningPlan:
    rounds = read_rounds([one.model_dump() for one in several] for several in asked.rounds or ())
    faults = list(seat_faults(rounds, plan.kind == "teams"))
    if faults:
        raise InputError(faults[0])
    sides = {len(seats.ns) for one in rounds for seats in one if seats.is_played}
    kind = "individual" if sides == {2} else plan.kind
    ns = {who for one in rounds for s in one if s.is_played for who in s.ns}
    ew = {who for one in rounds for s in one if s.is_played for who in s.ew}
    most = max((len(seats.boards) for one in rounds for seats in one), default=1)
    return replace(
        plan,
        kind=kind,
        rounds=rounds,
        movement="own",
        winners=1 if ns & ew or kind != "pairs" else 2,
        per_set=max(1, most),
    )


def _by_file(
    plan: EveningPlan, asked: EveningRequest, own: Sequence[Movement], file: str
) -> EveningPlan:
    """A movement of the club's own; where a file has sections and none is named, all of them."""
    if len(own) > 1 and not asked.movement_name and _are_sections(own):
        return with_sections(plan, [_own(plan, asked, one) for one in own])
    return _own(plan, asked, chosen_movement(file, own, asked.pairs, asked.movement_name))


def _are_sections(own: Sequence[Movement]) -> bool:
    """A .bws calls its movements by the letters of the sections."""
    return [one.name for one in own] == list("ABCDEFGH"[: len(own)])


def _own(plan: EveningPlan, asked: EveningRequest, movement: Movement) -> EveningPlan:
    per_set = movement.per_set or max(1, round(asked.boards / len(movement.sets)))
    return with_movement(plan, barometer(movement) if asked.barometer else movement, per_set)


def _seated(
    plan: EveningPlan, asked: EveningRequest, part: EveningRequest | SectionRequest
) -> EveningPlan:
    """Return the plan of an evening, or of a section of it, with who sits where."""
    if swiss := _SWISS.fullmatch(part.movement):
        if asked.sections:
            raise InputError("a Swiss has one section: everybody is paired by the current ranking")
        return _swiss(plan, asked, int(swiss[1] or 0) or min(16, max(2, asked.boards // 4)))
    offer = _chosen_offer(asked, part)
    if offer is not None:
        return with_movement(_of_teams(plan, offer.movement.kind), offer.movement, offer.per_set)
    if part.movement not in KINDS:
        raise UnknownName("movement", part.movement, (*KINDS, "swiss"))
    movement = movement_of(part.movement, part.pairs, missing=part.missing)
    sets = len(movement.rounds if isinstance(movement, IndividualMovement) else movement.sets)
    per_set = max(1, round(asked.boards / sets))
    if isinstance(movement, Movement) and part.movement not in OF_TEAMS:
        movement = barometer(movement) if asked.barometer else movement
        movement = best_switched(movement, per_set) if asked.switched else movement
    return with_movement(_of_teams(plan, part.movement), movement, per_set)


def _of_teams(plan: EveningPlan, kind: str) -> EveningPlan:
    """The plan with what plays such a movement: pairs, players or teams."""
    if kind in OF_TEAMS:
        return replace(plan, kind="teams", scoring="imps")
    return replace(plan, kind="individual" if kind in OF_PLAYERS else "pairs")


def offer_key(offer: Offer) -> str:
    """Return the key of a movement on offer, as a form sends it."""
    movement = offer.movement
    switched = ".".join(map(str, movement.switched)) or movement.switched_boards
    return f"offer:{movement.kind}:{len(movement.rounds)}:{offer.per_set}:{switched}"


def _chosen_offer(asked: EveningRequest, part: EveningRequest | SectionRequest) -> Offer | None:
    """The movement somebody picked from the table, or the best where they picked none."""
    if part.movement and not part.movement.startswith("offer:"):
        return None
    wishes = Wishes(part.missing, asked.barometer, part.pairs if asked.sections else 0)
    offered = offers_for(asked.kind, part.pairs, asked.boards, wishes=wishes)
    seated = [one for one in offered if one.movement.kind != "swiss"]
    if not seated:
        raise InputError("no movement comes near that many boards; try another number")
    if not part.movement:
        return seated[0]
    for offer in seated:
        if offer_key(offer) == part.movement:
            return offer
    raise InputError("there is no such movement; choose again")


def _swiss(plan: EveningPlan, asked: EveningRequest, per_set: int) -> EveningPlan:
    """The first round of a Swiss: as they are numbered; the rest follows by how it stands."""
    teams = plan.kind == "teams"
    if asked.pairs < 4:
        raise InputError("a Swiss needs at least 4 pairs")
    if plan.kind == "individual":
        raise InputError("a Swiss is for pairs or teams")
    if asked.triangle and not teams:
        raise InputError("three pairs cannot play at once: a triangle is for teams")
    scoring = plan.scoring if plan.scoring != "matchpoints" else "cross-imps"
    return replace(
        plan,
        swiss=True,
        scoring="imps" if teams else scoring,
        per_set=per_set,
        movement="swiss",
        rounds=(first_swiss_round(asked.pairs, per_set, teams, asked.triangle),),
    )


def given_in(text: str) -> dict[str, str]:
    """Read what a rulebook is told: ``class=A section_kind=open``."""
    pairs = [part.partition("=") for part in text.split()[:20]]
    if any(not key or not sign for key, sign, _ in pairs):
        raise InputError("{text!r} is not like class=A section_kind=open", text=text[:60])
    return {key: value for key, _, value in pairs}
