"""Submissions of a club to its federation: the awards of a period, once, and the outcome.

A reversal is sent like an award, so that a correction reaches the federation too. A submission is
pending until it is sent; if it is rejected, its records can be sent with another one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any

from sqlalchemy import Connection, or_, select

from honours.engine.numbers import round_to
from honours.engine.ranking import WHOLE_EVENT
from honours.errors import InputError, UnknownName
from honours.formats.entrants import sought
from honours.formats.reading import iso_day
from honours.formats.usebio import write_usebio
from honours.ledger import facts as stored
from honours.ledger import kinds, members, sealing
from honours.ledger.bulk import lots
from honours.ledger.canonical import data_of, text_of
from honours.ledger.chain import locked, now
from honours.ledger.derive import PointsKind
from honours.ledger.events import lines_posted
from honours.ledger.schema import records, rulebooks, submissions
from honours.ledger.store import Ledger
from honours.model import (
    Entrant,
    Event,
    EventEntrant,
    Facts,
    Game,
    Player,
    Session,
    Standing,
    Value,
)
from honours.model.member import Member
from honours.model.message import Message, plural
from honours.pipeline.published import GROUP, OF_ENTRANTS, SESSIONS
from honours.scoring.award_lists import COLUMNS

PENDING, SENT, REJECTED = "pending", "sent", "rejected"
STATUSES = (PENDING, SENT, REJECTED)
_SENT_ACTIONS = ("award", "reversal")


@dataclass(frozen=True, slots=True)
class Submission:
    """A file made for a period; ``head`` is the chain's hash at that time."""

    id: int
    since: str
    until: str
    status: str
    at: str
    who: str
    remark: str
    head: str
    records: tuple[int, ...]


def overview(connection: Connection) -> tuple[list[Any], list[Submission]]:
    """The records that are in no submission yet, and every submission."""
    made = all_submissions(connection)
    gone = _held(made)
    # An opening balance came from the federation: reversing it does not concern a submission.
    opened = select(records.c.id).where(records.c.action.in_(("opening", "adjustment")))
    rows = connection.execute(
        select(
            records.c.id,
            records.c.title,
            records.c.day,
            records.c.club,
            records.c.action,
            records.c.postings,
        )
        .where(
            records.c.action.in_(_SENT_ACTIONS),
            or_(records.c.reverses.is_(None), records.c.reverses.not_in(opened)),
        )
        .order_by(records.c.id)
    )
    return [row for row in rows if row.id not in gone], made


def _held(made: Iterable[Submission]) -> set[int]:
    """The records in submissions that were not rejected."""
    return {number for each in made if each.status != REJECTED for number in each.records}


def all_submissions(connection: Connection) -> list[Submission]:
    return [
        Submission(
            r.id,
            r.since,
            r.until,
            r.status,
            r.at,
            r.who,
            r.remark,
            r.head,
            tuple(data_of(r.records)),
        )
        for r in connection.execute(select(submissions).order_by(submissions.c.id))
    ]


def find(connection: Connection, number: int) -> Submission:
    made = all_submissions(connection)
    if not 1 <= number <= len(made):
        raise InputError(
            plural(
                "there is no submission {number}: the ledger has {count} submission",
                "there is no submission {number}: the ledger has {count} submissions",
                count=len(made),
                number=number,
            )
        )
    return made[number - 1]


def submit(
    ledger: Ledger,
    since: str,
    until: str,
    who: str,
    dry_run: bool = False,
    club: str = "",
    without: Collection[int] = (),
    then: Callable[[Connection, Submission], None] = lambda _connection, _made: None,
) -> Submission:
    """Make a submission of what is pending for a period, of one club; rejected records are
    pending again; ``without`` are records that are known to be wrong. What is ``then`` done with
    it must succeed, or it is not made."""
    _check_period(since, until)
    with ledger.writing(dry_run, who) as connection:
        head = str(locked(connection)["head"])
        pending, made = overview(connection)
        inside = [row for row in pending if since <= row.day <= until and row.id not in without]
        chosen = _of_one_club(inside, club)
        if not chosen:
            raise InputError(
                "nothing is pending from {since} to {until} of {club}"
                if club
                else "nothing is pending from {since} to {until}",
                since=since,
                until=until,
                club=club,
            )
        row = {
            "id": len(made) + 1,
            "since": since,
            "until": until,
            "status": PENDING,
            "at": now(),
            "who": who,
            "remark": "",
            "head": head,
            "records": text_of(chosen),
        }
        sealing.put(connection, submissions, row)
        submission = find(connection, len(made) + 1)
        then(connection, submission)
        return submission


def _check_period(since: str, until: str) -> None:
    if iso_day("since", since) > iso_day("until", until):
        raise InputError(
            "the period ends before it begins: {since} to {until}", since=since, until=until
        )


def _of_one_club(pending: Sequence[Any], club: str) -> list[int]:
    """Refuse records of several clubs unless the club is named: a document belongs to one."""
    clubs = {sought(row.club): row.club for row in pending}
    if len(clubs) > 1 and not club:
        names = ", ".join(sorted(name or "(none)" for name in clubs.values()))
        raise InputError("events of several clubs are pending: say which of {names}", names=names)
    return [row.id for row in pending if not club or sought(row.club) == sought(club)]


def mark(
    ledger: Ledger,
    number: int,
    status: str,
    remark: str = "",
    dry_run: bool = False,
    who: str = "",
) -> None:
    """Record the outcome of a submission; a rejected one needs the reason as a remark."""
    if status not in STATUSES:
        raise UnknownName("status", status, STATUSES)
    if status == REJECTED and not remark:
        raise InputError("a rejection needs its reason: give it as the remark")
    with ledger.writing(dry_run, who) as connection:
        locked(connection)
        submission = find(connection, number)
        others = [s for s in all_submissions(connection) if s.id != number]
        if status != REJECTED and (twice := _held(others) & set(submission.records)):
            raise InputError(
                "record {twice} of submission {number} was sent again since, so the "
                "submission stays rejected",
                twice=min(twice),
                number=number,
            )
        chosen = select(submissions).where(submissions.c.id == number)
        row = connection.execute(chosen).mappings().one()
        sealing.change(connection, submissions, {**row, "status": status, "remark": remark})


_KINDS = {1: "individual", 2: "pairs"}
_CENT = Fraction(1, 100)
_NO_RULE_ASKS = ("city", "state", "aga_id", "egf_pin", "ffg_licence", "rating_origin")
_SAID_ELSEWHERE = ("title", "date", "club", "kind", "winners", COLUMNS)
_NUMBER = re.compile(r"-?\d{1,9}(\.\d{1,9})?")
_Earned = Mapping[int, Mapping[PointsKind, Fraction]]


def usebio(connection: Connection, number: int, version: str = "1.2") -> bytes:
    """The document of a submission; the same each time, except for names changed since."""
    document = write_usebio(*events(connection, number), version=version).data
    first, line, rest = document.partition(b"\n")
    head = find(connection, number).head
    return first + line + f"<!-- the ledger's head when this was made: {head} -->\n".encode() + rest


def events(connection: Connection, number: int) -> tuple[Event, ...]:
    """The events of a submission."""
    return events_of(connection, find(connection, number).records)


def events_of(connection: Connection, chosen: Sequence[int]) -> tuple[Event, ...]:
    """The events of some records: one per award, and one with negative points per reversal."""
    rows = _to_send(_rows(connection, chosen))
    if not rows:
        raise InputError("all these awards were reversed before they were sent")
    return tuple(_event(connection, row) for row in rows)


def concerns(connection: Connection, number: int) -> tuple[Message, ...]:
    """Return concerns to look at before a submission goes out."""
    return missing_in(connection, find(connection, number).records)


def missing_in(connection: Connection, chosen: Sequence[int]) -> tuple[Message, ...]:
    """Return the clubs and members' numbers that a recipient would miss in some records."""
    sent = [_event(connection, row) for row in _to_send(_rows(connection, chosen))]
    homeless = [Message("{title}: no club", title=one.title) for one in sent if not one.club]
    return (*homeless, *unnumbered(sent))


def unnumbered(events_: Sequence[Event]) -> tuple[Message, ...]:
    """Say who is in a return without a number, event by event: a federation cannot credit anybody
    by name."""
    return tuple(
        Message(
            "{title}, {day}: these players have no number and may not be credited: {names}",
            title=event.title,
            day=event.date.isoformat() if event.date else "–",
            names=", ".join(names),
        )
        for event in events_
        if (names := _credited_by_name_alone(event))
    )


def _credited_by_name_alone(event: Event) -> list[str]:
    return [
        player.name
        for one in event.entrants
        for player in one.entrant.players
        if not player.number and _credited(one, player)
    ]


def _credited(one: EventEntrant, player: Player) -> bool:
    return "masterpoints" in one.published or "own_masterpoints" in player.facts


def _rows(connection: Connection, chosen: Sequence[int]) -> list[Any]:
    return [
        row
        for some in lots(sorted(chosen))
        for row in connection.execute(
            select(records).where(records.c.id.in_(some)).order_by(records.c.id)
        )
    ]


def _to_send(rows: Sequence[Any]) -> list[Any]:
    here = {row.id for row in rows}
    void = {row.reverses for row in rows} & here
    return [row for row in rows if row.id not in void and row.reverses not in void]


def _event(connection: Connection, row: Any) -> Event:
    """A record as a USEBIO event: who took part, where they came, what they got."""
    awarded = row
    if row.reverses is not None:
        awarded = connection.execute(select(records).where(records.c.id == row.reverses)).one()
    facts = stored.from_text(awarded.facts)
    placed = _placed(facts)
    ids = {i for standing, _ in placed.values() for i in stored.members_of(standing)}
    people, earned = members.get(connection, ids), _earned(connection, row)
    kind = _kind(facts, placed)
    figure = "percentage" if _percentages(kind, facts, placed) else "total_score"
    numbers = stored.seats(facts, {id_: line for id_, (_, line) in placed.items()})
    games = _games(facts) if awarded is row else {}
    groups = {s.entrant.id: each.group for each in facts.lists for s in each.standings}
    entrants = []
    for id_, (standing, line) in placed.items():
        one = _entrant(standing, numbers[id_], line, groups[id_], figure, people, earned)
        published = {**one.published, **_in_sessions(facts, id_, figure)}
        entrants.append(replace(one, published=published, games=games.get(id_, ())))
    day = date.fromisoformat(row.day) if row.day else None
    return Event(
        _title(row, awarded),
        kind,
        "imps" if kind == "teams" else "matchpoints",
        tuple(entrants),
        (Session(),),
        winners=2 if len({line for _, line in placed.values()}) == 2 else 1,
        swiss=facts.given.get("competition") == "swiss",
        date=day,
        club=row.club,
        program="Honours",
        facts={
            **_known(facts),
            **_ranked(facts),
            "event_identifier": _identifier(row),
            "awarded_under": _under(connection, awarded),
            **({stored.OVERRULED: facts.overruled} if facts.overruled else {}),
        },
    )


def _ranked(facts: stored.EventFacts) -> dict[str, Value]:
    """Return what is ranked by itself, where that is more than the whole event."""
    ranked = dict.fromkeys(each.session or WHOLE_EVENT for each in facts.lists)
    return {SESSIONS: ", ".join(ranked)} if {*ranked} - {WHOLE_EVENT} else {}


def _in_sessions(facts: stored.EventFacts, entrant: str, figure: str) -> dict[str, Value]:
    """Return the places and scores of an entrant in each session that is ranked."""
    told: dict[str, Value] = {}
    for each in facts.lists:
        for s in each.standings if each.session else ():
            if s.entrant.id == entrant:
                told[f"place.{each.session}"] = Fraction(s.place)
                told |= {f"{figure}.{each.session}": s.score} if s.score is not None else {}
    return told


def _known(facts: stored.EventFacts) -> dict[str, Value]:
    """Return the facts beside the places that a federation needs to reproduce an award."""
    shared: dict[str, Value] = {
        name: value
        for name, value in (facts.lists[0].facts if facts.lists else {}).items()
        if name not in _SAID_ELSEWHERE and all(f.facts.get(name) == value for f in facts.lists)
    }
    given = {n: _value(v) for n, v in facts.given.items() if n not in _SAID_ELSEWHERE}
    known = {**shared, **given}
    return {**known, COLUMNS: ", ".join(known)} if known else {}


def _value(word: str) -> Value:
    return Fraction(word) if _NUMBER.fullmatch(word) else word


def _identifier(row: Any) -> str:
    """A record's identifier in a return; a reversal also names the record it reverses."""
    return str(row.id) if row.reverses is None else f"{row.id}-{row.reverses}"


def _placed(facts: stored.EventFacts) -> dict[str, tuple[Standing, str]]:
    """Each entrant once, with its place in the whole event or, where it is in no list of that, its
    best place in a session."""
    placed: dict[str, tuple[Standing, str]] = {}
    overall = {s.entrant.id for each in facts.lists if not each.session for s in each.standings}
    for each in facts.lists:
        for standing in each.standings:
            known = placed.get(standing.entrant.id)
            if each.session and standing.entrant.id in overall:
                continue
            if known is None or standing.place < known[0].place:
                placed[standing.entrant.id] = (standing, each.line)
    return placed


def _title(row: Any, awarded: Any) -> str:
    """The event's title; of an award that is taken back, that it is, and why."""
    if awarded is row:
        return str(row.title)
    title = Message("{title}, record {id} taken back", title=row.title, id=awarded.id)
    return title + f": {row.why}" if row.why else title


def _games(facts: stored.EventFacts) -> dict[str, tuple[Game, ...]]:
    """The games of each entrant, of the list that has most of them: all of the event's."""
    games: dict[str, tuple[Game, ...]] = {}
    for each in facts.lists:
        for standing in each.standings:
            known = games.get(standing.entrant.id, ())
            games[standing.entrant.id] = max(known, standing.games, key=len)
    return games


def _kind(facts: stored.EventFacts, placed: Mapping[str, tuple[Standing, str]]) -> str:
    """The kind as given, otherwise by how many play together."""
    sizes = {len(standing.entrant.players) for standing, _ in placed.values()}
    counted = _KINDS.get(max(sizes), "teams")
    kind = facts.given.get("kind", counted)
    return kind if kind in (*_KINDS.values(), "teams") else counted


def _percentages(
    kind: str, facts: stored.EventFacts, placed: Mapping[str, tuple[Standing, str]]
) -> bool:
    scores = [s.score for s, _ in placed.values() if s.score is not None]
    swiss = facts.given.get("competition") == "swiss"
    return kind != "teams" and not swiss and all(0 <= score <= 100 for score in scores)


def _earned(connection: Connection, row: Any) -> _Earned:
    """Return each member's points gained, or lost, by this record."""
    known = kinds.by_id(connection)
    earned: dict[int, dict[PointsKind, Fraction]] = {}
    for line in lines_posted(connection, row):
        kind = known[line.kind]
        own = earned.setdefault(line.member, {})
        own[kind] = own.get(kind, Fraction(0)) + kind.points(line.amount)
    return earned


def _entrant(
    standing: Standing,
    number: str,
    line: str,
    group: str,
    figure: str,
    people: Mapping[int, Member],
    earned: _Earned,
) -> EventEntrant:
    ids = stored.members_of(standing)
    each = [_awarded(earned.get(i)) for i in ids]
    alike = all(one == each[0] for one in each)
    published: dict[str, Value] = {"place": Fraction(standing.place)}
    if standing.score is not None:
        published[figure] = round_to(standing.score, "nearest", _CENT)
    published |= {name: standing.facts[name] for name in OF_ENTRANTS if name in standing.facts}
    if group:
        published[GROUP] = group
    if alike:
        published |= each[0]
    players = tuple(
        Player(
            people[i].name,
            people[i].number,
            {**_player_facts(player), **({} if alike else _own(one))},
        )
        for i, one, player in zip(ids, each, standing.entrant.players, strict=True)
    )
    section, stratum = (str(standing.facts.get(word, "")) for word in ("section", "stratum"))
    entrant = Entrant(standing.entrant.id, players)
    return EventEntrant(entrant, number, line, section, stratum, published=published)


def _player_facts(player: Player) -> Facts:
    """Return what a rule may ask about a player, so that a federation can reproduce the award:
    holdings or games played, but not where they live."""
    return {name: value for name, value in player.facts.items() if name not in _NO_RULE_ASKS}


def _own(awarded: Facts) -> Facts:
    """Return a player's separate awards; "masterpoints" alone means what a player holds."""
    return {f"own_{name}": value for name, value in awarded.items()}


def _awarded(earned: Mapping[PointsKind, Fraction] | None) -> Facts:
    if not earned:
        return {}
    colours = "+".join(kind.colour.upper() for kind in earned)
    return {"masterpoints": sum(earned.values(), Fraction(0)), "masterpoint_type": colours}


def _under(connection: Connection, row: Any) -> str:
    book = connection.execute(select(rulebooks).where(rulebooks.c.hash == row.rulebook)).one()
    return f"{book.rulebook} revision {book.revision}, {book.hash}"
