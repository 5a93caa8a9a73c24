r"""The format of a source's conformance file.

::

    title = "Masterpoint Calculation Using Strength of Field, 2020 proposal"
    file = "acbl-strength-of-field-2020-proposal.txt"   # its name among the sources
    rulebook = "acbl-sof-2020"                          # unless an item says otherwise

    [[figures]]                       # many figures of one calculation, one item each
    where = "Gatlinburg, proposed"
    lines = [[812, 868]]              # lines of the source they stand on: numbers or [from, to]
    given = { entrants = 71, strength_factor = "31.7345" }
    take = "awards"                   # each place; or one taking, or a list beside ``printed``
    each = { pairs = [46, 43] }       # or: a key that differs from figure to figure
    at = [155, 156]                   # the line of each figure, instead of ``lines``
    printed = ["41.38", "32.19"]

    [[tables]]                        # a table of figures, one item a cell
    where = "Sample SOF Awards"
    header = 134                      # the line of the columns' values; the rows follow it
    rows = { tables = [4, 8] }
    columns = { average_masterpoints = [0, 250] }
    take = "at:1"
    cells = '''
    2.68 3.13
    3.11 3.77'''

    [[claims]]                        # one figure or statement
    where = "Real-World Examples"
    lines = [801]
    printed = "about 44% more"
    value = "44"                      # the figure in it, where the text has another one first
    let = { g = { given = {...}, take = "quantity:strength_factor" }, w = {...} }
    ours = "100 * (g / w - 1)"
    within = "1"                      # else: must be the printed figure, where ours is an award
                                      # or a parameter, or round to it, where it is a quantity
    relation = "<"                    # or: how ours must stand to the value
    truth = true                      # or: ours is a comparison, which must hold; no value
    verdict = "contradicted"          # what we say of it; "reproduced" unless stated
    reason = "F alone gives 41.5%"

    [[fitted]]                        # inputs that no source prints, found by what they give
    given = { strength_factor = "19.084" }      # in a calculation with this
    inputs = ["strength_factor", "entrants"]    # these were found
    why = "F is not printed"

    [[unchecked]]                     # a claim nobody can check from the sources
    where, lines, printed, needs      # needs: the data it would take; printed may be a list

    [[exempt]]                        # numbers that state nothing to check
    lines, reason
    numbers = ["3", "7"]              # only these of the lines
    pattern = 'p ?\d+'               # or only those inside this; without lines: anywhere

Every number of a source is accounted for by its own item: one in ``printed`` of an item that names
its line, one in the ``given`` of a calculation there (once a calculation), or an exemption.

A taking is ``at:3`` (a place's award), ``first:3`` (of the first three), ``total`` (of all),
``places`` (how many are paid), ``quantity:x`` (of the field), ``place:x.3`` (a per-place quantity,
unrounded unless its rule rounds), ``entrant:x.3`` (of the third in the list), ``sum:x`` (a per-
place quantity summed over the paid places), ``parameter:x`` or ``parameter:x.item``,
``extra:group.x``, ``refused`` (1 or 0), ``rank:Name.total`` (what a rank needs).
A calculation may have ``rulebook``, ``set``, ``ties``, ``line`` and ``list`` (standings as in a
rulebook's examples). ``board`` and ``ranking`` are worked out by the scorer: see
:mod:`honours.conformance.own_values`. An expression knows ``+ - * / ( )``, comparisons, ``power``,
``log10``, ``min``, ``max``, ``abs``, ``up``, ``down``, ``nearest`` (to whole numbers) and the names
in ``let``. What is ours is always worked out: a ``let`` is a calculation, never a figure copied
from the page. A figure that is checked a second time with a parameter ``set`` is one item: what it
is under the variant is told beside it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any

from honours.errors import RulebookError, UnknownName
from honours.model.message import Message

Lines = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """One figure or statement of a source and how it is checked."""

    source: str
    where: str
    printed: str
    lines: Lines
    value: str = ""
    let: Mapping[str, Any] = field(default_factory=dict)
    ours: str = ""
    within: str = ""
    relation: str = ""
    truth: bool = False
    verdict: str = "reproduced"
    reason: str = ""
    needs: str = ""
    fitted: tuple[str, ...] = ()
    """What we had to find for want of a printed input, each with its value and why."""
    variant: Mapping[str, Any] = field(default_factory=dict)
    """The same calculations with the parameters of a variant, where they are checked so too."""

    @property
    def calculations(self) -> tuple[Mapping[str, Any], ...]:
        return tuple(value for value in self.let.values() if isinstance(value, Mapping))

    @property
    def only_quotes(self) -> bool:
        """True if it compares nothing but parameters, which were copied from the page."""
        takings = [str(c["take"]).partition(":")[0] for c in self.calculations]
        return bool(takings) and set(takings) <= {"parameter", "rank"}

    @property
    def is_loose(self) -> bool:
        """True if less is compared than the digits that are printed: a figure that is said to be
        about so much, a bound, or a figure of which only the bounds are known."""
        bounded = self.truth and re.fullmatch(r"[\d.,]+", self.printed) is not None
        return bool(self.relation) or bounded or float(self.within or 0) > 0

    @property
    def rulebooks(self) -> frozenset[str]:
        """The rulebooks it is checked with; none where the scorer is asked or nothing can be."""
        return frozenset(c["rulebook"] for c in self.calculations if c["rulebook"])


@dataclass(frozen=True, slots=True)
class Exemption:
    """Numbers of a source that state nothing to check, and why."""

    lines: Lines
    reason: str
    numbers: tuple[str, ...] = ()
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A source with everything it prints."""

    id: str
    title: str
    file: str
    rulebook: str
    claims: tuple[Claim, ...]
    exempt: tuple[Exemption, ...]


def source_ids() -> tuple[str, ...]:
    """The ids of the sources, from their files."""
    files = resources.files(__package__).iterdir()
    names = (f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml"))
    return tuple(sorted(n.replace("_", "-") for n in names))


@cache
def load_source(source_id: str) -> SourceDocument:
    """Read a source's conformance file."""
    if source_id not in source_ids():
        raise UnknownName("source", source_id, source_ids())
    file = resources.files(__package__) / f"{source_id.replace('-', '_')}.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    book = table.get("rulebook", "")
    try:
        source_claims = tuple(claims(source_id, table, book))
        exempt = tuple(exemption(row) for row in table.get("exempt", []))
        return SourceDocument(source_id, table["title"], table["file"], book, source_claims, exempt)
    except (KeyError, TypeError, ValueError) as error:
        raise RulebookError(
            "conformance of {source_id}: {error!r}", source_id=source_id, error=error
        ) from error


# --- reading -----------------------------------------------------------------------------------


_JUDGED = ("within", "relation", "verdict", "reason")
_CALCULATION = (
    "rulebook",
    "given",
    "set",
    "ties",
    "line",
    "list",
    "board",
    "ranking",
    "take",
)


def claims(source: str, table: Mapping[str, Any], rulebook: str) -> Iterator[Claim]:
    """Every claim of a file, in the order of the lines they stand on."""
    every = [
        *(c for row in table.get("figures", []) for c in _figures(source, row, rulebook)),
        *(c for row in table.get("tables", []) for c in _cells(source, row, rulebook)),
        *(_claim(source, row, rulebook) for row in table.get("claims", [])),
        *(c for row in table.get("unchecked", []) for c in _unchecked(source, row)),
    ]
    fits = table.get("fitted", [])
    once = (replace(claim, fitted=_fitted(claim, fits)) for claim in _once(every))
    return iter(sorted(once, key=lambda claim: claim.lines))


def _once(every: list[Claim]) -> Iterator[Claim]:
    """Each figure once: one that is checked again under a variant carries that check along."""
    plain = {_figure_key(claim): claim for claim in every if not _amended(claim)}
    again = {_figure_key(c): c for c in every if _amended(c) and _figure_key(c) in plain}
    for claim in every:
        key = _figure_key(claim)
        if not _amended(claim):
            yield replace(claim, variant=again[key].let) if key in again else claim
        elif key not in plain:
            yield claim


def _amended(claim: Claim) -> bool:
    return any("set" in calculation for calculation in claim.calculations)


def _figure_key(claim: Claim) -> str:
    """Return a key of what the claim checks, whichever parameters it does so with."""
    let = {
        name: {k: v for k, v in value.items() if k != "set"}
        if isinstance(value, Mapping)
        else value
        for name, value in claim.let.items()
    }
    return repr((claim.lines, claim.printed, claim.value, claim.ours, let))


def _fitted(claim: Claim, fits: list[dict[str, Any]]) -> tuple[str, ...]:
    """The inputs of a claim that were found and are printed nowhere."""
    fitted = [
        f"{name}={calculation['given'][name]} ({fit['why']})"
        for calculation in claim.calculations
        for fit in fits
        if _has(calculation.get("given", {}), fit["given"])
        for name in fit["inputs"]
        if name in calculation["given"]
    ]
    return tuple(dict.fromkeys(fitted))


def _has(given: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(str(given.get(name)) == str(value) for name, value in wanted.items())


def exemption(row: Mapping[str, Any]) -> Exemption:
    """One exemption; of nothing in particular it would exempt a whole source."""
    numbers = tuple(str(n) for n in row.get("numbers", ()))
    lines, pattern = _lines(row.get("lines", [])), row.get("pattern", "")
    if not lines and not pattern:
        raise ValueError(
            Message("an exemption names lines or a pattern: {reason}", reason=row["reason"])
        )
    return Exemption(lines, row["reason"], numbers, pattern)


def _lines(rows: list[Any]) -> Lines:
    return tuple((row[0], row[1]) if isinstance(row, list) else (row, row) for row in rows)


# --- figures --------------------------------------------------------------------------------


def _figures(source: str, row: Mapping[str, Any], rulebook: str) -> Iterator[Claim]:
    known = dict(row)
    where, printed, take = known.pop("where"), known.pop("printed"), known.pop("take", "awards")
    lines, at = _lines(known.pop("lines", [])), known.pop("at", [])
    each = known.pop("each", {})
    judged = {k: known.pop(k) for k in _JUDGED if k in known}
    _parallel(where, printed, [*each.values(), *([at] if at else [])])
    for i, figure in enumerate(printed):
        own = {key: values[i] for key, values in each.items()}
        calculation = _calculation(known, own, _taking(take, i), rulebook)
        label = f"{where}, {_label(take, own, i)}".removesuffix(", ")
        on = _lines([at[i]]) if at else lines
        yield Claim(source, label, str(figure), on, let={"x": calculation}, ours="x", **judged)


def _parallel(where: str, printed: list[Any], others: list[list[Any]]) -> None:
    for other in others:
        if len(other) != len(printed):
            raise ValueError(
                Message(
                    "{where}: {count} figures, {beside} beside them",
                    where=where,
                    count=len(printed),
                    beside=len(other),
                )
            )


def _taking(take: Any, i: int) -> str:
    if take == "awards":
        return f"at:{i + 1}"
    return str(take[i] if isinstance(take, list) else take)


def _label(take: Any, own: Mapping[str, Any], i: int) -> str:
    if own:
        return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in own.items())
    if take == "awards":
        return Message("place {place}", place=i + 1)
    if not isinstance(take, list):
        return ""
    how, _, name = take[i].partition(":")
    if how == "at":
        return Message("place {place}", place=name)
    return str(name).replace("_", " ").replace(".", " ")


def _calculation(
    known: Mapping[str, Any], own: Mapping[str, Any], take: str, rulebook: str
) -> dict[str, Any]:
    unknown = set(known) - set(_CALCULATION)
    if unknown:
        raise ValueError(
            Message("no part of a calculation: {unknown}", unknown=tuple(sorted(unknown)))
        )
    made = {"rulebook": rulebook, **known, "take": take}
    return {**made, "given": {**known.get("given", {}), **own}} if own else made


# --- tables ---------------------------------------------------------------------------------


def _cells(source: str, row: Mapping[str, Any], rulebook: str) -> Iterator[Claim]:
    known = dict(row)
    where, header, take = known.pop("where"), known.pop("header"), known.pop("take")
    (row_key, rows), (column_key, columns) = (
        next(iter(known.pop(axis).items())) for axis in ("rows", "columns")
    )
    cells = [line.split() for line in known.pop("cells").strip().splitlines()]
    judged = {k: known.pop(k) for k in _JUDGED if k in known}
    _parallel(where, rows, [cells])
    for down, (across, row_value) in enumerate(zip(cells, rows, strict=True), 1):
        _parallel(f"{where}, {row_value}", columns, [across])
        for figure, column_value in zip(across, columns, strict=True):
            own = {row_key: row_value, column_key: column_value}
            let = {"x": _calculation(known, own, take, rulebook)}
            label = f"{where}, {_label(take, own, 0)}"
            lines = _lines([header, header + down])
            yield Claim(source, label, figure, lines, let=let, ours="x", **judged)


# --- statements -----------------------------------------------------------------------------


def _claim(source: str, row: Mapping[str, Any], rulebook: str) -> Claim:
    known = dict(row)
    let = {k: _with_rulebook(v, rulebook) for k, v in known.pop("let", {}).items()}
    own = {k: known.pop(k) for k in _CALCULATION if k in known}
    if own:
        let = {**let, "x": {"rulebook": rulebook, **own}}
        known.setdefault("ours", "x")
    lines = _lines(known.pop("lines"))
    return Claim(source=source, lines=lines, let=let, **known)


def _with_rulebook(value: Any, rulebook: str) -> Any:
    return {"rulebook": rulebook, **value} if isinstance(value, Mapping) else value


def _unchecked(source: str, row: Mapping[str, Any]) -> Iterator[Claim]:
    known = dict(row)
    lines, printed = _lines(known.pop("lines")), known.pop("printed")
    for text in printed if isinstance(printed, list) else [printed]:
        yield Claim(source=source, lines=lines, printed=str(text), verdict="not checkable", **known)
