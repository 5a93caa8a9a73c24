"""The name and the colour of each club, on disk: ``clubs.json`` of the data folder."""

from __future__ import annotations

import json
import threading
from dataclasses import asdict
from pathlib import Path

from honours.errors import InputError
from honours.files import make_folder, write_whole
from honours.model.message import Message
from honours.reports.dress import Dress, is_colour

_LONGEST = 100


class Clubs:
    """How clubs dress what they publish; on a server without accounts there is one, ``""``."""

    def __init__(self, data: Path) -> None:
        self._path = data / "clubs.json"
        self._lock = threading.Lock()

    def dress(self, club: str) -> Dress:
        """A club's dress; until it has chosen one, its name in the house's colours."""
        try:
            known = json.loads(self._path.read_text(encoding="utf-8")).get(club, {})
            return Dress(str(known.get("name", club)), str(known.get("colour", "")))
        except (OSError, ValueError, AttributeError):
            return Dress(club)

    def keep(self, club: str, dress: Dress) -> None:
        """Keep a club's dress."""
        if dress.colour and not is_colour(dress.colour):
            raise InputError(
                Message("{colour} is no colour like #14513a", colour=dress.colour[:20])
            )
        with self._lock:
            try:
                known = json.loads(self._path.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                known = {}
            chosen = Dress(dress.name.strip()[:_LONGEST], dress.colour)
            make_folder(self._path.parent)
            write_whole(self._path, json.dumps({**known, club: asdict(chosen)}).encode())
