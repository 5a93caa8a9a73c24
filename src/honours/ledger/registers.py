"""Registers of invitational tournaments: what each says of how one qualifies.

A register is a TOML file, one for each invitational, since each defines for itself how points are
obtained and used::

    title = "World Mind Sports Games 2026"
    rulebook = "aga-category"
    since = "2025-01-01"
    until = "2025-12-31"
    best = 3                     # how many results count; all unless said
    places = 8                   # how many qualify
    minimum_category = 10        # what a tournament must reach to count; any unless said
    member_since = "2024-01-01"  # who was posted for the first time later is not eligible
    games = 10                   # least games in the year before the end; none unless said
    not_at = "European Open"     # who played there within the period is not eligible
    ties = "best, tournaments"   # how ties are broken, in this order; they stand unless said
    declined = "4001, 4002"      # who does not want the place
    vacant = 0                   # 1 leaves the place empty; else the next one gets it

    [[tournaments]]              # those that were designated, and no others
    title = "River Town Open"
    day = "2025-03-15"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal

from honours.errors import FileProblem
from honours.files import toml_of, toml_text
from honours.model.message import Message


@dataclass(frozen=True, slots=True)
class Register:
    """What an invitational says of how one qualifies; tournaments as (day, title)."""

    title: str
    rulebook: str
    since: str
    until: str
    places: int
    best: int = 0
    minimum_category: int = 0
    member_since: str = ""
    games: int = 0
    not_at: str = ""
    ties: str = ""
    declined: str = ""
    vacant: int = 0
    tournaments: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RegisterField:
    """Something that a register says: for a file, a form and the API. Without a ``default`` it
    must be said."""

    key: str
    label: Message
    type: Literal["text", "day", "count"]
    default: str | int | None = None
    about: str = ""


TIE_RULES = ("best", "tournaments", "latest")
"""The better best result, more results that count, the later last of them."""
FIELDS = (
    RegisterField("title", Message("title"), "text"),
    RegisterField("rulebook", Message("rulebook"), "text", "aga-category"),
    RegisterField("since", Message("since"), "day"),
    RegisterField("until", Message("until"), "day"),
    RegisterField("places", Message("how many qualify"), "count"),
    RegisterField("best", Message("best results of each"), "count", 0, Message("0 counts all")),
    RegisterField(
        "minimum_category",
        Message("minimum category"),
        "count",
        0,
        Message("what a tournament must reach to count; 0 for any"),
    ),
    RegisterField(
        "member_since",
        Message("member since"),
        "day",
        "",
        Message("who was in the ledger for the first time later is not eligible"),
    ),
    RegisterField(
        "games",
        Message("games within a year"),
        "count",
        0,
        Message("who played fewer in the year before the end is not eligible"),
    ),
    RegisterField(
        "not_at",
        Message("not at"),
        "text",
        "",
        Message("who played this event in the period is not eligible"),
    ),
    RegisterField(
        "ties",
        Message("ties"),
        "text",
        "",
        Message("how ties are broken, in order: {words}", words=TIE_RULES),
    ),
    RegisterField(
        "declined", Message("declined"), "text", "", Message("numbers of those who decline")
    ),
    RegisterField(
        "vacant",
        Message("a declined place stays vacant"),
        "count",
        0,
        Message("1 if so; else the next one gets it"),
    ),
)
TOURNAMENTS = "tournaments"


def read_register(path: str | Path) -> Register:
    """The register in a file; whatever is wrong in it is named."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FileProblem(str(path), str(error), _EXPECTED) from error
    return register_of_text(text, str(path))


_EXPECTED = "a register of tournaments in TOML"


def register_of_text(text: str, where: str) -> Register:
    """The register that a text in TOML describes; ``where`` is what its file is called."""
    try:
        declared = toml_of(text)
    except tomllib.TOMLDecodeError as error:
        raise FileProblem(where, str(error), _EXPECTED) from error
    return register_of(declared, where)


def register_of(declared: Mapping[str, Any], where: str) -> Register:
    """The register that these values make, each checked."""
    known = [*(field.key for field in FIELDS), TOURNAMENTS]
    unknown = sorted(set(declared) - set(known))
    if unknown:
        raise FileProblem(
            where, "unknown key {unknown!r}", ", ".join(sorted(known)), unknown=unknown[0]
        )
    listed = declared.get(TOURNAMENTS, ())
    tournaments = tuple(_tournament(where, row) for row in listed)
    if not tournaments:
        raise FileProblem(where, "no [[tournaments]]", "those that were designated")
    values = {field.key: _value(where, declared, field) for field in FIELDS}
    if values["since"] > values["until"]:
        raise FileProblem(
            where,
            "since = {since}, until = {until}",
            "a period that ends after it begins",
            since=values["since"],
            until=values["until"],
        )
    return Register(**values, tournaments=tournaments)


def register_text(register: Register) -> str:
    """A register as its file has it."""
    lines = [f"{field.key} = {toml_text(getattr(register, field.key))}" for field in FIELDS]
    for day, title in register.tournaments:
        lines += ["", "[[tournaments]]", f"title = {toml_text(title)}", f"day = {toml_text(day)}"]
    return "\n".join(lines) + "\n"


def _tournament(where: str, row: object) -> tuple[str, str]:
    if not isinstance(row, Mapping):
        raise FileProblem(where, repr(row), "[[tournaments]] with title and day")
    day, title = RegisterField("day", Message("day"), "day"), FIELDS[0]
    return str(_value(where, row, day)), str(_value(where, row, title))


def _value(where: str, table: Mapping[str, Any], field: RegisterField) -> Any:
    value = table.get(field.key, field.default)
    if field.type == "count":
        return _count(where, field, value)
    if field.type == "day":
        return _day(where, field, value)
    if field.key == "ties" and isinstance(value, str):
        for rule in filter(None, (part.strip() for part in value.split(","))):
            if rule not in TIE_RULES:
                raise FileProblem(where, "ties = {rule!r}", ", ".join(TIE_RULES), rule=rule)
    if not isinstance(value, str) or not (value.strip() or field.default == ""):
        raise FileProblem(where, "{key} = {value!r}", '{key} = "…"', key=field.key, value=value)
    return value.strip()


def _day(where: str, field: RegisterField, value: object) -> str:
    if value == field.default == "":
        return ""
    try:
        return date.fromisoformat(str(value)).isoformat()
    except ValueError as error:
        raise FileProblem(
            where, "{key} = {get!r}", "e.g. 2025-03-15", key=field.key, get=value
        ) from error


def _count(where: str, field: RegisterField, value: object) -> int:
    least = 1 if field.default is None else 0
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise FileProblem(
            where,
            "{key} = {value!r}",
            "a whole number from {least} on",
            key=field.key,
            value=value,
            least=least,
        )
    return value
