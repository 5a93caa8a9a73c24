"""The shape of what is told of a thing, declared once: its table for people and files, its data for
programs, and the types of that data, from which the API makes its models."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Generic, TypeVar

from honours.model.message import Message
from honours.model.table import Cell, Column, Kind, Table, table

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing told: its ``data`` for programs, by an attribute's name or a function, and where it
    has a ``title``, a column for people, whose ``cell`` is the data unless said. With no ``type``
    it is only shown."""

    key: str
    data: str | Callable[[Any], Any] = ""
    title: str = ""
    kind: Kind = Kind.TEXT
    type: Any = str
    cell: Callable[[Any], Any] | None = None
    lang: str = ""

    def of(self, thing: Any) -> Any:
        """Return the item's value of a thing."""
        return self.data(thing) if callable(self.data) else attrgetter(self.data or self.key)(thing)

    def shown(self, thing: Any) -> Any:
        """The cell of a thing."""
        if self.cell is not None:
            return self.cell(thing)
        value = self.of(thing)
        return str(value) if self.kind is Kind.CODE and value is not None else value


def titled(
    key: str,
    data: str | Callable[[Any], Any] = "",
    kind: Kind = Kind.TEXT,
    type: Any = str,
    cell: Callable[[Any], Any] | None = None,
    lang: str = "",
) -> Item:
    """An item whose title for people is its key, in their language."""
    return Item(key, data, Message(key), kind, type, cell, lang)


@dataclass(frozen=True)
class Shape(Generic[T]):
    """All that is told of one kind of thing, in the order it is shown in; ``of`` is what a list or
    a file of them is called."""

    of: str
    told: tuple[Item, ...]
    caption: str = ""

    def data(self, thing: T, **more: Any) -> dict[str, Any]:
        """A thing for programs; messages are their English texts."""
        values = {one.key: one.of(thing) for one in self.told if one.type is not None}
        plain = {key: str(one) if isinstance(one, Message) else one for key, one in values.items()}
        return {**more, **plain}

    def table(self, things: Iterable[T], caption: str | None = None) -> Table:
        """Things for people."""
        columns = [one for one in self.told if one.title]
        header = [Column(one.key, one.title, one.kind, lang=one.lang) for one in columns]
        rows: list[list[Cell | Any]] = [[one.shown(thing) for one in columns] for thing in things]
        return table(self.of, header, rows, self.caption if caption is None else caption)
