"""A competition's table and awards as text and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from honours.engine.numbers import round_to, show
from honours.engine.rulebook import Rulebook
from honours.ledger.season.award import SeasonAward
from honours.ledger.season.table import Row, Table
from honours.reports.awards import event_data, event_text, refusal_data
from honours.reports.tables import text_table

_CENT = Fraction(1, 100)


def figure(value: Fraction) -> str:
    """A score to two decimals, halves up; it is ranked exactly."""
    return show(round_to(value, "nearest", _CENT), 2)


def table_text(table: Table, everybody: bool = False) -> str:
    """The table as the guide prints one: average, each date, played, qualify."""
    head = {"average": "AVERAGE", "sum": "TOTAL", "points": "POINTS"}[table.competition.score]
    header = ("POSITION", "NAMES", head, *dates(table), "PLAYED", "QUALIFY")
    text = text_table(header, lines(table, everybody))
    left_out = len(table.rows) - len(table.qualified)
    note = f"\n{left_out} more played fewer than {table.needed} events and are not ranked"
    return f"{table.competition.title}\n{text}" + (note if left_out else "")


def dates(table: Table) -> list[str]:
    """The date of each event as a column is headed, or its title where it has none."""
    return [f"{e.day[8:]}/{e.day[5:7]}" if e.day else e.title for e in table.events]


def lines(table: Table, everybody: bool) -> list[tuple[str, ...]]:
    """Place, names, total, a score for each date, how many were played and how many qualify."""
    return [
        (
            f"{row.place}{'=' if row.tied > 1 else ''}" if row.place else "",
            row.title,
            figure(row.total),
            *("" if score is None else figure(score) for score in row.scores),
            str(row.played),
            str(table.needed),
        )
        for row in table.rows
        if everybody or row.qualified
    ]


def table_data(table: Table) -> dict[str, Any]:
    return {
        "competition": table.competition.title,
        "kind": table.competition.kind,
        "events": [{"date": e.day, "title": e.title, "source": e.source} for e in table.events],
        "needed": table.needed,
        "rows": [_row_data(row) for row in table.rows],
    }


def _row_data(row: Row) -> dict[str, Any]:
    return {
        "place": row.place or None,
        "players": [{"name": p.name, "number": p.number} for p in row.players],
        "total": figure(row.total),
        "exact": str(row.total),
        "scores": [None if s is None else figure(s) for s in row.scores],
        "counted": sorted(row.counted),
        "played": row.played,
        "qualified": row.qualified,
    }


def awards_text(rulebook: Rulebook, awards: Sequence[SeasonAward]) -> str:
    return "\n\n".join(_award_text(rulebook, each) for each in awards)


def _award_text(rulebook: Rulebook, award: SeasonAward) -> str:
    if award.refusal:
        return f"{award.title}\nno award: {award.refusal.reason} [{award.refusal.citation}]"
    assert award.awards is not None
    return f"{award.title}\n{event_text(rulebook, award.awards)}"


def award_data(rulebook: Rulebook, award: SeasonAward) -> dict[str, Any]:
    head = {"title": award.title, "date": award.day, "given": dict(award.given)}
    if award.awards is None:
        refusal = refusal_data(award.refusal) if award.refusal else None
        return {**head, "awards": [], "refusal": refusal}
    return {**head, **event_data(rulebook, award.awards)}
