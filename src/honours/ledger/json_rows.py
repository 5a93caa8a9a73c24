"""A JSON array of rows, read row by row because it may be larger than memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from honours.errors import FileProblem

_CHUNK = 1 << 16
_decode = json.JSONDecoder().raw_decode


def json_rows(source: TextIO, file: Path) -> Iterator[dict[str, Any]]:
    """The objects of the array in a file."""
    text = _Text(source)
    if not text.starts_with("["):
        raise FileProblem(file, "not JSON: no array of rows", line=text.line)
    text.drop(1)
    while not text.starts_with("]"):
        try:
            row, end = text.value()
        except json.JSONDecodeError as error:
            line = text.line + error.lineno - 1
            raise FileProblem(file, "not JSON: {msg}", line=line, msg=error.msg) from error
        if not isinstance(row, dict):
            raise FileProblem(file, "not JSON: a row that is no object", line=text.line)
        yield row
        text.drop(end)
        if text.starts_with(","):
            text.drop(1)


class _Text:
    """The part of a file needed so far, and the line where it begins."""

    def __init__(self, source: TextIO) -> None:
        self._source, self._text, self.line = source, "", 1

    def starts_with(self, sign: str) -> bool:
        """Whether a sign comes next, ignoring white space."""
        while True:
            self.drop(len(self._text) - len(self._text.lstrip()))
            if self._text or not self._more():
                return self._text.startswith(sign)

    def drop(self, count: int) -> None:
        self.line += self._text.count("\n", 0, count)
        self._text = self._text[count:]

    def value(self) -> tuple[Any, int]:
        """The next value and where it ends; reads on until the value is complete."""
        while True:
            try:
                parsed, end = _decode(self._text)
            except json.JSONDecodeError:
                if not self._more():
                    raise
                continue
            if end < len(self._text) or not self._more():
                return parsed, end

    def _more(self) -> bool:
        piece = self._source.read(max(_CHUNK, len(self._text)))
        self._text += piece
        return bool(piece)
