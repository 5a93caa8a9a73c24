"""Awards of an event with a row a player: what files of awards hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from honours.engine.event_awards import EventAwards
from honours.model import Award, Field, Player
from honours.model.table import Column, Kind, Table, table
from honours.reports.award_figures import figure_cells, figure_columns, share_shown
from honours.reports.awards import entrants_of
from honours.reports.drawing import draw_csv

_PLAYERS = tuple(
    Column(key, key, kind)
    for key, kind in (
        ("line", Kind.CODE),
        ("stratum", Kind.CODE),
        ("place", Kind.PLACE),
        ("entrant", Kind.CODE),
        ("player", Kind.TEXT),
        ("number", Kind.CODE),
        ("award", Kind.NUMBER),
        ("refusal", Kind.WORD),
    )
)


def players_table(awards: EventAwards) -> Table:
    """A row a player: who, where and how much; what files of awards hold."""
    field_of = {id(item): a.field for a in awards.lists for item in a.schedule}
    counted = [item for entrant in entrants_of(awards) for item in awards.combined[entrant.id]]
    more = figure_columns(counted)
    rows = [row for item in counted for row in _player_rows(field_of[id(item)], item, more)]
    return table("awards", (*_PLAYERS, *more), rows)


def event_csv(awards: EventAwards) -> str:
    """A row a player, as CSV."""
    return draw_csv(players_table(awards))


def _player_rows(field: Field, item: Award, more: Sequence[Column]) -> Iterator[tuple[str, ...]]:
    head = (field.line, field.stratum, item.standing.placing, item.standing.entrant.id)
    everyone = item.refusal.reason if item.refusal else ""
    for nth, player in enumerate(item.standing.entrant.players or (Player(""),)):
        own = (refusal.reason for who, refusal in item.withheld if who is player)
        reason = everyone or next(own, "")
        paid = "0" if reason else share_shown(item, nth)
        further = figure_cells(item, more, player)
        yield (*head, player.name, player.number, paid, reason, *further)
