"""How a club dresses what it publishes: its name and its colour."""

from __future__ import annotations

import re
from dataclasses import dataclass

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True)
class Dress:
    """``name`` stands on top of published pages, on a ground of ``colour`` (``#14513a``)."""

    name: str = ""
    colour: str = ""

    @property
    def sheet(self) -> str:
        """The style that puts the colour on: letters on it are light or dark, whichever can be
        read; links keep the house's own, which can be read on paper and in the dark."""
        if not _COLOUR.fullmatch(self.colour):
            return ""
        ink = "#ffffff" if self._is_dark else "#1e2420"
        return f":root, :root:not(#x) {{ --bar: {self.colour}; --bar-ink: {ink}; }}"

    @property
    def _is_dark(self) -> bool:
        """Whether white stands out more than black: by relative luminance, as WCAG has it."""
        parts = [int(self.colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        red, green, blue = (
            p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        )
        luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.0696


HOUSE = Dress()
"""Nobody's in particular."""


def is_colour(text: str) -> bool:
    """Whether a text is a colour as pages write it."""
    return _COLOUR.fullmatch(text) is not None
