"""A submission as files: a USEBIO document for each event, and one CSV of everything.

USEBIO has no way to take an award back, so reversals are in the CSV alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from honours.formats.usebio_write import write_usebio
from honours.ledger import facts as stored
from honours.ledger import kinds, members, submissions
from honours.ledger.derive import Kind
from honours.ledger.events import lines_posted
from honours.ledger.members import Member
from honours.ledger.schema import records
from honours.model import Entrant, Event, EventEntrant, Field, Player, Session, Standing, Value


def write_files(connection: Connection, number: int, folder: str | Path) -> list[str]:
    """Write a submission's files into a folder; returns their names."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    rows = submissions.submission_rows(connection, number)
    listed = target / f"submission-{number}.csv"
    listed.write_text(submissions.as_csv(rows), encoding="utf-8")
    names = [listed.name]
    chosen = {r for s in submissions.all_submissions(connection) if s.id == number
              for r in s.records}  # fmt: skip
    awarded = select(records).where(records.c.id.in_(chosen), records.c.action == "award")
    for row in connection.execute(awarded.order_by(records.c.id)).all():
        name = f"{row.id}-{re.sub('[^a-z0-9]+', '-', row.title.lower()).strip('-')}.xml"
        (target / name).write_bytes(write_usebio(event_of(connection, row)).data)
        names.append(name)
    return names


def event_of(connection: Connection, row: Any) -> Event:
    """A posted event as USEBIO writes one: who took part, where they came, what they got."""
    facts = stored.from_text(row.facts)
    lines = lines_posted(connection, row)
    ids = {i for f in facts.lists for s in f.standings for i in stored.members_of(s)}
    people = members.get(connection, ids)
    known = {k.id: k for k in kinds.all_kinds(connection)}
    earned = {line.entrant: (line.amount, known[line.kind]) for line in lines}
    entrants = tuple(
        _entrant(number, each, standing, people, earned)
        for each in facts.lists
        for number, standing in enumerate(each.standings, 1)
    )
    day = date.fromisoformat(row.day) if row.day else None
    return Event(row.title, facts.given.get("kind", "pairs"), "matchpoints", entrants,
                 (Session(),), date=day, club=row.club)  # fmt: skip


def _entrant(
    number: int, each: Field, standing: Standing, people: Mapping[int, Member],
    earned: Mapping[str, tuple[int, Kind]],
) -> EventEntrant:  # fmt: skip
    players = tuple(Player(people[i].name, people[i].number) for i in stored.members_of(standing))
    published: dict[str, Value] = {"place": Fraction(standing.place)}
    if standing.score is not None:
        published["percentage"] = standing.score
    amount, kind = earned.get(standing.entrant.id, (0, None))
    if kind is not None:
        published |= {"masterpoints": Fraction(amount, 10**kind.decimals),
                      "masterpoint_type": kind.colour.upper()}  # fmt: skip
    named = replace(standing.entrant, players=players)
    return EventEntrant(Entrant(named.id, named.players), str(number), each.line,
                        published=published)  # fmt: skip
