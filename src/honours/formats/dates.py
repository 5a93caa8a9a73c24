"""Days as files write them."""

from __future__ import annotations

import re
from datetime import date


def parse_day(text: str) -> date:
    """A day as 2025-03-31 or 31/03/2025."""
    parts = [int(part) for part in re.findall(r"\d+", text)][:3]
    try:
        if re.match(r"\d{4}\D", text):
            return date(parts[0], parts[1], parts[2])
        return date(parts[2], parts[1], parts[0])
    except (ValueError, IndexError, OverflowError):
        raise ValueError(f"date {text!r} is not like 2025-03-31 or 31/03/2025") from None
