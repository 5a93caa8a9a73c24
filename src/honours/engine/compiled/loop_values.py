"""How a generated loop writes the arguments of a rule: as floats, or as fractions of whole numbers.

Given, whole and rounded values are fractions, and so is everything computed from them by rules
without powers or logarithms: none of that is ever in doubt. The rest is floats, with an error
bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from honours.engine.compiled.emitting import is_rational
from honours.engine.compiled.memo import FieldLoop
from honours.engine.compiled.plan import LoopPlan
from honours.engine.graph import Operation, OperationKind
from honours.engine.rules import Level, Rule

INDEX = {"entrant": "i", "player": "j", "place": "x"}
ROW = {"entrant": "e0 + i", "player": "p0 + j"}


class CannotFuse(Exception):
    """The graph contains something that the generated loop cannot express but columns can."""


@dataclass
class LoopValues:
    """The text of the loop as it grows; ``wants`` are the arrays and numbers to be passed."""

    plan: LoopPlan
    rounding: Callable[[Rule], tuple[str, Fraction]]
    numbers: Callable[[str], float | None]
    units: Mapping[tuple[str, Level], Fraction | None]
    exact: Callable[[str, Level], bool]
    """Whether a shared quantity is known as fractions."""
    keep: tuple[str, ...] = ()
    """Rounded quantities of the field whose units are wanted outside."""
    wants: dict[str, tuple[str, str]] = field(default_factory=dict)
    rules: dict[str, Callable[..., Any]] = field(default_factory=dict)
    on_fractions: dict[str, str] = field(default_factory=dict)
    body: list[str | FieldLoop] = field(default_factory=list)
    group: FieldLoop = field(default_factory=lambda: FieldLoop("field"))
    scratch: dict[str, Level] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    """Which values of a field's rows are read after the loop that worked them out."""
    memo: FieldLoop | None = None
    _exact: dict[tuple[str, Level], bool] = field(default_factory=dict)

    @property
    def keeps_rows(self) -> bool:
        """Whether any rows of a field are stored while the field is worked out."""
        return bool(self.read)

    def want(self, kind: str, name: str) -> str:
        """The loop's parameter for an array or number; each is requested once."""
        short = f"{kind}_{name}"
        self.wants[short] = (kind, name)
        self.group.wants.add((kind, name))
        return short

    def unit_of(self, name: str) -> Fraction:
        """The unit a rounded quantity of the field is a multiple of."""
        rule = self.operation(name, "field").rule
        assert rule is not None
        return self.rounding(rule)[1]

    def rounds(self, name: str) -> bool:
        """Whether a quantity of the field is rounded."""
        rule = self.operation(name, "field").rule
        return rule is not None and rule.rounds is not None and self.rounding(rule)[1] != 0

    def operation(self, name: str, level: Level) -> Operation:
        return self.plan.graph.operation(name, level)

    # --- what is worked out in fractions -------------------------------------------------------

    def is_exact(self, name: str, level: Level) -> bool:
        """Whether the loop has this argument of a rule per ``level`` as a fraction: it is given,
        whole or rounded, or computed from such values by a rule without powers or logarithms."""
        key = (name, level)
        if key not in self._exact:
            self._exact[key] = True  # a quantity per place may read its own value one place above
            self._exact[key] = self._is_exact(name, level)
        return self._exact[key]

    def _is_exact(self, name: str, level: Level) -> bool:
        operation = self.operation(name, level)
        if operation.kind in (OperationKind.STANDING, OperationKind.ABOVE):
            return True
        if self.plan.shared(name, level):
            return self.exact(name, level)
        if operation.kind is OperationKind.COVERED:
            return self.is_exact(operation.reads[0], "place")
        rule = operation.rule
        if rule is None:
            return False
        rounded = rule.rounds is not None and self.rounding(rule)[1] != 0
        if rule.per == "field" and rounded:
            return True
        return rule.per != "player" and self.on_fractions_alone(rule)

    def on_fractions_alone(self, rule: Rule) -> bool:
        """Whether a rule can be worked out on fractions: none of its arguments is a float."""
        if not is_rational(rule.function):
            return False
        above = ((rule.starts, "field"),) if rule.starts else ()
        return all(
            self.is_exact(n, lv) for n, lv in ((a, rule.per) for a in rule.arguments)
        ) and all(self.is_exact(n, "field") for n, _ in above)

    def pair(self, name: str, level: Level, asks: str = "", at: str = "x") -> str:
        """How the loop writes an argument of the quantity that ``asks``, as a fraction."""
        operation = self.operation(name, level)
        if operation.kind is OperationKind.ABOVE:
            return self._pair_at(asks, "x - 1")
        if operation.kind is OperationKind.STANDING:
            return f"(np.int64({_standing(name, level)}), 1)"
        if self.plan.shared(name, level):
            return self._shared_pair(name, at)
        if operation.aggregate:
            return f"x_{name}" if name in self.group.local else self._pair_at(name, "i")
        own = operation.per
        if own == "field" and not self.rounds(name):
            return f"x_{name}"
        if own == "field":
            unit = self.unit_of(name)
            return f"(u_{name} * {unit.numerator}, {unit.denominator})"
        if own == "place":
            return self._pair_at(name, at)
        return f"x_{name}" if name in self.group.local else self._pair_at(name, INDEX[own])

    def _pair_at(self, name: str, at: str) -> str:
        self.read |= {f"{name}__above", f"{name}__below"}
        return f"(s_{name}__above[{at}], s_{name}__below[{at}])"

    def _shared_pair(self, name: str, at: str) -> str:
        operation = self.operation(name, "field")
        if not operation.aggregate and operation.per == "place":
            above, below = (self.want("curve", f"{name}__{end}") for end in ("above", "below"))
            return f"({above}[o + {at}], {below}[o + {at}])"
        if self.numbers(name) is not None:
            return self.want("pair", name)
        above, below = (self.want("shape", f"{name}__{end}") for end in ("above", "below"))
        return f"({above}[c], {below}[c])"

    # --- values in a loop -------------------------------------------------------------------

    def value(self, name: str, level: Level, asks: str = "") -> str:
        """How the loop writes an argument, per ``level``, of the quantity that ``asks``."""
        operation = self.operation(name, level)
        if operation.kind is OperationKind.ABOVE:
            return self._kept(asks, "x - 1")
        if operation.kind is OperationKind.STANDING:
            return f"float({_standing(name, level)})"
        if self.plan.shared(name, level):
            return self._shared(name)
        if self._made_of_fractions(name):
            return f"as_float({self.pair(name, level, asks)})"
        if operation.aggregate:
            return self._own(name) if level == "field" else self._row(name, level)
        own = operation.per
        if operation.rule is None:
            return self._fact(name, own, level)
        return self._own(name) if own == "field" else self._row(name, own, level)

    def _made_of_fractions(self, name: str) -> bool:
        """Whether a quantity per place or entrant is stored as a fraction."""
        operation = self.operation(name, "entrant")
        if operation.aggregate:
            return operation.kind is OperationKind.COVERED and self.is_exact(name, "entrant")
        own = operation.per
        return own in ("place", "entrant") and self.is_exact(name, own)

    def _own(self, name: str) -> str:
        return f"v_{name}"

    def _shared(self, name: str) -> str:
        operation = self.operation(name, "field")
        if not operation.aggregate and operation.per == "place":
            return f"{self.want('curve', name)}[o + x]"
        number = self.numbers(name)
        if number is not None:
            return self.want("number", name)
        return f"{self.want('shape', name)}[c]"

    def _row(self, name: str, own: Level, level: Level | None = None) -> str:
        if level not in (None, own):
            raise CannotFuse(f"{name} per {own} asked per {level}")
        if name in self.group.local:
            return f"l_{name}"
        return self._kept(name, INDEX[own])

    def _kept(self, name: str, at: str) -> str:
        self.read.add(name)
        return f"s_{name}[{at}]"

    def _whole_fact(self, name: str) -> tuple[str, str]:
        """A fact of players in its units, and how to turn that into its value; nothing if it has
        no units."""
        value, unit = self._fact(name, "player", "player"), self.units.get((name, "player"))
        if unit is None:
            return value, ""
        whole = f"float({self.want('fact', name)}[{ROW['player']}])"
        return whole, f"({{}} * {unit.numerator}.0 / {unit.denominator}.0)"

    def _fact(self, name: str, own: Level, level: Level) -> str:
        at = own if (name, own) in self.units else level
        if (name, at) not in self.units or at != level:
            raise CannotFuse(f"{name} per {own} asked per {level}")
        array = f"{self.want('fact', name)}[{ROW[level]}]"
        unit = self.units[name, at]
        if unit is None:
            return array
        return (
            f"({array} * {unit.numerator} / {unit.denominator})"
            if unit.numerator > 1
            else (f"({array} / {unit.denominator}.0)")
        )


def _standing(name: str, level: Level) -> str:
    """The place, or how many share it, which is one for a place by itself."""
    if level == "place":
        return "x + 1" if name == "place" else "1"
    return f"{name}[e0 + i]"
