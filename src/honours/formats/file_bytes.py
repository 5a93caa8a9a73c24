"""A file's bytes and text, safely: its size is looked at first, then its encoding."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from honours.errors import FileProblem

MEGABYTE = 1 << 20
LARGEST = 512 * MEGABYTE
"""Above this no reader starts: a results file is a thousand times smaller."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@contextmanager
def open_checked(path: str | Path, largest: int = LARGEST) -> Iterator[BinaryIO]:
    """A file to read from, or a FileProblem that says why not; its size is looked at first. ``-``
    is standard input, which is kept, as a pipe is, to be read as often as need be."""
    file, kept = Path(path), None
    try:
        if str(path) == "-" or file.is_fifo() or file.is_char_device():
            kept = _kept(str(path))
        elif not file.is_file():
            if file.is_dir():
                raise FileProblem(path, "a folder", "a file in it")
            raise FileProblem(path, "no such file", "the path of a file, from where you are")
        size = file.stat().st_size if kept is None else len(kept)
        if size > largest:
            megabytes, limit = size // MEGABYTE, largest // MEGABYTE
            raise FileProblem(
                path,
                "{megabytes} MB, too large to read",
                "at most {limit} MB",
                megabytes=megabytes,
                limit=limit,
            )
        if size == 0:
            raise FileProblem(path, "an empty file", "results or standings in it")
        with file.open("rb") if kept is None else BytesIO(kept) as opened:
            yield opened
    except OSError as error:
        raise FileProblem(path, "cannot be read ({strerror})", strerror=error.strerror) from error


@cache
def _kept(path: str) -> bytes:
    """What comes once and cannot be read again."""
    with sys.stdin.buffer if path == "-" else Path(path).open("rb") as come:
        return come.read(LARGEST + 1)


def read_bytes(path: str | Path, largest: int = LARGEST) -> bytes:
    """The whole file."""
    with open_checked(path, largest) as file:
        return file.read()


def decode(path: str | Path, data: bytes) -> str:
    """Text in whatever encoding it is: a byte order mark, UTF-8, UTF-16, else Windows-1252."""
    try:
        text = data.decode(encoding_of(data)).rstrip("\0\x1a")  # ends that old programs leave
    except UnicodeDecodeError as error:
        raise FileProblem(
            path, "not text: {reason} at byte {start}", reason=error.reason, start=error.start
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise FileProblem(path, "not a text file: it holds a zero character", line=line)
    return text


def encoding_of(data: bytes) -> str:
    """The encoding of a text, from its mark or its bytes."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    if (wide := _unmarked_utf16(data[:4096])) is not None:
        return wide
    for encoding in ("utf-8", "cp1252"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def _unmarked_utf16(head: bytes) -> str | None:
    """Western text in UTF-16 has a zero in nearly every second byte, always on the same side."""
    pairs = len(head) // 2
    if pairs < 2:
        return None
    if head[1::2].count(0) > 0.7 * pairs and head[0::2].count(0) == 0:
        return "utf-16-le"
    if head[0::2].count(0) > 0.7 * pairs and head[1::2].count(0) == 0:
        return "utf-16-be"
    return None


def read_text(path: str | Path, largest: int = LARGEST) -> str:
    return decode(path, read_bytes(path, largest))


def read_latin(path: str | Path) -> str:
    """A text that is ISO-8859-15 where it is not UTF-8, as European go programs write it."""
    data = read_bytes(path)
    if encoding_of(data) == "cp1252" and not any(0x80 <= byte < 0xA0 for byte in data):
        return data.decode("iso-8859-15").replace("\0", "")
    return decode(path, data)
