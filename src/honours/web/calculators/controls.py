"""The fields of a form for the inputs and the numbers of any rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from honours.engine.numbers import exact, show
from honours.engine.rulebook import Parameter, Rulebook, most_amended
from honours.engine.rules import titled
from honours.errors import InputError

Slider = tuple[str, str, str]
_REACH = 2
"""A slider reaches twice what is published: as far as one can aim; the text may say more."""
_COUNTED = 10
"""A whole number of at least this is slid over whole numbers."""
_NOTCHES = 50


@dataclass(frozen=True, slots=True)
class Control:
    """One thing a form asks: ``words`` are its choices, ``slider`` (least, most, step), which
    stands ``at`` a number; ``clause`` is where a rule states it, so that it can be amended."""

    name: str
    label: str
    about: str
    value: str
    words: tuple[str, ...] = ()
    kind: str = "text"
    placeholder: str = ""
    slider: Slider | None = None
    at: str = ""
    clause: str = ""


def parameter_controls(
    book: Rulebook, changes: Mapping[str, str], prefix: str = "set."
) -> list[Control]:
    """Return a field for everything that can be amended: each number and word of the rule."""
    return [
        _parameter_control(parameter, changes.get(parameter.name, ""), prefix)
        for parameter in book.parameters.values()
        if isinstance(parameter.value, Fraction | str)
    ]


def _parameter_control(parameter: Parameter, change: str, prefix: str) -> Control:
    value = parameter.value
    number = value if isinstance(value, Fraction) else None
    return Control(
        name=prefix + parameter.name,
        label=titled(parameter.name),
        about=parameter.about,
        value=change,
        words=parameter.words,
        placeholder=published(parameter),
        slider=None if number is None else amending_slider(number),
        at="" if number is None else _position(change, number),
        clause=str(parameter.citation),
    )


def published(parameter: Parameter) -> str:
    """A number or word as the rule states it, exactly: a third as 1/3."""
    value = parameter.value
    if not isinstance(value, Fraction):
        return str(value)
    shown = show(value)
    return shown if exact(shown) == value else f"{value.numerator}/{value.denominator}"


def amending_slider(number: Fraction) -> Slider:
    """From nothing to twice the number, within what an amendment may be, in round steps."""
    most = min(_REACH * abs(number) or Fraction(1), most_amended(number))
    step = Fraction(1)
    if number.denominator == 1 and abs(number) >= _COUNTED:
        while most / step > 10 * _NOTCHES:
            step *= 10
    else:
        while most / step < _NOTCHES:
            step /= 10
    most = step * -(-most // step)  # a round figure at the end
    return show(-most if number < 0 else Fraction(0)), show(most), show(step)


def _position(change: str, number: Fraction) -> str:
    """Return the slider's position as a decimal: the number typed, else the published one."""
    try:
        return show(exact(change)) if change else show(number)
    except InputError:
        return show(number)
