"""Free text that a spreadsheet would run as a formula: made harmless on writing, undone on reading.

Only for free text (names, remarks): a score like ``=`` or ``-50`` is data and is left alone.
"""

from __future__ import annotations

import re

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r]")


def neutralise(text: str) -> str:
    """Put an apostrophe before a text a spreadsheet would take for a formula."""
    return f"'{text}" if _RISKY.match(text) else text


def restore(text: str) -> str:
    """Take away the apostrophe that :func:`neutralise` put there."""
    return text[1:] if _NEUTRALISED.match(text) else text
