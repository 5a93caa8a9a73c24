"""Files of events as rows of a corpus: an event's ranking lists, the facts of the event, its
entrants and its players as a rulebook would be given them, its boards and what it paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from honours.engine.event_awards import strata_in_order
from honours.engine.ranking import by_score, reranked, tied_by_score
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, UnknownName
from honours.lab.shards import game_rows
from honours.lab.tables import EVENTS, LIMITS, LINES, UNITS
from honours.model import Entrant, Field, Player, Standing
from honours.model.message import Message, mark, plural, word
from honours.pipeline import Report
from honours.pipeline.checking.awards import HUNDREDTHS, POINTS, PaidUnit, paid_as, published_awards
from honours.pipeline.rulebook_choice import game_of

if TYPE_CHECKING:
    from honours.model import Event, Result
    from honours.scoring import ScoredEvent

Row = dict[str, Any]
Placed = tuple[str, int, Standing]
"""A line, the number of a stratum, and who came where."""
OUR_OWN = ("event", "title", "id")
_LINE_NUMBERS = {name: number for number, name in LINES.items()}
_COUNTS = (
    *("games_played", "boards_played", "won", "drawn", "ifpa_rating", "ifpa_rank", "is_rated"),
)
_LIMIT_OF = "stratum_limit."
_FIGURES = {"holding": "masterpoints", "rating": "rating", "gor": "gor"}


def placed_entrants(report: Report) -> list[Placed]:
    """All entrants with their line and the number of their stratum, the highest being 0."""
    lists = [_of_those_paid(f) if report.scored else f for f in report.lists if f.standings]
    _check_lists(lists)
    if report.scored and any(tally.entrant.carried for tally in report.scored.tallies):
        raise InputError("scores are carried over from a session that is not in the file")
    labels = _strata(lists)
    _check_limits(lists[0].facts, labels)
    return [
        (f.line, labels.index(_label(s)) if _label(s) else 0, s)
        for f in lists
        for s in sorted(f.standings, key=lambda s: s.place)
    ]


def _of_those_paid(field: Field) -> Field:
    """The list without those who may not be given points: a corpus has no place for them."""
    kept = [s for s in field.standings if not s.entrant.is_barred]
    whole = len(kept) == len(field.standings)
    return field if whole else replace(field, standings=reranked(kept))


def _event_row(report: Report) -> Row:
    """The facts of the event, by column name."""
    facts = report.lists[0].facts
    told = {name: facts[name] for name in EVENTS.names if name in facts and name not in OUR_OWN}
    row: Row = {k: int(v) if isinstance(v, Fraction) else v for k, v in told.items()}
    for column, label in zip(LIMITS, _strata(report.lists), strict=False):
        limit = facts.get(f"{_LIMIT_OF}{label}")
        if isinstance(limit, Fraction):
            row[column] = int(limit)
    if "boards_per_session" in row:  # all sessions had the same number
        row.pop("boards_of_sessions", None)
    club = facts.get("club_number")
    row |= {"club": None if club is None else str(club)}
    row |= {"title": report.account.title, "date": report.account.likely_day}
    return row | {"discipline": game_of(report.account) or None}


def _entrant_rows(report: Report, standings: Sequence[Placed]) -> list[Row]:
    """The places of all entrants: in their line, by score alone and over both lines, and where
    they sat."""
    shared, overall = _shared_places(report), _overall_places(standings)
    labels = sorted({_section(s) for _, _, s in standings})
    rows = []
    for k, (line, stratum, standing) in enumerate(standings):
        row: Row = {"seat": k, "stratum": stratum, "place": standing.place}
        row |= {"line": _LINE_NUMBERS[line] if line else None, "tied": standing.tied}
        row |= {"score_place": shared[k], "overall_place": overall.get(standing.entrant.id)}
        row["score"] = None if standing.score is None else round(standing.score / UNITS["score"])
        row["sat_in"] = 1 + labels.index(_section(standing)) if len(labels) < 2**8 else None
        for name in _COUNTS:
            value = standing.facts.get(name)
            units = value / UNITS.get(name, Fraction(1)) if isinstance(value, Fraction) else None
            row[name] = int(units) if units is not None and units.denominator == 1 else None
        rows.append(row)
    return rows


def _figures(standing: Standing, player: Player | None) -> Row:
    """Holdings and ratings in the units of their columns, and whether the player may receive
    points; facts of an entrant also apply to its only player."""
    facts = dict(player.facts) if player else {}
    if len(standing.entrant.players) <= 1:
        facts |= {name: standing.facts[name] for name in ("gor", "grade") if name in standing.facts}
    if facts.get("rating_scale") == "EGF":  # the same value as in ``gor``
        facts.pop("rating", None)
    row: Row = {"eligible": facts.get("eligible")}
    grade = facts.get("grade")
    row["grade"] = int(grade) if isinstance(grade, Fraction) else None
    for column, fact in _FIGURES.items():
        value = facts.get(fact)
        units = value / UNITS[column] if isinstance(value, Fraction) else None
        if units is not None and units.denominator != 1:
            raise InputError(
                "{fact} {float}: a corpus keeps {count} decimals",
                fact=fact,
                float=float(units * UNITS[column]),
                count=len(str(UNITS[column].denominator)) - 1,
            )
        row[column] = None if units is None else int(units)
    return row


def _shared_places(report: Report) -> list[int | None]:
    """Each entrant's place if equal scores share one; None if that is the entrant's place
    anyway."""
    return [
        shared.place if shared.place != own.place else None
        for f in report.lists
        for own, shared in zip(
            sorted(f.standings, key=lambda s: s.place), tied_by_score(f.standings), strict=True
        )
    ]


def _overall_places(standings: Sequence[Placed]) -> dict[str, int]:
    """Each entrant's place by score over both lines, if there are two and every entrant has a
    score."""
    lines = {line for line, _, _ in standings}
    if len(lines) < 2 or any(s.score is None for _, _, s in standings):
        return {}
    return {s.entrant.id: s.place for s in by_score([s for _, _, s in standings])}


def _check_lists(lists: Sequence[Field]) -> None:
    if not lists:
        raise InputError("it has no standings")
    if any(f.session for f in lists):
        raise InputError(
            "it ranks sessions by themselves, and a corpus holds one ranking of an "
            "event; name each session in a column `event` if it was one of its own, "
            "or leave their rows out"
        )
    strange = [f.group or f.line for f in lists if f.group or f.line not in ("", *_LINE_NUMBERS)]
    if strange:
        raise InputError(
            "it has a list {strange!r}; a corpus knows the lines NS and EW", strange=strange[0]
        )


def _strata(lists: Sequence[Field]) -> list[str]:
    """The strata of an event by label, highest first, including empty ones."""
    own = {_label(s) for f in lists for s in f.standings} - {""}
    limited = {name.partition(".")[2] for name in lists[0].facts if name.startswith(_LIMIT_OF)}
    return sorted(own | limited) if own and limited - own else [*strata_in_order(lists)]


def _check_limits(facts: Mapping[str, object], labels: Sequence[str]) -> None:
    """Refuse more strata with limits than a corpus has room for, and limits that disagree."""
    limited = [label for label in labels if f"{_LIMIT_OF}{label}" in facts]
    if limited and len(labels) > len(LIMITS):
        raise InputError(
            "it has {count} strata with limits; a corpus keeps those of {most}",
            count=len(labels),
            most=len(LIMITS),
        )
    for column, label in zip(LIMITS, labels, strict=False):
        in_file, kept = facts.get(f"{_LIMIT_OF}{label}"), facts.get(column)
        if in_file is not None and kept is not None and in_file != kept:
            raise InputError(
                "the limit of stratum {label} is {told}, and {column} is {kept}",
                label=label,
                told=in_file,
                column=column,
                kept=kept,
            )


def _label(standing: Standing) -> str:
    return str(standing.facts.get("stratum", ""))


def _section(standing: Standing) -> str:
    return str(standing.facts.get("section", ""))


# --- the results of an event as a corpus holds them ---------------------------------------------

_MOST_BOARDS = 256
_LARGEST = 2**15


def plain_results(
    scored: ScoredEvent, index: Mapping[str, int]
) -> tuple[list[dict[str, int]], str]:
    """Every result by the number of its board throughout the event; or none, and the reason."""
    event = scored.event
    why = _not_plain(event, index)
    if why:
        return [], why
    played = sorted(
        (session.number, r.board, index[r.ns[0]], index[r.ew[0]], r.score)
        for session in event.sessions
        for r in session.results
        if r.score is not None
    )
    boards = {key: k for k, key in enumerate(dict.fromkeys(row[:2] for row in played))}
    if len(boards) > _MOST_BOARDS:
        return [], Message(
            "{boards} boards; a corpus numbers {most} in an event",
            boards=len(boards),
            most=_MOST_BOARDS,
        )
    return [
        {"board": boards[session, board], "ns": ns, "ew": ew, "score": score}
        for session, board, ns, ew, score in played
    ], ""


def _not_plain(event: Event, index: Mapping[str, int]) -> str:
    """Return why an event cannot be scored from plain scores alone, or an empty text if it can."""
    results = [r for session in event.sessions for r in session.results]
    if not results:
        return Message("it has no boards")
    if event.scoring != "matchpoints" or event.swiss:
        template = (
            mark("it is scored by {scoring} in matches")
            if event.swiss
            else mark("it is scored by {scoring}")
        )
        return Message(template, scoring=word(event.scoring))
    if ", " in str(event.facts.get("compared", "")):
        return Message("it compares some of its sections apart")
    if any(session.penalties for session in event.sessions):
        return Message("it has penalties")
    if any(e.carried for e in event.entrants):
        return Message("it has a carry-over")
    if any(r.adjusted for r in results):
        return Message("it has adjusted scores")
    if any(r.version for r in results):
        return Message("it has a fouled board")
    if not all(_is_plain(r, index) for r in results if r.score is not None):
        return Message("it has sides of two entrants, or of none")
    if len({size for session in event.sessions for size in _fullest(session.results)}) > 1:
        return Message("its sessions differ in size, or its fullest board was not played by all")
    return ""


def _is_plain(result: Result, index: Mapping[str, int]) -> bool:
    one_each = len(result.ns) == len(result.ew) == 1
    known = one_each and result.ns[0] in index and result.ew[0] in index
    return known and result.score is not None and abs(result.score) < _LARGEST


def _fullest(results: tuple[Result, ...]) -> tuple[int, int]:
    """The most results on one board, counting all lines and counting only those played; scores
    are factored to these."""
    lines = Counter(r.board for r in results)
    played = Counter(r.board for r in results if r.score is not None)
    return max(lines.values(), default=0), max(played.values(), default=0)


# --- the payments recorded in files of events ---------------------------------------------------

WORDS = {"points": POINTS, "hundredths": HUNDREDTHS}
UNCLEAR = Message(
    "what was paid is left out: its figures are whole, and no rulebook tells whether they are "
    "points or hundredths; say paid=points or paid=hundredths"
)
_SEATS = 4
Paying = Callable[[Entrant], list[int | None]]


@dataclass
class PaidFigures:
    """Reads what events were paid, and keeps how that agrees with the rulebooks."""

    unit: str = ""
    read: list[Row] = field(default_factory=list)
    """Of each event: the program, the reading of its figures, the rulebook they agree with, how
    many do of how many that can be compared, and whether they are hundredths."""

    def __post_init__(self) -> None:
        if self.unit and self.unit not in WORDS:
            raise UnknownName(Message("unit of what was paid"), self.unit, WORDS)
        self._books: list[Rulebook] = []

    def of(self, report: Report) -> tuple[Paying, Message | None]:
        """Return how to read each player's payment, with a remark if one is needed."""
        account = report.account
        if account.played is None or not published_awards(account.played):
            return _not_known, None
        program = account.event.program
        known = [
            row["reading"] for row in self.read if row["program"] == program and row["reading"]
        ]
        own = paid_as(report, self._rulebooks(), (known or [""])[-1])
        assert own is not None
        unit = PaidUnit(WORDS[self.unit]) if self.unit else own
        self.read.append(
            {
                "program": program,
                "reading": own.reading if own.is_clear else "",
                "book": own.book,
                "agree": own.agree,
                "lines": own.lines,
                "hundredths": unit.scale == HUNDREDTHS,
            }
        )
        return (_not_known, UNCLEAR) if unit.scale is None else (_paying(report, unit.scale), None)

    def _rulebooks(self) -> Sequence[Rulebook]:
        from honours.rulebooks import ids, load

        self._books = self._books or [load(name) for name in ids()]
        return self._books

    def _sum(self, name: str) -> Counter[str]:
        """By rulebook: figures that agree, or that can be compared; events, of no name."""
        total: Counter[str] = Counter()
        for row in self.read:
            if row["book"]:
                total[row["book"]] += row[name] if name else 1
        return total

    def about(self) -> dict[str, str]:
        """The unit of the payments and the rulebook's owner, judged by the rulebooks they agree
        with; several units are named as such, so that no total of them is compared with one."""
        agree = self._sum("agree")
        units = {(book.unit, book.body) for book in self._rulebooks() if agree[book.id]}
        if len(units) > 1:
            return {"unit": ", ".join(f"{unit} ({body})" for unit, body in sorted(units))}
        return {key: text for own in units for key, text in zip(("unit", "body"), own, strict=True)}

    def notes(self) -> Iterator[Message]:
        """Yield how well payments agree with the rules, one line per rulebook."""
        agree, lines = self._sum("agree"), self._sum("lines")
        for book, events in self._sum("").most_common():
            yield Message(
                "paid: as {rulebook} pays in {agree:,} of {figures} of {events}",
                rulebook=book,
                agree=agree[book],
                figures=plural("{count:,} figure", "{count:,} figures", count=lines[book]),
                events=plural("{count:,} event", "{count:,} events", count=events),
            )
        if hundredths := sum(row["hundredths"] for row in self.read):
            yield Message(
                "paid: {events} in hundredths, taken as points",
                events=plural("{count:,} event", "{count:,} events", count=hundredths),
            )


def _not_known(entrant: Entrant) -> list[int | None]:
    return [None] * max(len(entrant.players), _SEATS)


def _paying(report: Report, scale: Fraction) -> Paying:
    """The payments of an event in which somebody was paid: anyone the file does not mention was
    paid nothing."""
    awards = published_awards(report.account.event)

    def paid(entrant: Entrant) -> list[int | None]:
        whole = awards.get(entrant.id, Fraction(0))
        own = [player.facts.get("own_masterpoints") for player in entrant.players]
        amounts = [value if isinstance(value, Fraction) else whole for value in own]
        seats = [*amounts, *[whole] * (_SEATS - len(amounts))]
        return [round(amount * scale / UNITS["paid"]) for amount in seats]

    return paid


# --- an event -----------------------------------------------------------------------------------

_PLAYERS = {"pairs": 2, "teams": 4, "swiss": 4}


def event_rows(
    report: Report, given: Mapping[str, object], paid: PaidFigures
) -> tuple[dict[str, list[Row]], dict[str, str]]:
    """The rows of an event by table, its entrants numbered from 0 as their ``seat``; and by kind
    what had to be left out, and why."""
    standings = placed_entrants(report)
    event = {**_event_row(report), **given}
    paying, unclear = paid.of(report)
    named: set[str] = set()
    players: list[Row] = []
    for k, (_, _, standing) in enumerate(standings):
        unnamed = (None,) * _PLAYERS.get(str(event.get("kind")), 1)
        everybody: Sequence[Player | None] = standing.entrant.players or unnamed
        for chair, (player, amount) in enumerate(
            zip(everybody, paying(standing.entrant), strict=False)
        ):
            name = "" if player is None else player.number or player.name
            # The second of a name in an event is taken for another person (a robot, say).
            is_name = player is not None and not player.number
            own = None if not name or (is_name and name in named) else name
            named.add(name if is_name else "")
            row = {"seat": k, "chair": chair, "player": own, "is_name": is_name, "paid": amount}
            players.append(row | _figures(standing, player))
    games, without_games = game_rows(standing for _, _, standing in standings)
    results: list[Row] = []
    without_boards = ""
    if report.scored is not None:
        index = {s.entrant.id: k for k, (_, _, s) in enumerate(standings)}
        results, without_boards = plain_results(report.scored, index)
    left = {"unpaid": unclear, "without games": without_games, "without boards": without_boards}
    if report.account.day is None and event["date"] and "date" not in given:
        left["dated by name"] = "."
    return {
        "events": [event],
        "entrants": _entrant_rows(report, standings),
        "players": players,
        "games": [{**game, "seat": game["entrant"], "n": n} for n, game in enumerate(games)],
        "results": results,
    }, {kind: str(why) for kind, why in left.items() if why}
