"""A corpus from real files: whatever the formats read, scored, with the holdings they give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours.errors import HonoursError, InputError
from honours.lab.corpus import Corpus, write_shard
from honours.lab.generate.year import as_table
from honours.lab.tables import ENTRANTS, EVENTS, PLAYERS, RESULTS
from honours.model import Event, Result, Standing
from honours.scoring import Scored, score

_NO_DATE = date(1970, 1, 1)
_BOARDS = 255


@dataclass
class Imported:
    """Rows gathered so far, and the files that were left out with the reason."""

    events: list[dict[str, Any]] = field(default_factory=list)
    entrants: list[dict[str, Any]] = field(default_factory=list)
    players: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)
    aside: list[tuple[str, str]] = field(default_factory=list)
    members: dict[str, int] = field(default_factory=dict)

    def member(self, key: str) -> int:
        """A member's number in the corpus: the same person is the same number."""
        return self.members.setdefault(key, len(self.members))


def import_folder(
    source: Path,
    target: Path,
    read: Callable[[Path], tuple[Event, ...]],
    given: dict[str, str],
) -> tuple[Corpus, list[tuple[str, str]]]:
    """Read every file of a folder into a corpus; ``given`` says what the files do not."""
    found = Imported()
    for path in sorted(p for p in source.rglob("*") if p.is_file()):
        try:
            for event in read(path):
                _add(found, event, given)
        except HonoursError as error:
            found.aside.append((str(path), str(error).splitlines()[0]))
    if not found.events:
        raise InputError(
            f"{source}: no file of it could be made an event; {len(found.aside)} tried"
        )
    writer = Corpus.create(target, {"imported from": source.name})
    tables = {
        "events": _table(found.events, EVENTS),
        "entrants": _table(found.entrants, ENTRANTS),
        "players": _table(found.players, PLAYERS),
        "results": _table(found.results, RESULTS),
    }
    writer.add(0, write_shard(target, 0, tables))
    return writer.finish(), found.aside


def _table(rows: list[dict[str, Any]], schema: Any) -> Any:
    columns = {f.name: [row[f.name] for row in rows] for f in schema}
    if not rows:
        return schema.empty_table()
    return as_table(columns, schema)


def _add(found: Imported, event: Event, given: dict[str, str]) -> None:
    ranking = score(event)
    standings = _standings(ranking)
    number = len(found.events)
    index = {s.entrant.id: k for k, s in enumerate(standings)}
    if not standings:
        raise InputError("it has no standings")
    rows = list(_results(event, index, number))
    found.events.append(_event_row(event, number, given))
    own = {e.entrant.id: e.stratum for e in event.entrants}
    for k, standing in enumerate(standings):
        stratum = ord(own.get(standing.entrant.id, "")[:1] or "A") - ord("A")
        found.entrants.append(
            {"event": number, "entrant": k, "stratum": min(max(stratum, 0), 25),
             "place": standing.place, "tied": standing.tied}
        )  # fmt: skip
        for nth, player in enumerate(standing.entrant.players or (None,)):
            name = f"{number}.{k}.{nth}" if player is None else player.number or player.name
            holding = (
                Fraction(0) if player is None else player.facts.get("masterpoints", Fraction(0))
            )
            held = holding if isinstance(holding, Fraction) else Fraction(0)
            found.players.append(
                {"event": number, "entrant": k, "player": found.member(name),
                 "holding": round(held * 100)}
            )  # fmt: skip
    found.results += rows


def _standings(scored: Scored) -> tuple[Standing, ...]:
    """The one ranking of everybody: a corpus has no lines."""
    if scored.winners > 1:
        raise InputError("it has two winners; a corpus holds one ranking of an event")
    return next((r.standings for r in scored.rankings), ())


def _event_row(event: Event, number: int, given: dict[str, str]) -> dict[str, Any]:
    boards = [len({r.board for r in s.results}) for s in event.sessions]
    row = {
        "event": number,
        "date": event.date or _NO_DATE,
        "tournament": number,
        "class": "sectional",
        "kind": "swiss" if event.kind == "teams" and event.swiss else event.kind,
        "sessions": max(1, len(event.sessions)),
        "boards_per_session": min(_BOARDS, max(boards, default=0)),
        "limit": 0,
        "restrictions": 0,
        "structure": "open",
        "flight": "open",
    }
    for key, text in given.items():
        if key not in row:
            raise InputError(f"unknown column {key!r}; an event has {', '.join(row)}")
        row[key] = text if isinstance(row[key], str) else int(text)
    return row


def _results(event: Event, index: dict[str, int], number: int) -> Iterator[dict[str, Any]]:
    """Plain scores only: what a ruling touched is for the exact way, which made the standings."""
    rows = [
        (r.board + k * 64, index[r.ns[0]], index[r.ew[0]], r.score)
        for k, session in enumerate(event.sessions)
        for r in session.results
        if _is_plain(r, index)
    ]
    for board, ns, ew, points in sorted(rows):
        if board <= _BOARDS:
            yield {"event": number, "board": board, "ns": ns, "ew": ew, "score": points}


def _is_plain(result: Result, index: dict[str, int]) -> bool:
    named = len(result.ns) == len(result.ew) == 1
    known = named and result.ns[0] in index and result.ew[0] in index
    return known and result.score is not None and result.adjusted is None
