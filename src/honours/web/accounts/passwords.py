"""The passwords that are accepted: long enough, and none of those that are tried first.

The words are those people put into passwords most, and some of our own field; what is done to them
(digits behind, letters replaced, written twice) is undone before they are compared.
"""

from __future__ import annotations

import re
from importlib import resources

from honours.formats.entrants import sought
from honours.model.message import Message

LEAST = 10
_LEAST_DIFFERENT = 5
_WORDS = frozenset(
    (resources.files(__package__) / "common_passwords.txt").read_text(encoding="utf-8").split()
)
_ROWS = ("abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_MORE_ROWS = ("azertyuiop", "qsdfghjklm", "wxcvbn")
_REPLACED = str.maketrans("013457@$!|", "oleastasil")


def weakness(password: str, name: str) -> str:
    """Return what is wrong with a password for somebody of this name; empty if it will do."""
    if len(password) < LEAST:
        return Message("at least {count} characters", count=LEAST)
    if len(set(password.lower())) < _LEAST_DIFFERENT:
        return Message("at least {count} different characters", count=_LEAST_DIFFERENT)
    if _is_guessable(password.lower(), name):
        return Message(
            "it is too easy to guess; use several words that have nothing to do with each other"
        )
    return ""


def _is_guessable(password: str, name: str) -> bool:
    repeated = re.fullmatch(r"(.+?)\1+", password)
    core = repeated[1] if repeated else password
    own = {sought(part) for part in name.split()} | {sought(name)}
    for plain in (core, core.translate(_REPLACED)):
        letters = re.sub(r"[\W\d_]+", "", plain)
        if len(letters) < len(plain) / 3:
            return not _is_varied(plain)
        if _is_made_of(letters, _WORDS | {one for one in own if one}, 2) or _is_row(plain):
            return True
    return False


def _is_varied(text: str) -> bool:
    """Return whether a password of figures is more than a date or a row of them."""
    return len(text) >= 16 and len(set(text)) >= 8


def _is_made_of(letters: str, words: frozenset[str], most: int) -> bool:
    """Return whether it is nothing but so many common words, or almost."""
    if len(letters) < 4:
        return most < 2
    ends = (letters[: len(letters) - drop] for drop in range(3))
    if any(end in words for end in ends):
        return True
    return most > 1 and any(
        letters.startswith(word) and _is_made_of(letters[len(word) :], words, most - 1)
        for word in words
    )


def _is_row(text: str) -> bool:
    """Return whether it has keys beside each other, or letters and figures in their order."""
    for row in (*_ROWS, *_MORE_ROWS):
        for keys in (row * 2, row[::-1] * 2):
            if any(text[at : at + 8] in keys for at in range(max(1, len(text) - 7))):
                return True
    return False
