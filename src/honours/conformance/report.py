"""The verdicts as text and as the page in the documentation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from honours.conformance import further_rulebooks
from honours.conformance.data import load_source, source_ids
from honours.conformance.runner import ClaimVerdict
from honours.language import DEFAULT, words
from honours.model.message import Message, joined, mark, word
from honours.model.verdict import (
    AGREEING,
    CONSISTENT,
    CONTRADICTED,
    FITTED,
    NOT_CHECKABLE,
    VERDICTS,
)

COLUMNS = (*VERDICTS, "total")


def counts(verdicts: Iterable[ClaimVerdict]) -> dict[str, dict[str, int]]:
    """How many of each verdict, by source, and of all of them together."""
    verdicts = list(verdicts)
    table = {source: _count(own) for source, own in _by_source(verdicts)}
    return {**table, "all": _count(verdicts)}


def _count(verdicts: Sequence[ClaimVerdict]) -> dict[str, int]:
    counted = Counter(v.verdict for v in verdicts)
    return {**{name: counted[name] for name in VERDICTS}, "total": len(verdicts)}


def _by_source(verdicts: Iterable[ClaimVerdict]) -> Iterator[tuple[str, list[ClaimVerdict]]]:
    for source, own in groupby(verdicts, lambda v: v.source):
        yield source, list(own)


# --- text -----------------------------------------------------------------------------------


def text(
    verdicts: Sequence[ClaimVerdict],
    everything: bool,
    apart: Sequence[ClaimVerdict] = (),
    language: str = DEFAULT,
) -> str:
    """The counts by source, and apart from them those of the rulebooks without one, then each
    verdict worth a word, or all of them."""
    parts = [_count_table(counts(verdicts), COLUMNS)] if verdicts else []
    if apart:
        table = _count_table(further_rulebooks.counts(apart), further_rulebooks.COLUMNS)
        head = Message("Rulebooks that no source prints, by the figures of their evidence")
        parts.append(f"{words(head, language)}\n{table}")
    for source, own in _by_source([*verdicts, *apart]):
        shown = [v for v in own if everything or _worth_a_word(v)]
        if shown:
            entries = [_entry(verdict, language) for verdict in shown]
            parts.append("\n\n".join([_title(source), *entries]))
    return "\n\n\n".join(parts)


def _title(source: str) -> str:
    return load_source(source).title if source in source_ids() else further_rulebooks.title(source)


def _worth_a_word(verdict: ClaimVerdict) -> bool:
    return verdict.verdict not in AGREEING or not verdict.as_stated


def _count_table(counted: Mapping[str, Mapping[str, int]], columns: Sequence[str]) -> str:
    rows = [["", *columns]]
    rows += [[name, *map(str, row.values())] for name, row in counted.items()]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        row[0].ljust(widths[0])
        + "".join(f"  {cell.rjust(w)}" for cell, w in zip(row[1:], widths[1:], strict=True))
        for row in rows
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


# --- the page -------------------------------------------------------------------------------

_INTRODUCTION = """# Conformance

Every figure and every checkable claim the five sources print, with what we get for each. This
page is made by `honours conform --markdown > docs/evidence/conformance.md`; a test says when it is
old.

- **reproduced**: our rulebook or scorer gives the printed figure from what is printed, to its last
  digit, or the statement holds;
- **consistent**: the source says about how much it is, or prints a bound, and ours is near or
  within it; or ours can only be bounded, and the printed figure is within;
- **fitted**: it gives the figure from an input that no source prints and that we had to find;
- **parameter**: the number is one of the rulebook's own, quoted from there: nothing was worked out;
- **contradicted**: it gives something else, or the source contradicts itself, and why;
- **not checkable**: it would take data that the sources do not have.

`honours conform --all` lists the reproduced ones too, `honours conform --json` is for programs, and
`honours conform --set aga-category:rating_exponent=2` shows what a changed parameter does to them.
"""


_FURTHER = """## Rulebooks that no source prints

Counted apart: what real files, programs that were run and printed examples say is *published*, or
*fitted* where it takes an input that no file states and that we had to find; what we worked out
from a printed formula is *worked out*. `honours conform further --all` lists every figure, and
[real files, checked](checked-files.md) has what is inside the files.
"""


def markdown(verdicts: Sequence[ClaimVerdict], apart: Sequence[ClaimVerdict] = ()) -> str:
    """The page: the counts, then what is contradicted and what cannot be checked."""
    parts = [_INTRODUCTION, _markdown_counts(counts(verdicts), COLUMNS, "source")]
    parts += [section(source, own) for source, own in _by_source(verdicts)]
    if apart:
        parts.append(further_section(apart))
    return "\n".join(parts)


def further_section(apart: Sequence[ClaimVerdict]) -> str:
    """What the page says of the rulebooks that no source prints."""
    parts = [
        _FURTHER,
        _markdown_counts(further_rulebooks.counts(apart), further_rulebooks.COLUMNS, "rulebook"),
    ]
    for book, own in _by_source(apart):
        contradicted = _listed(CONTRADICTED, [v for v in own if v.verdict == CONTRADICTED])
        parts += (
            [f"### {further_rulebooks.title(book)} (`{book}`)\n", *contradicted]
            if contradicted
            else []
        )
    return "\n".join(parts)


def section(source: str, verdicts: Sequence[ClaimVerdict]) -> str:
    """What the page says of one source."""
    parts = [f"## {load_source(source).title} (`{source}`)\n"]
    for verdict in (CONTRADICTED, CONSISTENT, FITTED, NOT_CHECKABLE):
        parts += _listed(verdict, [v for v in verdicts if v.verdict == verdict])
    return "\n".join(parts)


def _markdown_counts(
    counted: Mapping[str, Mapping[str, int]], columns: Sequence[str], first: str
) -> str:
    lines = [f"| {first} | {' | '.join(columns)} |", f"|---|{'---:|' * len(columns)}"]
    lines += [count_row(name, row) for name, row in counted.items()]
    return "\n".join(lines) + "\n"


def count_row(name: str, row: Mapping[str, int]) -> str:
    """A row of the page's table of counts."""
    return f"| {name} | {' | '.join(map(str, row.values()))} |"


def _listed(verdict: str, own: Sequence[ClaimVerdict]) -> list[str]:
    if not own:
        return []
    ours = verdict != NOT_CHECKABLE
    more = ["ours", "from", "why"] if ours else ["what it needs"]
    head = ["where", "printed", *more]
    lines = [f"### {verdict.capitalize()}\n", _row(head), "|" + "---|" * len(head)]
    for v in own:
        reasons = [v.ours, v.inputs, v.reason] if ours else [v.needs or v.reason]
        lines.append(_row([v.where, v.printed, *reasons]))
    return ["\n".join(lines) + "\n"]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    """Text as Markdown shows it, not as Markdown reads it."""
    for sign in ("\\", "|", "*", "_", "<", "`"):
        text = text.replace(sign, "\\" + sign)
    return text
