"""A competition's standings as a table, its awards as text, and both as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from honours.engine.numbers import round_to, show
from honours.engine.rulebook import Rulebook
from honours.ledger.season.award import SeasonAward
from honours.ledger.season.gather import Counted
from honours.ledger.season.standings import Row, SeasonStandings
from honours.model.message import Message, plural
from honours.model.table import Cell, Column, Kind, Table, table
from honours.reports.awards import event_data, event_text, refusal_data

_CENT = Fraction(1, 100)
_SCORES = {"average": Message("average"), "sum": Message("total"), "points": Message("points")}


def figure(value: Fraction) -> str:
    """A score to two decimals, halves up; it is ranked exactly."""
    return show(round_to(value, "nearest", _CENT), 2)


def standings_table(standings: SeasonStandings, everybody: bool = False) -> Table:
    """The table as the guide prints one: average, each date, played, qualify."""
    columns = (
        Column("position", Message("position"), Kind.PLACE),
        Column("names", Message("names")),
        Column("score", _SCORES[standings.competition.score], Kind.NUMBER),
        *(_dated(number, event) for number, event in enumerate(standings.events, 1)),
        Column("played", Message("played"), Kind.NUMBER),
        Column("qualify", Message("qualify"), Kind.NUMBER),
    )
    rows: list[tuple[Cell | str | int, ...]] = [
        (
            Cell(row.place or None, f"{row.place or ''}{'=' if row.tied > 1 else ''}"),
            row.title,
            _figure(row.total),
            *(Cell() if score is None else _figure(score) for score in row.scores),
            row.played,
            standings.needed,
        )
        for row in standings.rows
        if everybody or row.qualified
    ]
    return table(
        "season-standings",
        columns,
        rows,
        caption=standings.competition.title,
        foot=_left_out(standings),
    )


def _left_out(standings: SeasonStandings) -> str:
    count = len(standings.rows) - len(standings.qualified)
    if not count:
        return ""
    return plural(
        "{count:,} more played fewer than {needed} events and is not ranked",
        "{count:,} more played fewer than {needed} events and are not ranked",
        count=count,
        needed=standings.needed,
    )


def _figure(score: Fraction) -> Cell:
    return Cell(score, figure(score))


def _dated(number: int, event: Counted) -> Column:
    """The date of an event heads its column, or its title where it has none."""
    title = f"{event.day[8:]}/{event.day[5:7]}" if event.day else event.title
    return Column(f"event_{number}", title, Kind.NUMBER)


def standings_data(standings: SeasonStandings) -> dict[str, Any]:
    """A competition's table as plain data."""
    return {
        "competition": standings.competition.title,
        "kind": standings.competition.kind,
        "events": [{"date": e.day, "title": e.title, "source": e.source} for e in standings.events],
        "needed": standings.needed,
        "rows": [_row_data(row) for row in standings.rows],
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
    """What each stage is awarded, or why nothing is."""
    return "\n\n".join(_award_text(rulebook, each) for each in awards)


def _award_text(rulebook: Rulebook, award: SeasonAward) -> str:
    if award.refusal:
        return f"{award.title}\nno award: {award.refusal.reason} [{award.refusal.citation}]"
    assert award.awards is not None
    return f"{award.title}\n{event_text(rulebook, award.awards)}"


def award_data(rulebook: Rulebook, award: SeasonAward) -> dict[str, Any]:
    """What a stage is awarded as plain data."""
    head = {"title": award.title, "date": award.day, "given": dict(award.given)}
    if award.awards is None:
        refusal = refusal_data(award.refusal) if award.refusal else None
        return {**head, "awards": [], "refusal": refusal}
    return {**head, **event_data(rulebook, award.awards)}
