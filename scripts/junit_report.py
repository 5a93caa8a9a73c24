"""Reads pytest's JUnit report: how many tests there were, and which were skipped and why."""

from collections import Counter
from pathlib import Path
from xml.etree import ElementTree


def summarise(report: Path) -> str:
    """Put the report into a few lines; a missing one means that pytest did not get that far."""
    if not report.exists():
        return "the tests did not run to their end"
    cases = list(ElementTree.parse(report).iter("testcase"))
    reasons = Counter(
        skipped.get("message", "no reason given")
        for case in cases
        for skipped in case.iter("skipped")
    )
    lines = [f"{len(cases)} tests, {reasons.total()} skipped{':' if reasons else ''}"]
    lines += [f"  {count} × {reason}" for reason, count in sorted(reasons.items())]
    return "\n".join(lines)
