"""A report as what a document shows: titles, tables and notes, as tables and messages.

Pages, the static site and the PDFs are made from these, so that they say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from honours.engine.event_awards import EventAwards
from honours.engine.rulebook import Rulebook
from honours.formats.detect import how_played
from honours.model import Award, Entrant, Event
from honours.model.cards import SEATS
from honours.model.message import Message, word
from honours.model.table import Cell, Column, Kind, Table
from honours.pipeline import Report
from honours.reports.awards import amount_shown, figure_cells, figure_columns, refusal_note
from honours.reports.provenance import known_once, lines_of_known
from honours.reports.standings import entrants_of, one_line, rankings
from honours.reports.travellers import Diagram, board_key, diagram, travellers
from honours.scoring.scored import ScoredBoard, ScoredEvent
from honours.scoring.status import Status, status

SEAT_NAMES = {str(seat): name for seat, name in SEATS.items()}


@dataclass(frozen=True, slots=True)
class EntrantAward:
    """The award of one entrant and why: the awards that count for it.

    ``place`` says in which of several lists: ``NS 1``.
    """

    entrant: Entrant
    place: str
    amount: str
    counted: tuple[Award, ...]
    refusals: tuple[Message, ...]

    @property
    def total(self) -> Fraction:
        return sum((award.amount for award in self.counted), Fraction(0))


@dataclass(frozen=True, slots=True)
class Traveller:
    """A board: its anchor, its table and, where it is known, its deal."""

    anchor: str
    number: int
    table: Table
    deal: Diagram | None


def subtitle(report: Report) -> Message:
    """The date, the place and the way it was played."""
    content = report.account.content
    day = report.account.day
    parts = [Message("{day}", day=day) if day else ""]
    if isinstance(content, Event):
        parts += [content.club, *how_played(content)]
    return one_line(parts)


def state(report: Report) -> Status | None:
    """Provisional, final or amended; ``None`` for lists that were given, not scored."""
    if report.scored is None:
        return None
    return status(report.scored, report.account.rulings)


def standings(report: Report) -> tuple[Table, ...]:
    """Every ranking list, with the awards beside it."""
    lists = rankings(report)
    if report.book is None or report.awards is None:
        return lists
    # Nothing is shown for nothing: a column of zeros hides who was paid.
    paid = {p.entrant.id: Cell(p.total, p.amount) for p in payments(report) if p.total}
    # Where the scores are points too, the column is not called so again.
    unit = Message("award") if report.book.unit == "points" else report.book.unit
    column = Column("award", unit, Kind.NUMBER, unit=report.book.unit, lang="en")
    made = (
        table.beside(column, [paid.get(entrant, Cell()) for entrant in entrants])
        for table, entrants in zip(lists, entrants_of(report), strict=True)
    )
    return tuple(
        _with_figures(report.awards, table, entrants)
        for table, entrants in zip(made, entrants_of(report), strict=True)
    )


def _with_figures(awards: EventAwards, table: Table, entrants: Sequence[str]) -> Table:
    """The list with the colours and further figures of what counts for its entrants."""
    counted = {entrant: awards.combined.get(entrant, ()) for entrant in entrants}
    more = figure_columns([award for many in counted.values() for award in many])
    for column in more:
        cells = ["".join(figure_cells(a, [column])[0] for a in counted[e][:1]) for e in entrants]
        table = table.beside(column, [Cell(text) for text in cells])
    return table


# --- boards ---------------------------------------------------------------------------------------


def boards(report: Report) -> tuple[Traveller, ...]:
    """Every board with its results and its deal."""
    scored = report.scored
    if scored is None:
        return ()
    travellers_shown = []
    for board, table in zip(scored.boards, travellers(scored), strict=True):
        shown = diagram(board.number, deal_of(scored, board))
        anchor = board_anchor(board_key(scored, board))
        travellers_shown.append(Traveller(anchor, board.number, table.used(), shown))
    return tuple(travellers_shown)


def board_anchor(key: str) -> str:
    """The anchor of a board on its page."""
    return f"board-{file_name_part(key)}"


def deal_of(scored: ScoredEvent, board: ScoredBoard) -> str:
    """The deal of a board, as its section or its session has it; empty where it is not known."""
    deals = {
        (one.section, one.number): one.deal
        for session in scored.event.sessions
        if session.number == board.session
        for one in session.boards
    }
    return deals.get((board.section, board.number)) or deals.get(("", board.number)) or ""


def file_name_part(text: str) -> str:
    """A text as part of a file's name or an anchor: small letters, figures and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "x"


# --- awards ---------------------------------------------------------------------------------------


def payments(report: Report) -> tuple[EntrantAward, ...]:
    """Every entrant's award in the order of the lists."""
    if report.book is None or report.awards is None:
        return ()
    return tuple(_payments(report.book, report.awards))


def _payments(book: Rulebook, awards: EventAwards) -> Iterator[EntrantAward]:
    seen: set[str] = set()
    labels = {
        id(item): " ".join(ranking.field.label.values())
        for ranking in awards.lists
        for item in ranking.schedule
    }
    for ranking in awards.lists:
        for item in ranking.schedule:
            entrant = item.standing.entrant
            if entrant.id not in seen:
                seen.add(entrant.id)
                counted = awards.combined[entrant.id]
                standing = counted[0].standing
                tied = "=" if standing.tied > 1 else ""
                place = f"{labels[id(counted[0])]} {standing.place}{tied}".strip()
                yield EntrantAward(
                    entrant,
                    place,
                    amount_shown(book, awards, entrant.id),
                    counted,
                    tuple(_refusals(counted)),
                )


def _refusals(counted: tuple[Award, ...]) -> Iterator[Message]:
    for award in counted:
        if award.refusal:
            yield with_citation(award.refusal.reason, str(award.refusal.citation))
        for player, refusal in award.withheld:
            who = player.name or player.number
            yield Message("nothing for {who}: {reason}", who=who, reason=refusal.reason)


def with_citation(text: str, clause: str) -> Message:
    """A statement with the clause it rests on."""
    return Message("{text} [{clause}]", text=text, clause=clause)


def rule_notes(report: Report) -> tuple[Message, ...]:
    """The rules' notes to readers of the results, each once however many lists say it."""
    if report.awards is None:
        return ()
    lists = report.awards.lists
    notes = [refusal_note(awards) for awards in lists if awards.refusal]
    notes += [with_citation(n.text, n.citation.clause) for awards in lists for n in awards.notices]
    notes += [with_citation(n.text, str(n.citation)) for n in report.awards.notices]
    return tuple(dict.fromkeys(notes))


def made_from(report: Report) -> tuple[Message, ...]:
    """The reading of the rules, and what was known and counted: for readers who ask why."""
    if report.awards is None:
        return ()
    lists = report.awards.lists
    readings = [
        Message("The source is unclear here; our reading: {reading}", reading=choice.reading)
        for awards in lists
        for choice in awards.choices
    ]
    counted = (one for one in known_once(lists) if one.used)
    return (*dict.fromkeys(readings), *lines_of_known(counted))


def rulebook_line(report: Report) -> str:
    """The rulebook, whose it is, how amended, and its standing where it is not simply in force."""
    book = report.book
    if book is None:
        return ""
    line = Message(
        "{body}: {title} ({rulebook}, revision {revision}{amended})",
        body=book.body,
        title=book.title,
        rulebook=book.id,
        revision=book.revision,
        amended="".join(f", {key}={value}" for key, value in book.amended.items()),
    )
    if not book.standing.needs_confirming:
        return line
    return Message("{rulebook}; {standing}", rulebook=line, standing=word(book.standing.status))
