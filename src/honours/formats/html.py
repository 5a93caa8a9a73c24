"""Web pages saved to a file: their tables, headings and choices, read in one pass.

Nothing is fetched and no script is run. The text is gone through once from the left, whatever is
left open in it, so that a long page takes the time of its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email import message_from_bytes
from html import unescape
from pathlib import Path

from honours.errors import FileProblem
from honours.formats.reading import MEGABYTE, decode, read_bytes

LARGEST = 64 * MEGABYTE
_ARCHIVE_HEAD = 2000
_TAIL = 4000
_MOST_CELLS = 500_000
_DEEPEST = 16
_STOP = re.compile(r"[>\"']")
_NAME = re.compile(r"/?[A-Za-z][A-Za-z0-9]{0,20}")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']{1,60})(?:\s{0,9}=\s{0,9}("[^"]*"|'[^']*'|[^\s>]*))?""")
_RAW_END = {tag: re.compile(f"</{tag}", re.IGNORECASE) for tag in ("script", "style")}
_BLOCKS = {"br", "div", "p", "li", "tr", "option", "h1", "h2", "h3", "h4", "h5", "button"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "title", "caption"}
_SUITS = {"spades": "♠", "hearts": "♥", "diams": "♦", "diamonds": "♦", "clubs": "♣"}
"""Classes of empty elements that show a suit."""

Attributes = Mapping[str, str]


@dataclass(slots=True)
class CellPart:
    """An element inside a cell, or a heading or choice: its tag, attributes and text."""

    tag: str
    attributes: Attributes
    text: str = ""


@dataclass(slots=True)
class PageCell:
    """A cell of a table; ``parts`` are the links and marked words in it."""

    text: str
    header: bool
    attributes: Attributes
    parts: list[CellPart] = field(default_factory=list)

    @property
    def kind(self) -> str:
        return self.attributes.get("class", "")


def cell_text(cells: Mapping[str, PageCell], name: str) -> str:
    """The text of a row's cell by the name of its column, empty where there is none."""
    return cells[name].text if name in cells else ""


@dataclass(slots=True)
class PageRow:
    cells: list[PageCell]
    attributes: Attributes

    @property
    def kind(self) -> str:
        return self.attributes.get("class", "")

    def texts(self) -> list[str]:
        return [cell.text for cell in self.cells]


@dataclass(slots=True)
class PageTable:
    """A table, what it is called, and the last words before it."""

    attributes: Attributes
    before: str = ""
    caption: str = ""
    rows: list[PageRow] = field(default_factory=list)


@dataclass(slots=True)
class HtmlPage:
    title: str = ""
    headings: list[CellPart] = field(default_factory=list)
    options: list[CellPart] = field(default_factory=list)
    tables: list[PageTable] = field(default_factory=list)
    words: list[CellPart] = field(default_factory=list)
    """Marked words outside tables: spans and links with their attributes."""


def read_page(path: str) -> HtmlPage:
    """A page from a file, which must not be cut off."""
    text = page_text(path)
    if "</html" not in text[-_TAIL:].lower():
        last = text[text.rfind("\n", 0, -2) + 1 :].strip()[-60:]
        raise FileProblem(path, "cut off: it ends {last!r}", "a page to its </html>", last=last)
    return parse_page(path, text)


def page_text(path: str | Path) -> str:
    """The text of a page, also of one that a browser put into an archive of one file."""
    data = read_bytes(path, LARGEST)
    return decode(path, _first_page(path, data) if is_archive(data) else data)


def is_archive(data: bytes) -> bool:
    """True if a file is a page with all that belongs to it, as browsers save one (``.mhtml``)."""
    head = data[:_ARCHIVE_HEAD].lower()
    return b"mime-version:" in head and b"multipart/related" in head


def _first_page(path: str | Path, data: bytes) -> bytes:
    for part in message_from_bytes(data).walk():
        if part.get_content_type() == "text/html":
            content = part.get_payload(decode=True)
            if isinstance(content, bytes):
                return content
    raise FileProblem(path, "an archive of a browser without a page", "a page of results")


def parse_page(path: str, text: str) -> HtmlPage:
    """A page from its text."""
    builder = _Builder(path)
    for token in _tokens(text):
        builder.take(token)
    return builder.page


# --- tokens -----------------------------------------------------------------------------------


@dataclass(slots=True)
class _Token:
    """A start or an end (``/td``) of an element; with an empty tag, text."""

    tag: str
    inside: str


def _tokens(text: str) -> Iterator[_Token]:
    """The tags and texts of a page in their order."""
    at, without = 0, set[str]()
    while at < len(text):
        start = text.find("<", at)
        if start != at:
            yield _Token("", text[at : start if start >= 0 else len(text)])
        if start < 0:
            return
        if text.startswith("<!--", start):
            end = text.find("-->", start + 4)
            if end < 0:
                return
            at = end + 3
            continue
        name = _NAME.match(text, start + 1)
        end = _tag_end(text, start + 1, without)
        if end < 0:
            return
        if name:
            tag = name[0].lower()
            yield _Token(tag, text[name.end() : end])
            if tag in _RAW_END:
                close = _RAW_END[tag].search(text, end)
                if close is None:
                    return
                end = close.start() - 1
        at = end + 1


def _tag_end(text: str, at: int, without: set[str]) -> int:
    """The index of a tag's end: at a ``>`` that is in no quoted value. A quote that is not in the
    rest of the text is looked for once."""
    while (stop := _STOP.search(text, at)) is not None:
        mark = stop[0]
        if mark == ">":
            return stop.start()
        at = stop.end()
        if text[stop.start() - 1] == "=" and mark not in without:
            close = text.find(mark, at)
            if close < 0:
                without.add(mark)
            else:
                at = close + 1
    return -1


def _attributes(inside: str) -> dict[str, str]:
    attributes = {}
    for name, value in _ATTRIBUTE.findall(inside):
        plain = value[1:-1] if value[:1] in ('"', "'") and value[-1:] == value[:1] else value
        attributes[name.lower()] = unescape(plain)
    return attributes


def squeezed(text: str) -> str:
    return " ".join(text.replace("\xa0", " ").split())


# --- the page ---------------------------------------------------------------------------------


class _Builder:
    """Takes the tokens of a page in their order."""

    def __init__(self, path: str) -> None:
        self.page = HtmlPage()
        self._path, self._cells = path, 0
        self._table: PageTable | None = None
        self._row: PageRow | None = None
        self._cell: PageCell | None = None
        self._texts: list[str] = []
        self._parts: list[tuple[CellPart, int]] = []
        self._said = ""

    def take(self, token: _Token) -> None:
        tag, end = token.tag.removeprefix("/"), token.tag.startswith("/")
        if not tag:
            self._texts.append(unescape(token.inside))
            return
        if tag in _BLOCKS:
            self._texts.append(" ")
        if end:
            self._close(tag)
        else:
            self._open(tag, _attributes(token.inside))

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        """Begin a table, a row, a cell, or an element whose text is wanted."""
        if tag == "table":
            self._finish_cell()
            self._keep_said()
            self._table, self._row = PageTable(attributes, self._said), None
            self.page.tables.append(self._table)
        elif tag == "tr" and self._table is not None:
            self._finish_cell()
            self._row = PageRow([], attributes)
            self._table.rows.append(self._row)
        elif tag in ("td", "th") and self._row is not None:
            self._finish_cell()
            self._cell = PageCell("", tag == "th", attributes)
            self._row.cells.append(self._cell)
            self._cells += 1
            if self._cells > _MOST_CELLS:
                raise FileProblem(
                    self._path, "more than {most_cells} cells in its tables", most_cells=_MOST_CELLS
                )
        elif tag in _HEADINGS or tag == "option":
            self._keep_said()
            self._begin(tag, attributes)
        elif tag in ("a", "span"):
            suit = next((s for s in attributes.get("class", "").split() if s in _SUITS), "")
            self._texts += [_SUITS[suit]] if suit else []
            self._begin(tag, attributes)

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        """An element whose text is wanted; of those left open the oldest are given up."""
        if len(self._parts) >= _DEEPEST:
            self._parts.pop(0)
        self._parts.append((CellPart(tag, attributes), len(self._texts)))

    def _close(self, tag: str) -> None:
        """End an element, and those left open in it."""
        if tag in ("td", "th", "tr"):
            self._finish_cell()
        elif tag == "table":
            self._finish_cell()
            self._table = self._row = None
        elif any(part.tag == tag for part, _ in self._parts):
            while self._parts:
                part, since = self._parts.pop()
                part.text = squeezed("".join(self._texts[since:]))
                self._keep(part)
                if part.tag == tag:
                    break

    def _keep(self, part: CellPart) -> None:
        """Keep a finished element where it belongs."""
        if part.tag == "title":
            self.page.title = part.text
        elif part.tag == "caption" and self._table is not None:
            self._table.caption = part.text
        elif part.tag in _HEADINGS:
            self.page.headings.append(part)
        elif part.tag == "option":
            self.page.options.append(part)
        elif self._cell is not None:
            self._cell.parts.append(part)
        else:
            self.page.words.append(part)

    def _finish_cell(self) -> None:
        if self._cell is not None:
            self._cell.text = squeezed("".join(self._texts))
            self._cell = None
            self._texts.clear()
            self._parts.clear()
        elif self._table is not None and not self._parts:
            self._texts.clear()

    def _keep_said(self) -> None:
        """The last words outside tables, which often are the heading of the next one."""
        if self._parts and self._cell is None:
            return
        words = squeezed("".join(self._texts[-40:]))
        if words and self._cell is None:
            self._said = words[-200:]
            self._texts.clear()
