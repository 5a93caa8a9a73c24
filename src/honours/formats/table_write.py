"""Plain tables out: results and standings as CSV that the readers of plain tables read again.

Only columns that hold something are written. Data that a table has no place for is listed, never
dropped silently. Free text that a spreadsheet would run is made harmless; scores are left alone.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from honours.engine.numbers import show
from honours.errors import InputError
from honours.formats.entrants import numbered_apart
from honours.formats.format import WrittenFile
from honours.formats.json_data import number_text
from honours.formats.sheet import neutralise
from honours.formats.table_standings import AWARDED, COLUMNS
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Entrant,
    Event,
    EventEntrant,
    Field,
    Player,
    Result,
    Standing,
    Value,
)
from honours.model.facts import Subject, label_of
from honours.model.message import Message, plural, word
from honours.model.vocabulary import VOCABULARY
from honours.scoring.contracts import write_bid

Cells = dict[str, str]
_AVERAGES = {
    (Fraction(3, 5), True): "AVE+",
    (Fraction(2, 5), True): "AVE-",
    (Fraction(1, 2), False): "AVE",
}
_SEATS = ("north", "south", "east", "west")
_PUBLISHED = ("ns_matchpoints", "ew_matchpoints")


def write_results(event: Event) -> WrittenFile:
    """A row for every line of every traveller."""
    if not any(session.results for session in event.sessions):
        raise InputError(
            "{title} has no results of boards: a table of them would be empty. Write its "
            "standings instead.",
            title=event.title,
        )
    named = {e.entrant.id: e for e in event.entrants}
    call = _called(event)
    rows: list[Cells] = []
    for session in event.sessions:
        alone = len(event.sessions) == 1 and session.number == 1
        number = "" if alone else str(session.number)
        # The event stands on every row, since a table may hold several.
        head = {"event": neutralise(event.title), "date": str(event.date or ""), "session": number}
        rows += [{**head, **_row(line, named, call)} for line in session.results]
    return WrittenFile(table(rows), tuple(dict.fromkeys(_lost(event, call))))


def table(rows: Sequence[Cells]) -> bytes:
    """Rows under the columns that hold something, in the order they were first named."""
    columns = dict.fromkeys(name for row in rows for name in row)
    held = [name for name in columns if any(row.get(name) for row in rows)]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(held)
    writer.writerows([[row.get(name, "") for name in held] for row in rows])
    return out.getvalue().encode("utf-8")


def _called(event: Event) -> Mapping[str, str]:
    """Entrants by the numbers of the file, where those read back as the same entrants do."""
    numbers = {e.entrant.id: e.number or e.entrant.id for e in event.entrants}
    if _reads_apart(event, numbers) == any(e.line for e in event.entrants):
        return numbers
    return {id: id for id in numbers}


def _reads_apart(event: Event, numbers: Mapping[str, str]) -> bool:
    """True if a reader would take equal numbers in both directions for two pairs."""
    if event.kind == "individual":
        return False
    return numbered_apart(
        [
            (f"{s.number} {r.section}", numbers[r.ns[0]], numbers[r.ew[0]], r.board)
            for s in event.sessions
            for r in s.results
        ]
    )


def _row(line: Result, named: Mapping[str, EventEntrant], call: Mapping[str, str]) -> Cells:
    """The cells of a line."""
    sides = (*line.ns, *line.ew)
    seats = ("ns", "ew") if len(sides) == 2 else _SEATS
    who = {seat: neutralise(call[id]) for seat, id in zip(seats, sides, strict=True)}
    names = (named[line.ns[0]], named[line.ew[0]]) if len(sides) == 2 else ()
    return {
        "section": neutralise(line.section),
        "round": str(line.round or ""),
        "table": str(line.table or ""),
        "board": str(line.board),
        **who,
        **result_cells(line),
        **{name: _number(line.published.get(name)) for name in _PUBLISHED},
        "lead": neutralise(line.lead),
        "version": neutralise(line.version),
        **{f"{side} names": _names(e) for side, e in zip(("ns", "ew"), names, strict=False)},
        "remark": neutralise(line.remark),
    }


def _names(entrant: EventEntrant) -> str:
    return neutralise(" & ".join(player.name for player in entrant.entrant.players))


def _number(value: Value | None) -> str:
    return number_text(value) if isinstance(value, Fraction) else ""


def result_cells(line: Result) -> Cells:
    """A line's contract, declarer, tricks and scores as cells of a table."""
    cells = {"contract": "", "declarer": "", "tricks": "", "score": "", "ew score": ""}
    if line.adjusted is not None:
        ns, ew = _ruling(line.adjusted)
        return cells | {"score": ns, "ew score": ew}
    points = "" if line.score is None else str(line.score)
    if line.passed_out:
        return cells | {"contract": "PASS", "score": points}
    if line.contract is None or (line.tricks is None and line.score is None):
        return cells | {"score": points or "NP"}
    c = line.contract
    return cells | {
        "contract": write_bid(c),
        "declarer": c.declarer.value,
        "tricks": "" if line.tricks is None else str(line.tricks),
        "score": points,
    }


def _ruling(ruling: AdjustedScore) -> tuple[str, str]:
    """The cells of a ruling; ``NP`` for one that a table has no words for."""
    sides = (ruling.ns, ruling.ew)
    if all(isinstance(side, ArtificialScore) and not side.session_rule for side in sides):
        shares = [100 * side.share for side in sides if isinstance(side, ArtificialScore)]
        if all(share.denominator == 1 for share in shares):
            return f"A{shares[0]}-{shares[1]}", ""
    ns, ew = _side(ruling.ns, 1), _side(ruling.ew, -1)
    if not ns or not ew or (ruling.ns == ruling.ew and isinstance(ruling.ns, AssignedScore)):
        return "NP", ""
    if isinstance(ruling.ns, ArtificialScore) and isinstance(ruling.ew, ArtificialScore):
        return f"{ns}/{ew}", ""
    return ns, ew


def _side(side: ArtificialScore | AssignedScore, sign: int) -> str:
    if isinstance(side, ArtificialScore):
        return _AVERAGES.get((side.share, side.session_rule), "")
    return str(sign * side.scores[0][1]) if len(side.scores) == 1 else ""


_OF_THE_READING = frozenset(("columns", "not_understood", "unsaid", "told_by_tags", "usebio"))
"""What is kept of how a file was read, which is nothing that the event is without."""


def _lost(event: Event, call: Mapping[str, str]) -> Iterator[str]:
    """Everything a table of results does not say of the event."""
    if event.kind == "teams" or event.scoring != "matchpoints":
        yield Message(
            "that it is {kind} scored by {scoring}", kind=event.kind, scoring=event.scoring
        )
    names = [name for name, there in (("club", event.club), ("program", event.program)) if there]
    names += [name for name in event.facts if name not in _OF_THE_READING]
    yield from (Message("the {what}", what=word(label_of(name))) for name in names)
    apart = any(e.line for e in event.entrants)
    if event.winners != (2 if apart else 0) or (apart and not _reads_apart(event, call)):
        yield Message("which pairs sat in which line, or how many winners there are")
    yield from _lost_people(event)
    for session in event.sessions:
        matches, deals, penalties = map(len, (session.matches, session.boards, session.penalties))
        if matches:
            yield plural("{count} match", "{count} matches", count=matches)
        if deals:
            yield plural("{count} deal", "{count} deals", count=deals)
        if penalties:
            yield plural("{count} penalty", "{count} penalties", count=penalties)
        for line in session.results:
            yield from _lost_line(line)


def _lost_people(event: Event) -> Iterator[str]:
    """Everything a table of results does not say of the entrants."""
    played = {id for s in event.sessions for r in s.results for id in (*r.ns, *r.ew)}
    for note, lacking in (
        (Message("strata"), any(e.stratum for e in event.entrants)),
        (Message("handicaps"), any(e.handicap for e in event.entrants)),
        (Message("carried scores"), any(e.carried for e in event.entrants)),
        (Message("entrants' names"), any(e.entrant.name for e in event.entrants)),
        (Message("published totals"), any(e.published for e in event.entrants)),
        (Message("players' numbers and facts"), any(_more(p) for p in _people(event))),
        (
            Message("the players of an individual"),
            event.kind == "individual" and any(p.name for p in _people(event)),
        ),
    ):
        if lacking:
            yield note
    for entrant in event.entrants:
        if entrant.entrant.id not in played:
            yield Message("{id}, who has no results", id=entrant.entrant.id)
        if any("&" in player.name for player in entrant.entrant.players):
            yield Message("whose name has an & in it, of {id}", id=entrant.entrant.id)


def _people(event: Event) -> Iterable[Player]:
    return (player for e in event.entrants for player in e.entrant.players)


def _more(player: Player) -> bool:
    return bool(player.number or player.facts)


def _lost_line(line: Result) -> Iterator[str]:
    """Everything a row does not say of its line."""
    ns, ew = " ".join(line.ns), " ".join(line.ew)
    where = Message("board {board}, {ns} v {ew}", board=line.board, ns=ns, ew=ew)
    if line.adjusted and _ruling(line.adjusted)[0] == "NP":
        yield Message("{where}: a ruling that a table has no words for", where=where)
    if line.adjusted and (line.contract or line.score is not None):
        yield Message("{where}: the result before the ruling", where=where)
    if line.contract and line.tricks is None and line.score is None and not line.adjusted:
        yield Message("{where}: a contract without its result", where=where)
    more = sorted(line.published.keys() - set(_PUBLISHED))
    if more:
        yield Message("published {figures}", figures=tuple(more))


# --- standings ---------------------------------------------------------------------------------


_COUNTS = {"boards_played": "boards", "won": "won", "drawn": "drawn", "handicap": "handicap"}
_WORDS = ("section", "stratum")
_HELD = ("masterpoints", "rating", "rating_scale")
_SCORED = {"points", "possible", "line", "printed_score"}
"""Facts that stand in another column, or that only scoring needs."""
_COUNTED = ("winners", "all_lines", "boards", "lines", "sections", "field_entrants")
_NAMED = ("title", "date", "club", "line", "kind", "ranking_basis", "unsaid")
_SHOWN = {*_COUNTED, "players_present", *_NAMED}
"""Facts of a whole list that its columns show, or that are counted in it."""
_ENTRANT = {"teams": "team", "pairs": "pair"}


@dataclass(frozen=True, slots=True)
class AwardsBeside:
    """Awards of each entrant, as shown, and by which rulebook."""

    under: str
    amounts: Mapping[str, str] = field(default_factory=dict)


def write_standings(lists: Sequence[Field], given: AwardsBeside | None = None) -> WrittenFile:
    """A row for every standing of every list."""
    rows = [
        _write_row(ranking, one, given, digits if in_order else 0)
        for ranking in lists
        for in_order, digits in [(_in_order(ranking), _digits(ranking))]
        for one in ranking.standings
    ]
    return WrittenFile(table(rows), tuple(dict.fromkeys(_lost_of_standings(lists))))


def _in_order(ranking: Field) -> bool:
    """True if places follow the scores: not where a category or a final goes before them, and a
    table with both would contradict itself."""
    scored = sorted((s.place, s.score) for s in ranking.standings if s.score is not None)
    return all(
        one[1] == other[1] if one[0] == other[0] else one[1] >= other[1]
        for one, other in pairwise(scored)
    )


def _digits(ranking: Field) -> int:
    """Decimals of scores, as standings are printed; more where two would look alike."""
    scores = {s.score for s in ranking.standings if s.score is not None}
    return next((n for n in (2, 4, 6) if len({show(x, n) for x in scores}) == len(scores)), 9)


def _write_row(
    ranking: Field, standing: Standing, given: AwardsBeside | None, digits: int
) -> Cells:
    """A line of the table; without a score where it has no ``digits``."""
    entrant = standing.entrant
    awarded: Cells = {}
    if given:
        awarded = dict(zip(AWARDED, (given.amounts.get(entrant.id, ""), given.under), strict=True))
    facts = ranking.facts
    unadjusted = facts.get("ranking_basis") == "unadjusted"
    return {
        "event": neutralise(str(facts.get("title", ""))),
        "date": str(facts.get("date", "")),
        "club": neutralise(str(facts.get("club", ""))),
        "group": neutralise(ranking.group),
        "session": neutralise(ranking.session),
        "line": neutralise(str(facts.get("line", "" if ranking.of_section else ranking.line))),
        **{word: neutralise(str(standing.facts.get(word, ""))) for word in _WORDS},
        "place": standing.placing,
        _ENTRANT.get(str(facts.get("kind")), "entrant"): neutralise(entrant.id),
        "name": neutralise(entrant.name),
        **_write_people(entrant.players),
        "unadjusted" if unadjusted else "score": _score(standing.score, digits),
        **{column: _write_number(standing.facts.get(fact)) for fact, column in _COUNTS.items()},
        **awarded,
        **{_column(name, entrant): _plain(value) for name, value in _others(standing)},
        **{name: _plain(value) for name, value in _of_list(ranking)},
    }


def _write_people(players: Sequence[Player]) -> Cells:
    """The cells of an entrant's players."""
    cells: Cells = {}
    for n, player in enumerate(players, start=1):
        cells |= {f"player{n}": neutralise(player.name), f"number{n}": neutralise(player.number)}
        cells |= {f"{fact}{n}": _plain(player.facts.get(fact, "")) for fact in _HELD}
        more = (name for name in player.facts if name not in _HELD)
        cells |= {f"{_COUNTS.get(name, name)}{n}": _plain(player.facts[name]) for name in more}
    return cells


def _score(score: Fraction | None, digits: int = 2) -> str:
    """Exactly where it is a decimal, else as standings are printed."""
    if score is None or not digits:
        return ""
    exact = number_text(score)
    return show(score, digits) if "/" in exact else exact


def _write_number(value: Value | None) -> str:
    return _score(value) if isinstance(value, Fraction) else ""


def _plain(value: Value) -> str:
    return neutralise(value) if isinstance(value, str) else _score(value)


def _column(name: str, entrant: Entrant) -> str:
    """A fact by its own name, as rulebooks ask for it; what is a player's has the player's number,
    since a column of ranks is one of places."""
    fact = VOCABULARY.get(name)
    if fact and fact.of is Subject.PLAYER and len(entrant.players) == 1:
        return f"{name}1"
    return name if fact and COLUMNS.meaning(name) is None else f"fact {name}"


def _others(standing: Standing) -> Iterator[tuple[str, Value]]:
    known = {*_COUNTS, *_WORDS, *_SCORED}
    return ((name, value) for name, value in standing.facts.items() if name not in known)


def _of_list(ranking: Field) -> Iterator[tuple[str, Value]]:
    """Facts of a list that a column alike for everybody can state."""
    for name, value in ranking.facts.items():
        fact = VOCABULARY.get(name.partition(".")[0])
        if name not in _SHOWN and fact and COLUMNS.meaning(name) is None:
            yield name, value


def _lost_of_standings(lists: Sequence[Field]) -> Iterator[str]:
    """Everything a table of standings does not say of the lists."""
    for ranking in lists:
        if ranking.stratum:
            yield Message("that a list is of stratum {stratum}", stratum=ranking.stratum)
        written = {*_SHOWN, *(name for name, _ in _of_list(ranking))}
        if names := tuple(Message(label_of(n)) for n in ranking.facts if n not in written):
            yield Message("facts of the whole list: {facts}", facts=names)
        if not _in_order(ranking):
            yield Message("scores, which the places do not follow")
        for standing in ranking.standings:
            if standing.score is not None and "/" in number_text(standing.score):
                yield Message("further digits of scores")
