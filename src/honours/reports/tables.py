"""Plain text tables for a terminal or a pipe: aligned, nothing drawn, numbers to the right."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[bool]) -> str:
    """The rows under their header, as wide as they need; ``right`` says which columns stand so."""
    cells = [header, *rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = ["  ".join(_cell(*c) for c in zip(row, widths, right, strict=True)) for row in cells]
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(line.rstrip() for line in lines)


def _cell(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)
