"""A column of words as it comes from Parquet, encoded once for use by loops and questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


class WordColumn:
    """Words by row: ``codes`` index the distinct ``words``; an empty word means that nothing is
    said.

    It behaves like an array of texts when compared, indexed, or passed to ``np.asarray``.
    """

    __slots__ = ("codes", "words")
    dtype = np.dtype(object)
    __hash__ = None  # type: ignore[assignment]  # it compares row by row

    def __init__(self, codes: Ints, words: Sequence[str]) -> None:
        self.codes, self.words = codes, tuple(words)

    @staticmethod
    def of(texts: Iterable[str]) -> WordColumn:
        """A column of the given texts."""
        index: dict[str, int] = {}
        codes = [index.setdefault(str(text), len(index)) for text in texts]
        return WordColumn(np.array(codes, np.int64), tuple(index))

    @staticmethod
    def same(word: str, rows: int) -> WordColumn:
        """One word in every row."""
        return WordColumn(np.zeros(rows, np.int64), (word,))

    @staticmethod
    def together(parts: Sequence[WordColumn]) -> WordColumn:
        """The rows of several columns, one after the other."""
        index = {word: None for part in parts for word in part.words}
        number = {word: n for n, word in enumerate(index)}
        codes = [np.array([number[w] for w in p.words] or [0], np.int64)[p.codes] for p in parts]
        return WordColumn(np.concatenate(codes), tuple(index))

    def where(self, rows: NDArray[np.bool_], put: str | WordColumn) -> WordColumn:
        """The same column with some rows replaced, by those of another column or by one word."""
        other = WordColumn.same(put, len(self)) if isinstance(put, str) else put
        both = WordColumn.together([self, other])
        return WordColumn(
            np.where(rows, both.codes[len(self) :], both.codes[: len(self)]), both.words
        )

    def is_in(self, words: Iterable[str]) -> NDArray[np.bool_]:
        """Which rows contain one of the given words."""
        wanted = set(words)
        own: NDArray[np.bool_] = np.array([w in wanted for w in self.words] or [False])
        return own[self.codes]

    def __len__(self) -> int:
        return len(self.codes)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        del copy  # the texts are created each time
        texts = np.array([*self.words, ""], dtype=object)[self.codes]
        return texts if dtype is None else texts.astype(dtype)

    def astype(self, dtype: Any) -> NDArray[Any]:
        return np.asarray(self).astype(dtype)

    def tolist(self) -> list[str]:
        return [self.words[code] for code in self.codes]

    def __getitem__(self, rows: Any) -> Any:
        codes = self.codes[rows]
        return WordColumn(codes, self.words) if np.ndim(codes) else self.words[codes]

    def __eq__(self, other: object) -> Any:
        if isinstance(other, str):
            if other not in self.words:
                return np.zeros(len(self.codes), np.bool_)
            return self.codes == self.words.index(other)
        return np.asarray(self) == other

    def __ne__(self, other: object) -> Any:
        return ~(self == other)
