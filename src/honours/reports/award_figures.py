"""What stands beside an award in tables and data: colours of points, further figures, and what each
player of an entrant gets where those differ."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from honours.engine.numbers import show
from honours.engine.written_names import titled
from honours.model import Award, Player
from honours.model.table import Column, Kind


def figure_columns(awards: Sequence[Award]) -> tuple[Column, ...]:
    """A column for every colour and figure that one of the awards has."""
    colours = dict.fromkeys(c for award in awards if not award.one_kind for c in award.colours)
    figures = dict.fromkeys(figure.name for award in awards for figure in award.figures)
    return (
        *(Column(f"colour_{colour}", colour, Kind.NUMBER, lang="en") for colour in colours),
        *(Column(f"figure_{name}", titled(name), _kind(awards, name)) for name in figures),
    )


def _kind(awards: Sequence[Award], name: str) -> Kind:
    """Numbers, unless a cell names the players its figures are of."""
    for award in awards:
        own = [figure for figure in award.figures if figure.name == name]
        words = any(isinstance(figure.value, str) for figure in own)
        if words or len({figure.shown for figure in own}) > 1:
            return Kind.TEXT
    return Kind.NUMBER


def colour_columns(awards: Sequence[Award]) -> tuple[Column, ...]:
    """A column for every colour that one of the awards has."""
    return tuple(one for one in figure_columns(awards) if one.key.startswith("colour_"))


def colour_cells(counted: Sequence[Award], columns: Sequence[Column]) -> tuple[str, ...]:
    """What awards that add up have of each colour in those columns; nothing where it is none."""
    decimals = max(map(_decimals, counted))
    colours = (one.key.removeprefix("colour_") for one in columns)
    named = (sum(award.colours.get(colour, Fraction(0)) for award in counted) for colour in colours)
    return tuple(show(amount, decimals) if amount else "" for amount in named)


def figure_cells(
    award: Award, columns: Sequence[Column], player: Player | None = None
) -> tuple[str, ...]:
    """What an award has in those columns; of one ``player`` only what is theirs or everyone's."""
    return tuple(_cell(award, column.key, player) for column in columns)


def _cell(award: Award, key: str, player: Player | None) -> str:
    kind, _, name = key.partition("_")
    if kind == "colour":
        return show(award.colours[name], _decimals(award)) if name in award.colours else ""
    named = [figure for figure in award.figures if figure.name == name]
    if player is not None:
        named = [figure for figure in named if figure.player in (None, player)]
        return ", ".join(figure.shown for figure in named)
    several = len({figure.shown for figure in named}) > 1
    texts = (
        f"{figure.player.name} {figure.shown}" if several and figure.player else figure.shown
        for figure in named
    )
    return ", ".join(dict.fromkeys(texts))


def award_shown(award: Award) -> str:
    """The award as it is shown; each player's where those of one entrant differ."""
    return " / ".join(shares_shown(award)) or award.shown


def shares_shown(award: Award) -> tuple[str, ...]:
    """What each player gets, where players of one entrant get different amounts."""
    if len(set(award.shares)) < 2:
        return ()
    return tuple(show(share, _decimals(award)) for share in award.shares)


def share_shown(award: Award, player: int) -> str:
    """What the player at this index of the entrant gets."""
    shares = shares_shown(award)
    return shares[player] if shares else award.shown


def _decimals(award: Award) -> int:
    return len(award.shown.partition(".")[2])


def figures_data(award: Award) -> dict[str, Any]:
    """The same as plain data; nothing where a rulebook speaks of none of it."""
    data: dict[str, Any] = {}
    if award.colours and not award.one_kind:
        data["colours"] = {c: show(points, _decimals(award)) for c, points in award.colours.items()}
    if award.figures:
        data["figures"] = [
            {
                "name": figure.name,
                "value": figure.shown,
                **({"player": figure.player.name} if figure.player else {}),
            }
            for figure in award.figures
        ]
    if shares := shares_shown(award):
        data["shares"] = list(shares)
    return data
