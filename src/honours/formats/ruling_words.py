"""Every kind of ruling, declared once: what it asks, in what words, and how these are read.

Rulings files, the commands of ``honours rule``, the forms of the pages and the API all follow from
:data:`KINDS`. What a ruling does to an event is in :mod:`honours.scoring.rulings`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from honours.errors import InputError, MissingInput, UnknownName, WrongValue, message_of
from honours.formats import ruling_reading as reading
from honours.formats.ruling_reading import UNITS, Words
from honours.formats.spelling import read_spelled
from honours.language import DEFAULT
from honours.model import Source
from honours.model.message import Message
from honours.scoring.ruling_kinds import Ruling, What
from honours.scoring.rulings import EVENT_KINDS, SCORINGS
from honours.scoring.scored import Scored
from honours.scoring.status import published

_NOTHING: tuple[Any, ...] = (None, "", [], {}, False)
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Field:
    """One thing a ruling asks.

    ``about`` explains it or shows what may be said. ``type`` is text, number, yes (said or not),
    yes or no, many (with commas between them), pairs (``3=yes, 4=no``) or result (a contract or a
    score, in the letters of the language of whoever types it). An ``argument`` of the
    command needs no name there; what is ``rare`` a form asks only of who looks for it; ``usual`` is
    what people mean who say nothing.
    """

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
    """A kind of ruling: what it is for, what it asks, and what its words mean; the ``example`` is
    of its command."""

    kind: str
    title: Message
    about: Message
    fields: tuple[Field, ...]
    read: Callable[[Words], What]
    example: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(field.name for field in self.fields)


_ADJUSTED = "60-40, ave+/ave-, 60% 4SN=, 40% 4SN-1"
_IN_SEVERAL = Message("where a board is in several")
_BOARD = Field("board", Message("board"), required=True, type="number", argument=True)
_PAIR = Field("pair", Message("pair"), Message("either pair at the table"), required=True)
_WHO = Field("pair", Message("pair"), required=True, argument=True)
_PAIRS = Field("pairs", Message("pairs"), "3, 4", required=True, type="many", argument=True)
_WHERE = (
    Field("section", Message("section"), _IN_SEVERAL, rare=True),
    Field("session", Message("session"), _IN_SEVERAL, type="number", rare=True),
)
NOTES = (
    Field("by", Message("who rules"), required=True),
    Field("when", Message("when"), Message("now, unless said otherwise"), rare=True),
    Field("why", Message("why")),
    Field("law", Message("law or regulation"), rare=True),
)
"""What every ruling records."""

_DECLARED = (
    RulingKind(
        "correct",
        Message("Correct a line"),
        Message("Put a result right; what is left empty stays as it was."),
        (
            _BOARD,
            _PAIR,
            Field("contract", Message("contract"), "4S, 3NTx, pass, 4SN=", type="result"),
            Field("declarer", Message("declarer"), words=("N", "E", "S", "W")),
            Field("tricks", Message("tricks"), "=, +1, -2, 10, NP", type="result"),
            Field("score", Message("score"), Message("North-South's, where there is no contract")),
            Field("to_board", Message("the board it really was"), type="number", rare=True),
            Field("ns", Message("who really sat North-South"), rare=True),
            Field("ew", Message("who really sat East-West"), rare=True),
            Field("turned", Message("the pairs sat the other way round"), type="yes", rare=True),
            *_WHERE,
        ),
        reading.read_correct,
        'correct 5 --pair 2 --contract 4SN= --by "A. Scorer"',
    ),
    RulingKind(
        "name",
        Message("Name a pair"),
        Message("Say who a pair is."),
        (
            _WHO,
            Field("players", Message("names"), "Ann Ash, Bob Birch", True, "many", argument=True),
            Field("numbers", Message("member numbers"), type="many"),
        ),
        reading.read_name,
        'name 3 "Ann Ash" "Bob Birch" --by "A. Scorer"',
    ),
    RulingKind(
        "substitute",
        Message("Name a substitute"),
        Message("Somebody played instead of an absent player."),
        (
            _WHO,
            Field("absent", Message("who was absent"), required=True, argument=True),
            Field("player", Message("who played"), required=True, argument=True),
            Field("number", Message("member number")),
        ),
        reading.read_substitute,
        'substitute 3 "Ann Ash" "Eve Elm" --by "A. Director"',
    ),
    RulingKind(
        "phantom",
        Message("Take out a pair that was not there"),
        Message("Its lines go, and it is not ranked."),
        (_WHO,),
        reading.read_phantom,
        'phantom 12 --by "A. Scorer"',
    ),
    RulingKind(
        "fouled",
        Message("Mark a board fouled"),
        Message("Some pairs met the board in another version."),
        (
            _BOARD,
            Field("pairs", Message("who met the other version"), "3, 4", True, "many"),
            Field("version", Message("name of the version"), rare=True),
            Field("fault", Message("at fault"), "3=yes, 4=no", type="pairs", rare=True),
            *_WHERE,
        ),
        reading.read_foul,
        'fouled 7 --pairs 3,12 --by "A. Director" --why "hands misboarded"',
    ),
    RulingKind(
        "adjust",
        Message("Adjust a score"),
        Message("Give a line an adjusted score, for both sides or each."),
        (
            _BOARD,
            _PAIR,
            Field("score", Message("for both sides"), _ADJUSTED, type="result"),
            Field("ns", Message("for North-South"), "ave+", type="result"),
            Field("ew", Message("for East-West"), "ave-", type="result"),
            *_WHERE,
        ),
        reading.read_adjust,
        'adjust 9 --pair 3 --ns ave+ --ew ave- --by "A. Director" --law 12C2',
    ),
    RulingKind(
        "penalty",
        Message("Give a penalty"),
        Message("Take points from a pair; a percentage is of a board's top."),
        (
            _WHO,
            Field("amount", Message("how much"), "10", required=True, argument=True),
            Field("unit", Message("of what"), words=UNITS, usual="percent"),
            Field("session", Message("session"), type="number", rare=True),
        ),
        reading.read_fine,
        'penalty 3 10 --by "A. Director" --why "late" --law 90',
    ),
    RulingKind(
        "winners",
        Message("Say how many winners"),
        Message("One ranking list, or one for each line."),
        (Field("winners", Message("winners"), required=True, words=("1", "2"), argument=True),),
        reading.read_winners,
        'winners 2 --by "A. Scorer"',
    ),
    RulingKind(
        "event",
        Message("Say what was played"),
        Message("What kind of event it was, where the file does not say."),
        (
            Field("type", Message("type"), words=EVENT_KINDS),
            Field("scoring", Message("scoring"), words=SCORINGS),
            Field("swiss", Message("every round is a match"), type="yes or no"),
        ),
        reading.read_played,
        'event --type pairs --scoring cross-imps --by "A. Scorer"',
    ),
    RulingKind(
        "entrants",
        Message("Stratum, handicap, carry-over"),
        Message("What is to be known of some pairs beforehand."),
        (
            _PAIRS,
            Field("stratum", Message("stratum"), "B"),
            Field("handicap", Message("handicap"), "2.5"),
            Field("carried", Message("carried over")),
        ),
        reading.read_about,
        'entrants 3,4,9 --stratum B --handicap 2.5 --by "A. Scorer"',
    ),
)
FINAL = RulingKind(
    "final",
    Message("Make final"),
    Message("Make the standings final as they are; what changes later is shown as amended."),
    (Field("scored", Message("scoring")), Field("standings", Message("Standings"))),
    reading.read_final,
)
"""What a person rules is none of its words: they follow from the event as it stands."""
ASKED = {declared.kind: declared for declared in _DECLARED}
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


def dated(words: Words) -> dict[str, Any]:
    """A ruling's words as its file has them: in their order, without those that say nothing, and
    with the time it is made, unless they say when it was."""
    given = {key: value for key, value in words.items() if value not in _NOTHING}
    given.setdefault("when", datetime.now().astimezone().isoformat(" ", "seconds"))
    declared = KINDS.get(str(given.get("kind")))
    names = declared.names if declared else ()
    order = dict.fromkeys(("kind", *names, *(field.name for field in NOTES), *given))
    return {key: given[key] for key in order if key in given}


def final_words(scored: Scored) -> dict[str, Any]:
    """What a ruling says that makes standings final as they are."""
    return {"scored": scored.chosen, "standings": [list(row) for row in published(scored)]}


def typed_words(
    declared: RulingKind, texts: Mapping[str, str], language: str = DEFAULT
) -> dict[str, Any]:
    """What a person typed, field by field, as the words of a ruling."""
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


def _typed(field: Field, text: str) -> Any:
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
