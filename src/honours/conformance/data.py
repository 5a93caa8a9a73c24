"""The format of a source's conformance file.

::

    source = "acbl-2020"
    title = "Masterpoint Calculation Using Strength of Field, 2020 proposal"
    file = "acbl-strength-of-field-2020-proposal.txt"   # its name among the sources
    rulebook = "acbl-sof-2020"                          # unless an item says otherwise

    [[figures]]                       # many figures of one calculation, one item each
    where = "Gatlinburg, proposed"
    lines = [[812, 868]]              # lines of the source they stand on: numbers or [from, to]
    given = { entrants = 71, strength_factor = "31.7345" }
    take = "awards"                   # each place; or a single taking, see below
    printed = ["41.38", "32.19"]

    [[claims]]                        # one figure or statement
    where = "Real-World Examples"
    lines = [801]
    printed = "about 44% more"
    value = "44"                      # the figure in it, where the text is not just a number
    let = { g = { given = {...}, take = "quantity:strength_factor" }, w = {...} }
    ours = "100 * (g / w - 1)"
    within = "1"                      # else: must round to the printed figure
    relation = "<"                    # or: how ours must stand to the value
    verdict = "contradicted"          # what we say of it; "reproduced" unless stated
    reason = "F alone gives 41.5%"

    [[unchecked]]                     # a claim nobody can check from the sources
    where, lines, printed, needs      # needs: the data it would take

    [[exempt]]                        # numbers that state nothing to check
    lines, numbers (optional), reason

A taking is ``at:3`` (a place's award), ``total`` (of the awards), ``sum:x`` (the per-place quantity
``x`` summed, unrounded), ``quantity:x``, ``parameter:x`` or ``parameter:x.item``, ``places``,
``extra:group.x``, ``refused`` (1 or 0). A calculation may have ``rulebook``, ``set``, ``ties`` and
``line``. An expression knows ``+ - * / ( )``, ``power``, ``log10``, ``min``, ``max``, ``abs`` and
the names in ``let``; a plain number in ``let`` is itself. ``board`` items are scored by the scorer:
see :mod:`honours.conformance.values`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any

from honours.errors import RulebookError, UnknownName

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
    verdict: str = "reproduced"
    reason: str = ""
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Exemption:
    """Numbers of a source that state nothing to check, and why."""

    lines: Lines
    reason: str
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
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
def load_source(source_id: str) -> Source:
    """Read a source's conformance file."""
    if source_id not in source_ids():
        raise UnknownName("source", source_id, source_ids())
    file = resources.files(__package__) / f"{source_id.replace('-', '_')}.toml"
    table = tomllib.loads(file.read_text(encoding="utf-8"), parse_float=Decimal)
    default = table.get("rulebook", "")
    try:
        claims = (*_figures(source_id, table, default), *_claims(source_id, table, default),
                  *_unchecked(source_id, table))  # fmt: skip
        exempt = tuple(_exemption(row) for row in table.get("exempt", []))
        return Source(source_id, table["title"], table["file"], default, claims, exempt)
    except (KeyError, TypeError) as error:
        raise RulebookError(f"conformance of {source_id}: {error}") from error


def _lines(rows: list[Any]) -> Lines:
    return tuple((row[0], row[1]) if isinstance(row, list) else (row, row) for row in rows)


def _figures(source: str, table: Mapping[str, Any], rulebook: str) -> Iterator[Claim]:
    for row in table.get("figures", []):
        known = dict(row)
        where, lines = known.pop("where"), _lines(known.pop("lines"))
        printed, take = known.pop("printed"), known.pop("take", "awards")
        shared = {k: known.pop(k) for k in ("within", "verdict", "reason") if k in known}
        calculation = {"rulebook": rulebook, **known}
        for place, figure in enumerate(printed, 1):
            taking = f"at:{place}" if take == "awards" else take
            label = f"{where}, place {place}" if take == "awards" else where
            let = {"x": {**calculation, "take": taking}}
            yield Claim(source, label, str(figure), lines, let=let, ours="x", **shared)


def _claims(source: str, table: Mapping[str, Any], rulebook: str) -> Iterator[Claim]:
    for row in table.get("claims", []):
        known = dict(row)
        let = {k: _with_rulebook(v, rulebook) for k, v in known.pop("let", {}).items()}
        if "take" in known or "given" in known:
            keys = ("rulebook", "given", "set", "ties", "line", "take")
            own = {k: known.pop(k) for k in keys if k in known}
            let, known["ours"] = {"x": {"rulebook": rulebook, **own}}, known.get("ours", "x")
        lines = _lines(known.pop("lines"))
        yield Claim(source=source, lines=lines, let=let, **known)


def _with_rulebook(value: Any, rulebook: str) -> Any:
    return {"rulebook": rulebook, **value} if isinstance(value, Mapping) else value


def _unchecked(source: str, table: Mapping[str, Any]) -> Iterator[Claim]:
    for row in table.get("unchecked", []):
        known = dict(row)
        lines = _lines(known.pop("lines"))
        yield Claim(source=source, lines=lines, verdict="not checkable", **known)


def _exemption(row: Mapping[str, Any]) -> Exemption:
    numbers = tuple(str(n) for n in row.get("numbers", ()))
    return Exemption(_lines(row["lines"]), row["reason"], numbers)
