"""The form of each kind of ruling: what it asks, in the words a rulings file has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from honours.errors import InputError, UnknownName
from honours.formats.ruling_words import UNITS
from honours.scoring.rulings import SCORINGS
from honours.web.texts import mark


@dataclass(frozen=True, slots=True)
class Asked:
    """One field: ``many`` takes several values with commas between them, ``rare`` is asked only of
    who looks for it."""

    name: str
    label: str
    about: str = ""
    required: bool = False
    many: bool = False
    words: tuple[str, ...] = ()
    kind: str = "text"
    rare: bool = False


@dataclass(frozen=True, slots=True)
class RulingForm:
    """A kind of ruling, what it is for, and what it asks."""

    kind: str
    title: str
    about: str
    fields: tuple[Asked, ...]


_BOARD = Asked("board", mark("board"), required=True, kind="number")
_PAIR = Asked("pair", mark("pair"), mark("either pair at the table"), required=True)
_WHO = Asked("pair", mark("pair"), required=True)
_WHERE = (
    Asked("section", mark("section"), mark("where a board is in several"), rare=True),
    Asked(
        "session", mark("session"), mark("where a board is in several"), kind="number", rare=True
    ),
)
NOTES = (
    Asked("by", mark("who rules"), required=True),
    Asked("why", mark("why")),
    Asked("law", mark("law or regulation"), rare=True),
)
FORMS = {
    form.kind: form
    for form in (
        RulingForm(
            "correct",
            mark("Correct a line"),
            mark("Put a result right; what is left empty stays as it was."),
            (
                _BOARD,
                _PAIR,
                Asked("contract", mark("contract"), "4S, 3NTx, pass, 4SN="),
                Asked("declarer", mark("declarer"), words=("N", "E", "S", "W")),
                Asked("tricks", mark("tricks"), "=, +1, -2, 10, NP"),
                Asked("score", mark("score"), mark("North-South's, where there is no contract")),
                Asked("to_board", mark("the board it really was"), kind="number", rare=True),
                Asked("ns", mark("who really sat North-South"), rare=True),
                Asked("ew", mark("who really sat East-West"), rare=True),
                Asked(
                    "turned", mark("the pairs sat the other way round"), words=("yes",), rare=True
                ),
                *_WHERE,
            ),
        ),
        RulingForm(
            "name",
            mark("Name a pair"),
            mark("Say who a pair is."),
            (
                _WHO,
                Asked("players", mark("names"), "Ann Ash, Bob Birch", required=True, many=True),
                Asked("numbers", mark("member numbers"), many=True),
            ),
        ),
        RulingForm(
            "substitute",
            mark("Name a substitute"),
            mark("Somebody played instead of an absent player."),
            (
                _WHO,
                Asked("absent", mark("who was absent"), required=True),
                Asked("player", mark("who played"), required=True),
                Asked("number", mark("member number")),
            ),
        ),
        RulingForm(
            "phantom",
            mark("Take out a pair that was not there"),
            mark("Its lines go, and it is not ranked."),
            (_WHO,),
        ),
        RulingForm(
            "fouled",
            mark("Mark a board fouled"),
            mark("Some pairs met the board in another version."),
            (
                _BOARD,
                Asked("pairs", mark("who met the other version"), "3, 4", True, True),
                Asked("version", mark("name of the version"), rare=True),
                Asked("fault", mark("at fault"), "3=yes, 4=no", many=True, rare=True),
                *_WHERE,
            ),
        ),
        RulingForm(
            "adjust",
            mark("Adjust a score"),
            mark("Give a line an adjusted score, for both sides or each."),
            (
                _BOARD,
                _PAIR,
                Asked("score", mark("for both sides"), "60-40, ave+/ave-, 60% 4SN=, 40% 4SN-1"),
                Asked("ns", mark("for North-South"), "ave+"),
                Asked("ew", mark("for East-West"), "ave-"),
                *_WHERE,
            ),
        ),
        RulingForm(
            "penalty",
            mark("Give a penalty"),
            mark("Take points from a pair; a percentage is of a board's top."),
            (
                _WHO,
                Asked("amount", mark("how much"), "10", required=True),
                Asked("unit", mark("of what"), words=UNITS),
                Asked("session", mark("session"), kind="number", rare=True),
            ),
        ),
        RulingForm(
            "winners",
            mark("Say how many winners"),
            mark("One ranking list, or one for each line."),
            (Asked("winners", mark("winners"), required=True, words=("1", "2")),),
        ),
        RulingForm(
            "event",
            mark("Say what was played"),
            mark("What kind of event it was, where the file does not say."),
            (
                Asked("type", mark("type"), words=("pairs", "individual", "teams")),
                Asked("scoring", mark("scoring"), words=SCORINGS),
                Asked("swiss", mark("every round is a match"), words=("yes",)),
            ),
        ),
        RulingForm(
            "entrants",
            mark("Stratum, handicap, carry-over"),
            mark("What is to be known of some pairs beforehand."),
            (
                Asked("pairs", mark("pairs"), "3, 4", True, True),
                Asked("stratum", mark("stratum"), "B"),
                Asked("handicap", mark("handicap")),
                Asked("carried", mark("carried over")),
            ),
        ),
    )
}


def form_of(kind: str) -> RulingForm:
    """The form of a kind of ruling."""
    if kind not in FORMS:
        raise UnknownName("kind of ruling", kind, FORMS)
    return FORMS[kind]


def read_words(form: RulingForm, said: Mapping[str, str]) -> dict[str, Any]:
    """What a person filled in, as the words of a ruling."""
    words: dict[str, Any] = {"kind": form.kind}
    for asked in (*form.fields, *NOTES):
        text = said.get(asked.name, "").strip()
        if not text:
            continue
        if len(text) > 500:
            raise InputError(f"{asked.name} is longer than 500 characters")
        parts = [part.strip() for part in re.split(r"[,&;]", text) if part.strip()]
        words[asked.name] = parts if asked.many else text
    if "fault" in words:
        words["fault"] = dict(_fault(part) for part in words["fault"])
    return words | {key: True for key in ("turned", "swiss") if words.get(key)}


def _fault(text: str) -> tuple[str, str]:
    pair, sign, degree = text.partition("=")
    if not sign:
        raise InputError(f"fault={text}: expected e.g. 3=yes, 4=no")
    return pair.strip(), degree.strip()
