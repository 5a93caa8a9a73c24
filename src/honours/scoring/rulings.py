"""Rulings: what a scorer or director changes, each a small class, and the event as ruled, while the
results file stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from honours.errors import FileProblem, FileProblems, InputError, UnknownName, message_of
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Contract,
    Entrant,
    Event,
    EventEntrant,
    Penalty,
    Player,
    Result,
    Session,
    Source,
)
from honours.model.message import Message, either
from honours.scoring.contracts import BOOK, TRICKS
from honours.scoring.movement import NAMED_WHERE_OTHERS_HAVE_TWO, ONE_WINNER, checked_sections
from honours.scoring.scored import table_score

AT_FAULT = {"no": Fraction(3, 5), "partly": Fraction(1, 2), "yes": Fraction(2, 5)}
"""Average plus, average or average minus, by whether a side is at fault."""

Line = tuple[str, str, str, str]
"""A line of published standings as shown: entrant, place, score and name."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Where:
    """A line of a traveller: the board and one of the entrants at the table."""

    board: int
    entrant: str
    section: str = ""
    session: int = 0


@dataclass(frozen=True, slots=True)
class Correct:
    """Put a line right; ``None`` leaves a part as it was. ``turned`` swaps the sides; ``over`` is
    the result against the contract (-1 for one down), in place of ``tricks``."""

    where: Where
    board: int | None = None
    ns: str | None = None
    ew: str | None = None
    contract: Contract | None = None
    tricks: int | None = None
    score: int | None = None
    passed_out: bool = False
    turned: bool = False
    not_played: bool = False
    over: int | None = None


@dataclass(frozen=True, slots=True)
class Name:
    """Say who an entrant is."""

    entrant: str
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Substitute:
    """Somebody played instead of a player named ``absent``, all the time or ``from_round`` on: then
    both are of the entrant, each with the boards that were played."""

    entrant: str
    absent: str
    player: Player
    from_round: int = 0


@dataclass(frozen=True, slots=True)
class Phantom:
    """An entrant that was not there: its lines go, and it is not ranked."""

    entrant: str


@dataclass(frozen=True, slots=True)
class Foul:
    """The entrants met the board in another version; ``fault`` matters where only one table did,
    entrant by entrant: no, partly or yes."""

    board: int
    entrants: tuple[str, ...]
    version: str = "fouled"
    fault: tuple[tuple[str, str], ...] = ()
    section: str = ""
    session: int = 0


@dataclass(frozen=True, slots=True)
class Adjust:
    """Give a line an adjusted score; ``None`` lets the result at the table stand for a side."""

    where: Where
    ns: ArtificialScore | AssignedScore | None
    ew: ArtificialScore | AssignedScore | None


@dataclass(frozen=True, slots=True)
class Fine:
    """A penalty in a session (0 for the first)."""

    penalty: Penalty
    session: int = 0


@dataclass(frozen=True, slots=True)
class Winners:
    """Confirm that there are one or two winners; of two, which sections have one all the same."""

    number: int
    one_winner: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """Say what kind of event it was, where the file does not; what is empty stays as it was.

    ``swiss`` is ``None`` where nothing is said of it. A file of pairs that says the same number in
    both directions is one of teams if ``kind`` says so.
    """

    kind: str = ""
    scoring: str = ""
    swiss: bool | None = None


@dataclass(frozen=True, slots=True)
class EntrantFacts:
    """Facts of some entrants that are known beforehand; ``None`` leaves a part as it was."""

    entrants: tuple[str, ...]
    stratum: str | None = None
    handicap: Fraction | None = None
    carried: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Final:
    """The standings were made final as they are here; how they were scored is ``chosen``."""

    standings: tuple[Line, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class GoResult:
    """Say who won a player's game of a go tournament."""

    round: int
    player: str
    winner: str


What = (
    Correct
    | Name
    | Substitute
    | Phantom
    | Foul
    | Adjust
    | Fine
    | Winners
    | Played
    | EntrantFacts
    | Final
    | GoResult
)


_WORDS = {
    Foul: "fouled",
    Fine: "penalty",
    Played: "event",
    EntrantFacts: "entrants",
    GoResult: "game",
}
"""What a kind is called where it is not called as its class is."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling with who made it, when, why and by which law."""

    what: What
    by: str
    when: str
    why: str = ""
    law: str = ""
    source: Source | None = None

    @property
    def kind(self) -> str:
        """Its kind, by the word it has in files and commands."""
        return _WORDS.get(type(self.what), type(self.what).__name__.lower())


# --- rulings applied ---------------------------------------------------------------------------


def apply(event: Event, rulings: Sequence[Ruling]) -> Event:
    """The event with the rulings applied in order."""
    return apply_each(event, rulings, change)


def apply_each(event: T, rulings: Sequence[Ruling], change: Callable[[T, What], T]) -> T:
    """What the rulings make of an event, in order, each a ``change`` of it; all that cannot be
    applied is reported at once."""
    problems = []
    for ruling in rulings:
        try:
            event = change(event, ruling.what)
        except InputError as error:
            path = ruling.source.path if ruling.source else "rulings"
            line = ruling.source.line if ruling.source else None
            problems.append(FileProblem(path, message_of(error), line=line))
    if problems:
        raise FileProblems(problems)
    return event


def change(event: Event, what: What) -> Event:
    """The event with one ruling applied; an InputError says why it cannot be."""
    if type(what) not in _CHANGES:
        raise InputError("that ruling is for go tournaments")
    return _CHANGES[type(what)](event, what)


# --- finding what is meant ---------------------------------------------------------------------


def find_entrant(event: Event, name: str) -> str:
    """The id of the entrant of this id or number."""
    ids = [e.entrant.id for e in event.entrants]
    if name in ids:
        return name
    numbered = [e.entrant.id for e in event.entrants if e.number == name]
    if len(numbered) == 1:
        return numbered[0]
    if numbered:
        raise InputError(
            "{name} could be {numbered}: say which", name=name, numbered=either(numbered)
        )
    raise UnknownName("entrant", name, ids)


def _change_lines(
    event: Event,
    session: int,
    chosen: Callable[[Result], bool],
    change: Callable[[Result], Result | None],
) -> Event:
    """Change the chosen lines; a line changed into nothing goes."""
    sessions = []
    for one in event.sessions:
        results = one.results
        if session in (0, one.number):
            new = (change(r) if chosen(r) else r for r in results)
            results = tuple(r for r in new if r is not None)
        sessions.append(replace(one, results=results))
    return replace(event, sessions=tuple(sessions))


def _one_line(event: Event, where: Where, change: Callable[[Result], Result]) -> Event:
    entrant = find_entrant(event, where.entrant)

    def chosen(result: Result) -> bool:
        here = where.section in ("", result.section)
        return here and result.board == where.board and entrant in (*result.ns, *result.ew)

    matching = [
        r
        for session in event.sessions
        if where.session in (0, session.number)
        for r in session.results
        if chosen(r)
    ]
    if len(matching) != 1:
        raise InputError(
            "board {board} has {lines} lines with {entrant}; name the session or the other pair"
            if matching
            else "board {board} has no line with {entrant}",
            board=where.board,
            lines=len(matching),
            entrant=where.entrant,
        )
    return _change_lines(event, where.session, chosen, change)


# --- the changes --------------------------------------------------------------------------------


def _correct(event: Event, ruling: Correct) -> Event:
    ns = None if ruling.ns is None else (find_entrant(event, ruling.ns),)
    ew = None if ruling.ew is None else (find_entrant(event, ruling.ew),)

    def change(result: Result) -> Result:
        outcome = _new_outcome(ruling, result)
        seats = (result.ew, result.ns) if ruling.turned else (result.ns, result.ew)
        board = result.board if ruling.board is None else ruling.board
        return replace(outcome, board=board, ns=ns or seats[0], ew=ew or seats[1])

    return _one_line(event, ruling.where, change)


def _new_outcome(ruling: Correct, result: Result) -> Result:
    """A new result takes the place of the old and of the score that was worked out for it."""
    plain = replace(result, score=None, contract=None, tricks=None, passed_out=False, adjusted=None)
    if ruling.not_played:
        return plain
    if ruling.passed_out:
        return replace(plain, passed_out=True)
    if ruling.score is not None:
        return replace(plain, score=ruling.score)
    if ruling.contract is None and ruling.tricks is None and ruling.over is None:
        # Without a contract only the score can be turned; with one it follows by itself.
        return _turned(result) if ruling.turned or ruling.board else result
    contract = ruling.contract or result.contract
    tricks = result.tricks if ruling.tricks is None else ruling.tricks
    if ruling.over is not None and contract is not None:
        tricks = BOOK + contract.level + ruling.over
    if contract is None or tricks is None:
        raise InputError(
            "board {board}: give the contract and the tricks, or the score", board=result.board
        )
    if not 0 <= tricks <= TRICKS:
        raise InputError(
            "board {board}: {tricks} tricks; expected 0 to {most}",
            board=result.board,
            tricks=tricks,
            most=TRICKS,
        )
    return replace(plain, contract=contract, tricks=tricks)


def _turned(result: Result) -> Result:
    """The score is worked out again where it can be; a bare score stays North-South's."""
    known = result.contract is not None and result.tricks is not None
    return replace(result, score=None) if known else result


def _name(event: Event, ruling: Name) -> Event:
    return _change_entrant(event, ruling.entrant, lambda _: ruling.players)


def _substitute(event: Event, ruling: Substitute) -> Event:
    def change(players: tuple[Player, ...]) -> tuple[Player, ...]:
        names = [player.name for player in players]
        if ruling.absent not in names:
            raise UnknownName(
                Message("player of {entrant}", entrant=ruling.entrant), ruling.absent, names
            )
        if not ruling.from_round:
            return tuple(ruling.player if p.name == ruling.absent else p for p in players)
        before, after = _boards_around(event, ruling)
        there = (_having_played(p, before) if p.name == ruling.absent else p for p in players)
        return (*there, _having_played(ruling.player, after))

    return _change_entrant(event, ruling.entrant, change)


def _boards_around(event: Event, ruling: Substitute) -> tuple[int, int]:
    """The boards of the entrant before a substitute came, and after; of both there are some."""
    if len(event.sessions) != 1:
        raise InputError("{count} sessions: rule on the file of one", count=len(event.sessions))
    who = find_entrant(event, ruling.entrant)
    rounds = [line.round for line in event.sessions[0].results if who in (*line.ns, *line.ew)]
    late = sum(number >= ruling.from_round for number in rounds)
    if not 0 < late < len(rounds):
        raise InputError(
            "{entrant} has no boards on both sides of round {number}: its rounds are {rounds}",
            entrant=ruling.entrant,
            number=ruling.from_round,
            rounds=tuple(map(str, sorted({*rounds}))),
        )
    return len(rounds) - late, late


def _having_played(player: Player, boards: int) -> Player:
    counts = dict.fromkeys(("boards_played", "fewest_boards"), Fraction(boards))
    return replace(player, facts={**player.facts, **counts})


def _change_entrant(
    event: Event, name: str, change: Callable[[tuple[Player, ...]], tuple[Player, ...]]
) -> Event:
    number = find_entrant(event, name)

    def changed(one: EventEntrant) -> EventEntrant:
        if one.entrant.id != number:
            return one
        return replace(one, entrant=Entrant(number, change(one.entrant.players)))

    return replace(event, entrants=tuple(map(changed, event.entrants)))


def _phantom(event: Event, ruling: Phantom) -> Event:
    gone = find_entrant(event, ruling.entrant)
    left = tuple(e for e in event.entrants if e.entrant.id != gone)
    cleared = _change_lines(event, 0, lambda r: gone in (*r.ns, *r.ew), lambda _: None)
    return replace(cleared, entrants=left)


def _foul(event: Event, ruling: Foul) -> Event:
    who = {find_entrant(event, name) for name in ruling.entrants}
    fault = {find_entrant(event, name): AT_FAULT[degree] for name, degree in ruling.fault}
    met = Counter[str]()

    def chosen(result: Result) -> bool:
        here = ruling.section in ("", result.section) and result.board == ruling.board
        met.update(who & {*result.ns, *result.ew} if here else ())
        return here and bool(who & {*result.ns, *result.ew})

    event = _change_lines(
        event, ruling.session, chosen, lambda r: replace(r, version=ruling.version)
    )
    missing = sorted(who - set(met))
    if missing:
        raise InputError(
            "board {board} was not played by {missing}", board=ruling.board, missing=tuple(missing)
        )
    return _unplayable(event, ruling, fault) if fault else event


def _unplayable(event: Event, ruling: Foul, fault: dict[str, Fraction]) -> Event:
    """Rule on the one table that met the version: each side gets what its part in it earns."""

    def chosen(result: Result) -> bool:
        return result.board == ruling.board and result.version == ruling.version

    lines = [r for session in event.sessions for r in session.results if chosen(r)]
    if len(lines) != 1:
        raise InputError(
            "board {board}: {count} tables met version {version!r}, so it is scored "
            "and nobody's fault matters",
            board=ruling.board,
            count=len(lines),
            version=ruling.version,
        )

    def change(result: Result) -> Result:
        sides = [min(fault.get(one, AT_FAULT["no"]) for one in s) for s in (result.ns, result.ew)]
        ns, ew = (
            ArtificialScore(share, session_rule=share != AT_FAULT["partly"]) for share in sides
        )
        return replace(result, adjusted=AdjustedScore(ns, ew))

    return _change_lines(event, ruling.session, chosen, change)


def _adjust(event: Event, ruling: Adjust) -> Event:
    def change(result: Result) -> Result:
        sides = ruling.ns or _stands(result), ruling.ew or _stands(result)
        return replace(result, adjusted=AdjustedScore(*sides))

    return _one_line(event, ruling.where, change)


def _stands(result: Result) -> AssignedScore:
    score = table_score(result)
    if score is None:
        raise InputError(
            "board {board} has no result to stand: rule for both sides", board=result.board
        )
    return AssignedScore(((Fraction(1), score),))


def _fine(event: Event, ruling: Fine) -> Event:
    penalty = replace(ruling.penalty, entrant=find_entrant(event, ruling.penalty.entrant))
    units = _units(event)
    if penalty.unit not in units:
        raise InputError(
            "a penalty in {unit}; expected {units}", unit=penalty.unit, units=either(units)
        )
    numbers = [session.number for session in event.sessions]
    number = ruling.session or numbers[0]
    if number not in numbers:
        raise UnknownName("session", str(number), map(str, numbers))

    def fined(session: Session) -> Session:
        if session.number != number:
            return session
        return replace(session, penalties=(*session.penalties, penalty))

    return replace(event, sessions=tuple(map(fined, event.sessions)))


def _units(event: Event) -> tuple[str, ...]:
    """The units in which points can be taken in such an event; a scale may turn matches into
    VPs."""
    in_boards = event.scoring in ("matchpoints", "board-a-match")
    own = ("matchpoints", "percent") if in_boards else ("imps",)
    return (*own, "vps") if event.kind == "teams" or event.swiss else own


def _winners(event: Event, ruling: Winners) -> Event:
    if ruling.number not in (1, 2):
        raise InputError("{number} winners; expected 1 or 2", number=ruling.number)
    facts = {name: value for name, value in event.facts.items() if name != ONE_WINNER}
    if ruling.one_winner:
        if ruling.number == 1:
            raise InputError(NAMED_WHERE_OTHERS_HAVE_TWO)
        facts[ONE_WINNER] = ", ".join(checked_sections(event, ruling.one_winner))
    return replace(event, winners=ruling.number, facts=facts)


def _played(event: Event, ruling: Played) -> Event:
    if ruling.kind and ruling.kind not in EVENT_KINDS:
        raise UnknownName("kind of event", ruling.kind, EVENT_KINDS)
    if ruling.scoring and ruling.scoring not in SCORINGS:
        raise UnknownName("way of scoring", ruling.scoring, SCORINGS)
    if ruling.kind == "teams" != event.kind:
        event = as_teams(event)
    elif ruling.kind not in ("", event.kind):
        raise InputError(
            "the results are of {kind} and cannot be of {other}", kind=event.kind, other=ruling.kind
        )
    swiss = event.swiss if ruling.swiss is None else ruling.swiss
    if swiss and event.kind == "individual":
        raise InputError("a Swiss is for pairs or teams, not individuals")
    return replace(event, scoring=ruling.scoring or event.scoring, swiss=swiss)


def as_teams(event: Event) -> Event:
    """The same results as those of teams: a number that sits in both directions is one team."""
    numbers = {e.entrant.id: (e.section, e.number or e.entrant.id) for e in event.entrants}
    once = len({number for _, number in numbers.values()}) == len(set(numbers.values()))
    new = {id: number if once else section + number for id, (section, number) in numbers.items()}
    teams: dict[str, EventEntrant] = {}
    for pair in event.entrants:
        team = new[pair.entrant.id]
        before = teams[team].entrant.players if team in teams else ()
        more = tuple(player for player in pair.entrant.players if player not in before)
        teams[team] = replace(pair, entrant=Entrant(team, before + more), line="")

    def renamed(result: Result) -> Result:
        ns, ew = (tuple(new.get(one, one) for one in side) for side in (result.ns, result.ew))
        return replace(result, ns=ns, ew=ew)

    changed = _change_lines(event, 0, lambda _: True, renamed)
    scoring = "imps" if event.scoring == "matchpoints" else event.scoring
    return replace(
        changed, kind="teams", scoring=scoring, winners=1, entrants=tuple(teams.values())
    )


def _about(event: Event, ruling: EntrantFacts) -> Event:
    who = {find_entrant(event, name) for name in ruling.entrants}
    if ruling.stratum is None and ruling.handicap is None and ruling.carried is None:
        raise InputError("expected a stratum, a handicap or carried points")

    def told(one: EventEntrant) -> EventEntrant:
        if one.entrant.id not in who:
            return one
        return replace(
            one,
            stratum=one.stratum if ruling.stratum is None else ruling.stratum,
            handicap=one.handicap if ruling.handicap is None else ruling.handicap,
            carried=one.carried if ruling.carried is None else ruling.carried,
        )

    return replace(event, entrants=tuple(map(told, event.entrants)))


def _final(event: Event, ruling: Final) -> Event:  # noqa: ARG001
    return event


EVENT_KINDS = ("pairs", "individual", "teams")
SCORINGS = ("matchpoints", "cross-imps", "butler", "imps", "board-a-match")

_CHANGES: dict[type, Callable[..., Event]] = {
    Correct: _correct,
    Name: _name,
    Substitute: _substitute,
    Phantom: _phantom,
    Foul: _foul,
    Adjust: _adjust,
    Fine: _fine,
    Winners: _winners,
    Played: _played,
    EntrantFacts: _about,
    Final: _final,
}


# --- what a file does not say ------------------------------------------------------------------


UNSAID, GIVEN = "unsaid", "given"
"""Facts of an event that list other facts: those its file leaves open, and those somebody
supplied."""


def facts_named_in(event: Event, key: str) -> frozenset[str]:
    """The facts that one of these two lists names."""
    return frozenset(str(event.facts.get(key, "")).split(", ")) - {""}


def as_declared(event: Event, played: Played, winners: str = "") -> Event:
    """The event as somebody says it was played, with a record of what they said; whatever nobody
    says is taken as the results show it."""
    facts = {
        "kind": played.kind,
        "scoring": played.scoring,
        "form": played.swiss,
        "winners": winners,
    }
    changed = _with_names(change(event, played), GIVEN, (name for name in facts if facts[name]))
    return as_shown(changed)


def as_shown(event: Event) -> Event:
    """The event; turned into one of teams where its file does not say what competes and the results
    are those of both tables of matches."""
    unsaid = "kind" in facts_named_in(event, UNSAID) - facts_named_in(event, GIVEN)
    return as_teams(event) if unsaid and event.kind == "pairs" and _both_tables(event) else event


def with_supplied(event: Event) -> Event:
    """The event for a file that will itself state what somebody supplied."""
    left = facts_named_in(event, UNSAID) - facts_named_in(event, GIVEN)
    facts = {name: value for name, value in event.facts.items() if name not in (UNSAID, GIVEN)}
    return replace(event, facts=facts | ({UNSAID: ", ".join(sorted(left))} if left else {}))


def _with_names(event: Event, key: str, names: Iterable[str]) -> Event:
    known = sorted({*names, *facts_named_in(event, key)})
    return replace(event, facts={**event.facts, key: ", ".join(known)}) if known else event


def _both_tables(event: Event) -> bool:
    """True if nearly every board of a round was played the other way round as well. Pairs do not do
    that: whoever met somebody on a board does not meet them on it again."""
    numbers = {e.entrant.id: e.number or e.entrant.id for e in event.entrants}
    met = {
        (session.number, r.section, r.round, r.board, numbers[r.ns[0]], numbers[r.ew[0]])
        for session in event.sessions
        for r in session.results
        if len(r.ns) == len(r.ew) == 1
    }
    turned = sum((*where, ew, ns) in met for *where, ns, ew in met)
    return 4 * turned > 3 * len(met) > 0
