"""XML read safely into plain elements that know their line.

Expat reads it as a stream and fetches nothing: a DOCTYPE is accepted and never followed, any
entity declaration or reference refused.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from honours.errors import FileProblem
from honours.formats.reading import open_checked
from honours.model.message import Message

_CHUNK = 1 << 16
_DEEPEST = 64
_MOST_HELD = 2_000_000
"""Elements in memory at once, about half a kilobyte each; what a watcher drops is not counted."""
_HEAD = 200
_DECLARED = re.compile(rb"\s*<\?xml[^>]{0,80}?\bencoding\s*=\s*[\"']([\w.-]{1,40})")
_UNICODE = (b"utf-8", b"utf8", b"us-ascii", b"ascii")
_AFTER = b"\0\x1a \t\r\n"
_SAFETY = "none: it is refused for safety"


@dataclass(slots=True)
class Element:
    """An element: its text is all the text directly in it, without the space around it.

    It lies in the file's bytes from ``start`` up to the closing tag at ``close``. Processing
    instructions in it are ``instructions`` by their target.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    start: int = 0
    close: int = 0
    text: str = ""
    children: list[Element] = field(default_factory=list)
    instructions: dict[str, str] = field(default_factory=dict)

    def get(self, name: str, default: str = "") -> str:
        return self.attributes.get(name, default)

    def all(self, tag: str) -> Iterator[Element]:
        """The children of that tag."""
        return (child for child in self.children if child.tag == tag)

    def first(self, *path: str) -> Element | None:
        """The first child of that tag, and in it the next of the path."""
        element: Element | None = self
        for tag in path:
            element = next(element.all(tag), None) if element is not None else None
        return element

    def word(self, *path: str) -> str:
        """The text of the first child of that path, empty when there is none."""
        element = self.first(*path)
        return element.text if element is not None else ""


Watcher = Callable[[Sequence[Element], Element], bool]
"""Called with the open elements and one that just ended; true drops it from its parent."""


def read_xml(path: str | Path, watch: Watcher | None = None) -> Element:
    """The root of a document. With ``watch`` what it drops is never held in memory."""
    with open_checked(path) as file:
        encoding = _encoding(iter(partial(file.read, _CHUNK), b""))
        file.seek(0)
        reader = _ElementReader(path, watch, encoding)
        while chunk := file.read(_CHUNK):
            reader.feed(chunk)
    return reader.root()


def parse_xml(path: str | Path, data: bytes, watch: Watcher | None = None) -> Element:
    """The root of a document in memory."""
    reader = _ElementReader(path, watch, _encoding(iter((data,))))
    reader.feed(data)
    return reader.root()


def _encoding(chunks: Iterator[bytes]) -> str | None:
    """The encoding of a document that is not in the one it says, or none: what is marked as UTF-16
    is that, and what is to be UTF-8 and is not was written by an older Windows program."""
    first = next(chunks, b"")
    declared = _DECLARED.match(first[:_HEAD])
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if (
        first.startswith(codecs.BOM_UTF8)
        or b"\0" in first[:4]
        or (declared and declared[1].lower() not in _UNICODE)
    ):
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(first)
        for chunk in chunks:
            decoder.decode(chunk)
    except UnicodeDecodeError:
        return "windows-1252"
    return None


class _ElementReader:
    def __init__(self, path: str | Path, watch: Watcher | None, encoding: str | None) -> None:
        self._path, self._watch = path, watch
        self._root: Element | None = None
        self._held = 0
        self._skipped, self._ended = 0, False
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._parser = expat.ParserCreate(encoding)
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.ProcessingInstructionHandler = self._instruction
        self._parser.EntityDeclHandler = lambda *_: self._refuse(Message("an entity declaration"))
        self._parser.SkippedEntityHandler = lambda name, _: self._refuse(
            Message("the entity &{name};", name=name)
        )

    def _refuse(self, fault: str) -> NoReturn:
        raise FileProblem(self._path, fault, _SAFETY, self._parser.CurrentLineNumber)

    def feed(self, chunk: bytes, last: bool = False) -> None:
        """Parse the next bytes; blank lines before the declaration are passed over."""
        if self._root is None and not self._parser.CurrentByteIndex > 0:
            # A declaration may not have blank lines before it, and files have.
            begun = chunk.lstrip(b" \t\r\n")
            self._skipped += len(chunk) - len(begun)
            chunk = begun
        try:
            if not self._ended:
                self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            if self._is_over(chunk):
                return
            why = expat.ErrorString(error.code)
            fault = Message("not well-formed XML: {why}", why=why)
            raise FileProblem(self._path, fault, line=error.lineno) from error
        except (LookupError, ValueError) as error:
            if self._root is not None:
                raise
            raise FileProblem(
                self._path, "an encoding that is not known: {error}", error=error
            ) from error

    def _is_over(self, chunk: bytes) -> bool:
        """True if the document has ended and what follows is the end of an old text file."""
        rest = chunk[chunk.rfind(b">") + 1 :]
        self._ended = self._root is not None and not self._open and not rest.strip(_AFTER)
        return self._ended

    def root(self) -> Element:
        self.feed(b"", last=True)
        assert self._root is not None, "expat refuses a document without a root"
        return self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element, within the limits of depth and number."""
        if len(self._open) >= _DEEPEST:
            line = self._parser.CurrentLineNumber
            raise FileProblem(
                self._path,
                "more than {deepest} elements in each other",
                line=line,
                deepest=_DEEPEST,
            )
        here = self._parser.CurrentByteIndex + self._skipped
        self._held += 1
        if self._held > _MOST_HELD:
            line = self._parser.CurrentLineNumber
            raise FileProblem(
                self._path,
                "more than {most_held} elements at once",
                line=line,
                most_held=_MOST_HELD,
            )
        # A prefix only says which namespace a tag is of, and no format we read mixes them.
        element = Element(tag.rpartition(":")[2], attributes, self._parser.CurrentLineNumber, here)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self._root = element
        self._open.append(element)
        self._texts.append([])

    def _instruction(self, target: str, data: str) -> None:
        if self._open:
            self._open[-1].instructions[target] = data

    def _characters(self, text: str) -> None:
        self._texts[-1].append(text)

    def _end(self, _tag: str) -> None:
        """Close an element, and let go of what the watcher took."""
        element = self._open.pop()
        element.text = "".join(self._texts.pop()).strip()
        element.close = self._parser.CurrentByteIndex + self._skipped
        if self._watch and self._open and self._watch(self._open, element):
            self._open[-1].children.pop()
            self._held -= _size(element)


def _size(element: Element) -> int:
    return 1 + sum(_size(child) for child in element.children)
