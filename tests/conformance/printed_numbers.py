"""The numbers a source prints, so that none is left out silently.

Each number of the text needs its own item: a number in ``printed`` of a claim that names the line
answers for one number there, and so does one in the ``given`` of each different calculation.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from honours.conformance.data import Claim, Exemption, Lines, SourceDocument

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|(?<!\w)\.\d+|\d+")


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number as it stands in a source."""

    line: int
    start: int
    number: str
    text: str

    @property
    def value(self) -> float:
        return _value(self.number)


def _value(number: str) -> float:
    return float(number.replace(",", ""))


def numbers(text: str) -> Iterator[PrintedNumber]:
    """Every number of a text with the line it stands on."""
    for at, line in enumerate(text.split("\n"), 1):
        for match in _NUMBER.finditer(line):
            yield PrintedNumber(at, match.start(), match[0], line)


def unaccounted(source: SourceDocument, text: str) -> list[PrintedNumber]:
    """The numbers that no item of their own lists and no exemption covers."""
    exempt = _exempt_spans(source, text)
    wanted: dict[float, list[PrintedNumber]] = defaultdict(list)
    for printed in numbers(text):
        if not _is_exempt(source, printed, exempt):
            wanted[printed.value].append(printed)
    offered = _offered(source)
    left = [p for value, figures in wanted.items() for p in _unmatched(figures, offered[value])]
    return sorted(left, key=lambda p: (p.line, p.start))


def misplaced(source: SourceDocument, text: str) -> list[tuple[Claim, str]]:
    """Claims that print a number which does not stand on the lines they name."""
    standing: dict[int, set[float]] = defaultdict(set)
    for printed in numbers(text):
        standing[printed.line].add(printed.value)
    return [
        (claim, number)
        for claim in source.claims
        for number in _NUMBER.findall(claim.printed)
        if not any(_value(number) in standing[line] for line in _each(claim.lines))
    ]


# --- exemptions -----------------------------------------------------------------------------


def _exempt_spans(source: SourceDocument, text: str) -> set[tuple[int, int]]:
    """Line and column of every number inside what a pattern exempts."""
    spans: set[tuple[int, int]] = set()
    patterned = [e for e in source.exempt if e.pattern]
    for at, line in enumerate(text.split("\n"), 1):
        for exemption in patterned:
            if exemption.lines and not _on(exemption.lines, at):
                continue
            for match in re.finditer(exemption.pattern, line):
                spans.update((at, column) for column in range(match.start(), match.end()))
    return spans


def _is_exempt(source: SourceDocument, printed: PrintedNumber, spans: set[tuple[int, int]]) -> bool:
    if (printed.line, printed.start) in spans:
        return True
    return any(_exempts(e, printed) for e in source.exempt if not e.pattern)


def _exempts(exemption: Exemption, printed: PrintedNumber) -> bool:
    listed = not exemption.numbers or printed.value in map(_value, exemption.numbers)
    return listed and _on(exemption.lines, printed.line)


def _on(lines: Lines, line: int) -> bool:
    return any(first <= line <= last for first, last in lines)


def _each(lines: Lines) -> Iterator[int]:
    for first, last in lines:
        yield from range(first, last + 1)


# --- claims ---------------------------------------------------------------------------------


def _offered(source: SourceDocument) -> dict[float, list[Lines]]:
    """For each number, the lines of every item that lists it: one offer answers for one."""
    offered: dict[float, list[Lines]] = defaultdict(list)
    seen: set[tuple[str, Lines]] = set()
    for claim in source.claims:
        for number in _NUMBER.findall(claim.printed):
            offered[_value(number)].append(claim.lines)
        for known in _calculations(claim):
            if (known, claim.lines) not in seen:
                seen.add((known, claim.lines))
                for number in _NUMBER.findall(known):
                    offered[_value(number)].append(claim.lines)
    return offered


def _calculations(claim: Claim) -> Iterator[str]:
    """What each calculation was given, without what is taken from it."""
    for value in claim.let.values():
        yield str(_given(value)) if isinstance(value, Mapping) else str(value)


def _given(calculation: Mapping[str, Any]) -> list[str]:
    parts = ("given", "ties", "board")
    return [_plain(calculation[part]) for part in parts if part in calculation]


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return " ".join(_plain(v) for v in value.values())
    return " ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def _unmatched(printed: list[PrintedNumber], offers: list[Lines]) -> list[PrintedNumber]:
    """The numbers left when each is given an offer of its own, as many as can be."""
    taken: dict[int, int] = {}
    options = [[o for o, lines in enumerate(offers) if _on(lines, p.line)] for p in printed]

    def place(i: int, tried: set[int]) -> bool:
        for offer in options[i]:
            if offer not in tried:
                tried.add(offer)
                if offer not in taken or place(taken[offer], tried):
                    taken[offer] = i
                    return True
        return False

    return [printed[i] for i in range(len(printed)) if not place(i, set())]
