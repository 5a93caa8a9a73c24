"""What a question of the lab finds: the same words, tables and data wherever it is asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from honours.lab.caveats import headline, note_of, notes_of, titled
from honours.language import DEFAULT

if TYPE_CHECKING:
    from honours.lab.compared_sides import Side
    from honours.lab.corpus import Corpus
    from honours.lab.frame import Frame
    from honours.lab.report import Answer

Progress = Callable[..., None]
"""Called with how much is done, out of how much, and the interim result."""


def unwatched(*_: object) -> None:
    """The progress of work that nobody watches."""


class LabResult(ABC):
    """A statement and tables, about a corpus or independent of any."""

    corpus: Corpus | None

    @property
    def sides(self) -> Sequence[Side]:
        """The rulebooks it is about."""
        return ()

    @property
    def notes(self) -> Sequence[str]:
        """Notes that must accompany the statement."""
        return ()

    @abstractmethod
    def statement(self) -> str:
        """The answer in a sentence."""

    @abstractmethod
    def frames(self) -> Iterable[Frame]:
        """Its tables, starting with the one that answers the question."""

    @abstractmethod
    def data(self) -> dict[str, Any]:
        """The whole answer as plain data."""

    @property
    def heading(self) -> str:
        """The title of a report about it."""
        return next(iter(self.frames())).title

    def answer(self, progress: Progress = unwatched, whole: bool = True) -> Answer:
        """The report of the result: just its statement and tables."""
        from honours.lab.report import Answer

        del progress, whole
        data = self.data()
        statements = [self.statement(), *self.notes, *notes_of(self.corpus, *self.sides)]
        title = titled(self.corpus, self.heading)
        return Answer(title, statements, [*self.frames()], data["provenance"], plain=data)

    def text(self, language: str = DEFAULT) -> str:
        """The text for a terminal."""
        return self.answer(whole=False).text(language)

    def _repr_html_(self) -> str:
        tables = "".join(frame.html() for frame in self.frames())
        return f"<p>{escape(self.statement())}</p>{tables}"


@dataclass(frozen=True, slots=True)
class ToldResult(LabResult):
    """A sentence, what it rests on, and the tables behind it."""

    corpus: Corpus | None
    title: str
    text_told: str
    tables: tuple[Frame, ...]
    notes: Sequence[str] = ()
    sides: Sequence[Side] = ()
    rests_on: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        return self.title

    def statement(self) -> str:
        return headline(self.corpus, self.text_told)

    def frames(self) -> tuple[Frame, ...]:
        return self.tables

    def data(self) -> dict[str, Any]:
        known = self.corpus.provenance() if self.corpus else {}
        return {
            "statement": self.statement(),
            "notes": list(self.notes),
            "synthetic": self.corpus is None or bool(note_of(self.corpus)),
            "tables": {frame.name: frame.data() for frame in self.tables},
            "provenance": {**known, **{side.id: side.hash for side in self.sides}, **self.rests_on},
        }


Finding: TypeAlias = "LabResult | Answer"
"""What answers a question: a result, or a finished report."""
