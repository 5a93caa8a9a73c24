"""Tables as pages show them: every one of them sorts, filters and downloads."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from honours.model.table import Cell, Column, Content, Kind, Link, Table
from honours.model.table import table as typed_table
from honours.reports.drawing import as_it_is

_FIGURE = re.compile(r"[-−+]?\d[\d.,]*\s?[%=]?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d\S*)?")

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
    return PAGES.get(link.kind, "").format(quote(link.name)) if link.kind else as_it_is(link)


def cell(text: str, href: str = "", part: str = "", note: str = "", lang: str = "") -> Cell:
    """A text that may lead somewhere; with ``part`` the place comes to that part of the page."""
    return Cell(text, link=Link("", href) if href else None, part=part, note=note, lang=lang)


def table(
    name: str,
    caption: str,
    header: Sequence[str],
    rows: Iterable[Sequence[Content | Cell]],
    foot: str = "",
    lang: str = "",
) -> Table:
    """A table of texts and cells under plain titles; the texts are of the language ``lang``. A
    column of nothing but figures stands to the right, one of nothing but days is shown as such."""
    made = [[one if isinstance(one, Cell) else Cell(one, lang=lang) for one in row] for row in rows]
    texts = zip(*made, strict=True) if made else ((),) * len(header)
    columns = [
        _column(title, [one.text for one in own]) for title, own in zip(header, texts, strict=True)
    ]
    return typed_table(name, columns, made, caption, foot)


def _column(title: str, texts: Sequence[str]) -> Column:
    if any(texts) and all(not text or _DAY.fullmatch(text) for text in texts):
        return Column(str(title), title, Kind.DATE)
    return Column(str(title), title, Kind.TEXT, right=all(map(_is_figure, texts)))


def _is_figure(text: str) -> bool:
    return not text or text == "-" or _FIGURE.fullmatch(text) is not None
