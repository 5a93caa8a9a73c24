"""Finding names in a long list: by the same words in any order, and those that are only like it.

Case, accents and the order of words never matter. Initials and misspellings are proposed with a
score, and it is for a person to say whether they are right.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from honours.formats.names import sought, words_of
from honours.rings import require

INITIALS = 90
"""The score of a name of which one side has initials only, and all else is the same."""
LEAST = 80
"""Names less alike than this, of 100, are not proposed."""
AS_MANY = 3


class NameProposal(NamedTuple):
    """Somebody who may be meant, and how alike the names are, of 100."""

    number: str
    score: int


class NameIndex:
    """Numbers by name; several may have one name, and one several."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        self._in_order: dict[str, list[str]] = {}
        self._by_words: dict[tuple[str, ...], list[str]] = {}
        self._by_word: dict[str, list[tuple[str, ...]]] = {}
        every = list(names)
        for name, number in every:
            for numbers in (
                self._by_words.setdefault(words_of(name), []),
                self._in_order.setdefault(sought(name), []),
            ):
                if number not in numbers:
                    numbers.append(number)
        for words in self._by_words:
            for word in words:
                self._by_word.setdefault(word, []).append(words)
        self._spelled = {" ".join(words): words for words in self._by_words}
        for name, _ in every:  # a wrong first letter changes the order of words
            self._spelled.setdefault(sought(name), words_of(name))

    def same(self, name: str) -> tuple[str, ...]:
        """Who has the same words for a name: in this order, else in whatever order."""
        words = words_of(name)
        if not words:
            return ()
        return tuple(self._in_order.get(sought(name), ()) or self._by_words.get(words, ()))

    def alike(self, name: str) -> tuple[NameProposal, ...]:
        """Who may be meant, the likeliest first."""
        words = words_of(name)
        if not words:
            return ()
        require("rapidfuzz")
        from rapidfuzz import fuzz, process

        near = self._with_initials(words)
        initials = {number for name_words in near for number in self._by_words[name_words]}
        scores = dict.fromkeys(initials, INITIALS)
        for spelled in dict.fromkeys((" ".join(words), sought(name))):
            for text, score, _ in process.extract(
                spelled, self._spelled.keys(), scorer=fuzz.ratio, limit=AS_MANY, score_cutoff=LEAST
            ):
                for number in self._by_words[self._spelled[text]]:
                    scores[number] = max(scores.get(number, 0), int(score))
        ordered = sorted(
            scores.items(), key=lambda item: (-item[1], item[0] not in initials, item[0])
        )
        return tuple(NameProposal(number, score) for number, score in ordered[:AS_MANY])

    def _with_initials(self, words: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The names that are this one if a single letter stands for a word, on either side."""
        near = {one for word in words if len(word) > 1 for one in self._by_word.get(word, ())}
        return [one for one in near if one != words and _same_but_for_initials(words, one)]


def _same_but_for_initials(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    mine, theirs = list(one), list(other)
    for word in one:
        if len(word) > 1 and word in theirs:
            mine.remove(word)
            theirs.remove(word)
    if len(mine) != len(theirs) or not mine:
        return False
    return all(
        (len(a) == 1 or len(b) == 1) and a[0] == b[0]
        for a, b in zip(sorted(mine), sorted(theirs), strict=True)
    )
