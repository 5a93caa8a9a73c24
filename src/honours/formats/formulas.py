"""Free text that a spreadsheet would run as a formula: made harmless on writing, undone on reading.

Figures and results of boards (``-50``, ``+1``, ``=``) are data and are left alone. A spreadsheet
takes the full-width signs of East Asian keyboards for the others, and so do we.
"""

from __future__ import annotations

import re

_SIGNS = r"[=+\-@\t\r＝＋－＠]"
_RISKY = re.compile(rf"'*{_SIGNS}")
_NEUTRALISED = re.compile(rf"'+{_SIGNS}")
_DATA = re.compile(r"=|[-+]?\d+([.,/]\d+)*%?")


def neutralise(text: str) -> str:
    """Put an apostrophe before a text a spreadsheet would take for a formula."""
    return f"'{text}" if _RISKY.match(text) else text


def neutralised(text: str) -> str:
    """The same for a cell that may be a figure, which stays as it is."""
    return text if _DATA.fullmatch(text) else neutralise(text)


def restore(text: str) -> str:
    """Take away the apostrophe that :func:`neutralise` put there."""
    return text[1:] if _NEUTRALISED.match(text) else text
