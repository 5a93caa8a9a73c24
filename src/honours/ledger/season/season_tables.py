"""A competition's standings as a table, its awards as text, and both as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from honours.engine.numbers import round_to, show
from honours.engine.rulebook import Rulebook
from honours.ledger.season.gather import CountedEvent
from honours.ledger.season.plan import Competition
from honours.ledger.season.season_awards import SeasonAward
from honours.ledger.season.standings import SeasonRow, SeasonStandings
from honours.model.message import Message, plural
from honours.model.table import Cell, Column, Kind, Table, table
from honours.reports.awards import event_data, event_text, refusal_data

_CENT = Fraction(1, 100)
COUNTED, DROPPED = "counted", "dropped"
_SCORES = {"average": Message("average"), "sum": Message("total"), "points": Message("points")}


def figure(value: Fraction) -> str:
    """A score to two decimals, halves rounded up; ranking uses the exact score."""
    return show(round_to(value, "nearest", _CENT), 2)


def standings_table(standings: SeasonStandings, everybody: bool = False) -> Table:
    """The table in the guide's layout: average, each date, played, qualify."""
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
            *(_scored(score, n in row.counted) for n, score in enumerate(row.scores)),
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


def _scored(score: Fraction | None, counts: bool) -> Cell:
    """The score in an event, and whether it counts."""
    if score is None:
        return Cell()
    return replace(_figure(score), marks=frozenset({COUNTED if counts else DROPPED}))


def rule_in_words(standings: SeasonStandings) -> Message:
    """How the table is made, in a sentence."""
    competition = standings.competition
    how = Message(
        "{score} of the best {best} scores counts",
        score=_SCORES[competition.score],
        best=competition.best,
    )
    if not competition.best:
        how = Message("{score} of all scores counts", score=_SCORES[competition.score])
    needed = plural(
        "whoever has played {count:,} event is ranked",
        "whoever has played {count:,} events is ranked",
        count=standings.needed,
    )
    return Message("The {how}; {needed}.", how=how, needed=needed)


def race(standings: SeasonStandings, most: int = 6) -> list[tuple[str, list[float | None]]]:
    """How the leaders got there: what each had after every event, by the same rule."""
    return [(row.title, _course(standings.competition, row)) for row in standings.rows[:most]]


def _course(competition: Competition, row: SeasonRow) -> list[float | None]:
    course: list[float | None] = []
    played: list[Fraction] = []
    for score in row.scores:
        if score is not None:
            played.append(score)
        best = sorted(played, reverse=True)[: competition.best or None]
        total = sum(best, Fraction(0))
        value = total / len(best) if best and competition.score == "average" else total
        course.append(float(value) if best else None)
    return course


def _figure(score: Fraction) -> Cell:
    return Cell(score, figure(score))


def _dated(number: int, event: CountedEvent) -> Column:
    """The heading of an event's column: its date, or its title if undated."""
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


def _row_data(row: SeasonRow) -> dict[str, Any]:
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
    """What each stage is awarded, or why it is not."""
    return "\n\n".join(_award_text(rulebook, each) for each in awards)


def _award_text(rulebook: Rulebook, award: SeasonAward) -> str:
    if award.refusal:
        refused = Message(
            "no award: {reason} [{clause}]",
            reason=award.refusal.reason,
            clause=award.refusal.citation,
        )
        return f"{award.title}\n{refused}"
    assert award.awards is not None
    return f"{award.title}\n{event_text(rulebook, award.awards)}"


def award_data(rulebook: Rulebook, award: SeasonAward) -> dict[str, Any]:
    """What a stage is awarded as plain data."""
    head = {"title": award.title, "date": award.day, "given": dict(award.given)}
    if award.awards is None:
        refusal = refusal_data(award.refusal) if award.refusal else None
        return {**head, "awards": [], "refusal": refusal}
    return {**head, **event_data(rulebook, award.awards)}
