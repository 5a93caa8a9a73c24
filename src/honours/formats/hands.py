"""Hand records beside a file of results: ``tuesday.pbn``, ``.lin``, ``.dlm`` or ``.dup`` for
``tuesday.csv``. They say what was dealt and nothing of what happened.

``.dlm`` and ``.dup`` are Duplimate's. Experimental: read from descriptions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from honours.errors import HonoursError
from honours.formats.lin import hands_of_lin
from honours.formats.notation import RANKS, deal_of
from honours.formats.pbn import hands_of_pbn
from honours.formats.reading import MEGABYTE, decode, read_bytes
from honours.model import Board, Event
from honours.model.message import Message

HANDS_FROM = "hands_from"
"""The fact that names the file the hands came from, or says why they did not."""
SUFFIXES = (".pbn", ".lin", ".dlm", ".dup")
_LARGEST = 16 * MEGABYTE
_DLM = re.compile(r"(?mi)^Board (\d{1,3})=([a-p]{26})\d{0,3}\s*$")
_DLM_BOUNDS = re.compile(r"(?mi)^(From|To) board=(\d{1,3})\s*$")
"""The boards that were played; the file has all 99 that were dealt."""
_DUP = 156
_DEALT = 78
_CARDS = [(suit, rank) for suit in range(4) for rank in RANKS]


def is_dlm(lines: Sequence[str]) -> bool:
    """True if a text is a hand record of Duplimate: a document of boards as letters."""
    head = "\n".join(lines[:200])
    return head.lstrip().lower().startswith("[document]") and _DLM.search(head) is not None


def is_dup(data: bytes) -> bool:
    """True if a file is boards of 156 bytes, each beginning with the numbers of 39 cards."""
    first = data[:_DEALT]
    return len(first) == _DEALT and first.isdigit() and data[_DEALT:_DUP].count(b"\n") == 0


def hands_of_dlm(path: str | Path) -> tuple[Board, ...]:
    """The deals of a .dlm: 26 letters of two cards each, the owner of a card in two bits."""
    text = decode(path, read_bytes(path, _LARGEST)).replace("\r", "")
    boards: list[Board] = []
    bounds = {name.lower(): int(number) for name, number in _DLM_BOUNDS.findall(text)}
    dealt = range(bounds.get("from", 1), bounds.get("to", 999) + 1)
    for number, letters in _DLM.findall(text):
        if int(number) not in dealt:
            continue
        nibbles = [ord(letter) - ord("a") for letter in letters.lower()]
        owners = [owner for nibble in nibbles for owner in (nibble >> 2, nibble & 3)]
        boards += _board(int(number), owners)
    return tuple(boards)


def hands_of_dup(path: str | Path) -> tuple[Board, ...]:
    """The deals of a .dup: the cards of North, East and South by their numbers, 1 to 52."""
    data = read_bytes(path, _LARGEST)
    boards: list[Board] = []
    for at in range(0, len(data) - _DEALT + 1, _DUP):
        deal = data[at : at + _DEALT]
        if not deal.isdigit():
            break
        cards = [int(deal[n : n + 2]) for n in range(0, _DEALT, 2)]
        owners = [3] * 52
        for n, card in enumerate(cards):
            if 1 <= card <= 52:
                owners[card - 1] = n // 13
        boards += _board(len(boards) + 1, owners)
    return tuple(boards)


def _board(number: int, owners: Sequence[int]) -> Iterator[Board]:
    """A board from the owner of each card; none unless it is a deal."""
    hands = [["", "", "", ""] for _ in range(4)]
    for (suit, rank), owner in zip(_CARDS, owners, strict=True):
        hands[owner][suit] += rank
    deal = deal_of([".".join(hand) for hand in hands])
    if deal and number:
        yield Board(number, deal)


_READERS = {
    ".pbn": hands_of_pbn,
    ".lin": hands_of_lin,
    ".dlm": hands_of_dlm,
    ".dup": hands_of_dup,
}


def hands_of(path: str | Path, suffix: str) -> tuple[Board, ...]:
    """The deals of a hand record, by the ending of its name."""
    return _READERS[suffix](path)


def record_beside(path: str | Path) -> Path | None:
    """The hand record of the same name as a file of results, if there is one."""
    results = Path(path)
    for suffix in SUFFIXES:
        for name in (results.with_suffix(suffix), results.with_suffix(suffix.upper())):
            if name != results and name.is_file():
                return name
    return None


def is_record_beside(path: Path) -> bool:
    """True if a file is named as the hand record of results beside it."""
    if path.suffix.lower() not in SUFFIXES:
        return False
    others = (p for p in path.parent.glob(f"{_literal(path.stem)}.*") if p != path)
    return any(p.suffix.lower() not in SUFFIXES and p.suffix != ".toml" for p in others)


def _literal(stem: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", stem)


def with_hands(path: str | Path, event: Event) -> Event:
    """The event with the hands of the record beside its file, where the file has none itself."""
    record = record_beside(path)
    if record is None or len(event.sessions) != 1 or event.sessions[0].boards:
        return event
    try:
        hands = _READERS[record.suffix.lower()](record)
        note = record.name if hands else Message("{name}: no hands in it", name=record.name)
    except (HonoursError, ValueError) as error:
        hands, note = (), f"{record.name}: {error}"
    played = {result.board for result in event.sessions[0].results}
    own = tuple(board for board in hands if board.number in played)
    session = replace(event.sessions[0], boards=own)
    return replace(event, sessions=(session,), facts={**event.facts, HANDS_FROM: note})
