"""Names of people as they are looked for: Reed, Alma and ALMA REED are the same."""

from __future__ import annotations

import unicodedata


def sought(name: str) -> str:
    """Without case, accents and punctuation; ``Reed, Alma`` as ``alma reed``."""
    last, comma, first = name.partition(",")
    ordered = f"{first} {last}" if comma else name
    letters = unicodedata.normalize("NFKD", ordered).casefold()
    kept = "".join(c if c.isalnum() else " " for c in letters if not unicodedata.combining(c))
    return " ".join(kept.split())
