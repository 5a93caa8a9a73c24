"""The numbers a source prints, so that none is left out silently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from honours.conformance.data import Claim, Exemption, Lines, Source

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\.\d+|\d+")


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as it stands in a source."""

    line: int
    number: str
    text: str


def numbers(text: str) -> Iterator[Printed]:
    """Every number of a text with the line it stands on."""
    for at, line in enumerate(text.splitlines(), 1):
        for match in _NUMBER.finditer(line):
            yield Printed(at, match[0], line.strip())


def unaccounted(source: Source, text: str) -> list[Printed]:
    """The numbers that are neither listed in a claim of their line nor exempted."""
    return [p for p in numbers(text) if not _accounted(source, p)]


def _accounted(source: Source, printed: Printed) -> bool:
    claimed = any(_on(c.lines, printed) and _lists(c, printed) for c in source.claims)
    return claimed or any(_on(e.lines, printed) and _exempts(e, printed) for e in source.exempt)


def _on(lines: Lines, printed: Printed) -> bool:
    return any(first <= printed.line <= last for first, last in lines)


def _lists(claim: Claim, printed: Printed) -> bool:
    stated = f"{claim.printed} {claim.value} {claim.where} {claim.let} {claim.ours}"
    return any(_same(n, printed.number) for n in _NUMBER.findall(stated))


def _same(a: str, b: str) -> bool:
    return float(a.replace(",", "")) == float(b.replace(",", ""))


def _exempts(exemption: Exemption, printed: Printed) -> bool:
    return not exemption.numbers or any(_same(n, printed.number) for n in exemption.numbers)
