"""Files that are no text, with hostile text in what is written in them: a Bridgemate's database, a
game file of ACBLscore, a workbook."""

from __future__ import annotations

from pathlib import Path

from honours.formats.acblscore import read_acblscore
from tests.formats.test_bws import write as write_bws
from tests.lab.workbooks import write_xlsx
from tests.support import SHARED

_GAME = SHARED / "real" / "acblscore" / "smallest-howell.ACE"


def binary_files(folder: Path, markup: str) -> dict[str, bytes]:
    """By their names; a game file only where there is a real one to write into."""
    received = [
        (1, 2, 1, 1, 1, 1, 3, "N", "3 NT", "+1", markup, False),
        (2, 2, 2, 1, 1, 2, 4, "N", "4 S", "=", None, False),
        (3, 2, 1, 1, 2, 1, 3, "E", "1 NT", "-1", f"={markup}", False),
        (4, 2, 2, 1, 2, 2, 4, "S", "2 H", "=", None, False),
    ]
    names = [(10, markup, None), (11, f"={markup}", None), (20, f"@{markup}", None)]
    rows = [
        {"pair": "1", "player1": f"={markup}", "player2": f"+{markup}", "score": "60"},
        {"pair": "2", "player1": f"@{markup}", "player2": markup, "score": "40"},
    ]
    bws, xlsx = folder / "hostile.bws", folder / "hostile.xlsx"
    write_bws(bws, received, names=names)
    write_xlsx(xlsx, rows)
    made = {path.name: path.read_bytes() for path in (bws, xlsx)}
    return made | ({"hostile.ACE": _game(markup)} if _GAME.exists() else {})


def _game(markup: str) -> bytes:
    """A real game with as much of the text in every player's name as there is room for."""
    data = _GAME.read_bytes()
    [event] = read_acblscore(_GAME)
    words = {
        word
        for entrant in event.entrants
        for player in entrant.entrant.players
        for word in player.name.split()
        if len(word) > 3
    }
    assert words
    for word in sorted(words, key=len, reverse=True):
        hostile = markup[: len(word)].encode("ascii", "replace")
        data = data.replace(word.encode("cp437"), hostile).replace(
            word.upper().encode("cp437"), hostile
        )
    return data
