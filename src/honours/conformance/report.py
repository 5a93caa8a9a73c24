"""The verdicts and the sentences as text, and as the pages in the documentation.

What the pages say is in the templates of ``pages``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Protocol, TypeVar

import jinja2

from honours.conformance import sentences
from honours.conformance.data import load_source, source_ids
from honours.conformance.runner import ClaimVerdict
from honours.conformance.sentences import SourceSentence
from honours.language import DEFAULT, words
from honours.model.message import Message, joined, mark, word
from honours.model.verdict import AGREEING, CONSISTENT, CONTRADICTED, FITTED, NOT_CHECKABLE
from honours.rulebooks import load

SHOWN = (CONTRADICTED, CONSISTENT, FITTED, NOT_CHECKABLE)
"""The verdicts that the page lists figure by figure."""
_AS_TEXT = str.maketrans({mark: f"\\{mark}" for mark in "\\|*_<`"})
"""What Markdown would read as more than text."""


class Counted(Protocol):
    """Something about a source that is one of a few kinds."""

    @property
    def source(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def kinds(self) -> Sequence[str]: ...


T = TypeVar("T", bound=Counted)


def counts(every: Iterable[Counted]) -> dict[str, dict[str, int]]:
    """Count each kind, by source and of all of them together."""
    every = list(every)
    counted = Counter((one.source, one.kind) for one in every)
    kinds = every[0].kinds if every else ()
    table = {source: {kind: counted[source, kind] for kind in kinds} for source, _ in counted}
    table["all"] = {kind: sum(row[kind] for row in table.values()) for kind in kinds}
    return {name: {**row, "total": sum(row.values())} for name, row in table.items()}


def by_source(every: Iterable[T]) -> Iterator[tuple[str, list[T]]]:
    """Yield every source with what is told of it."""
    for source, own in groupby(every, lambda one: one.source):
        yield source, list(own)


def title(source: str) -> str:
    """Return the title of a source; for a rulebook that no source prints, with its standing."""
    if source in source_ids():
        return load_source(source).title
    book = load(source)
    return f"{book.body}: {book.title} ({book.standing.status})"


# --- text -----------------------------------------------------------------------------------


def text(
    verdicts: Sequence[ClaimVerdict],
    everything: bool,
    apart: Sequence[ClaimVerdict] = (),
    language: str = DEFAULT,
) -> str:
    """The counts by source, and apart from them those of the rulebooks without one, then each
    verdict worth a word, or all of them."""
    parts = [_aligned(counts(verdicts))] if verdicts else []
    if apart:
        head = Message("Rulebooks that no source prints, by the figures of their evidence")
        parts.append(f"{words(head, language)}\n{_aligned(counts(apart))}")
    for source, own in by_source([*verdicts, *apart]):
        worth_a_word = [v for v in own if v.verdict not in AGREEING or not v.as_stated]
        if shown := own if everything else worth_a_word:
            entries = [_entry(verdict, language) for verdict in shown]
            parts.append("\n\n".join([title(source), *entries]))
    return "\n\n\n".join(parts)


def _aligned(counted: Mapping[str, Mapping[str, int]]) -> str:
    rows = [["", *counted["all"]]]
    rows += [[name, *map(str, row.values())] for name, row in counted.items()]
    first, *widths = (max(map(len, column)) for column in zip(*rows, strict=True))
    return "\n".join(
        name.ljust(first)
        + "".join(f"  {cell.rjust(width)}" for cell, width in zip(cells, widths, strict=True))
        for name, *cells in rows
    )


def _entry(verdict: ClaimVerdict, language: str) -> str:
    template = (
        mark("printed: {printed}; ours: {ours}") if verdict.ours else mark("printed: {printed}")
    )
    printed = Message(template, printed=verdict.printed, ours=verdict.ours)
    parts: list[str] = [printed]
    if verdict.inputs:
        parts.append(Message("from: {inputs}", inputs=verdict.inputs))
    parts.append(joined(": ", filter(None, (word(verdict.verdict), verdict.reason))))
    return "\n    ".join([f"  {verdict.where}", *(words(part, language) for part in parts)])


def sentences_text(every: Sequence[SourceSentence]) -> str:
    """The counts, then each sentence with what we do about it."""
    lines = [_aligned(counts(every))]
    for source, own in by_source(every):
        lines += ["", "", sentences.title(source)]
        for one in own:
            lines += ["", f"  {one.where}: “{one.words}”", f"    {one.verdict}: {one.by}"]
            if one.breaks:
                lines.append(f"    obeys: {one.obeys}; breaks: {one.breaks}")
    return "\n".join(lines) + "\n"


# --- the pages ------------------------------------------------------------------------------


@cache
def _pages() -> jinja2.Environment:
    pages = jinja2.Environment(
        loader=jinja2.PackageLoader(str(__package__), "pages"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    pages.filters["cell"] = lambda cell: str(cell).translate(_AS_TEXT)
    pages.globals |= {
        "counts": counts,
        "by_source": by_source,
        "title": title,
        "further": further_section,
        "SHOWN": SHOWN,
    }
    return pages


def markdown(verdicts: Sequence[ClaimVerdict], apart: Sequence[ClaimVerdict] = ()) -> str:
    """The page: the counts, then what is contradicted and what cannot be checked."""
    return _pages().get_template("figures.md.jinja").render(verdicts=verdicts, apart=apart)


def further_section(apart: Sequence[ClaimVerdict]) -> str:
    """Return the page's section on the rulebooks that no source prints."""
    return _pages().get_template("further.md.jinja").render(apart=apart)


def section(source: str, verdicts: Sequence[ClaimVerdict]) -> str:
    """Return the page's section on one source."""
    parts = _pages().get_template("parts.jinja").module
    return str(parts.section(title(source), source, verdicts, SHOWN))  # type: ignore[attr-defined]


def sentences_page(every: Sequence[SourceSentence]) -> str:
    """The page of the sentences."""
    page = _pages().get_template("sentences.md.jinja")
    return page.render(every=every, title=sentences.title)
