"""XML read safely into plain elements that know their line.

Expat reads it as a stream and fetches nothing: a DOCTYPE is accepted and never followed, any
entity declaration or reference refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from honours.errors import FileProblem
from honours.formats.opening import open_checked

_CHUNK = 1 << 16
_DEEPEST = 64
_MOST_HELD = 2_000_000
"""Elements in memory at once, about half a kilobyte each; what a watcher drops is not counted."""
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
        found: Element | None = self
        for tag in path:
            found = next(found.all(tag), None) if found is not None else None
        return found

    def word(self, *path: str) -> str:
        """The text of the first child of that path, empty when there is none."""
        found = self.first(*path)
        return found.text if found is not None else ""


Watcher = Callable[[Sequence[Element], Element], bool]
"""Called with the open elements and one that just ended; true drops it from its parent."""


def read_xml(path: str | Path, watch: Watcher | None = None) -> Element:
    """The root of a document. With ``watch`` what it drops is never held in memory."""
    reader = _Reader(path, watch)
    with open_checked(path) as file:
        while chunk := file.read(_CHUNK):
            reader.feed(chunk)
    return reader.root()


def parse_xml(path: str | Path, data: bytes, watch: Watcher | None = None) -> Element:
    """The root of a document in memory."""
    reader = _Reader(path, watch)
    reader.feed(data)
    return reader.root()


class _Reader:
    def __init__(self, path: str | Path, watch: Watcher | None) -> None:
        self._path, self._watch = path, watch
        self._root: Element | None = None
        self._held = 0
        self._open: list[Element] = []
        self._texts: list[list[str]] = []
        self._parser = expat.ParserCreate()
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.ProcessingInstructionHandler = self._instruction
        self._parser.EntityDeclHandler = lambda *_: self._refuse("an entity declaration")
        self._parser.SkippedEntityHandler = lambda name, _: self._refuse(f"the entity &{name};")

    def _refuse(self, found: str) -> NoReturn:
        raise FileProblem(self._path, found, _SAFETY, self._parser.CurrentLineNumber)

    def feed(self, chunk: bytes, last: bool = False) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code)
            found = f"not well-formed XML: {why}"
            raise FileProblem(self._path, found, line=error.lineno) from error
        except (LookupError, ValueError) as error:
            if self._root is not None:
                raise
            raise FileProblem(self._path, f"an encoding that is not known: {error}") from error

    def root(self) -> Element:
        self.feed(b"", last=True)
        assert self._root is not None, "expat refuses a document without a root"
        return self._root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._open) >= _DEEPEST:
            line = self._parser.CurrentLineNumber
            raise FileProblem(self._path, f"more than {_DEEPEST} elements in each other", line=line)
        here = self._parser.CurrentByteIndex
        self._held += 1
        if self._held > _MOST_HELD:
            line = self._parser.CurrentLineNumber
            raise FileProblem(self._path, f"more than {_MOST_HELD} elements at once", line=line)
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
        element = self._open.pop()
        element.text = "".join(self._texts.pop()).strip()
        element.close = self._parser.CurrentByteIndex
        if self._watch and self._open and self._watch(self._open, element):
            self._open[-1].children.pop()
            self._held -= _size(element)


def _size(element: Element) -> int:
    return 1 + sum(_size(child) for child in element.children)
