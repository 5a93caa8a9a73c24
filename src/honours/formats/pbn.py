"""PBN 2.1: boards with their deals, and tables of results (ScoreTable, TotalScoreTable).

A text is games of tags in brackets; a table follows the tag that names its columns. What becomes
of them is in :mod:`honours.formats.pbn_events`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from honours.formats.problems import Problems

_TAG = re.compile(r'\[\s{0,9}(\w+)\s{1,9}"((?:[^"\\]|\\.)*)"\s{0,9}\]')
_COLUMN = re.compile(r"([+-]?)(\w+)(?:\\(\d+)([LR]?))?")
_CELL = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_META = re.compile(r'%\s{0,9}<META\s+name=(\w{1,40})\s+content="([^"]{0,400})"', re.IGNORECASE)
_TITLE = re.compile(r'(?m)^%HRTitleEvent\s{1,9}"([^"\n]{1,200})"')
_DATE = re.compile(r"(?m)^%HRTitleDate\s{1,9}(\S{1,20})")
_CREATOR = re.compile(r"%\s{0,9}Creator:\s{0,9}(.{1,100})", re.IGNORECASE)

Row = Mapping[str, str]


@dataclass(slots=True)
class PbnGame:
    """One game: its tags, and its tables as rows of named cells with their lines."""

    line: int
    tags: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[tuple[int, Row]]] = field(default_factory=dict)


def is_pbn(lines: Sequence[str]) -> bool:
    """Whether a text begins with PBN's own comment or with one of its tags."""
    first = next((line for line in lines if not line.startswith(("%", ";"))), "")
    return bool(lines) and (lines[0].startswith("% PBN") or bool(_TAG.match(first)))


def program_of(text: str) -> str:
    """The program that wrote a file, from the comments at its beginning."""
    head = text[:20_000]
    meta = dict(_META.findall(head))
    creator = _CREATOR.search(head)
    named = f"{meta.get('Generator', '')} {meta.get('Version', '')}".strip()
    return named or (creator[1].strip() if creator else "")


def printed_title(text: str) -> tuple[str, str]:
    """The title and date that BridgeComposer prints above hands; some files have no other."""
    head = text[:20_000]
    title, day = _TITLE.search(head), _DATE.search(head)
    return title[1].strip() if title else "", day[1] if day else ""


# --- the text ---------------------------------------------------------------------------------


def games_of(text: str, problems: Problems) -> Iterator[PbnGame]:
    """The games of a file; a tag of ``#`` has the value it had in the game before, be it the
    columns of a table, and one of ``##value`` has it in all games to come that lack the tag."""
    game, table = PbnGame(1), ""
    before: Mapping[str, str] = {}
    inherited: dict[str, str] = {}
    columns: list[_Column] = []
    for line, raw in enumerate(_without_comments(text).split("\n"), start=1):
        stripped = raw.strip()
        if not stripped or raw.startswith("%"):
            continue
        match = _TAG.match(stripped)
        if match is None:
            if table:
                game.tables[table].append((line, _row(raw.rstrip(), columns)))
            continue
        name, value = match[1], match[2].replace('\\"', '"').replace("\\\\", "\\")
        if name in game.tags:
            yield _inheriting(game, inherited)
            before, game = game.tags, PbnGame(line)
        if value.startswith("##"):
            value = inherited[name] = value[2:]
        elif value == "#":
            value = before.get(name, "")
        table = name if name.endswith("Table") else ""
        if table:
            columns = _columns(value, line, problems)
            game.tables.setdefault(table, [])
        game.tags[name] = value
    if game.tags:
        yield _inheriting(game, inherited)


def _inheriting(game: PbnGame, inherited: Mapping[str, str]) -> PbnGame:
    for name, value in inherited.items():
        game.tags.setdefault(name, value)
    return game


def _without_comments(text: str) -> str:
    """Comments in braces, and from a semicolon at the start of a line; line ends are kept."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    kept, at = [], 0
    while (opened := lines.find("{", at)) >= 0 and (closed := lines.find("}", opened)) >= 0:
        kept += [lines[at:opened], "\n" * lines.count("\n", opened, closed)]
        at = closed + 1
    return re.sub(r"(?m)^;.*$", "", "".join([*kept, lines[at:]]))


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    width: int


def _columns(declared: str, line: int, problems: Problems) -> list[_Column]:
    """``PairId_NS\\3R;Contract\\4L``: names, and widths where they are declared."""
    columns = []
    for text in declared.replace("\\\\", "\\").split(";"):
        match = _COLUMN.fullmatch(text.strip())
        if match is None:
            problems.add(
                "column {text!r} of a table", line, "one like Table\\2R", text=text.strip()
            )
        else:
            columns.append(_Column(match[2], int((match[3] or "0")[:4])))
    return columns


def _row(raw: str, columns: Sequence[_Column]) -> Row:
    """Cells by words; by the declared widths when a value such as a name has spaces in it."""
    cells = [quoted or plain for quoted, plain in _CELL.findall(raw)]
    if len(cells) != len(columns) and all(column.width for column in columns):
        cells, at = [], 0
        for column in columns:
            cells.append(raw[at : at + column.width].strip().strip('"'))
            at += column.width + 1
    elif len(cells) > len(columns) > 0:
        cells = _with_names(raw, columns)
    named = zip((column.name for column in columns), cells, strict=False)
    return {name: "" if cell == "-" else cell for name, cell in named}


def _with_names(raw: str, columns: Sequence[_Column]) -> list[str]:
    """Cells by words as far as the first names (else the last column), which may have spaces: a
    declared width is the least a name takes, two spaces end it."""
    first = next((n for n, c in enumerate(columns) if c.name.startswith("Names_")), -1)
    words = list(_CELL.finditer(raw))
    begun = words[first if first >= 0 else len(columns) - 1].start()
    cells = [match[1] or match[2] for match in words if match.start() < begun]
    rest = raw[begun:]
    for column in columns[len(cells) : -1]:
        end = re.search(r"\s(?=\S)" if column.width else r"\s{2,}(?=\S)", rest[column.width :])
        at = column.width + end.start() if end else len(rest)
        cells.append(rest[:at].strip())
        rest = rest[at:].lstrip()
    return [*cells, " ".join(rest.split()).strip('"')]
