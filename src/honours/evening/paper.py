"""Paper for the tables: table cards with their codes, guide cards, travellers and score slips."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

from honours.evening.board_lines import BoardPlace
from honours.evening.evening import Evening
from honours.evening.plan import TableRound
from honours.language import words
from honours.model.message import Message
from honours.model.table import Cell, Column, Kind, Table, headed, table
from honours.reports.drawing import draw_for_pdf
from honours.reports.movements import spelled
from honours.scoring.contracts import dealer, vulnerable

TABLES, GUIDES, TRAVELLERS, SLIPS = "table-cards", "guide-cards", "travellers", "score-slips"
_ROUND = headed("round", Kind.NUMBER)
_BOARDS = headed("boards")
_SIDES = (Column("ns", Message("NS"), Kind.CODE), Column("ew", Message("EW"), Kind.CODE))
_TO_WRITE = (
    headed("contract"),
    headed("by"),
    headed("lead"),
    headed("tricks"),
    Column("plus", Message("NS +")),
    Column("minus", Message("EW +")),
)
_VULNERABLE = {
    "": Message("nobody vulnerable"),
    "NS": Message("North-South vulnerable"),
    "EW": Message("East-West vulnerable"),
    "NSEW": Message("all vulnerable"),
}


def paper_data(
    what: str, evening: Evening, codes: Mapping[int, str], language: str
) -> dict[str, Any]:
    """The content of a sheet of paper for its template: blocks with a title, a table and a code."""
    blocks = _BLOCKS[what](evening, codes)
    return {
        "paper": "a4",
        "title": evening.plan.title,
        "state": evening.plan.date,
        "language": language,
        "wide": what == TABLES,
        "writing": what in (TRAVELLERS, SLIPS),
        "blocks": [
            {
                "title": words(one["title"], language),
                "note": words(one["note"], language),
                "table": draw_for_pdf(one["table"], language),
                "qr": one.get("qr", ""),
                "address": one.get("address", ""),
            }
            for one in blocks
        ],
    }


def _block(title: Message, note: str, drawn: Table, **more: str) -> dict[str, Any]:
    return {"title": title, "note": note, "table": drawn, **more}


# --- table cards and guide cards ------------------------------------------------------------------


def _table_cards(evening: Evening, codes: Mapping[int, str]) -> list[dict[str, Any]]:
    columns = (
        *(_ROUND, *_SIDES, _BOARDS),
        Column("ns_goes", Message("NS go to")),
        Column("ew_goes", Message("EW go to")),
    )
    blocks = []
    for number in evening.tables:
        rows: list[tuple[Cell | str | int, ...]] = [
            (
                round_,
                *("+".join(side) or "–" for side in (seats.ns, seats.ew)),
                spelled(seats.boards) if seats.is_played else "–",
                *(_goes(evening, round_, side) for side in (seats.ns, seats.ew)),
            )
            for round_ in range(1, len(evening.rounds) + 1)
            for seats in evening.at_table(round_, number)
        ]
        note = Message(
            "Scan the code with a phone to enter results. You need no app and no account."
        )
        block = _block(
            Message("Table {table}", table=evening.table_name(number)),
            note,
            table("table-card", columns, rows),
        )
        address = codes.get(number, "")
        blocks.append(block | {"qr": qr(address) if address else "", "address": address})
    return blocks


def _goes(evening: Evening, number: int, who: tuple[str, ...]) -> str | Message:
    """Return where those who sit there go next."""
    if not who or number >= len(evening.rounds):
        return ""
    for seats in evening.seats(number + 1):
        for side, there in (("NS", seats.ns), ("EW", seats.ew)):
            if who[0] in there:
                return at_table(evening, seats.table, side)
    return Message("sits out")


SIDE_WORDS = {"NS": Message("NS"), "EW": Message("EW")}


def at_table(evening: Evening, table: int, side: str) -> Message:
    """Return the place where somebody sits: ``5 EW``."""
    name = evening.table_name(table)
    return Message("{table} {side}", table=name, side=SIDE_WORDS[side])


def _guide_cards(evening: Evening, _codes: Mapping[int, str]) -> list[dict[str, Any]]:
    columns = (
        *(
            _ROUND,
            Column("table", Message("table no.")),
            headed("side", Kind.WORD),
        ),
        *(headed("against", Kind.CODE), _BOARDS),
    )
    return [
        _block(
            Message("Pair {pair}", pair=who),
            evening.title_of(who) if who in evening.names else "",
            table("guide-card", columns, _guide_rows(evening, who)),
        )
        for who in evening.entrants
    ]


def _guide_rows(evening: Evening, who: str) -> list[tuple[Cell | str | int, ...]]:
    rows: list[tuple[Cell | str | int, ...]] = []
    for number, one in enumerate(evening.rounds, 1):
        mine = [seats for seats in one if who in seats.entrants and seats.is_played]
        if not mine:
            rows.append((number, Message("sits out"), "", "", ""))
        rows += [(number, *_seated(evening, seats, who)) for seats in mine]
    return rows


def _seated(evening: Evening, seats: TableRound, who: str) -> tuple[str, str, str, str]:
    north = who in seats.ns
    return (
        evening.table_name(seats.table),
        SIDE_WORDS["NS" if north else "EW"],
        "+".join(seats.ew if north else seats.ns),
        spelled(seats.boards),
    )


# --- travellers and score slips -------------------------------------------------------------------


def _travellers(evening: Evening, _codes: Mapping[int, str]) -> list[dict[str, Any]]:
    where: dict[int, list[tuple[BoardPlace, TableRound]]] = {}
    for place, seats in evening.places():
        where.setdefault(place.board, []).append((place, seats))
    return [
        _block(
            Message("Board {board}", board=board),
            _dealt(board),
            table("traveller", (_ROUND, *_SIDES, *_TO_WRITE), _to_write(where[board])),
        )
        for board in sorted(where)
    ]


def _dealt(board: int) -> Message:
    return Message(
        "dealer {dealer}, {vulnerable}",
        dealer=dealer(board).value,
        vulnerable=_VULNERABLE[vulnerable(board)],
    )


def _to_write(lines: list[tuple[BoardPlace, TableRound]]) -> list[tuple[str | int, ...]]:
    return [
        (place.round, "+".join(seats.ns), "+".join(seats.ew), *("" for _ in _TO_WRITE))
        for place, seats in lines
    ]


def _slips(evening: Evening, _codes: Mapping[int, str]) -> list[dict[str, Any]]:
    columns = (headed("board", Kind.NUMBER), *_SIDES, *_TO_WRITE)
    blocks = []
    for number in range(1, len(evening.rounds) + 1):
        for table_ in evening.tables:
            rows: list[tuple[Cell | str | int, ...]] = [
                (board, "+".join(seats.ns), "+".join(seats.ew), *("" for _ in _TO_WRITE))
                for seats in evening.at_table(number, table_)
                if seats.is_played
                for board in seats.boards
            ]
            name = evening.table_name(table_)
            title = Message("Round {round}, table {table}", round=number, table=name)
            if rows:
                blocks.append(_block(title, "", table("score-slip", columns, rows)))
    return blocks


def qr(address: str) -> str:
    """An address as a QR code in SVG."""
    import segno

    out = BytesIO()
    code = segno.make(address, error="m")
    code.save(out, kind="svg", xmldecl=False, border=2, scale=4, light="#ffffff")
    return out.getvalue().decode()


_BLOCKS: dict[str, Callable[[Evening, Mapping[int, str]], list[dict[str, Any]]]] = {
    TABLES: _table_cards,
    GUIDES: _guide_cards,
    TRAVELLERS: _travellers,
    SLIPS: _slips,
}
PAPER = tuple(_BLOCKS)
