"""An evening from what somebody says of it: pairs and boards, a kind of movement, or rounds."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from honours.errors import InputError, UnknownName
from honours.evening.plan import Plan, Seats, planned, read_rounds
from honours.evening.seating import seat_faults
from honours.model.message import Message
from honours.movements.balance import best_switched
from honours.movements.choosing import Offer, offers
from honours.movements.individual import IndividualMovement
from honours.movements.kind_names import KINDS, OF_TEAMS
from honours.movements.kinds import movement_of
from honours.movements.movement import Movement, boards_of
from honours.web.evening.api_models import EveningRequest


def plan_of(asked: EveningRequest, club: str, by: str) -> Plan:
    """The plan of an evening that somebody asks for."""
    try:
        day = date.fromisoformat(asked.date).isoformat() if asked.date else ""
    except ValueError as error:
        raise InputError(
            Message("date={text}: expected a day like 2026-11-17", text=asked.date)
        ) from error
    plan = Plan(
        asked.title.strip(),
        day,
        club,
        asked.series,
        asked.section,
        asked.director or by,
        scoring=asked.scoring,
        watched=asked.watched,
        rulebook=asked.rulebook,
        given=dict(asked.given),
        leads=asked.leads,
        show=asked.show,
        standings=asked.standings,
        correction_minutes=asked.correction_minutes,
        playing={by: asked.playing} if asked.playing else {},
    )
    if asked.watched:
        return plan
    if asked.rounds is not None:
        return _by_rounds(plan, asked)
    return _by_movement(plan, asked)


def _by_rounds(plan: Plan, asked: EveningRequest) -> Plan:
    rounds = read_rounds([one.model_dump() for one in several] for several in asked.rounds or ())
    faults = list(seat_faults(rounds))
    if faults:
        raise InputError(faults[0])
    sides = {len(seats.ns) for one in rounds for seats in one if seats.is_played}
    kind = "individual" if sides == {2} else "pairs"
    ns = {who for one in rounds for s in one if s.is_played for who in s.ns}
    ew = {who for one in rounds for s in one if s.is_played for who in s.ew}
    most = max((len(seats.boards) for one in rounds for seats in one), default=1)
    return replace(
        plan,
        kind=kind,
        rounds=rounds,
        movement="own",
        winners=1 if ns & ew or kind == "individual" else 2,
        per_set=max(1, most),
    )


def _by_movement(plan: Plan, asked: EveningRequest) -> Plan:
    swiss = re.fullmatch(r"swiss|offer:swiss:\d+:(\d{1,2}):0", asked.movement)
    if swiss:
        return _swiss(plan, asked, int(swiss[1] or 0) or min(16, max(2, asked.boards // 4)))
    offer = chosen_offer(asked)
    if offer is not None:
        return planned(plan, offer.movement, offer.per_set)
    if asked.movement not in KINDS:
        raise UnknownName("movement", asked.movement, (*KINDS, "swiss"))
    movement = movement_of(asked.movement, asked.pairs)
    sets = len(movement.rounds if isinstance(movement, IndividualMovement) else movement.sets)
    per_set = max(1, round(asked.boards / sets))
    if asked.switched and isinstance(movement, Movement):
        movement = best_switched(movement, per_set)
    if asked.movement in OF_TEAMS:
        plan = replace(plan, kind="teams", scoring="imps")
    return planned(plan, movement, per_set)


def offer_key(offer: Offer) -> str:
    """What a movement of the table is called in a form."""
    movement = offer.movement
    switched = ".".join(map(str, movement.switched)) or movement.switched_boards
    return f"offer:{movement.kind}:{len(movement.rounds)}:{offer.per_set}:{switched}"


def chosen_offer(asked: EveningRequest) -> Offer | None:
    """The movement somebody picked from the table, or the best where they picked none."""
    if asked.movement and not asked.movement.startswith("offer:"):
        return None
    offered = offers(asked.pairs, asked.boards)
    if not offered:
        raise InputError(Message("no movement comes near that many boards; try another number"))
    if not asked.movement:
        return offered[0]
    for offer in offered:
        if offer_key(offer) == asked.movement:
            return offer
    raise InputError(Message("there is no such movement; choose again"))


def _swiss(plan: Plan, asked: EveningRequest, per_set: int) -> Plan:
    """The first round of a Swiss: as they are numbered; the rest follows by how it stands."""
    if asked.pairs < 4:
        raise InputError(Message("a Swiss needs at least 4 pairs"))
    half = asked.pairs // 2
    seats = [
        Seats(t, (str(t),), (str(half + t),), boards_of(1, per_set)) for t in range(1, half + 1)
    ]
    if asked.pairs % 2:
        seats.append(Seats(half + 1, (str(asked.pairs),), (), ()))
    scoring = plan.scoring if plan.scoring != "matchpoints" else "cross-imps"
    return replace(
        plan, swiss=True, scoring=scoring, per_set=per_set, movement="swiss", rounds=(tuple(seats),)
    )
