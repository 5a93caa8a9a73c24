"""The addresses of what cells of tables lead to on pages."""

from __future__ import annotations

from urllib.parse import quote

from honours.model.table import Cell, Link
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
