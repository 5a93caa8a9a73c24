"""The facts the rulebook must know about a club's year and a table's events: what else was
nominated, what the events are, and what they count for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from honours.engine.event_awards import EventAwards, award_event
from honours.engine.ranks import first_day
from honours.engine.rulebook import Rulebook
from honours.errors import Asked, InputError, UnknownName
from honours.formats.entrants import sought
from honours.ledger import facts as stored
from honours.ledger.events import EventToPost, live_events
from honours.ledger.schema import records
from honours.ledger.season.plan import (
    AGGREGATE,
    CONSOLATION,
    FINAL,
    TABLE,
    Competition,
    Season,
    Stage,
)
from honours.ledger.season.standings import (
    PersonKeys,
    SeasonRow,
    SeasonStandings,
    Teams,
    gather,
    season_standings,
)
from honours.ledger.sources import Reader, day_of, file_of, read_ranked
from honours.ledger.store import Ledger
from honours.model import Citation, Entrant, Field, Refusal
from honours.model.message import Message
from honours.pipeline import Report
from honours.pipeline.inquiry import inquire
from honours.reports.awards import event_data, event_text, refusal_data
from honours.rulebooks import load


@dataclass(frozen=True, slots=True)
class Nomination:
    """A championship of the year: which, of what kind and type."""

    title: str
    championship: str
    kind: str
    type: str


def nominations(season: Season, ledger: Ledger | None = None, day: str = "") -> list[Nomination]:
    """Return what the club nominated in the year of a day: in its season file, and earlier in the
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
    """Return the facts of the year that the rulebook needs to award a championship."""
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
    """Return what the events of a table are: their kind, whether heats are among them, and their
    other uses."""
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
    """Return whether an event of this championship also counts for another one of the year."""
    own = {file.resolve() for file in competition.events.files}
    others = (c for c in season.competitions if c is not competition and c.championship != "none")
    ledger = competition.events.ledger
    return any(
        own & {f.resolve() for f in c.events.files} or (ledger and c.events.ledger == ledger)
        for c in others
    )


_ENTRY = Citation(
    "Chapter 2, Aggregated events with a restricted final",
    "entry to a final is gained by achieving high scores",
)


@dataclass(frozen=True, slots=True)
class SeasonAward:
    """One ranking that a competition awards: its title, the inputs of the rulebook and its answer.

    ``refusal`` is our own: somebody in a final was not entitled to be there.
    """

    title: str
    day: str
    lists: tuple[Field, ...]
    given: Mapping[str, str]
    awards: EventAwards | None
    refusal: Refusal | None = None
    source: str = ""


def rulebook_of(season: Season, folders: Sequence[str | Path] = ()) -> Rulebook:
    book = load(season.rulebook, folders)
    return book.variant(season.variant) if season.variant else book


def standings(
    season: Season,
    competition: Competition,
    ledger: Ledger | None = None,
    read: Reader = read_ranked,
) -> SeasonStandings:
    """The competition's table; ``read`` gets the events of files."""
    if competition.type not in (TABLE, AGGREGATE, FINAL):
        raise InputError("{title} is one event, not a table over several", title=competition.title)
    events = gather(season, competition, ledger, read)
    if not events:
        raise InputError(
            "{title}: none of its events is in the season; look at its `events` and at "
            "the `year` of the season",
            title=competition.title,
        )
    return season_standings(competition, events)


def award(
    season: Season,
    competition: Competition,
    rulebook: Rulebook,
    ledger: Ledger | None = None,
    read: Reader = read_ranked,
) -> list[SeasonAward]:
    """The awards of a competition: of its aggregate, of its final and consolation, or of its one
    event."""
    rankings = _rankings(season, competition, rulebook, ledger, read)
    as_usual = bool(competition.options.get("as_usual"))
    return [_awarded(rulebook, each, as_usual) for each in rankings]


def _rankings(
    season: Season,
    competition: Competition,
    rulebook: Rulebook,
    ledger: Ledger | None,
    read: Reader,
) -> list[SeasonAward]:
    """The rankings of a competition that are to be awarded."""
    if competition.type == TABLE:
        raise InputError(
            "{title} is a table without awards: give it a type", title=competition.title
        )
    _check_type(competition, rulebook)
    if competition.type not in (AGGREGATE, FINAL):
        return [_single(season, competition, ledger, read)]
    table = standings(season, competition, ledger, read)
    year = of_year(season, competition, ledger, competition.day or table.events[-1].day)
    facts = {**year, **of_events(season, competition, table)}
    if competition.type == AGGREGATE:
        return [_aggregate(competition, table, facts)]
    stages = ((FINAL, competition.final), (CONSOLATION, competition.consolation))
    if competition.final is None:
        raise InputError(
            "{title}: a final needs `final` in the season file, with its `file` and its `boards`",
            title=competition.title,
        )
    return [
        _stage(competition, table, facts, word, stage, read(stage.file, competition.options))
        for word, stage in stages
        if stage
    ]


def knows_seasons(rulebook: Rulebook) -> bool:
    """Return whether a rulebook awards competitions over several events."""
    return "competition" in rulebook.inputs and rulebook.takes("events")


def _check_type(competition: Competition, rulebook: Rulebook) -> None:
    declared = rulebook.inputs.get("competition")
    if declared is None or not knows_seasons(rulebook):
        raise InputError(
            "{id} has no awards for competitions over several events; leave out `type` for a "
            "table without awards",
            id=rulebook.id,
        )
    if competition.type not in declared.words:
        raise UnknownName(
            Message("type of {title}", title=competition.title), competition.type, declared.words
        )


def to_post(season: Season, award: SeasonAward, rulebook: Rulebook) -> EventToPost:
    """The award as an event for the ledger."""
    return EventToPost(
        award.title,
        award.lists,
        rulebook,
        award.given,
        award.day,
        season.club,
        award.source,
        year_begins=first_day(season.since or season.year_begins),
    )


# --- each type --------------------------------------------------------------------------------


def _awarded(rulebook: Rulebook, ranking: SeasonAward, as_usual: bool) -> SeasonAward:
    """The award for a ranking, unless we refuse it or something decides it that nobody said."""
    if ranking.refusal:
        return ranking
    found = inquire(rulebook, ranking.lists, ranking.given, as_usual)
    if found.questions:
        raise Asked(found.questions)
    lists = found.settled(ranking.lists)
    return replace(ranking, lists=lists, awards=award_event(rulebook, lists, ranking.given))


def _single(
    season: Season, competition: Competition, ledger: Ledger | None, read: Reader
) -> SeasonAward:
    if competition.file is None:
        raise InputError(
            "{title}: a {type} is one event and needs its `file` in the season file",
            title=competition.title,
            type=competition.type,
        )
    report = read(competition.file, competition.options)
    day = competition.day or day_of(report.account)
    given = {
        "competition": competition.type,
        "kind": competition.kind,
        **of_year(season, competition, ledger, day),
        **(competition.facts or {}),
    }
    file = file_of(report.account)
    return SeasonAward(competition.title, day, report.lists, given, None, source=file)


def _aggregate(
    competition: Competition, table: SeasonStandings, facts: Mapping[str, str]
) -> SeasonAward:
    counted = {"counted": str(competition.best)} if competition.best else {}
    given = {
        **facts,
        "competition": AGGREGATE,
        "events": str(table.needed),
        **counted,
        **(competition.facts or {}),
    }
    if not table.qualified:
        raise InputError(
            "{title}: nobody played {needed} events", title=competition.title, needed=table.needed
        )
    day = competition.day or table.events[-1].day
    source = Path(table.events[-1].source).name
    return SeasonAward(competition.title, day, (table.field(),), given, None, source=source)


def _stage(
    competition: Competition,
    table: SeasonStandings,
    facts: Mapping[str, str],
    word: str,
    stage: Stage,
    report: Report,
) -> SeasonAward:
    title = f"{competition.title}, {word.replace('-', ' ')}"
    given = {
        **facts,
        "competition": word,
        "events": str(table.needed),
        "toe": str(len(table.qualified)),
        "boards": str(stage.boards),
        **(competition.facts or {}),
    }
    day, file = competition.day or day_of(report.account), file_of(report.account)
    refusal = _not_entitled(competition, table, word, report.lists)
    return SeasonAward(title, day, report.lists, given, None, refusal, file)


# --- who may play in a final ------------------------------------------------------------------


def finalists(competition: Competition, table: SeasonStandings) -> tuple[SeasonRow, ...]:
    """Those who played enough events and whose score, or place, takes them into the final."""
    stage = competition.final
    assert stage is not None
    return tuple(
        row
        for row in table.qualified
        if (stage.score is None or row.total >= stage.score)
        and (stage.places is None or row.place <= stage.places)
    )


def _not_entitled(
    competition: Competition, table: SeasonStandings, word: str, lists: Sequence[Field]
) -> Refusal | None:
    """Somebody in a final who did not qualify, or in a consolation final who did not just miss
    it."""
    people, teams = PersonKeys([table.field(), *lists]), Teams(competition)
    final = {_key(row, people, teams) for row in finalists(competition, table)}
    enough = {_key(row, people, teams) for row in table.qualified}
    entitled = final if word == FINAL else enough - final
    for field in lists:
        for standing in field.standings:
            own = frozenset(people.key(p) for p in standing.entrant.players)
            key = teams.key(standing.entrant) or own
            if key not in entitled:
                why = (
                    "did not qualify for it"
                    if key not in enough or word == FINAL
                    else "qualified for the final itself"
                )
                reason = Message(
                    "{title} played the {word} and {why}",
                    title=standing.entrant.title,
                    word=word,
                    why=why,
                )
                return Refusal(reason, _ENTRY)
    return None


def _key(row: SeasonRow, people: PersonKeys, teams: Teams) -> frozenset[str]:
    named = teams.key(Entrant("", row.players, row.name))
    return named or frozenset(people.key(player) for player in row.players)


# --- told -------------------------------------------------------------------------------------


def awards_text(rulebook: Rulebook, awards: Sequence[SeasonAward]) -> str:
    """Return the awards of each stage as text, or the reason why there are none."""
    return "\n\n".join(_award_text(rulebook, each) for each in awards)


def _award_text(rulebook: Rulebook, award: SeasonAward) -> str:
    if award.refusal:
        refused = Message(
            "no award: {reason} [{clause}]",
            reason=award.refusal.reason,
            clause=award.refusal.citation,
        )
        return f"{award.title}\n{refused}"
    assert award.awards is not None
    return f"{award.title}\n{event_text(rulebook, award.awards)}"


def award_data(rulebook: Rulebook, award: SeasonAward) -> dict[str, Any]:
    """Return the awards of a stage as plain data."""
    head = {"title": award.title, "date": award.day, "given": dict(award.given)}
    if award.awards is None:
        refusal = refusal_data(award.refusal) if award.refusal else None
        return {**head, "awards": [], "refusal": refusal}
    return {**head, **event_data(rulebook, award.awards)}
