"""A calculator for any rulebook, made from what the rulebook declares and its own examples."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar
from urllib.parse import urlencode

from honours.engine.award import calculate, calculated_fields
from honours.engine.numbers import exact, show
from honours.engine.rulebook import Input, Rulebook
from honours.engine.rules import public, titled
from honours.errors import InputError, UnknownName, WrongValue
from honours.model import Award, Awards
from honours.model.message import Message, mark
from honours.web.calculators.controls import Control
from honours.web.curves import CurvePicture, CurvePoint, curve_picture, places_along

MOST_PLACES = 1000
_BELOW = {
    "entrant": mark("{about}: one for everybody, or a line for each place from the first"),
    "player": mark(
        "{about}: of everybody, or a line for each entrant from first place down, + between the "
        "players of one"
    ),
}
"""How to enter inputs that differ by entrant or player."""
_OFTEN = Fraction(1, 3)
"""An input that so many of a rulebook's examples give is asked first."""


@dataclass(frozen=True, slots=True)
class CalculatorState:
    """Everything that determines a calculation: what its address says."""

    given: Mapping[str, str] = field(default_factory=dict)
    changes: Mapping[str, str] = field(default_factory=dict)
    variant: str = ""
    ties: str = ""
    place: int = 1

    def query(self) -> str:
        """The state as the query of an address, what says nothing left out."""
        pairs = [*self.given.items(), *((f"set.{k}", v) for k, v in self.changes.items())]
        pairs += [("variant", self.variant), ("ties", self.ties)]
        pairs += [("place", str(self.place))] if self.place != 1 else []
        return urlencode([(key, value) for key, value in pairs if value])

    def at(self, place: int) -> CalculatorState:
        return replace(self, place=place)


@dataclass(frozen=True, slots=True)
class Calculation:
    """The awards a rulebook gives for a state; ``plain`` is the same without amendments, if any."""

    book: Rulebook
    state: CalculatorState
    lists: Sequence[Awards]
    plain: Sequence[Awards] = ()

    def explained(self) -> list[tuple[str, Award]]:
        """The award of the chosen place in each list."""
        labelled = []
        for awards in self.lists:
            at = [a for a in awards.schedule if a.standing.place == self.state.place]
            at = at or list(awards.schedule[:1])
            labelled += [(" ".join(awards.field.label.values()), one) for one in at[:1]]
        return labelled


# --- from an address to awards ------------------------------------------------------------------


def read_state(book: Rulebook, query: Iterable[tuple[str, str]]) -> CalculatorState:
    """The state an address asks for; without one, the rulebook's first example."""
    given, changes, rest = {}, {}, {}
    for key, value in query:
        text = value.strip()
        if not text or key == "lang":
            continue
        if key.startswith("set."):
            changes[key.removeprefix("set.")] = text
        elif key in ("variant", "ties", "place"):
            rest[key] = text
        elif book.takes(key):
            given[public(book.input(key).name)] = text
        else:
            raise UnknownName(Message("key of {rulebook}", rulebook=book.id), key, book.keys)
    if "places" in given or not given:
        given = given or first_example(book)
    place = rest.get("place", "1")
    if not place.isdecimal() or len(place) > 6:
        raise WrongValue("place", place, "expected a place, e.g. 3")
    return CalculatorState(
        given, changes, rest.get("variant", ""), rest.get("ties", ""), int(place)
    )


def as_typed(book: Rulebook, query: Iterable[tuple[str, str]]) -> CalculatorState:
    """Return what was typed, right or wrong, to be shown again where it cannot be calculated."""
    typed = {key: value.strip() for key, value in query if value.strip()}
    changes = {k.removeprefix("set."): v for k, v in typed.items() if k.startswith("set.")}
    given = {key: text for key, text in typed.items() if book.takes(key)}
    return CalculatorState(given, changes, typed.get("variant", ""), typed.get("ties", ""))


def first_example(book: Rulebook) -> dict[str, str]:
    """Return the inputs of the first example that pays, else the example of each input."""
    for example in book.examples.get("example", []):
        given = example.get("given", {})
        pays = "refusal" not in example.get("expect", {})
        if given and pays and all(map(book.takes, given)):
            return {key: str(value) for key, value in given.items()}
    return {public(i.name): i.example for i in book.inputs.values() if i.example}


def calculation(book: Rulebook, state: CalculatorState) -> Calculation:
    """Work it out; with amendments, also as published."""
    amended = amend(book, state.variant, state.changes)
    lists = run_amended(amended, lambda: _lists(amended, state))
    plain = _lists(book, state) if amended.amended else ()
    return Calculation(amended, state, lists, plain)


def _lists(book: Rulebook, state: CalculatorState) -> list[Awards]:
    fields = calculated_fields(book, state.given, state.ties)
    places = max((len(one.standings) for one in fields), default=0)
    if places > MOST_PLACES:
        raise InputError(
            "{places} places are paid; a page works out at most {most} of them",
            places=places,
            most=MOST_PLACES,
        )
    return calculate(book, state.given, state.ties)


# --- the form -----------------------------------------------------------------------------------


def controls(book: Rulebook, state: CalculatorState) -> tuple[list[Control], list[Control]]:
    """The fields that a form shows first, and the others."""
    examples = [e.get("given", {}) for e in book.examples.get("example", [])]
    often = Counter(key for given in examples for key in given)
    first = {*first_example(book), *(k for k, n in often.items() if n >= _OFTEN * len(examples))}
    asked = [i for i in book.inputs.values() if i.per in ("field", *_BELOW)]
    if book.text_hash not in _known_largest:
        _known_largest[book.text_hash] = {i.name: _largest(i, examples) for i in asked}
    largest = _known_largest[book.text_hash]
    made = {public(i.name): _control(i, state, largest[i.name]) for i in asked}
    main = [control for key, control in made.items() if key in first or key in state.given]
    slid = [c if c.name in first else replace(c, slider=None) for c in main]
    return slid, [replace(c, slider=None) for c in made.values() if c not in main]


def _control(asked: Input, state: CalculatorState, largest: Fraction) -> Control:
    key = public(asked.name)
    words = (*asked.words, *asked.named) if asked.type == "word" else ()
    kind = {"count": "number", "date": "date"}.get(asked.type, "text")
    below = asked.per in _BELOW
    if below:  # several at once are no one number
        words, kind, largest = (), "list", Fraction(0)
    return Control(
        name=key,
        label=titled(key),
        about=Message(_BELOW[asked.per], about=Message(asked.about)) if below else asked.about,
        value=state.given.get(key, ""),
        words=words,
        kind=kind if below or not asked.named else "text",
        placeholder=asked.default or asked.example,
        slider=None if words or not largest else _slider(asked, largest),
    )


_known_largest: dict[str, dict[str, Fraction]] = {}
"""The largest numbers in the examples of rulebooks, by the digests of their texts."""


def _largest(asked: Input, examples: Sequence[Mapping[str, Any]]) -> Fraction:
    """The largest number any example gives; 0 where none does."""
    key, numbers = public(asked.name), [Fraction(0)]
    for given in examples:
        if key in given and asked.type in ("count", "number"):
            # several may be given at once: 26,20
            parts = re.split(r"[+,;]", str(given[key]))
            numbers += [exact(text) for text in parts if text not in asked.named]
    return max(numbers)


def _slider(asked: Input, largest: Fraction) -> tuple[str, str, str]:
    """To twice what the examples reach, in steps one can aim at."""
    most = 2 * largest if asked.most is None else min(2 * largest, asked.most)
    step = Fraction(1) if asked.type == "count" or largest >= 100 else Fraction(1, 10)
    return show(asked.least or Fraction(0)), show(Fraction(int(most) + 1)), show(step)


# --- the curve ----------------------------------------------------------------------------------


def chart(done: Calculation) -> CurvePicture | None:
    """The awards by place, a curve for each list and rule; nothing where none is awarded."""
    named: dict[str, list[CurvePoint]] = {}
    for lists, label in ((done.lists, done.book.id if done.plain else ""), (done.plain, "")):
        for awards in lists:
            name = " ".join([*awards.field.label.values(), *([label] if label else [])])
            for award in awards.schedule:
                place = award.standing.place
                says = f"{place}: {award.shown}"
                named.setdefault(name, []).append(CurvePoint(place, float(award.amount), says))
    if not named:
        return None
    last = max(int(point.x) for points in named.values() for point in points)
    return curve_picture(list(named.items()), places_along(last))


T = TypeVar("T")
_LONGEST = 2000


def amend(book: Rulebook, variant: str, changes: Mapping[str, str]) -> Rulebook:
    """The rulebook as somebody would have it."""
    named = book.variant(variant) if variant else book
    return named.amend({key: text[:_LONGEST] for key, text in changes.items()})


def run_amended(amended: Rulebook, work: Callable[[], T]) -> T:
    """Do the work; a rule that its amendments make meaningless is the amender's to mend."""
    try:
        return work()
    except (ArithmeticError, ValueError) as error:
        if not amended.amended:
            raise
        raise InputError(Message("with these amendments the rule gives no number")) from error
