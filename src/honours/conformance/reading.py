"""Reading a conformance file: its figures, tables and statements as single claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from honours.conformance.data import Claim, Exemption, Lines
from honours.model.message import Message

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
    """What the claim checks, whichever parameters it does it with."""
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
