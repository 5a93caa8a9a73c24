"""Members from a list: new ones, changed ones, and the balances they bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, or_, select

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.formats.entrants import sought
from honours.formats.members import EnrolmentList, ListedMember, read_enrolment
from honours.ledger import kinds, members
from honours.ledger.balances import ends, enter, merged_into, summed
from honours.ledger.bulk import among, lots
from honours.ledger.canonical import text_of
from honours.ledger.chain import NewRecord, append, now
from honours.ledger.derive import PointsKind, opening_lines
from honours.ledger.schema import end_of, postings, records
from honours.ledger.store import Ledger
from honours.model.member import Member
from honours.model.message import Message, plural

Tell = Callable[[int, int], None]
"""Called with how many rows are done, and of how many."""
_Balances = tuple[tuple[str, PointsKind, int], ...]
"""Name, kind and units of each balance that is posted."""
_TOLD = 5
"""The number of differing balances that are listed one by one."""
_PART = 10_000
"""So many rows of a list are done at once."""
_SHOWN = 1_000
"""So many opening balances are shown one by one."""


@dataclass(frozen=True, slots=True)
class Enrolment:
    """The outcome of a list: how many it added, changed and left as they were, the first record of
    opening balances with what is posted to whom, of very many some, and the unused columns."""

    added: int
    changed: int
    unchanged: int
    opening: int | None
    balances: _Balances = ()
    unread: tuple[str, ...] = ()


def import_members(
    ledger: Ledger,
    path: str | Path,
    who: str,
    rulebook: Rulebook | None = None,
    tell: Tell = lambda _done, _total: None,
    **how: Any,
) -> Enrolment:
    """Add and change members as a file says, :func:`enrol` how; the rulebook determines whose
    points the balances are."""
    listed = read_enrolment(path, kind_names(ledger, rulebook), lazily=True)
    tell(0, len(listed.rows))
    return enrol_list(ledger, listed, Path(path).name, who, rulebook, tell=tell, **how)


def kind_names(ledger: Ledger, rulebook: Rulebook | None) -> tuple[str, ...]:
    """The kinds of points whose opening balances a list may have."""
    if rulebook is None:
        return ()
    with ledger.reading() as connection:
        known = kinds.all_kinds(connection, rulebook.body)
    return tuple(kinds.by_every_name(known) or kinds.to_be_opened(rulebook))


def enrol_list(ledger: Ledger, listed: EnrolmentList, *how: Any, **more: Any) -> Enrolment:
    """:func:`enrol`, which also reports what part of the list was not used."""
    return replace(enrol(ledger, listed.rows, *how, **more), unread=listed.unread)


def enrol(
    ledger: Ledger,
    rows: Collection[ListedMember],
    source: str,
    who: str,
    rulebook: Rulebook | None = None,
    dry_run: bool = False,
    why: str = "",
    day: str = "",
    tell: Tell = lambda _done, _total: None,
) -> Enrolment:
    """Add and change members as the rows of a list say; ``source`` is the list's own name.

    The same list again changes nothing, nor does it post its balances again; a balance that differs
    from the posted one is a correction, and needs the reason ``why``. A long list is done in parts,
    with a record of opening balances each, all in one transaction.
    """
    done: list[_Part] = []
    with ledger.writing(dry_run, who) as connection:
        if rulebook:
            kinds.ensure_scheme(connection, rulebook)
        scheme = rulebook.body if rulebook else ""
        known = kinds.by_every_name(kinds.all_kinds(connection, scheme)) if rulebook else {}
        new = NewRecord("opening", who, why, source=source, day=day)
        before = end_of(connection).members
        for some in lots(rows, _PART):
            ids = _enrol_all(connection, some, before)
            opened = _Opened(some, [i for i, _ in ids], known)
            part = _open(connection, opened, new)
            enter(connection, [member for member, how in ids if how == "added"])
            done.append(replace(part, did=Counter(how for _, how in ids)))
            tell(min(len(done) * _PART, len(rows)), len(rows))
        if not why and (others := sum(part.others for part in done)):
            told = [each for part in done for each in part.told]
            raise InputError(_other(others, tuple(told[:_TOLD])))
    by = sum((part.did for part in done), Counter[str]())
    record = next((part.record for part in done if part.record), None)
    shown = tuple(islice((line for part in done for line in part.balances), _SHOWN))
    return Enrolment(by["added"], by["changed"], by["same"], record, shown)


@dataclass(frozen=True, slots=True)
class _Part:
    """The outcome of a part of a list: the record of its balances with some of its lines, how many
    are others than were posted, some of them in words, and with how many rows what was done."""

    record: int | None = None
    balances: _Balances = ()
    others: int = 0
    told: tuple[Message, ...] = ()
    did: Counter[str] = field(default_factory=Counter)


def _enrol_all(
    connection: Connection, rows: Sequence[ListedMember], before: int
) -> list[tuple[int, str]]:
    """Every row's member and what was done with it: found in a few queries, added in a few more.
    Those with ids after ``before`` came with this list: nobody else in it is one of them."""
    numbered = members.by_numbers(connection, {row.number for row in rows if row.number})
    called = {
        name: [member for member in some if member.id <= before]
        for name, some in members.by_names(connection, {row.name for row in rows}).items()
    }
    known = [_known(row, numbered, called) for row in rows]
    new = [_wanted(row) for row, member in zip(rows, known, strict=True) if member is None]
    added = iter(members.add_many(connection, new, ranked=False))
    other = {
        member.id: wanted
        for row, member in zip(rows, known, strict=True)
        if member is not None and (wanted := _changed(row, member))
    }
    members.change_many(connection, other)
    return [
        (next(added), "added")
        if member is None
        else (member.id, "changed" if member.id in other else "same")
        for member in known
    ]


def _known(
    row: ListedMember, numbered: Mapping[str, Member], called: Mapping[str, list[Member]]
) -> Member | None:
    """The member who has or had this number; otherwise the only one of this name without a
    number."""
    if row.number in numbered:
        return numbered[row.number]
    namesakes = [m for m in called.get(sought(row.name), ()) if not m.number]
    if len(namesakes) != 1:
        return None
    called[sought(row.name)].remove(namesakes[0])
    return namesakes[0]


def _wanted(row: ListedMember) -> dict[str, Any]:
    return {"name": row.name, "number": row.number or None, **row.details}


def _changed(row: ListedMember, member: Member) -> dict[str, Any]:
    """The member's new data, if it differs from before."""
    wanted = _wanted(row)
    if member.number and member.number != row.number:
        wanted["number"] = member.number  # the list has an earlier number of theirs, or none
    before = {"name": member.name, "number": member.number or None, **member.details}
    return {} if {**before, **wanted} == before else wanted


@dataclass(frozen=True, slots=True)
class _Opened:
    """The balances that the rows of a list bring."""

    rows: Sequence[ListedMember]
    ids: Sequence[int]
    known: Mapping[str, PointsKind]

    def balances(self, roots: Mapping[int, int]) -> dict[tuple[int, int], tuple[int, ListedMember]]:
        return {
            (roots[member], self.known[kind].id): (self.known[kind].units(amount), row)
            for row, member in zip(self.rows, self.ids, strict=True)
            for kind, amount in row.balances
        }


def _open(connection: Connection, opened: _Opened, record: NewRecord) -> _Part:
    """Post the balances that members bring as one record, except those already posted."""
    listed = opened.balances(ends(connection, opened.ids))
    before = opening_balances(connection, {member for member, _ in listed})
    other = {key: row for key, (units, row) in listed.items() if before.get(key, units) != units}
    by_id = {kind.id: kind for kind in opened.known.values()}
    told = tuple(
        Message(
            "line {line}, {name}: {now} {kind}, posted {before}",
            line=row.line,
            name=row.name,
            now=by_id[key[1]].shown(listed[key][0]),
            kind=by_id[key[1]].name,
            before=by_id[key[1]].shown(before[key]),
        )
        for key, row in islice(other.items(), _TOLD)
    )
    lines = [
        [member, kind, units - before.get((member, kind), 0)]
        for (member, kind), (units, _) in listed.items()
        if units != before.get((member, kind), 0)
    ]
    if not lines:
        return _Part()
    balances = tuple((listed[m, k][1].name, by_id[k], units) for m, k, units in lines[:_SHOWN])
    facts = text_of({"balances": lines})
    title = "Opening balances corrected" if other else "Opening balances"
    day = record.day or now()[:10]
    new = replace(record, title=title, facts=facts, lines=opening_lines(facts), day=day)
    return _Part(append(connection, new), balances, len(other), told)


def opening_balances(
    connection: Connection, whose: Collection[int] | None = None
) -> dict[tuple[int, int], int]:
    """The opening balances of members, or of some, following mergers, without those that were
    reversed."""
    opening = select(records.c.id).where(records.c.action == "opening")
    opened = or_(records.c.action == "opening", records.c.reverses.in_(opening))
    if whose is None:
        return summed(connection, opened)
    group = {*whose, *merged_into(connection, whose)}
    return summed(connection, opened, among(connection, postings.c.member, group))


def _other(count: int, told: tuple[Message, ...]) -> Message:
    return plural(
        "{count} opening balance differs from the posted one ({told}); nothing was changed. "
        "If it is a correction, say why",
        "{count} opening balances differ from the posted ones ({told}); nothing was changed. "
        "If they are corrections, say why",
        count=count,
        told=told,
    )
