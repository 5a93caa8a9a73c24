"""Plain text tables for a terminal or a pipe: aligned, nothing drawn, numbers to the right."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FIGURE = re.compile(r"[-−+]?[\d.,]+[%=]?")


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """The rows under their header; a column of figures is aligned to the right."""
    cells = [list(header), *([str(c) for c in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    right = [all(_is_figure(row[i]) for row in cells[1:]) for i in range(len(header))]
    lines = ["  ".join(_cell(*c) for c in zip(row, widths, right, strict=True)) for row in cells]
    lines.insert(1, "  ".join("-" * w for w in widths))
    return "\n".join(line.rstrip() for line in lines)


def _cell(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)


def _is_figure(text: str) -> bool:
    return not text or _FIGURE.fullmatch(text) is not None
