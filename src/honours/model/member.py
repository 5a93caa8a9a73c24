"""A member of a federation or a club, and whatever is kept of one: declared here and nowhere else.

A detail added to :class:`Member` is a column of the ledger's table (with a migration for ledgers
that are older), of lists of members that are brought in, of the table of members on pages and
commands, an option of ``honours ledger members edit`` and a field of the API.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from honours.model.message import Message


class Detail(NamedTuple):
    """Something kept about a member besides name and number: a yes or no, or a text."""

    name: str
    default: bool | str
    title: Message
    about: Message
    word: Message
    """What a table says of who has it, where it is a yes or no."""
    otherwise: str
    """What the option that takes a yes back is called."""
    spellings: tuple[str, ...]
    """What its column may be called in a list besides."""

    @property
    def is_yes_no(self) -> bool:
        return isinstance(self.default, bool)

    def shown(self, value: bool | str) -> str:
        """Return the text for a member in a table."""
        if self.is_yes_no:
            return self.word if value else ""
        return str(value)


def _detail(
    default: bool | str,
    title: Message,
    about: Message,
    word: str = "",
    otherwise: str = "",
    spellings: tuple[str, ...] = (),
) -> Any:
    about_it = {"title": title, "about": about, "word": word or title}
    metadata = {**about_it, "otherwise": otherwise, "spellings": spellings}
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Member:
    """A person as the ledger knows them; an erased one has neither name nor number."""

    id: int
    name: str
    number: str = ""
    visitor: bool = _detail(
        False,
        Message("visitor"),
        Message("Plays without being a member."),
        otherwise="member",
        spellings=("guest",),
    )
    opted_out: bool = _detail(
        False,
        Message("publication"),
        Message("Does not want to be published."),
        Message("opted out"),
        otherwise="published",
        spellings=("optout", "unpublished", "private"),
    )

    @property
    def title(self) -> str:
        """The name they go by, or else their number."""
        if self.name or not self.number:
            return self.name or f"#{self.id}"
        return Message("member {number}", number=self.number)

    @property
    def called(self) -> str:
        """Their number, or the ledger's own."""
        return self.number or f"#{self.id}"

    @property
    def details(self) -> dict[str, bool | str]:
        """The details kept of them beside name and number."""
        return {detail.name: getattr(self, detail.name) for detail in DETAILS}


DETAILS = tuple(
    Detail(name=one.name, default=one.default, **one.metadata)  # type: ignore[arg-type]
    for one in fields(Member)
    if one.metadata
)


def details_in(row: Mapping[str, Any]) -> dict[str, bool | str]:
    """The details in a row that may hold other columns too; missing ones get their defaults."""
    return {d.name: type(d.default)(row.get(d.name, d.default)) for d in DETAILS}
