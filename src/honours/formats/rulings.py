"""Rulings: what a director or a scorer says about a result, in a file beside the results.

What a kind asks is declared in ``rulings.toml``, how its words are read and how it is told in
:data:`_DOING`. Rulings files (``tuesday.csv.rulings.toml``), the commands of ``honours rule``, the
forms of the pages and the API follow from :data:`KINDS`. What a ruling does to an event is in
:mod:`honours.scoring.rulings`. The results file itself is never written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from types import SimpleNamespace
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
    Adjust,
    Correct,
    EntrantFacts,
    Final,
    Fine,
    Foul,
    GoResult,
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
    """One thing a ruling asks, as ``rulings.toml`` has it; ``about`` explains it or shows what may
    be entered."""

    name: str
    label: Message
    about: str = ""
    required: bool = False
    type: str = "text"
    words: tuple[str, ...] = ()
    argument: bool = False
    rare: bool = False
    usual: str = ""

    def read(self, words: Words) -> Any:
        """The value of what was entered; nothing, or the like of it, where nothing was."""
        value = words.get(self.name)
        if value in (None, "", []):
            if self.required:
                kind = Message("the ruling {kind!r}", kind=words["kind"])
                raise MissingInput(self.name, needed_for=kind)
            value = None
        if self.type == "number":
            if not str(value or 0).lstrip("-").isdigit():
                raise InputError(
                    "{key} {value!r} is not a whole number", key=self.name, value=value
                )
            return int(value or 0)
        if self.type == "amount":
            return None if value is None else self._amount(str(value))
        if self.type == "many":
            return tuple(map(str, value or ()))
        if self.type == "pairs":
            return {str(key): str(one) for key, one in (value or {}).items()}
        if self.type == "rows":
            return value
        return bool(value) if self.type == "yes" else str("" if value is None else value)

    def _amount(self, text: str) -> Fraction:
        """``10``, ``2.5`` or ``1/2``."""
        try:
            return exact(text)
        except InputError as error:
            raise InputError("{key} {error}", key=self.name, error=error) from error


@dataclass(frozen=True, slots=True)
class RulingKind:
    """A kind of ruling: what it is for, what it asks, what its words mean, and its sentence; the
    ``example`` is of its command."""

    kind: str
    title: Message
    about: Message
    fields: tuple[RulingField, ...]
    read: Callable[[Any], What]
    sentence: Callable[[Any, Names], Message]
    example: str = ""
    games: tuple[str, ...] = ("bridge",)
    """Of which games the events are that it is made on."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)

    def values(self, words: Words) -> Any:
        """The value of each field, and the reason."""
        read = {field.name: field.read(words) for field in self.fields}
        return SimpleNamespace(**read, why=str(words.get("why", "")))


def _where(given: Any) -> Where:
    """The traveller line that a ruling means."""
    return Where(given.board, given.pair, given.section, given.session)


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


def _read_correct(given: Any) -> What:
    """A correction: a new board, seats, contract, tricks or score of a line."""
    passed = bool(given.contract) and is_passed_out(given.contract)
    call = _contract(given) if given.contract and not passed else None
    tricks = given.tricks or (parse_contract(given.contract).result if call else "")
    against = is_relative(tricks)
    return Correct(
        _where(given),
        given.to_board or None,
        given.ns or None,
        given.ew or None,
        call,
        None if against or not tricks or is_not_played(tricks) else parse_tricks(tricks, 1),
        parse_score(given.score) if given.score else None,
        passed,
        given.turned,
        bool(tricks) and is_not_played(tricks),
        _over(tricks) if against else None,
    )


def _over(text: str) -> int:
    """``=``, ``+1`` or ``-2`` as a number; whether the contract allows it is seen at its line."""
    digits = tidy(text).replace(" ", "")
    return 0 if digits == "=" else int(digits)


def _contract(given: Any) -> Contract:
    call = parse_contract(given.contract)
    declarer = parse_seat(given.declarer) if given.declarer else call.declarer
    if declarer is None:
        text = Message("contract {text}", text=given.contract)
        raise MissingInput("declarer", needed_for=text)
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


def _read_name(given: Any) -> What:
    people = zip_longest(given.players, given.numbers[: len(given.players)], fillvalue="")
    return Name(given.pair, tuple(Player(*one) for one in people))


def _tell_name(what: Name, _names: Names) -> Message:
    players = " & ".join(player.name or player.number for player in what.players)
    return Message("{who} is {players}", who=what.entrant, players=players)


def _read_substitute(given: Any) -> What:
    player = Player(given.player, given.number)
    return Substitute(given.pair, given.absent, player, given.from_round)


def _tell_substitute(what: Substitute, _names: Names) -> Message:
    named = {"who": what.entrant, "player": what.player.name or what.player.number}
    if what.from_round:
        since = what.from_round
        text = "{who}: {player} played for {absent} from round {since} on"
        return Message(text, absent=what.absent, since=since, **named)
    return Message("{who}: {player} played for {absent}", absent=what.absent, **named)


def _tell_phantom(what: Phantom, names: Names) -> Message:
    return Message("{who} was not there", who=who_is(what.entrant, names))


# --- decisions of a director or scorer ---------------------------------------------------------


def _read_foul(given: Any) -> What:
    for degree in given.fault.values():
        if degree not in AT_FAULT:
            raise UnknownName("degree of fault", degree, AT_FAULT)
    return Foul(
        given.board,
        given.pairs,
        given.version or "fouled",
        tuple(given.fault.items()),
        given.section,
        given.session,
    )


def _tell_foul(what: Foul, names: Names) -> Message:
    return Message(
        "board {board}: fouled for {who}", board=what.board, who=several(what.entrants, names)
    )


def _read_adjust(given: Any) -> What:
    """An adjusted score, for both sides or for each."""
    where = _where(given)
    if given.score:
        both = read_adjusted(given.score, where.board)
        return Adjust(where, both.ns, both.ew)
    if not given.ns and not given.ew:
        raise MissingInput("score", Message("or ns, or ew"), Message("the ruling 'adjust'"))
    ns, ew = (read_side(text, where.board) if text else None for text in (given.ns, given.ew))
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


def _read_fine(given: Any) -> What:
    """A penalty, in matchpoints unless another unit is said."""
    unit = given.unit or UNITS[0]
    if unit not in UNITS:
        raise UnknownName("unit of a penalty", unit, UNITS)
    return Fine(Penalty(given.pair, given.amount, unit, given.why), given.session)


def _tell_fine(what: Fine, names: Names) -> Message:
    penalty = what.penalty
    return Message(
        "{who}: penalty of {amount} {unit}",
        who=who_is(penalty.entrant, names),
        amount=show(penalty.amount),
        unit=word(penalty.unit),
    )


def _tell_game(what: GoResult, names: Names) -> Message:
    return Message(
        "round {round}, game of {player}: {winner} won",
        round=what.round,
        player=who_is(what.player, names),
        winner=word(what.winner),
    )


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


def _read_played(given: Any) -> What:
    swiss = given.swiss.lower()
    if swiss not in ("", "yes", "no"):
        raise InputError("swiss {swiss!r} is neither yes nor no", swiss=swiss)
    if not (given.type or given.scoring or swiss):
        raise InputError("expected type, scoring or swiss")
    return Played(given.type, given.scoring, swiss == "yes" if swiss else None)


def _tell_played(what: Played, _names: Names) -> Message:
    parts = [word(text) for text in (what.kind, what.scoring) if text]
    if what.swiss is not None:
        parts.append(Message("Swiss") if what.swiss else Message("not Swiss"))
    return joined(", ", parts)


def _tell_about(what: EntrantFacts, names: Names) -> Message:
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


def _read_final(given: Any) -> What:
    rows = given.standings
    if any(isinstance(row, str) or len(row) != 4 for row in rows):
        raise InputError("standings are not rows of entrant, place, score and name")
    return Final(tuple((str(a), str(b), str(c), str(d)) for a, b, c, d in rows), given.scored)


def _tell_final(_what: Final, _names: Names) -> Message:
    return Message("the standings were made final")


# --- all kinds ---------------------------------------------------------------------------------


_NOTHING: tuple[Any, ...] = (None, "", [], {}, False)
_LONGEST = 500
_DOING: Mapping[str, tuple[Callable[[Any], What], Callable[[Any, Names], Message]]] = {
    mark("correct"): (_read_correct, _tell_correct),
    mark("name"): (_read_name, _tell_name),
    mark("substitute"): (_read_substitute, _tell_substitute),
    mark("phantom"): (lambda given: Phantom(given.pair), _tell_phantom),
    mark("fouled"): (_read_foul, _tell_foul),
    mark("adjust"): (_read_adjust, _tell_adjust),
    mark("penalty"): (_read_fine, _tell_fine),
    mark("winners"): (lambda given: Winners(given.winners, given.one_winner), _tell_winners),
    mark("game"): (lambda given: GoResult(given.round, given.player, given.winner), _tell_game),
    mark("event"): (_read_played, _tell_played),
    mark("entrants"): (
        lambda given: EntrantFacts(
            given.pairs, given.stratum or None, given.handicap, given.carried
        ),
        _tell_about,
    ),
    "final": (_read_final, _tell_final),
}
"""How the words of each kind are read, and how it is told."""


def _field(key: str, declared: Mapping[str, Any]) -> RulingField:
    rest = {name: declared[name] for name in declared if name not in ("about", "shows")}
    about = Message(declared["about"]) if "about" in declared else declared.get("shows", "")
    own = {"name": key, **rest, "label": Message(declared["label"]), "about": about}
    return RulingField(**own | {"words": tuple(declared.get("words", ()))})


def _kind(kind: str, declared: Mapping[str, Any], shared: Mapping[str, RulingField]) -> RulingKind:
    own = {name: _field(name, one) for name, one in declared.get("fields", {}).items()}
    return RulingKind(
        kind,
        Message(declared["title"]),
        Message(declared["about"]),
        tuple(own.get(name) or shared[name] for name in declared["asks"].split()),
        *_DOING[kind],
        declared.get("example", ""),
        tuple(declared.get("games", ["bridge"])),
    )


_DECLARED = tomllib.loads(files(__package__).joinpath("rulings.toml").read_text("utf-8"))
_SHARED = {key: _field(key, one) for key, one in _DECLARED["fields"].items()}
NOTES = tuple(_SHARED[name] for name in ("by", "when", "why", "law"))
"""What every ruling records."""
KINDS = {kind: _kind(kind, one, _SHARED) for kind, one in _DECLARED["kinds"].items()}
ASKED = {kind: one for kind, one in KINDS.items() if kind != "final"}
UNITS = next(one.words for one in KINDS["penalty"].fields if one.name == "unit")
"""What a penalty may be counted in."""


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
        what = KINDS[kind].read(KINDS[kind].values(words))
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
