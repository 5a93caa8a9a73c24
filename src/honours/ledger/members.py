"""Members: whom a number or a name stands for, mergers of duplicates, and forgetting a person.

A member is just an id of ours. Name, membership number and whatever else
:class:`~honours.model.member.Member` declares are in ``people``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Column, Connection, delete, insert, or_, select, tuple_

from honours.errors import InputError, UnknownName
from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger import sealing
from honours.ledger.balances import ends, enter, merged_into, recount
from honours.ledger.bulk import PageOf, lots
from honours.ledger.canonical import data_of, text_of
from honours.ledger.chain import NewRecord, append, new_members, now
from honours.ledger.receipts import reasons_of
from honours.ledger.schema import (
    aliases,
    assertions,
    changes,
    drafts,
    members,
    names,
    numbers,
    people,
    postings,
    receipts,
    records,
    submissions,
    tallies,
)
from honours.ledger.store import erased
from honours.model.member import Member, details_in
from honours.model.message import Message

_LOT = 5_000
"""How many new members form one link of the chain."""
ERASED = "(erased)"


def add(connection: Connection, name: str, number: str = "", **details: bool | str) -> int:
    """Add a member; a number that somebody already has is refused."""
    _check_free(connection, number)
    return add_many(connection, [{"name": name, "number": number or None, **details}])[0]


def add_many(
    connection: Connection,
    wanted: Sequence[Mapping[str, Any]],
    tell: Callable[[int], None] = lambda _done: None,
    ranked: bool = True,
) -> list[int]:
    """Add members whose numbers are known to be free, in a few statements; ``tell`` is called
    with how many are done. The caller that first credits them gives them their places among the
    ranks."""
    ids = new_members(connection, len(wanted))
    rows = [
        {
            "member": member,
            "number": _cleaned(row["number"]),
            "name": _cleaned(row["name"]),
            "sought": sought(row["name"]),
            **details_in(row),
            "salt": sealing.salt(),
        }
        for member, row in zip(ids, wanted, strict=True)
    ]
    for start in range(0, len(rows), _LOT):
        sealing.put(connection, people, *rows[start : start + _LOT])
        tell(min(start + _LOT, len(rows)))
    if ranked:
        enter(connection, ids)
    return ids


def change(connection: Connection, member: int, **changes: Any) -> None:
    """Change a member's name, number or wishes."""
    change_many(connection, {member: changes})


def change_many(connection: Connection, wanted: Mapping[int, Mapping[str, Any]]) -> None:
    """Change the names, numbers or wishes of members: many at once, but for those who get another
    number. A visitor who is given a number becomes a member."""
    there: dict[int, Mapping[str, Any]] = {}
    for some in lots(wanted):
        rows = connection.execute(select(people).where(people.c.member.in_(some))).mappings()
        there |= {row["member"]: dict(row) for row in rows}
    if erased_ones := wanted.keys() - there.keys():
        member = min(erased_ones)
        raise InputError("#{member} was erased: there is nothing to change", member=member)
    other = [m for m in wanted if wanted[m].get("number") not in (None, there[m]["number"])]
    alike = [m for m in wanted if m not in set(other)]
    for some in (*lots(alike, _LOT), *([member] for member in other)):
        both = [(there[m], _changed(connection, there[m], wanted[m])) for m in some]
        remember_names(connection, both)
        sealing.change(connection, people, *(row for _, row in both))
        recount(connection, [a["member"] for a, b in both if a["visitor"] != b["visitor"]])


def _changed(
    connection: Connection, person: Mapping[str, Any], changes: Mapping[str, Any]
) -> dict[str, Any]:
    """A person after a change; a new number has to be free, and the one before is remembered."""
    row = {**person, **{key: _cleaned(value) for key, value in changes.items()}}
    if row["number"] != person["number"]:
        _check_free(connection, row["number"] or "", person["member"])
        if row["number"]:
            row["visitor"] = changes.get("visitor", False)
        if person["number"]:
            remember_number(connection, person["number"], person["member"])
    return {**row, "sought": sought(row["name"])}


def _cleaned(value: Any) -> Any:
    """A name or number in the form in which it is stored; what PostgreSQL rejects is refused
    everywhere."""
    if isinstance(value, str) and "\x00" in value:
        raise InputError("{name!r}: a name or number with a NUL in it", name=value)
    return value


def _check_free(connection: Connection, number: str, member: int | None = None) -> None:
    taken = select(people).where(people.c.number == number) if number else None
    row = connection.execute(taken).first() if taken is not None else None
    holder = _member(row) if row else None
    if holder and holder.id != member:
        raise InputError(
            "number {number} already belongs to {title}", number=number, title=holder.title
        )


def get(connection: Connection, ids: Iterable[int]) -> dict[int, Member]:
    """Members by id, including erased ones."""
    wanted = sorted(set(ids))
    members: dict[int, Member] = {i: Member(i, ERASED) for i in wanted}
    for some in lots(wanted):
        rows = connection.execute(select(people).where(people.c.member.in_(some)))
        members |= {row.member: _member(row) for row in rows}
    return _with_wishes(connection, members)


def last_of(connection: Connection, ids: Collection[int]) -> dict[int, Member]:
    """For each of these members, the one they were finally merged into, or themselves."""
    roots = ends(connection, ids)
    who = get(connection, (roots[one] for one in ids))
    return {one: who[roots[one]] for one in ids}


def everyone(connection: Connection) -> list[Member]:
    rows = connection.execute(select(people).order_by(people.c.sought, people.c.member))
    return list(_with_wishes(connection, {row.member: _member(row) for row in rows}).values())


def listed(
    connection: Connection,
    limit: int,
    after: int | None = None,
    find: str = "",
    public: bool = False,
) -> PageOf[Member]:
    """A limited number of members by name, following a given one, read along the index. ``find``
    is a number or part of a name; in public, members who opted out are left out."""
    chosen = select(people).order_by(people.c.sought, people.c.member)
    if find:
        within = people.c.sought.contains(sought(find), autoescape=True)
        chosen = chosen.where(or_(people.c.number == find, within))
    if public and (out := hidden(connection)):
        chosen = chosen.where(people.c.member.not_in(out))
    if after is not None:
        name = connection.scalar(select(people.c.sought).where(people.c.member == after))
        if name is None:
            raise InputError(
                "nobody follows #{after}: there is no such member any more", after=after
            )
        chosen = chosen.where(tuple_(people.c.sought, people.c.member) > tuple_(name, after))
    rows = connection.execute(chosen.limit(limit + 1)).all()
    read = {row.member: _member(row) for row in rows}
    return PageOf(_with_wishes(connection, read).values(), limit)


def beginning(connection: Connection, words: Sequence[str], limit: int) -> list[Member]:
    """A limited number of members, by name, for whom each given word begins a word of the name
    or the number; without words, anybody."""
    chosen = select(people).order_by(people.c.sought, people.c.member).limit(limit)
    for word in words:
        within = people.c.sought.contains(f" {word}", autoescape=True)
        number = people.c.number.startswith(word, autoescape=True)
        begun = people.c.sought.startswith(word, autoescape=True)
        chosen = chosen.where(or_(begun, within, number))
    return [_member(row) for row in connection.execute(chosen)]


def alike(connection: Connection, beginnings: Collection[str]) -> list[Member]:
    """The members with a word in their name that begins with this text; all are read, few are
    kept."""
    chosen = select(people.c.member, people.c.sought).execution_options(yield_per=_LOT)
    lengths = sorted({len(one) for one in beginnings})
    wanted = [
        member
        for member, name in connection.execute(chosen)
        if any(word[:n] in beginnings for word in name.split() for n in lengths)
    ]
    return list(get(connection, wanted).values())


def hidden(connection: Connection) -> set[int]:
    """Everybody who does not want to be published, and those merged with them."""
    chosen = select(people.c.member).where(people.c.opted_out)
    out = {int(member) for member in connection.scalars(chosen)}
    merged = ends(connection, out)
    last = {merged[member] for member in out}
    return out | last | {*merged_into(connection, last)}


def count(connection: Connection, public: bool = False) -> int:
    """Return how many members there are, by the ledger's own count."""
    there = select(tallies.c.rows).where(tallies.c.name == people.name)
    return int(connection.scalar(there) or 0) - (len(hidden(connection)) if public else 0)


def _with_wishes(connection: Connection, members: dict[int, Member]) -> dict[int, Member]:
    """The members, where anyone merged with somebody who opted out counts as having opted out
    too."""
    merged = ends(connection, members)
    group = merged_into(connection, {merged[member] for member in members})
    if not merged and not group:
        return members
    merged |= group
    others = {*merged, *merged.values()}
    out: set[int] = set()
    for some in lots(others):
        chosen = select(people.c.member).where(people.c.member.in_(some), people.c.opted_out)
        out |= {merged[member] for member in connection.scalars(chosen)}
    return {
        i: replace(m, opted_out=True) if merged[i] in out and m.name != ERASED else m
        for i, m in members.items()
    }


def _member(row: Any) -> Member:
    return Member(row.member, row.name, row.number or "", **details_in(row._mapping))  # type: ignore[arg-type]


def by_number(connection: Connection, number: str) -> Member | None:
    return by_numbers(connection, [number]).get(number)


def by_name(connection: Connection, name: str) -> list[Member]:
    rows = connection.execute(
        select(people).where(people.c.sought == sought(name)).order_by(people.c.member)
    )
    return [_member(row) for row in rows]


def by_numbers(connection: Connection, wanted: Iterable[str]) -> dict[str, Member]:
    """The members who have or had these numbers, in a few queries."""
    members: dict[str, Member] = {}
    for some in lots(wanted):
        before = select(people, numbers.c.number.label("had")).join(
            numbers, numbers.c.member == people.c.member
        )
        for row in connection.execute(before.where(numbers.c.number.in_(some))):
            members[row.had] = _member(row)
        rows = connection.execute(select(people).where(people.c.number.in_(some)))
        members |= {row.number: _member(row) for row in rows}
    return members


def by_names(connection: Connection, names: Iterable[str]) -> dict[str, list[Member]]:
    """The members with these names, by the normalised form used for searching."""
    members: dict[str, list[Member]] = {}
    for some in lots({sought(name) for name in names}):
        rows = connection.execute(select(people).where(people.c.sought.in_(some)))
        for row in rows:
            members.setdefault(row.sought, []).append(_member(row))
    return members


def find(connection: Connection, text: str, itself: bool = False) -> Member:
    """The member meant by a number, a name or our own ``#17``, following mergers unless the member
    ``itself`` is wanted."""
    matching = [m for m in (by_number(connection, text),) if m] or by_name(connection, text)
    if not matching and text.startswith("#") and text[1:].isdigit():
        matching = _by_id(connection, int(text[1:]))
    if not matching:
        if like := _like(connection, text):
            raise UnknownName("member", text, like)
        raise InputError("unknown member {text!r}: nobody has this number, name or #id", text=text)
    meant = {m.id if itself else root(connection, m.id) for m in matching}
    if len(meant) > 1:
        candidates = ", ".join(f"#{m.id} {m.title} {m.number}".strip() for m in matching)
        raise InputError(
            "{text!r} may be any of {candidates}: say which by its number or #id",
            text=text,
            candidates=candidates,
        )
    (only,) = meant
    return get(connection, [only])[only]


def _by_id(connection: Connection, member: int) -> list[Member]:
    known = connection.execute(select(members.c.id).where(members.c.id == member)).first()
    return list(get(connection, [member]).values()) if known else []


def _like(connection: Connection, text: str) -> list[str]:
    """A few members whose names begin alike, to choose from."""
    start = sought(text)[:2]
    rows = connection.execute(
        select(people.c.name)
        .where(or_(people.c.sought.startswith(start), people.c.sought.contains(f" {start}")))
        .order_by(people.c.sought)
        .limit(8)
    )
    return [row.name for row in rows]


def touched_since(connection: Connection, change: int, record: int) -> set[int]:
    """The members of whom something, or with whom they are merged, was changed by links after
    these."""
    linked = select(changes.c.content).where(changes.c.id > change).execution_options(yield_per=10)
    moved = records.c.action.in_(("merge", "unmerge"))
    merged = select(records.c.facts).where(moved, records.c.id > record)
    return {
        *(
            int(key)
            for content in connection.scalars(linked)
            for table, key, _, _ in data_of(content)
            if table == people.name
        ),
        *(m for text in connection.scalars(merged) for m in data_of(text).values()),
    }


# --- mergers ----------------------------------------------------------------------------------


def root(connection: Connection, member: int) -> int:
    """The member that another was finally merged into, or the member itself."""
    return ends(connection, [member])[member]


def group(connection: Connection, member: int) -> list[int]:
    """Every id whose postings belong to this member: its own and those merged into it."""
    last = root(connection, member)
    return [last, *merged_into(connection, [last])]


def merge(connection: Connection, member: int, into: int, who: str, why: str = "") -> int:
    """Count one member's postings as another's; returns the record's number."""
    if root(connection, into) == root(connection, member):
        raise InputError("#{member} and #{into} are already one member", member=member, into=into)
    if connection.scalar(select(aliases.c.into).where(aliases.c.member == member)) is not None:
        raise InputError("#{member} was merged into another before: undo that first", member=member)
    facts = text_of({"member": member, "into": into})
    record = append(connection, NewRecord("merge", who, why, facts=facts))
    before = root(connection, member)
    connection.execute(insert(aliases).values(member=member, into=into))
    recount(connection, [before, root(connection, into)])
    return record


def unmerge(connection: Connection, member: int, who: str, why: str = "") -> int:
    """Undo a merger; since postings are never moved, they count as before."""
    into = connection.scalar(select(aliases.c.into).where(aliases.c.member == member))
    if into is None:
        raise InputError("#{member} is not merged into anybody", member=member)
    facts = text_of({"member": member, "into": int(into)})
    record = append(connection, NewRecord("unmerge", who, why, facts=facts))
    before = root(connection, member)
    connection.execute(delete(aliases).where(aliases.c.member == member))
    recount(connection, [before, member])
    return record


def erase(connection: Connection, member: int, who: str, why: str = "") -> int:
    """Forget a person: name, number and wishes are removed, the postings stay with a bare id."""
    ids = group(connection, member)
    erased(connection)
    if not connection.scalars(select(people.c.member).where(people.c.member.in_(ids))).all():
        return _erased_by(connection, member)
    check_nameless(connection, ids, why)
    record = append(connection, NewRecord("erasure", who, why, facts=text_of({"members": ids})))
    forget(connection, ids)
    return record


def _erased_by(connection: Connection, member: int) -> int:
    """The record by which somebody was already forgotten: remains of the name in the database's
    files are cleaned up, and nothing is recorded twice."""
    rows = connection.execute(select(records).where(records.c.action == "erasure"))
    return next(int(row.id) for row in rows if member in data_of(row.facts)["members"])


def remember_number(connection: Connection, number: str, member: int) -> None:
    """Store a number that somebody had."""
    sealing.remove(connection, numbers, numbers.c.number == number)
    row = {"number": number, "member": member, "until": now()[:10], "salt": sealing.salt()}
    sealing.put(connection, numbers, row)


def remember_names(
    connection: Connection, changed: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> None:
    """Store the previous names of people who are now called something else, given both."""
    first = sealing.next_number(connection, names)
    before = [was for was, now_ in changed if sought(was["name"]) != sought(now_["name"])]
    rows = [
        {
            "id": number,
            "member": was["member"],
            "name": was["name"],
            "until": now()[:10],
            "salt": sealing.salt(),
        }
        for number, was in enumerate(before, first)
    ]
    if rows:
        sealing.put(connection, names, *rows)


def numbers_of(connection: Connection, ids: Iterable[int] | None = None) -> dict[int, list[str]]:
    """The numbers that these members, or any, had before, the oldest first."""
    return _had(connection, numbers.c.number, ids, numbers.c.until, numbers.c.number)


def names_of(connection: Connection, ids: Iterable[int]) -> dict[int, list[str]]:
    """The names that members had before, the oldest first."""
    return _had(connection, names.c.name, ids, names.c.id)


def _had(
    connection: Connection, column: Column[Any], ids: Iterable[int] | None, *order: Column[Any]
) -> dict[int, list[str]]:
    kept: dict[int, list[str]] = {}
    whose = column.table.c.member
    for some in [None] if ids is None else lots(ids):
        chosen = select(whose, column).order_by(*order)
        own = chosen if some is None else chosen.where(whose.in_(some))
        for member, text in connection.execute(own):
            kept.setdefault(member, []).append(text)
    return kept


_WRITTEN = (
    (receipts, ("said", "source")),
    (drafts, ("remark",)),
    (submissions, ("remark",)),
    (assertions, ("remark",)),
)
"""Texts that may be emptied."""
_FOR_GOOD: tuple[tuple[Any, tuple[str, ...]], ...] = (
    (records, ("title", "why", "who", "club", "source")),
    (changes, ("who",)),
)
"""Texts covered by the chain."""
_TOLD = 12
"""The number of places that are listed one by one."""


def called(connection: Connection, ids: Sequence[int]) -> list[list[str]]:
    """Everything people are or were called, names and numbers, each split into words to search
    for."""
    own = connection.execute(select(people).where(people.c.member.in_(ids))).all()
    before = (names_of(connection, ids), numbers_of(connection, ids))
    texts = [row.name for row in own] + [row.number or "" for row in own]
    texts += [text for kept in before for some in kept.values() for text in some]
    return [words for words in (sought(text).split() for text in texts) if words]


def mentions(text: str, names_: Sequence[Sequence[str]]) -> bool:
    """Return whether a text contains all words of one of the names, in any order."""
    there = set(sought(text).split()) | set(sought(text.replace(",", " ")).split())
    return any(there.issuperset(words) for words in names_)


def check_nameless(connection: Connection, ids: Sequence[int], why: str) -> None:
    """Refuse a reason for an erasure that contains the name, because it stays in the chain."""
    if mentions(why, called(connection, ids)):
        raise InputError("the reason is kept forever: leave out the name that is to be erased")


def forget(connection: Connection, ids: Sequence[int]) -> None:
    """Remove everything that contains the name of these people."""
    names_ = called(connection, ids)
    theirs = set(_receipts_of(connection, ids))
    for table, columns in _WRITTEN:
        for row in connection.execute(select(table)).mappings().all():
            texts = {column: row[column] for column in columns}
            if table is receipts:
                texts["said"] = "; ".join(reasons_of(row["said"]))
            empty = {column: "" for column, text in texts.items() if mentions(text, names_)}
            if table is receipts and row["id"] in theirs:
                empty["said"] = ""  # it may have the name as spelt in the file
            if any(row[column] for column in empty):
                sealing.change(connection, table, {**row, **empty})
    for row in connection.execute(select(drafts)).mappings().all():
        content = data_of(row["content"])
        new = [
            [n, "", ""] if mentions(f"{a} {b}", names_) else [n, a, b]
            for n, a, b in content["newcomers"]
        ]
        if new != content["newcomers"]:
            emptied = text_of({**content, "newcomers": new})
            sealing.change(connection, drafts, {**row, "content": emptied})
    sealing.remove(connection, people, people.c.member.in_(ids))
    sealing.remove(connection, numbers, numbers.c.member.in_(ids))
    sealing.remove(connection, names, names.c.member.in_(ids))
    recount(connection, ids)


def _receipts_of(connection: Connection, ids: Sequence[int]) -> Iterator[int]:
    """The receipts of events in which people played."""
    wanted = set(ids)
    posted = select(postings.c.record).where(postings.c.member.in_(ids))
    of_record = or_(receipts.c.record.in_(posted), drafts.c.record.in_(posted))
    chosen = select(receipts.c.id).outerjoin(drafts, drafts.c.id == receipts.c.draft)
    yield from connection.scalars(chosen.where(of_record))
    held = select(receipts.c.id, drafts.c.content).join(drafts, drafts.c.id == receipts.c.draft)
    for row in connection.execute(held):
        if wanted & stored.from_text(data_of(row.content)["facts"]).members:
            yield row.id


def left_for_good(connection: Connection, ids: Sequence[int]) -> list[Message]:
    """Return the places where texts in the chain itself contain the name of these people."""
    names_ = [words for words in called(connection, ids) if any(not w.isdigit() for w in words)]
    places = list(_places(connection, names_)) if names_ else []
    more = len(places) - _TOLD
    rest = [Message("and {count} more", count=more)] if more > 0 else []
    return [*places[:_TOLD], *rest]


def _places(connection: Connection, names_: Sequence[Sequence[str]]) -> Iterator[Message]:
    for table, columns in _FOR_GOOD:
        asked: list[Column[Any]] = [table.c.id, *(table.c[name] for name in columns)]
        for row in connection.execute(select(*asked).order_by(table.c.id)).mappings():
            for column in columns:
                if mentions(row[column], names_):
                    yield Message(
                        "{table} {number}: {text}",
                        table=Message("record") if table is records else Message("changes"),
                        number=row["id"],
                        text=row[column],
                    )
