"""Movements as tables and as data: what may be played, one in full, and its cards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from honours.engine.numbers import show
from honours.language import DEFAULT, shown_figure
from honours.model.message import Message, mark, plural
from honours.model.table import Cell, Column, Kind, Table, headed, table
from honours.movements.choosing import Offer
from honours.movements.generators import BAROMETER, IndividualMovement
from honours.movements.movement import Movement, Seating, boards_of, guide_card, switched_boards

NAMES = {
    "mitchell": mark("Mitchell"),
    "skip-mitchell": mark("Skip Mitchell"),
    "share-and-relay-mitchell": mark("Share-and-relay Mitchell"),
    "web-mitchell": mark("Web Mitchell"),
    "hesitation-mitchell": mark("Hesitation Mitchell"),
    "appendix-mitchell": mark("Appendix Mitchell"),
    "rover-mitchell": mark("Mitchell with a rover"),
    "bowman": mark("Bowman"),
    "blackpool": mark("Blackpool"),
    "howell": mark("Howell"),
    "three-quarter-howell": mark("Three-quarter Howell"),
    "individual": mark("Individual"),
    "rainbow": mark("Rainbow individual"),
    "american-whist": mark("American Whist"),
    "multiple-teams": mark("Multiple teams"),
    "round-robin": mark("Round robin of teams"),
    "own": mark("Own movement"),
    "swiss": mark("Swiss"),
}

_MOST_SHOWN = 8
"""How many awards stand in a row of the table; all of them are in the data."""


def movement_name(movement: Movement | IndividualMovement) -> Message:
    """The players' name for it, with its arrow-switches."""
    name = kind_name(movement.kind)
    if movement.switched:
        return plural(
            "{name}, round {rounds} switched",
            "{name}, rounds {rounds} switched",
            count=len(movement.switched),
            name=name,
            rounds=movement.switched,
        )
    if movement.switched_boards:
        return Message(
            "{name}, {boards} boards of the last round switched",
            name=name,
            boards=movement.switched_boards,
        )
    return name


def kind_name(kind: str) -> Message:
    """The players' name for a kind of movement."""
    plain = kind.removeprefix(BAROMETER)
    name = Message(NAMES.get(plain, plain))
    return name if plain == kind else Message("{name}, barometer", name=name)


def offers_table(offers: Sequence[Offer]) -> Table:
    """The movements that may be played, one a row."""
    columns = (
        headed("movement", Kind.WORD),
        headed("rounds", Kind.TEXT, right=True),
        headed("boards", Kind.NUMBER),
        Column("each", Message("each plays"), Kind.TEXT, right=True),
        Column("sit_outs", Message("sit-outs"), Kind.NUMBER),
        headed("winners", Kind.NUMBER),
        headed("balance", Kind.TEXT, right=True),
        Column("shared", Message("shared sets"), Kind.NUMBER),
        headed("time", Kind.TEXT, right=True),
        headed("pays", Kind.WORD),
    )
    problem = one_problem(offers)
    return table("movements", columns, [_row(offer, problem) for offer in offers])


def has_balance(offer: Offer) -> bool:
    """True if it can be measured how evenly everybody competes: not where lines are apart, where
    teams meet one another, or where nobody knows yet who meets whom."""
    return offer.findings.winners == 1 and bool(offer.balance)


def _row(offer: Offer, problem: str) -> list[Cell | str | int | None]:
    least, most = offer.least_boards, offer.most_boards
    return [
        Cell(movement_name(offer.movement)),
        f"{len(offer.movement.rounds)} × {offer.per_set}",
        offer.boards,
        str(least) if least == most else f"{least}–{most}",
        offer.findings.sit_outs,
        offer.findings.winners,
        show(offer.balance, 1) if has_balance(offer) else "",
        offer.findings.shared,
        f"{offer.minutes // 60}:{offer.minutes % 60:02d}",
        Cell("" if problem and offer.problem else offer_pays(offer)),
    ]


def one_problem(offers: Sequence[Offer]) -> str:
    """The one reason why the rulebook cannot say what it would pay, said once."""
    problems = {offer.problem for offer in offers} - {""}
    return problems.pop() if len(problems) == 1 else ""


def offer_pays(offer: Offer, language: str = DEFAULT) -> str:
    """The payment for each place, or why there is none; figures as a language writes them."""
    if offer.refusal:
        return offer.refusal
    lists = [
        [shown_figure(award.shown, language) for award in awards.schedule]
        for awards in offer.awards
    ]
    texts = [" ".join(a[:_MOST_SHOWN]) + (" …" if len(a) > _MOST_SHOWN else "") for a in lists]
    pays = " / ".join(dict.fromkeys(texts))
    if offer.per_win:
        pays = Message("{pays}, and {points} for each match won", pays=pays, points=offer.per_win)
    if not offer.for_least:
        return pays
    return Message("{pays}; nothing for a bye: {why}", pays=pays, why=offer.for_least)


def offer_data(offer: Offer) -> dict[str, Any]:
    """A movement that may be played, without its rounds."""
    return {
        "kind": offer.movement.kind,
        "name": str(movement_name(offer.movement)),
        "rounds": len(offer.movement.rounds),
        "boards_per_round": offer.per_set,
        "boards": offer.boards,
        "boards_each": [offer.least_boards, offer.most_boards],
        "sit_outs": offer.findings.sit_outs,
        "winners": offer.findings.winners,
        "balance": show(offer.balance, 2) if has_balance(offer) else None,
        "shared": offer.findings.shared,
        "opponents": [offer.findings.least_opponents, offer.findings.most_opponents],
        "minutes": offer.minutes,
        "switched_rounds": list(offer.movement.switched),
        "awards": [
            {"list": awards.field.label, "awards": [award.shown for award in awards.schedule]}
            for awards in offer.awards
        ],
        "for_each_match_won": offer.per_win,
        "refused": offer.refusal,
        "refused_with_a_bye": offer.for_least,
    }


def movement_data(movement: Movement, per_set: int) -> dict[str, Any]:
    """One movement in full: who plays whom with which boards, and who sits out."""
    return {
        "kind": movement.kind,
        "tables": movement.tables,
        "pairs": len(movement.pairs),
        "boards": len(movement.sets) * per_set,
        "copies": movement.copies,
        "switched_rounds": list(movement.switched),
        "rounds": [
            [
                row
                for seating in seatings
                if seating.is_played
                for row in _rows(movement, number, seating, per_set)
            ]
            for number, seatings in enumerate(movement.rounds, 1)
        ],
        "sit_outs": [
            list(movement.sitting_out(number)) for number in range(1, len(movement.rounds) + 1)
        ],
    }


def _rows(movement: Movement, number: int, seating: Seating, per_set: int) -> list[dict[str, Any]]:
    """A table of a round; boards that are turned by themselves are a row of their own."""
    turned = switched_boards(movement, number, seating, per_set)
    straight = [board for board in boards_of(seating.set, per_set) if board not in turned]
    rows = [{"table": seating.table, "ns": seating.ns, "ew": seating.ew, "boards": straight}]
    if turned:
        other = {"table": seating.table, "ns": seating.ew, "ew": seating.ns}
        rows.append({**other, "boards": list(turned), "switched": True})
    return [row for row in rows if row["boards"]]


def individual_data(movement: IndividualMovement, per_set: int) -> dict[str, Any]:
    """An individual in full: four players at each table."""
    return {
        "kind": movement.kind,
        "tables": len(movement.rounds[0]),
        "players": len(movement.players),
        "copies": movement.copies,
        "rounds": [
            [
                {
                    "table": four.table,
                    "n": four.north,
                    "s": four.south,
                    "e": four.east,
                    "w": four.west,
                    "boards": list(boards_of(four.set, per_set)),
                }
                for four in seats
            ]
            for seats in movement.rounds
        ],
    }


def rounds_table(movement: Movement, per_set: int) -> Table:
    """The whole movement, a row a table and round."""
    return seating_table(
        (number, row["table"], row["ns"], row["ew"], row["boards"])
        for number, seatings in enumerate(movement.rounds, 1)
        for seating in seatings
        if seating.is_played
        for row in _rows(movement, number, seating, per_set)
    )


def seating_table(
    rows: Iterable[tuple[int, str | int, str | int, str | int, Sequence[int]]],
) -> Table:
    """The seating: round, table, both sides and boards a row."""
    columns = (
        headed("round", Kind.NUMBER),
        Column("table", Message("table no."), Kind.CODE),
        Column("ns", Message("NS"), Kind.CODE),
        Column("ew", Message("EW"), Kind.CODE),
        headed("boards", Kind.TEXT),
    )
    return table("movement", columns, [(*row[:4], spelled(row[4])) for row in rows])


def individual_table(movement: IndividualMovement, per_set: int) -> Table:
    """The whole individual, a row a table and round."""
    columns = (
        headed("round", Kind.NUMBER),
        Column("table", Message("table no."), Kind.NUMBER),
        *(Column(seat.lower(), seat, Kind.CODE) for seat in ("N", "S", "E", "W")),
        headed("boards", Kind.TEXT),
    )
    rows = [
        (number, four.table, *four.players, spelled(boards_of(four.set, per_set)))
        for number, seats in enumerate(movement.rounds, 1)
        for four in seats
    ]
    return table("movement", columns, rows)


def guide_table(movement: Movement, pair: int, per_set: int) -> Table:
    """A pair's guide card."""
    columns = (
        headed("round", Kind.NUMBER),
        Column("table", Message("table no."), Kind.TEXT),
        headed("side", Kind.WORD),
        headed("against", Kind.CODE),
        headed("boards", Kind.TEXT),
    )
    rows = [
        (line.round, str(line.table), line.side, line.opponents, spelled(line.boards))
        if line.table
        else (line.round, Message("sits out"), "", None, "")
        for line in guide_card(movement, pair, per_set)
    ]
    return table("guide-card", columns, rows, Message("Pair {pair}", pair=pair))


def spelled(boards: Sequence[int]) -> str:
    """Boards in a row as ``7–9``."""
    if len(boards) > 1 and boards[-1] - boards[0] == len(boards) - 1:
        return f"{boards[0]}–{boards[-1]}"
    return ", ".join(map(str, boards))
