"""Compared with real files beside the repository: conformance figures."""

from __future__ import annotations

import re

import pytest

from honours.conformance.data import Exemption, SourceDocument, load_source, source_ids
from tests.conformance.printed_numbers import misplaced, numbers, unaccounted
from tests.support import shared


@pytest.mark.parametrize("source", source_ids())
def test_every_number_of_the_source_has_its_item(source: str) -> None:
    known, text = _with_text(source)
    left = [
        f"line {p.line}: {p.number} in {p.text.strip()[:80]!r}" for p in unaccounted(known, text)
    ]
    assert left == []


@pytest.mark.parametrize("source", source_ids())
def test_every_item_names_the_lines_it_stands_on(source: str) -> None:
    known, text = _with_text(source)
    assert [(c.where, c.lines, number) for c, number in misplaced(known, text)] == []


@pytest.mark.parametrize("source", source_ids())
def test_every_exemption_exempts_something(source: str) -> None:
    known, text = _with_text(source)
    assert [e.reason for e in known.exempt if not _is_used(e, text)] == []


def _with_text(source: str) -> tuple[SourceDocument, str]:
    known = load_source(source)
    return known, shared(f"sources/{known.file}").read_text(encoding="utf-8")


def _is_used(exemption: Exemption, text: str) -> bool:
    standing = [p for p in numbers(text) if _on(exemption, p.line)]
    if exemption.pattern:
        return any(re.search(exemption.pattern, p.text) for p in standing)
    return bool(standing) and {p.number for p in standing} >= set(exemption.numbers)


def _on(exemption: Exemption, line: int) -> bool:
    return not exemption.lines or any(a <= line <= b for a, b in exemption.lines)


def test_a_number_that_no_item_lists_is_found() -> None:
    known, text = _with_text("aga")
    more = text.replace("less than 5.", "less than 5 or more than 77.")
    assert [(p.line, p.number) for p in unaccounted(known, more)] == [(26, "77")]


def test_a_cell_is_not_covered_by_the_item_of_another() -> None:
    known, text = _with_text("aga")
    more = text.replace("| 0.6 |", "| 0.6 | 0.6 |")
    assert [(p.line, p.number) for p in unaccounted(known, more)] == [(69, "0.6")]
