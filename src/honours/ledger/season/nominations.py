"""What the rulebook must know about a club's year and a table's events: what else was nominated,
what the events are, and what they count for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger.events import live_events
from honours.ledger.schema import records
from honours.ledger.season.plan import CONSOLATION, FINAL, Competition, Season
from honours.ledger.season.standings import SeasonStandings
from honours.ledger.store import Ledger


@dataclass(frozen=True, slots=True)
class Nomination:
    """A championship of the year: which, of what kind and type."""

    title: str
    championship: str
    kind: str
    type: str


def nominations(season: Season, ledger: Ledger | None = None, day: str = "") -> list[Nomination]:
    """What the club nominated in the year of a day: in its season file, and earlier in the
    ledger."""
    posted = {sought(n.title): n for n in _posted_nominations(season, ledger, day)}
    for c in season.competitions:
        if c.championship != "none":
            posted.setdefault(sought(c.title), Nomination(c.title, c.championship, c.kind, c.type))
    return list(posted.values())


def _posted_nominations(season: Season, ledger: Ledger | None, day: str) -> list[Nomination]:
    since, until = season.year_of(day)
    if ledger is None or not since:
        return []
    with ledger.reading() as connection:
        rows = live_events(connection, records.c.day.between(since, until))
    given = [(row, stored.from_text(row.facts).given) for row in rows]
    own = {
        sought(f"{c.title}, {word}"): c.title
        for c in season.competitions
        for word in ("final", "consolation final")
    }
    return [
        Nomination(
            own.get(sought(row.title), row.title), g["championship"], g.get("kind", ""), _type(g)
        )
        for row, g in given
        if g.get("championship", "none") != "none"
        and (not season.club or sought(row.club) == sought(season.club))
    ]


def _type(given: Mapping[str, str]) -> str:
    """The type of a posted competition; a consolation final belongs to its final."""
    word = given.get("competition", "session")
    return FINAL if word == CONSOLATION else word


def of_year(
    season: Season, competition: Competition, ledger: Ledger | None, day: str
) -> dict[str, str]:
    """What the rulebook must know about the year to award a championship."""
    if competition.championship == "none":
        return {}
    earlier: list[Nomination] = []
    everything = nominations(season, ledger, day)
    for each in everything:
        if sought(each.title) == sought(competition.title):
            break
        earlier.append(each)
    majors = [n for n in everything if n.championship == "major"]
    same = [n for n in earlier if n.kind == competition.kind]
    similar = [n for n in earlier if n.championship == "minor" and _similar(n, majors)]
    own = Nomination(competition.title, "minor", competition.kind, competition.type)
    return {
        "championship": competition.championship,
        "majors_nominated": str(sum(n.championship == "major" for n in same)),
        "minors_nominated": str(sum(n.championship == "minor" for n in same)),
        "similar_to_major": "yes" if _similar(own, majors) else "no",
        "similar_minors": str(len(similar)),
    }


def _similar(minor: Nomination, majors: Sequence[Nomination]) -> bool:
    return any((m.kind, m.type) == (minor.kind, minor.type) for m in majors)


def of_events(season: Season, competition: Competition, table: SeasonStandings) -> dict[str, str]:
    """What the events of a table are: their kind, whether heats are among them, and their other
    uses."""
    kinds = {event.kind for event in table.events}
    other = kinds - {competition.kind}
    facts = {"kind": competition.kind}
    if competition.kind == "individual":  # only for individuals must events be of their kind
        facts["events_kind"] = min(other) if other else competition.kind
    if competition.championship != "none":
        heats = any(event.marked for event in table.events)
        shared = _shared(season, competition)
        facts |= {
            "includes_heats": "yes" if heats else "no",
            "designated": "no" if shared else "yes",
        }
    return facts


def _shared(season: Season, competition: Competition) -> bool:
    """Whether an event of this championship also counts for another one of the year."""
    own = {file.resolve() for file in competition.events.files}
    others = (c for c in season.competitions if c is not competition and c.championship != "none")
    ledger = competition.events.ledger
    return any(
        own & {f.resolve() for f in c.events.files} or (ledger and c.events.ledger == ledger)
        for c in others
    )
