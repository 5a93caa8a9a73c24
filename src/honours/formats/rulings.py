"""Rulings: what a director or a scorer says about a result, in a file beside the results.

A kind is declared once, among :data:`CORRECTIONS` or :data:`DECISIONS`: what it asks, how its words
are read and how it is told. Rulings files (``tuesday.csv.rulings.toml``), the commands of ``honours
rule``, the forms of the pages and the API follow from :data:`KINDS`. What a ruling does to an event
is in :mod:`honours.scoring.rulings`. The results file itself is never written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from honours import clock
from honours.engine.numbers import exact, show
from honours.errors import (
    FileProblem,
    FileProblems,
    InputError,
    MissingInput,
    UnknownName,
    WrongValue,
    message_of,
)
from honours.files import flush, toml_of, toml_text, write_whole
from honours.formats.hands import is_record_beside
from honours.formats.notation import (
    average,
    is_not_played,
    is_passed_out,
    is_relative,
    parse_contract,
    parse_ruling,
    parse_score,
    parse_seat,
    parse_tricks,
    read_spelled,
    tidy,
)
from honours.language import DEFAULT
from honours.model import (
    AdjustedScore,
    ArtificialScore,
    AssignedScore,
    Contract,
    Penalty,
    Player,
    Source,
)
from honours.model.cards import contract_words
from honours.model.message import Message, joined, mark, plural, word
from honours.scoring.contracts import ns_score
from honours.scoring.rulings import (
    AT_FAULT,
    EVENT_KINDS,
    SCORINGS,
    About,
    Adjust,
    Correct,
    Final,
    Fine,
    Foul,
    Name,
    Phantom,
    Played,
    Ruling,
    Substitute,
    What,
    Where,
    Winners,
)
from honours.scoring.scored import ScoredEvent
from honours.scoring.status import published_places

Words = Mapping[str, Any]
Names = Mapping[str, str]
"""What entrants are called, by their numbers."""


@dataclass(frozen=True, slots=True)
class RulingField:
    """One thing a ruling asks. ``about`` explains it or shows what may be entered. ``type`` is
    text, number, yes (said or not), yes or no, many (with commas between them), pairs (``3=yes,
    4=no``) or result (a contract or a score, in the letters of the language of whoever types it).
    An ``argument`` of the command needs no name there; ``rare`` fields are folded away in a form;
    ``usual`` is what is meant where nothing is entered."""

    name: str
    label: Message
    about: str = ""
    required: bool = False
    type: str = "text"
    words: tuple[str, ...] = ()
    argument: bool = False
    rare: bool = False
    usual: str = ""


@dataclass(frozen=True, slots=True)
class RulingKind:
    """A kind of ruling: what it is for, what it asks, what its words mean, and its sentence; the
    ``example`` is of its command."""

    kind: str
    title: Message
    about: Message
    fields: tuple[RulingField, ...]
    read: Callable[[Words], What]
    sentence: Callable[[Any, Names], Message]
    example: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)


_IN_SEVERAL = Message("where a board is in several")
BOARD = RulingField("board", Message("board"), required=True, type="number", argument=True)
PAIR = RulingField("pair", Message("pair"), Message("either pair at the table"), required=True)
WHO = RulingField("pair", Message("pair"), required=True, argument=True)
WHERE = (
    RulingField("section", Message("section"), _IN_SEVERAL, rare=True),
    RulingField("session", Message("session"), _IN_SEVERAL, type="number", rare=True),
)
"""Fields that several kinds ask."""


def need(words: Words, key: str) -> Any:
    """A field that a ruling cannot do without."""
    if words.get(key) in (None, "", []):
        raise MissingInput(key, needed_for=Message("the ruling {kind!r}", kind=words["kind"]))
    return words[key]


def whole(words: Words, key: str) -> int:
    """A whole number; 0 if the field is empty."""
    value = words.get(key) or 0
    if not str(value).lstrip("-").isdigit():
        raise InputError("{key} {value!r} is not a whole number", key=key, value=value)
    return int(value)


def number(words: Words, key: str) -> Fraction | None:
    """``10``, ``2.5`` or ``1/2``; ``None`` if the field is empty."""
    if words.get(key) in (None, ""):
        return None
    try:
        return exact(str(words[key]))
    except InputError as error:
        raise InputError("{key} {error}", key=key, error=error) from error


def read_where(words: Words) -> Where:
    """The traveller line that a ruling means."""
    need(words, "board")
    return Where(
        whole(words, "board"),
        str(need(words, "pair")),
        str(words.get("section", "")),
        whole(words, "session"),
    )


def who_is(entrant: str, names: Names) -> str:
    """An entrant by number, and by name where it is known."""
    name = names.get(entrant, "")
    return f"{entrant} ({name})" if name and name != entrant else entrant


def several(entrants: Sequence[str], names: Names) -> str:
    """Entrants by number and name, with commas between them."""
    return ", ".join(who_is(one, names) for one in entrants)


def where_in_words(where: Where, names: Names) -> Message:
    """The line that is meant, in words."""
    board = Message("board {board}", board=where.board)
    parts: list[str] = [board]
    parts += [Message("section {section}", section=where.section)] if where.section else []
    parts += [Message("session {session}", session=where.session)] if where.session else []
    return joined(", ", [*parts, who_is(where.entrant, names)])


# --- corrections of the file -------------------------------------------------------------------


def _read_correct(words: Words) -> What:
    """A correction: a new board, seats, contract, tricks or score of a line."""
    contract = str(words.get("contract", ""))
    call = None if not contract or is_passed_out(contract) else _contract(words, contract)
    tricks = str(words.get("tricks", "")) or (parse_contract(contract).result if call else "")
    against = is_relative(tricks)
    return Correct(
        read_where(words),
        whole(words, "to_board") or None,
        str(words["ns"]) if words.get("ns") else None,
        str(words["ew"]) if words.get("ew") else None,
        call,
        None if against or not tricks or is_not_played(tricks) else parse_tricks(tricks, 1),
        parse_score(str(words["score"])) if words.get("score") not in (None, "") else None,
        bool(contract) and is_passed_out(contract),
        bool(words.get("turned")),
        bool(tricks) and is_not_played(tricks),
        _over(tricks) if against else None,
    )


def _over(text: str) -> int:
    """``=``, ``+1`` or ``-2`` as a number; whether the contract allows it is seen at its line."""
    digits = tidy(text).replace(" ", "")
    return 0 if digits == "=" else int(digits)


def _contract(words: Words, text: str) -> Contract:
    call = parse_contract(text)
    seat = str(words.get("declarer", ""))
    declarer = parse_seat(seat) if seat else call.declarer
    if declarer is None:
        raise MissingInput("declarer", needed_for=Message("contract {text}", text=text))
    return call.played_by(declarer)


def _tell_correct(what: Correct, names: Names) -> Message:
    return Message(
        "{where}: {what}",
        where=where_in_words(what.where, names),
        what=joined(", ", list(_put(what))),
    )


def _put(what: Correct) -> Iterator[Message]:
    """Every part that is put right."""
    over = None if what.over is None else f"{what.over:+d}" if what.over else "="
    contract = None if what.contract is None else contract_words(what.contract)
    parts: tuple[tuple[object, Message], ...] = (
        (what.not_played or None, Message("not played")),
        (what.passed_out or None, Message("passed out")),
        (contract, Message("contract {contract}", contract=contract)),
        (what.tricks, Message("{tricks} tricks", tricks=what.tricks)),
        (over, Message("result {result}", result=over)),
        (what.score, Message("score {score}", score=what.score)),
        (what.board, Message("it was board {board}", board=what.board)),
        (what.ns, Message("North-South was {who}", who=what.ns)),
        (what.ew, Message("East-West was {who}", who=what.ew)),
        (what.turned or None, Message("the pairs sat the other way round")),
    )
    yield from (sentence for value, sentence in parts if value is not None)


def _read_name(words: Words) -> What:
    names = [str(name) for name in need(words, "players")]
    numbers = [str(number) for number in words.get("numbers", [])]
    numbers += [""] * (len(names) - len(numbers))
    players = (Player(name, number) for name, number in zip(names, numbers, strict=False))
    return Name(str(need(words, "pair")), tuple(players))


def _tell_name(what: Name, _names: Names) -> Message:
    players = " & ".join(player.name or player.number for player in what.players)
    return Message("{who} is {players}", who=what.entrant, players=players)


def _read_substitute(words: Words) -> What:
    player = Player(str(need(words, "player")), str(words.get("number", "")))
    since = whole(words, "from_round") if "from_round" in words else 0
    return Substitute(str(need(words, "pair")), str(need(words, "absent")), player, since)


def _tell_substitute(what: Substitute, _names: Names) -> Message:
    named = {"who": what.entrant, "player": what.player.name or what.player.number}
    if what.from_round:
        since = what.from_round
        text = "{who}: {player} played for {absent} from round {since} on"
        return Message(text, absent=what.absent, since=since, **named)
    return Message("{who}: {player} played for {absent}", absent=what.absent, **named)


def _read_phantom(words: Words) -> What:
    return Phantom(str(need(words, "pair")))


def _tell_phantom(what: Phantom, names: Names) -> Message:
    return Message("{who} was not there", who=who_is(what.entrant, names))


CORRECTIONS = (
    RulingKind(
        mark("correct"),
        Message("Correct a line"),
        Message("Put a result right; what is left empty stays as it was."),
        (
            BOARD,
            PAIR,
            RulingField("contract", Message("contract"), "4S, 3NTx, pass, 4SN=", type="result"),
            RulingField("declarer", Message("declarer"), words=("N", "E", "S", "W")),
            RulingField("tricks", Message("tricks"), "=, +1, -2, 10, NP", type="result"),
            RulingField(
                "score", Message("score"), Message("North-South's, where there is no contract")
            ),
            RulingField("to_board", Message("the board it really was"), type="number", rare=True),
            RulingField("ns", Message("who really sat North-South"), rare=True),
            RulingField("ew", Message("who really sat East-West"), rare=True),
            RulingField(
                "turned", Message("the pairs sat the other way round"), type="yes", rare=True
            ),
            *WHERE,
        ),
        _read_correct,
        _tell_correct,
        'correct 5 --pair 2 --contract 4SN= --by "A. Scorer"',
    ),
    RulingKind(
        mark("name"),
        Message("Name a pair"),
        Message("Say who a pair is."),
        (
            WHO,
            RulingField(
                "players", Message("names"), "Ann Ash, Bob Birch", True, "many", argument=True
            ),
            RulingField("numbers", Message("member numbers"), type="many"),
        ),
        _read_name,
        _tell_name,
        'name 3 "Ann Ash" "Bob Birch" --by "A. Scorer"',
    ),
    RulingKind(
        mark("substitute"),
        Message("Name a substitute"),
        Message("Somebody played instead of an absent player."),
        (
            WHO,
            RulingField("absent", Message("who was absent"), required=True, argument=True),
            RulingField("player", Message("who played"), required=True, argument=True),
            RulingField("number", Message("member number")),
            RulingField(
                "from_round",
                Message("from round"),
                Message("where the first rounds were not missed"),
                type="number",
                rare=True,
            ),
        ),
        _read_substitute,
        _tell_substitute,
        'substitute 3 "Ann Ash" "Eve Elm" --by "A. Director"',
    ),
    RulingKind(
        mark("phantom"),
        Message("Take out a pair that was not there"),
        Message("Its lines go, and it is not ranked."),
        (WHO,),
        _read_phantom,
        _tell_phantom,
        'phantom 12 --by "A. Scorer"',
    ),
)


# --- decisions of a director or scorer ---------------------------------------------------------


UNITS = ("matchpoints", "percent", "imps", "vps")
"""What a penalty may be counted in."""
_ADJUSTED = "60-40, ave+/ave-, 60% 4SN=, 40% 4SN-1"
_PAIRS = RulingField("pairs", Message("pairs"), "3, 4", required=True, type="many", argument=True)


def _read_foul(words: Words) -> What:
    fault = {str(pair): str(degree) for pair, degree in words.get("fault", {}).items()}
    for degree in fault.values():
        if degree not in AT_FAULT:
            raise UnknownName("degree of fault", degree, AT_FAULT)
    need(words, "board")
    return Foul(
        whole(words, "board"),
        tuple(str(pair) for pair in need(words, "pairs")),
        str(words.get("version") or "fouled"),
        tuple(fault.items()),
        str(words.get("section", "")),
        whole(words, "session"),
    )


def _tell_foul(what: Foul, names: Names) -> Message:
    return Message(
        "board {board}: fouled for {who}", board=what.board, who=several(what.entrants, names)
    )


def _read_adjust(words: Words) -> What:
    """An adjusted score, for both sides or for each."""
    where = read_where(words)
    if words.get("score"):
        both = read_adjusted(str(words["score"]), where.board)
        return Adjust(where, both.ns, both.ew)
    sides = [str(words.get(side) or "") for side in ("ns", "ew")]
    if not any(sides):
        raise MissingInput("score", Message("or ns, or ew"), Message("the ruling 'adjust'"))
    ns, ew = (read_side(text, where.board) if text else None for text in sides)
    return Adjust(where, ns, ew)


def read_adjusted(text: str, board: int) -> AdjustedScore:
    """One ruling for both sides: ``60-40``, ``AVE+/AVE-``, or an assigned score."""
    adjusted = parse_ruling(text)
    if adjusted is not None:
        return adjusted
    both = read_side(text, board)
    return AdjustedScore(both, both)


def read_side(text: str, board: int) -> ArtificialScore | AssignedScore:
    """The score ruled for one side: ``AVE+``, ``55%``, ``420``, ``4SN=``, ``60% 4SN=, 40% 4SN-1``.

    Assigned scores are North-South's, whichever side they are given to.
    """
    plain = tidy(text)
    average_score = average(plain)
    if average_score is not None:
        return average_score
    if plain.endswith("%") and plain[:-1].replace(".", "", 1).isdigit():
        return ArtificialScore(Fraction(plain[:-1]) / 100)
    scores = tuple(_weighted(part.strip(), board) for part in plain.split(","))
    total = sum(weight for weight, _ in scores)
    if total != 1 or any(weight <= 0 for weight, _ in scores):
        raise InputError(
            "{text!r}: the weights make {float:g}%; expected 100%",
            text=text,
            float=float(100 * total),
        )
    return AssignedScore(scores)


def _weighted(text: str, board: int) -> tuple[Fraction, int]:
    weight, percent, rest = text.partition("%")
    if not percent:
        return Fraction(1), _score(text, board)
    return Fraction(weight) / 100, _score(rest.strip().removeprefix("OF "), board)


def _score(text: str, board: int) -> int:
    if text.lstrip("+-").isdigit():
        return int(text)
    if is_passed_out(text):
        return 0
    call = parse_contract(text)
    if call.declarer is None or not call.result:
        raise InputError("{text!r} needs a declarer and a result, like 4SN= or 4SN-1", text=text)
    contract = call.played_by(call.declarer)
    return ns_score(contract, parse_tricks(call.result, call.level), board)


def _tell_adjust(what: Adjust, names: Names) -> Message:
    return Message(
        "{where}: North-South {ns}, East-West {ew}",
        where=where_in_words(what.where, names),
        ns=_given(what.ns),
        ew=_given(what.ew),
    )


def _given(score: ArtificialScore | AssignedScore | None) -> str:
    if score is None:
        return Message("as at the table")
    if isinstance(score, ArtificialScore):
        return f"{show(100 * score.share)}%"
    return ", ".join(f"{_share(weight)}{points:+d}" for weight, points in score.scores)


def _share(weight: Fraction) -> str:
    return "" if weight == 1 else f"{show(100 * weight)}% "


def _read_fine(words: Words) -> What:
    """A penalty, in matchpoints unless another unit is said."""
    unit = str(words.get("unit") or "matchpoints")
    if unit not in UNITS:
        raise UnknownName("unit of a penalty", unit, UNITS)
    need(words, "amount")
    amount = number(words, "amount") or Fraction(0)
    penalty = Penalty(str(need(words, "pair")), amount, unit, str(words.get("why", "")))
    return Fine(penalty, whole(words, "session"))


def _tell_fine(what: Fine, names: Names) -> Message:
    penalty = what.penalty
    return Message(
        "{who}: penalty of {amount} {unit}",
        who=who_is(penalty.entrant, names),
        amount=show(penalty.amount),
        unit=word(penalty.unit),
    )


def _read_winners(words: Words) -> What:
    return Winners(whole(words, "winners"), tuple(map(str, words.get("one_winner") or ())))


def _tell_winners(what: Winners, _names: Names) -> Message:
    if what.one_winner:
        names = ", ".join(what.one_winner)
        return plural(
            "two winners, one in section {names}",
            "two winners, one in each of the sections {names}",
            count=len(what.one_winner),
            names=names,
        )
    return Message("one winner") if what.number == 1 else Message("two winners")


def _read_played(words: Words) -> What:
    swiss = str(words.get("swiss", "")).lower()
    if swiss not in ("", "yes", "no"):
        raise InputError("swiss {swiss!r} is neither yes nor no", swiss=swiss)
    kind, scoring = str(words.get("type", "")), str(words.get("scoring", ""))
    if not (kind or scoring or swiss):
        raise InputError("nothing is said of the event; expected type, scoring or swiss")
    return Played(kind, scoring, swiss == "yes" if swiss else None)


def _tell_played(what: Played, _names: Names) -> Message:
    parts = [word(text) for text in (what.kind, what.scoring) if text]
    if what.swiss is not None:
        parts.append(Message("Swiss") if what.swiss else Message("not Swiss"))
    return joined(", ", parts)


def _read_about(words: Words) -> What:
    stratum = str(words["stratum"]) if words.get("stratum") else None
    pairs = tuple(str(pair) for pair in need(words, "pairs"))
    return About(pairs, stratum, number(words, "handicap"), number(words, "carried"))


def _tell_about(what: About, names: Names) -> Message:
    known = (
        (Message("stratum"), what.stratum),
        (Message("handicap"), what.handicap),
        (Message("carried over"), what.carried),
    )
    parts = [
        Message("{name} {value}", name=name, value=show(v) if isinstance(v, Fraction) else v)
        for name, v in known
        if v is not None
    ]
    return Message("{who}: {what}", who=several(what.entrants, names), what=joined(", ", parts))


def _read_final(words: Words) -> What:
    rows = need(words, "standings")
    if any(isinstance(row, str) or len(row) != 4 for row in rows):
        raise InputError("standings are not rows of entrant, place, score and name")
    lines = tuple((str(a), str(b), str(c), str(d)) for a, b, c, d in rows)
    return Final(lines, str(need(words, "scored")))


def _tell_final(_what: Final, _names: Names) -> Message:
    return Message("the standings were made final")


DECISIONS = (
    RulingKind(
        mark("fouled"),
        Message("Mark a board fouled"),
        Message("Some pairs met the board in another version."),
        (
            BOARD,
            RulingField("pairs", Message("who met the other version"), "3, 4", True, "many"),
            RulingField("version", Message("name of the version"), rare=True),
            RulingField("fault", Message("at fault"), "3=yes, 4=no", type="pairs", rare=True),
            *WHERE,
        ),
        _read_foul,
        _tell_foul,
        'fouled 7 --pairs 3,12 --by "A. Director" --why "hands misboarded"',
    ),
    RulingKind(
        mark("adjust"),
        Message("Adjust a score"),
        Message("Give a line an adjusted score, for both sides or each."),
        (
            BOARD,
            PAIR,
            RulingField("score", Message("for both sides"), _ADJUSTED, type="result"),
            RulingField("ns", Message("for North-South"), "ave+", type="result"),
            RulingField("ew", Message("for East-West"), "ave-", type="result"),
            *WHERE,
        ),
        _read_adjust,
        _tell_adjust,
        'adjust 9 --pair 3 --ns ave+ --ew ave- --by "A. Director" --law 12C2',
    ),
    RulingKind(
        mark("penalty"),
        Message("Give a penalty"),
        Message("Take points from a pair; a percentage is of a board's top."),
        (
            WHO,
            RulingField("amount", Message("how much"), "10", required=True, argument=True),
            RulingField("unit", Message("of what"), words=UNITS, usual="percent"),
            RulingField("session", Message("session"), type="number", rare=True),
        ),
        _read_fine,
        _tell_fine,
        'penalty 3 10 --by "A. Director" --why "late" --law 90',
    ),
    RulingKind(
        mark("winners"),
        Message("Say how many winners"),
        Message("One ranking list, or one for each line."),
        (
            RulingField(
                "winners", Message("winners"), required=True, words=("1", "2"), argument=True
            ),
            RulingField(
                "one_winner",
                Message("sections that have one winner"),
                Message("where the others have two: B"),
                type="many",
                rare=True,
            ),
        ),
        _read_winners,
        _tell_winners,
        'winners 2 --by "A. Scorer"',
    ),
    RulingKind(
        mark("event"),
        Message("Say what was played"),
        Message("What kind of event it was, where the file does not say."),
        (
            RulingField("type", Message("type"), words=EVENT_KINDS),
            RulingField("scoring", Message("scoring"), words=SCORINGS),
            RulingField("swiss", Message("every round is a match"), type="yes or no"),
        ),
        _read_played,
        _tell_played,
        'event --type pairs --scoring cross-imps --by "A. Scorer"',
    ),
    RulingKind(
        mark("entrants"),
        Message("Stratum, handicap, carry-over"),
        Message("What is to be known of some pairs beforehand."),
        (
            _PAIRS,
            RulingField("stratum", Message("stratum"), "B"),
            RulingField("handicap", Message("handicap"), "2.5"),
            RulingField("carried", Message("carried over")),
        ),
        _read_about,
        _tell_about,
        'entrants 3,4,9 --stratum B --handicap 2.5 --by "A. Scorer"',
    ),
)
FINAL = RulingKind(
    "final",
    Message("Make final"),
    Message("Make the standings final as they are; what changes later is shown as amended."),
    (RulingField("scored", Message("scoring")), RulingField("standings", Message("Standings"))),
    _read_final,
    _tell_final,
)
"""What a person rules is none of its words: they follow from the event as it stands."""


# --- all kinds ---------------------------------------------------------------------------------


_NOTHING: tuple[Any, ...] = (None, "", [], {}, False)
_LONGEST = 500


NOTES = (
    RulingField("by", Message("who rules"), required=True),
    RulingField("when", Message("when"), Message("now, unless said otherwise"), rare=True),
    RulingField("why", Message("why")),
    RulingField("law", Message("law or regulation"), rare=True),
)
"""What every ruling records."""

ASKED = {declared.kind: declared for declared in (*CORRECTIONS, *DECISIONS)}
KINDS = {**ASKED, FINAL.kind: FINAL}


def ruling_kind(kind: str) -> RulingKind:
    """A kind of ruling that people fill in."""
    if kind not in ASKED:
        raise UnknownName("kind of ruling", kind, ASKED)
    return ASKED[kind]


def read_ruling(words: Words, source: Source | None = None) -> Ruling:
    """A ruling from its words; InputError says what is wrong with them."""
    kind = str(words.get("kind", ""))
    if kind not in KINDS:
        raise UnknownName("kind of ruling", kind, KINDS)
    known = ("kind", *(field.name for field in NOTES), *KINDS[kind].names)
    for key in words:
        if key not in known:
            raise UnknownName(Message("word in a {kind!r} ruling", kind=kind), key, known)
    for key in ("by", "when"):
        if not words.get(key):
            raise MissingInput(key, needed_for=Message("the record of a ruling"))
    try:
        what = KINDS[kind].read(words)
    except ValueError as error:
        raise InputError(message_of(error)) from error
    by, when, why, law = (str(words.get(field.name, "")) for field in NOTES)
    return Ruling(what, by, when, why, law, source)


def in_words(ruling: Ruling, names: Names) -> Message:
    """The ruling, on which board and about whom, in a sentence."""
    return KINDS[ruling.kind].sentence(ruling.what, names)


def dated(words: Words) -> dict[str, Any]:
    """A ruling's words as its file has them: in their order, without those that say nothing, and
    with the time it is made, unless they say when it was."""
    given = {key: value for key, value in words.items() if value not in _NOTHING}
    given.setdefault("when", clock.here().isoformat(" ", "seconds"))
    declared = KINDS.get(str(given.get("kind")))
    names = declared.names if declared else ()
    order = dict.fromkeys(("kind", *names, *(field.name for field in NOTES), *given))
    return {key: given[key] for key in order if key in given}


def final_words(scored: ScoredEvent) -> dict[str, Any]:
    """The words of a ruling that makes standings final as they are."""
    return {"scored": scored.chosen, "standings": [list(row) for row in published_places(scored)]}


def typed_words(
    declared: RulingKind, texts: Mapping[str, str], language: str = DEFAULT
) -> dict[str, Any]:
    """The words of a ruling from the text typed in each field."""
    words: dict[str, Any] = {"kind": declared.kind}
    for field in (*declared.fields, *NOTES):
        text = texts.get(field.name, "").strip()
        if len(text) > _LONGEST:
            raise InputError(
                "{name} is longer than {most} characters", name=field.name, most=_LONGEST
            )
        if text:
            plain = read_spelled(text, language) if field.type == "result" else text
            words[field.name] = _typed(field, plain)
    return words


def _typed(field: RulingField, text: str) -> Any:
    parts = [part.strip() for part in re.split(r"[,&;]", text) if part.strip()]
    if field.type == "pairs":
        return dict(_pair(field.name, part) for part in parts)
    if field.type == "yes":
        return True
    return parts if field.type == "many" else text


def _pair(name: str, text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise WrongValue(name, text, "expected e.g. 3=yes, 4=no")
    return key.strip(), value.strip()


# --- the rulings file --------------------------------------------------------------------------


MARK = "[[ruling]]"


def rulings_path(results: str | Path) -> Path:
    """The path of a results file's rulings."""
    return Path(f"{results}.rulings.toml")


def is_of_results(path: Path) -> bool:
    """True if a file of a folder may be results: not hidden, and not the rulings, the decisions on
    names or the hand record beside one."""
    beside = path.name.endswith((".rulings.toml", ".names")) or is_record_beside(path)
    return not path.name.startswith(".") and not beside


def read_rulings(results: str | Path) -> tuple[Ruling, ...]:
    """The rulings made on a results file, none if it has no rulings file."""
    path = rulings_path(results)
    return parse_rulings(path.read_text(encoding="utf-8"), str(path)) if path.exists() else ()


def parse_rulings(text: str, path: str) -> tuple[Ruling, ...]:
    """Every ruling of a text; FileProblems lists all that is wrong in it."""
    try:
        content = toml_of(text)
    except tomllib.TOMLDecodeError as error:
        raise FileProblem(path, "not TOML: {error}", error=error) from error
    tables = content.pop("ruling", [])
    problems = [
        FileProblem(path, "{key!r}", "only {mark} tables", key=key, mark=MARK) for key in content
    ]
    lines = [n for n, line in enumerate(text.splitlines(), 1) if line.strip() == MARK]
    rulings = []
    for nth, table in enumerate(tables):
        line = lines[nth] if nth < len(lines) else 0
        try:
            rulings.append(read_ruling(table, Source(path, line)))
        except InputError as error:
            problems.append(FileProblem(path, message_of(error), line=line))
    if problems:
        raise FileProblems(problems)
    return tuple(rulings)


def add_ruling(results: str | Path, words: Mapping[str, Any]) -> Path:
    """Write one more ruling at the end of the file."""
    return add_rulings(results, [words])


def add_rulings(results: str | Path, several: Iterable[Mapping[str, Any]]) -> Path:
    """Write more rulings at the end of the file, all of them or none."""
    path = rulings_path(results)
    before = path.read_text(encoding="utf-8").rstrip() if path.exists() else ""
    text = "\n\n".join([before, *(write_ruling(words) for words in several)]).lstrip()
    parse_rulings(text, str(path))
    _replace(path, text)
    return path


def undo_ruling(results: str | Path, number: int = 0) -> str:
    """Take a ruling out again, the last unless its number is said, and return its text."""
    path = rulings_path(results)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    before, *tables = re.split(rf"(?m)^(?={re.escape(MARK)}\s*$)", text)
    if not tables:
        raise InputError("{path}: there is no ruling to undo", path=path)
    if not 0 <= number <= len(tables):
        raise InputError(
            "{path}: there is no ruling {number}; there are {count}",
            path=path,
            number=number,
            count=len(tables),
        )
    taken = tables.pop(number - 1)
    left = (before + "".join(tables)).rstrip()
    if left:
        _replace(path, left + "\n")
    else:
        path.unlink()
        flush(path.parent)
    return taken.strip()


def write_ruling(words: Mapping[str, Any]) -> str:
    """A ruling's words as a TOML table."""
    lines = [f"{key} = {toml_text(value)}" for key, value in words.items()]
    return "\n".join([MARK, *lines, ""])


def _replace(path: Path, text: str) -> None:
    """Whole or not at all: a reader never sees half a file."""
    write_whole(path, text.encode())
