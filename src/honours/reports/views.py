"""A report as what a page or a document shows: titles, tables and notes, all of it text.

The static site and the PDFs are made from these, so that they say the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from honours.engine.numbers import show
from honours.formats.go import GoTournament
from honours.formats.wall_lists import WallList
from honours.model import Award, Entrant, Event, Field, Standing
from honours.pipeline import Report
from honours.reports.awards import amount_shown
from honours.reports.deals import Diagram, diagram
from honours.reports.knowledge import known_lines
from honours.reports.scores import ranking_rows, score_unit
from honours.reports.tables import mostly_figures
from honours.reports.travellers import Sheet, travellers
from honours.reports.wall_list import games, round_headers
from honours.scoring.status import Status, status
from honours.scoring.suspect import suspicions

if TYPE_CHECKING:
    from honours.engine.lists import EventAwards
    from honours.engine.rulebook import Rulebook
    from honours.scoring import Scored
    from honours.scoring.standings import Ranking

_KEPT_ASIDE = {"line", "section", "stratum", "handicap", "games_played"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the standings; ``entrant`` is whose it is, for a link."""

    entrant: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A ranking list as shown."""

    title: str
    header: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        return tuple(line.cells for line in self.lines)


@dataclass(frozen=True, slots=True)
class Paid:
    """What one entrant is awarded and why: the awards that count for it.

    ``place`` says in which of several lists: ``NS 1``.
    """

    entrant: Entrant
    place: str
    amount: str
    counted: tuple[Award, ...]
    refusals: tuple[str, ...]

    @property
    def total(self) -> Fraction:
        return sum((award.amount for award in self.counted), Fraction(0))


@dataclass(frozen=True, slots=True)
class Traveller:
    """A board: its anchor, its table and, where it is known, its deal."""

    anchor: str
    sheet: Sheet
    deal: Diagram | None


def subtitle(report: Report) -> str:
    """When, where and how it was played."""
    content = report.account.content
    parts = [str(report.account.day or "")]
    if isinstance(content, Event):
        parts += [
            content.club,
            f"{'Swiss ' if content.swiss else ''}{content.kind}",
            content.scoring,
        ]
    return " · ".join(part for part in parts if part)


def state(report: Report) -> Status | None:
    """Provisional, final or amended; ``None`` for lists that were given, not scored."""
    if report.scored is None:
        return None
    return status(report.scored, report.account.rulings)


def oddities(report: Report) -> tuple[str, ...]:
    """What a scorer should look at, without where on whose machine it was read."""
    if report.scored is None:
        return ()
    scored = report.scored
    found = [oddity.text for oddity in scored.oddities]
    return (*found, *(f"Look at {suspicion}" for suspicion in suspicions(scored.event)))


def standings(report: Report) -> tuple[Table, ...]:
    """Every ranking list, with the awards beside it."""
    # Nothing is shown for nothing: a column of zeros hides who was paid.
    paid = {p.entrant.id: p.amount for p in payments(report) if p.total}
    if report.scored is not None:
        return tuple(_ranking(report.scored, r, report, paid) for r in report.scored.rankings)
    return tuple(_field(field, report, paid) for field in report.lists)


def _unit(report: Report) -> tuple[str, ...]:
    """The column of awards; where the scores are points too, it is not called so again."""
    if report.book is None or report.awards is None:
        return ()
    return ("award",) if report.book.unit == "points" else (report.book.unit,)


def _ranking(scored: Scored, ranking: Ranking, report: Report, paid: dict[str, str]) -> Table:
    header = ("place", "pair", "name", score_unit(scored), "points", "boards", *_unit(report))
    everyone = (*ranking.standings, *ranking.unranked)
    rows = zip(everyone, ranking_rows(scored, ranking), strict=True)
    lines = [_line(standing, row, report, paid) for standing, row in rows]
    return Table(_capital(ranking.title), header, tuple(lines))


def _field(field: Field, report: Report, paid: dict[str, str]) -> Table:
    names = [n for n in _fact_names(field.standings) if n not in _KEPT_ASIDE]
    rounds, cells = _games(report, field)
    header = ("place", "entrant", "name", "score", *names, *rounds, *_unit(report))
    lines = []
    for standing in field.standings:
        score = "" if standing.score is None else _figure(standing.score)
        played = cells.get(standing.entrant.id, ("",) * len(rounds))
        facts = (_fact(standing, n) for n in names)
        own = (standing.placing, *_who(standing.entrant), score, *facts, *played)
        lines.append(_line(standing, own, report, paid))
    title = " ".join(f"{key} {text}" for key, text in field.label.items())
    return Table(_capital(title), tuple(h.replace("_", " ") for h in header), tuple(lines))


def _games(report: Report, field: Field) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """The rounds of a go tournament; nothing for other lists."""
    content = report.account.content
    told = content.tournament if isinstance(content, WallList) else content
    if not isinstance(told, GoTournament):
        return (), {}
    return round_headers(told), games(told, field)


def _line(standing: Standing, own: tuple[str, ...], report: Report, paid: dict[str, str]) -> Line:
    entrant = standing.entrant.id
    awarded = (paid.get(entrant, ""),) if _unit(report) else ()
    return Line(entrant, (*own, *awarded))


def _who(entrant: Entrant) -> tuple[str, str]:
    return entrant.id, entrant.title if entrant.title != entrant.id else ""


def _fact(standing: Standing, name: str) -> str:
    value = standing.facts.get(name, "")
    return value if isinstance(value, str) else _figure(value)


def _figure(value: Fraction) -> str:
    return show(value, 2 if value.denominator > 1 else 0)


def _fact_names(standings: Iterable[Standing]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for s in standings for name in s.facts))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# --- boards ---------------------------------------------------------------------------------------


def boards(report: Report) -> tuple[Traveller, ...]:
    """Every board with its results and its deal."""
    scored = report.scored
    if scored is None:
        return ()
    deals = {
        (s.number, b.section, b.number): b.deal for s in scored.event.sessions for b in s.boards
    }
    found = []
    for board, sheet in zip(scored.boards, travellers(scored), strict=True):
        where = (board.session, board.section, board.number)
        deal = deals.get(where) or deals.get((board.session, "", board.number)) or ""
        shown = diagram(board.number, deal)
        found.append(Traveller(safe("-".join(map(str, where))), pruned(sheet), shown))
    return tuple(found)


def pruned(sheet: Sheet) -> Sheet:
    """The sheet without columns that nobody has anything in."""
    kept = [n for n in range(len(sheet.header)) if any(row[n] for row in sheet.rows)]
    rows = tuple(tuple(row[n] for n in kept) for row in sheet.rows)
    return replace(sheet, header=tuple(sheet.header[n] for n in kept), rows=rows)


def safe(text: str) -> str:
    """A text as part of a file's name or an anchor: small letters, figures and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "x"


# --- awards ---------------------------------------------------------------------------------------


def payments(report: Report) -> tuple[Paid, ...]:
    """Every entrant's award in the order of the lists."""
    if report.book is None or report.awards is None:
        return ()
    return tuple(_payments(report.book, report.awards))


def _payments(book: Rulebook, awards: EventAwards) -> Iterator[Paid]:
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
                yield Paid(
                    entrant,
                    place,
                    amount_shown(book, awards, entrant.id),
                    counted,
                    tuple(_refusals(counted)),
                )


def _refusals(counted: tuple[Award, ...]) -> Iterator[str]:
    for award in counted:
        if award.refusal:
            yield f"{award.refusal.reason} [{award.refusal.citation}]"
        for player, refusal in award.withheld:
            yield f"nothing for {player.name or player.number}: {refusal.reason}"


def rule_notes(report: Report) -> tuple[str, ...]:
    """Refusals, notices and readings, each once however many lists say it."""
    if report.awards is None:
        return ()
    told: dict[str, None] = {}
    for awards in report.awards.lists:
        if awards.refusal:
            label = " ".join(awards.field.label.values())
            head = f"{label}: " if label else ""
            told[f"{head}no award: {awards.refusal.reason} [{awards.refusal.citation}]"] = None
        told |= {f"{n.text} [{n.citation.clause}]": None for n in awards.notices}
    told |= {f"{n.text} [{n.citation}]": None for n in report.awards.notices}
    for awards in report.awards.lists:
        told |= {f"A reading the source does not settle: {c.reading}": None for c in awards.choices}
    return (*told, *known_lines(report.awards.lists))


def rulebook_line(report: Report) -> str:
    """Which rulebook, whose, and how amended."""
    book = report.book
    if book is None:
        return ""
    amended = "".join(f", {key}={value}" for key, value in book.amended.items())
    return f"{book.body}: {book.title} ({book.id}, revision {book.revision}{amended})"


def figures(rows: Sequence[Sequence[str]]) -> tuple[bool, ...]:
    """Which columns are of figures, to stand to the right."""
    return tuple(mostly_figures(column) for column in zip(*rows, strict=True))
