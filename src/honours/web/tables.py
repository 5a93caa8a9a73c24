"""Tables as pages show them: every one of them sorts, filters and downloads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from honours.model.table import Cell, Column, Content, Kind, Link, Table
from honours.model.table import table as typed_table
from honours.reports.drawing import own_address

PAGES = {
    "draft": "/ledger/drafts/{}",
    "member": "/ledger/members/{}",
    "posting": "/ledger/postings/{}",
    "rulebook": "/rulebooks/{}",
    "receipt": "/ledger/intake/{}",
    "submission": "/ledger/submissions/{}.xml",
}
"""Where the things are that cells of shared tables lead to."""


def address(link: Link) -> str:
    """The page of a thing; empty if it has none."""
    return PAGES.get(link.kind, "").format(quote(link.name)) if link.kind else own_address(link)


def cell(text: str, href: str = "", part: str = "", note: str = "", lang: str = "") -> Cell:
    """A text that may lead somewhere; with ``part`` the place comes to that part of the page."""
    return Cell(text, link=Link("", href) if href else None, part=part, note=note, lang=lang)


def table(
    name: str,
    caption: str,
    header: Sequence[str | Column],
    rows: Iterable[Sequence[Content | Cell]],
    foot: str = "",
    lang: str = "",
) -> Table:
    """A table of texts and cells of the language ``lang``; what is headed by a title only is a
    column of text, anything else says its kind with :func:`column`."""
    made = [[one if isinstance(one, Cell) else Cell(one, lang=lang) for one in row] for row in rows]
    columns = [one if isinstance(one, Column) else column(one, Kind.TEXT) for one in header]
    return typed_table(name, columns, made, caption, foot)


def column(title: str, kind: Kind) -> Column:
    """A column of a page's own table; its key is its title."""
    return Column(str(title), title, kind)
