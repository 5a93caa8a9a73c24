"""What was done in a run of the tests, by whichever process: once is enough."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path


class Seen:
    """Things that are told apart by words, each of which somebody does first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def first(self, *words: str) -> bool:
        """Whether nobody did what these words tell apart; from now on somebody did."""
        try:
            (self._folder / sha256("\n".join(words).encode()).hexdigest()).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True
