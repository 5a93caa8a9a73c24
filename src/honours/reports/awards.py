"""Awards as tables, text, CSV and JSON-able data: of a calculation and of an event, with colours of
points, further figures, and what each player of an entrant gets where those differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from honours.engine.event_awards import EventAwards
from honours.engine.exact.explanation import (
    citation_data,
    render_explanation,
    step_value,
    title,
    to_data,
)
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.engine.rules import titled
from honours.errors import InputError, UnknownName
from honours.language import DEFAULT, shown_figure, words
from honours.model import Award, Awards, Entrant, Field, Player, Refusal
from honours.model.message import Message, joined, word
from honours.model.table import Cell, Column, Kind, Link, Table, headed, table
from honours.reports.drawing import draw_csv, draw_text
from honours.reports.provenance import known_data, known_lines
from honours.reports.standings import list_title, name_beside
from honours.scoring.scored import NOUNS


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
    """The points of each colour that awards add up to, in those columns; nothing where it is
    none."""
    decimals = max(map(_decimals, counted))
    colours = (one.key.removeprefix("colour_") for one in columns)
    named = (sum(award.colours.get(colour, Fraction(0)) for award in counted) for colour in colours)
    return tuple(show(amount, decimals) if amount else "" for amount in named)


def figure_cells(
    award: Award, columns: Sequence[Column], player: Player | None = None
) -> tuple[str, ...]:
    """An award's cells in those columns; of one ``player`` only what is theirs or everyone's."""
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
    """The amount of each player, where players of one entrant get different amounts."""
    if len(set(award.shares)) < 2:
        return ()
    return tuple(show(share, _decimals(award)) for share in award.shares)


def share_shown(award: Award, player: int) -> str:
    """The amount of the player at this index of the entrant."""
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


# --- text, CSV and data ------------------------------------------------------------------------


# --- a calculation --------------------------------------------------------------------------


def _which(rulebook: Rulebook) -> dict[str, Any]:
    return {
        "rulebook": rulebook.id,
        "revision": rulebook.revision,
        "amended": dict(rulebook.amended),
    }


def calculation_data(
    rulebook: Rulebook, given: Mapping[str, object], lists: Sequence[Awards], explain: bool = False
) -> dict[str, Any]:
    """One object: what was asked, the quantities, the schedule, and why nothing or otherwise."""
    data: dict[str, Any] = {
        **_which(rulebook),
        "inputs": {key: str(value) for key, value in given.items()},
        "quantities": _quantities(lists),
        "schedule": [_item(a, award) for a in lists for award in a.schedule],
        **{name: dict(values) for awards in lists for name, values in awards.extras.items()},
        "facts": known_data(lists),
        **_remarks(lists),
    }
    if explain:
        data["explanation"] = [to_data(award.why) for a in lists for award in a.schedule]
    return data


def _quantities(lists: Sequence[Awards]) -> dict[str, str]:
    """Every quantity; one that differs from list to list carries the list's name."""
    quantities: dict[str, str] = {}
    for awards in lists:
        for name, value in awards.quantities.items():
            same = all(other.quantities.get(name) == value for other in lists)
            label = "".join(f".{text}" for text in awards.field.label.values())
            quantities[name.rstrip("_") + ("" if same else label)] = value
    return quantities


def _item(awards: Awards, award: Award) -> dict[str, Any]:
    item: dict[str, Any] = {"place": award.standing.place, "award": award.shown}
    item |= awards.field.label
    if award.standing.tied > 1:
        item["tied"] = award.standing.tied
    if award.refusal:
        item["refusal"] = refusal_data(award.refusal)
    return item | figures_data(award)


def _remarks(lists: Sequence[Awards]) -> dict[str, Any]:
    """Choices, notices and the refusal, each once however many lists say it."""
    choices = {c.name: c for a in lists for c in a.choices}
    notices = {n.text: n for a in lists for n in a.notices}
    refusals = [a.refusal for a in lists if a.refusal]
    return {
        "choices": [
            {"name": c.name, "reading": c.reading, "parameter": c.parameter}
            for c in choices.values()
        ],
        "notices": [
            {"text": n.text, "citation": citation_data(n.citation)} for n in notices.values()
        ],
        "refusal": refusal_data(refusals[0]) if refusals else None,
    }


def refusal_data(refusal: Refusal) -> dict[str, Any]:
    """A refusal as plain data."""
    return {"reason": refusal.reason, "citation": str(refusal.citation)}


def calculation_text(
    rulebook: Rulebook, lists: Sequence[Awards], explain: int | None, language: str = DEFAULT
) -> str:
    """The schedule as a table, with what the reader must know; ``explain`` is a place."""
    parts = [_heading(rulebook), *(_list_text(a, language) for a in lists)]
    parts += [words(note, language) for note in _remarks_text(lists)]
    parts.append("\n".join(words(line, language) for line in known_lines(lists, as_typed=True)))
    if explain is not None:
        parts += [_explained(a, explain, language) for a in lists if not a.refusal]
    return "\n\n".join(p for p in parts if p)


def _heading(rulebook: Rulebook) -> str:
    amended = "".join(f", {k}={v}" for k, v in rulebook.amended.items())
    return f"{rulebook.body}: {rulebook.title} ({rulebook.id}{amended})"


def _list_text(awards: Awards, language: str) -> str:
    label = " ".join(awards.field.label.values())
    if awards.refusal:
        return words(refusal_note(awards), language)
    quantities = [
        (words(title(step), language), shown_figure(step_value(step), language))
        for step in awards.why
    ]
    width = max((len(n) for n, _ in quantities), default=0)
    lines = [f"{n.ljust(width)}  {v}" for n, v in quantities]
    further = {n: v for n, v in awards.extras.items() if v.keys() - awards.quantities.keys()}
    for name, values in further.items():
        worth = tuple(joined(" ", (titled(key), str(value))) for key, value in values.items())
        lines.append(words(Message("{name}: {value}", name=titled(name), value=worth), language))
    places = draw_text(_schedule_table(awards), language)
    return "\n".join([*([label] if label else []), *lines, "", places])


def _schedule_table(awards: Awards) -> Table:
    """The award of each place, where nobody has come to one yet."""
    more = figure_columns(awards.schedule)
    columns = (
        headed("place", Kind.PLACE),
        Column("award", awards.unit, Kind.NUMBER, unit=awards.unit, lang="en"),
        *more,
    )
    rows = [(a.standing.placing, award_shown(a), *figure_cells(a, more)) for a in awards.schedule]
    return table("schedule", columns, rows)


def _remarks_text(lists: Sequence[Awards]) -> Iterator[Message]:
    notices = {n.text: n for awards in lists for n in awards.notices}
    choices = {c.name: c for awards in lists for c in awards.choices}
    if notices:
        yield joined(
            "\n",
            [
                Message("Note: {note} [{clause}]", note=n.text, clause=n.citation.clause)
                for n in notices.values()
            ],
        )
    if choices:
        readings = [Message("  - {reading}", reading=word(c.reading)) for c in choices.values()]
        yield joined("\n", [Message("Where the source is unclear, our reading:"), *readings])


def _explained(awards: Awards, place: int, language: str) -> str:
    at_place = [a for a in awards.schedule if a.standing.place == place]
    if not at_place:
        raise InputError(
            "no award at place {place}; {count} are paid", place=place, count=len(awards.schedule)
        )
    where = joined(" ", (Message("place {place}", place=place), *awards.field.label.values()))
    why = Message("Why {amount} for {who}:", amount=at_place[0].shown, who=where)
    return f"{words(why, language)}\n{render_explanation(at_place[0].why, language)}"


# --- an event -------------------------------------------------------------------------------


def entrants_of(awards: EventAwards) -> list[Entrant]:
    """Every entrant once, in the order of the lists."""
    entrants = {
        item.standing.entrant.id: item.standing.entrant for a in awards.lists for item in a.schedule
    }
    return list(entrants.values())


def amount_shown(rulebook: Rulebook, awards: EventAwards, entrant: str) -> str:
    """An entrant's final award, as the rulebook shows it."""
    counted = awards.combined[entrant]
    if len(counted) == 1:
        return award_shown(counted[0])
    return show(awards.amount(entrant), rulebook.decimals)


def event_data(
    rulebook: Rulebook, awards: EventAwards, explain: str | None = None
) -> dict[str, Any]:
    """One object: every list, and what each entrant gets in the end."""
    data: dict[str, Any] = {
        **_which(rulebook),
        "unit": rulebook.unit,
        "lists": [_list_data(a) for a in awards.lists],
        "awards": [_entrant_data(rulebook, awards, e) for e in entrants_of(awards)],
        "facts": known_data(awards.lists),
        **_remarks(awards.lists),
    }
    data["notices"] += [
        {"text": n.text, "citation": citation_data(n.citation)} for n in awards.notices
    ]
    if explain is not None:
        data["explanation"] = [to_data(a.why) for a in _counted(awards, explain)]
    return data


def _list_data(awards: Awards) -> dict[str, Any]:
    refusal = refusal_data(awards.refusal) if awards.refusal else None
    return {
        **awards.field.label,
        "entrants": len(awards.field.standings),
        "quantities": dict(awards.quantities),
        "schedule": [
            {**_item(awards, a), "entrant": a.standing.entrant.id} for a in awards.schedule
        ],
        "refusal": refusal,
    }


def _entrant_data(rulebook: Rulebook, awards: EventAwards, entrant: Entrant) -> dict[str, Any]:
    counted = awards.combined[entrant.id]
    withheld = [(p, r) for a in counted for p, r in a.withheld]
    data: dict[str, Any] = {
        "entrant": entrant.id,
        "name": entrant.title,
        "place": counted[0].standing.place,
        "players": [{"name": p.name, "number": p.number} for p in entrant.players],
        "award": amount_shown(rulebook, awards, entrant.id),
    }
    if len(counted) == 1:
        data |= figures_data(counted[0])
    if counted[0].refusal:
        data["refusal"] = refusal_data(counted[0].refusal)
    if withheld:
        data["withheld"] = [{"player": p.name, **refusal_data(r)} for p, r in withheld]
    return data


def _counted(awards: EventAwards, entrant: str) -> tuple[Award, ...]:
    """The awards that count for an entrant, found by its number, with the word for one before it or
    without, or by a name that is unique."""
    noun, _, number = entrant.rpartition(" ")
    for known in (entrant, number if noun.lower() in (*NOUNS.values(), "entrant") else ""):
        if known in awards.combined:
            return awards.combined[known]
    called = [c for c in awards.combined.values() if entrant in _names(c[0].standing.entrant)]
    if len(called) != 1:
        raise UnknownName("entrant", entrant, awards.combined)
    return called[0]


def _names(entrant: Entrant) -> set[str]:
    return {entrant.title, *(player.name for player in entrant.players)}


def event_text(
    rulebook: Rulebook,
    awards: EventAwards,
    explain: str | None = None,
    language: str = DEFAULT,
) -> str:
    """The awards of an event as tables; ``explain`` is an entrant."""
    parts = [_heading(rulebook)]
    for one in awards.lists:
        shown = draw_text(award_table(one), language)
        parts.append(words(refusal_note(one), language) if one.refusal else shown)
    if awards.combines:
        parts.append(draw_text(combined_table(rulebook, awards), language))
    parts += [
        words(Message("Note: {note} [{clause}]", note=n.text, clause=str(n.citation)), language)
        for n in awards.notices
    ]
    parts += [words(note, language) for note in _remarks_text(awards.lists)]
    parts.append(
        "\n".join(words(line, language) for line in known_lines(awards.lists, as_typed=True))
    )
    if explain is not None:
        for award in _counted(awards, explain):
            why = Message(
                "Why {amount} for {who}:", amount=award.shown, who=award.standing.entrant.title
            )
            parts.append(f"{words(why, language)}\n{render_explanation(award.why, language)}")
    return "\n\n".join(parts)


# --- tables ---------------------------------------------------------------------------------

_ENTRANT = headed("entrant", Kind.CODE)
_NAME = headed("name")


def award_table(awards: Awards) -> Table:
    """A ranking list with what each place is awarded; an award leads to its reasons."""
    unit = Column("award", awards.unit, Kind.NUMBER, unit=awards.unit, lang="en")
    more = figure_columns(awards.schedule)
    columns = (headed("place", Kind.PLACE), _ENTRANT, _NAME, unit, *more)
    rows: list[Sequence[Cell | str]] = [
        (
            award.standing.placing,
            award.standing.entrant.id,
            name_beside(award.standing.entrant),
            Cell(
                award.amount,
                award_shown(award) if award.amount and not award.refusal else "",
                link=Link("award", award.standing.entrant.id),
                note=_why_not(award),
                part="#why",
            ),
            *figure_cells(award, more),
        )
        for award in awards.schedule
    ]
    return table("awards", columns, rows, caption=list_title(awards.field))


def _why_not(award: Award) -> str:
    if award.refusal:
        return Message("none: {reason}", reason=award.refusal.reason)
    withheld = [
        Message("not to {who}: {reason}", who=player.name, reason=refusal.reason)
        for player, refusal in award.withheld
    ]
    return joined("; ", withheld) if withheld else ""


def combined_table(rulebook: Rulebook, awards: EventAwards) -> Table:
    """Each entrant's final award in an event of several lists."""
    more = colour_columns([award for counted in awards.combined.values() for award in counted])
    unit = Column("award", rulebook.unit, Kind.NUMBER, lang="en")
    columns = (_ENTRANT, _NAME, unit, *more)
    rows: list[Sequence[Cell | str]] = [
        (
            one.id,
            name_beside(one),
            Cell(
                awards.amount(one.id),
                amount_shown(rulebook, awards, one.id) if awards.amount(one.id) else "",
                link=Link("award", one.id),
                part="#why",
            ),
            *colour_cells(awards.combined[one.id], more),
        )
        for one in entrants_of(awards)
    ]
    return table("awards-combined", columns, rows, caption=_how_combined(rulebook, awards))


def _how_combined(rulebook: Rulebook, awards: EventAwards) -> Message:
    """A sentence on how the lists of an event are combined."""
    if not rulebook.lists.pays_best:
        return Message("Each entrant gets the sum of its lists")
    sessions = [bool(one.field.session) for one in awards.lists]
    if all(sessions):
        return Message("Each entrant gets the sum of its sessions")
    if rulebook.lists.sessions != "sum" or not any(sessions):
        return Message("Each entrant gets the best of its lists")
    return Message(
        "Each entrant gets the sum of its sessions or the best of its other lists, whichever is "
        "more"
    )


def refusals_of(lists: Sequence[Awards]) -> list[tuple[Message, Refusal]]:
    """The lists that are awarded nothing, and why."""
    return [(list_title(one.field), one.refusal) for one in lists if one.refusal]


def refusal_note(awards: Awards) -> Message:
    """The reason a list is awarded nothing, and by which clause."""
    assert awards.refusal is not None
    reason = Message(
        "no award: {reason} [{clause}]",
        reason=awards.refusal.reason,
        clause=str(awards.refusal.citation),
    )
    label = list_title(awards.field)
    return Message("{what}: {said}", what=label, said=reason) if label else reason


# --- a row a player ----------------------------------------------------------------------------


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
