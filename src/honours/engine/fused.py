"""One loop over fields, generated from the graph of a rulebook and compiled.

The own quantities of a field (:mod:`honours.engine.plan`) follow each other in one pass over its
players, entrants and places, calling the rule functions themselves; what is shared is looked up by
the field's shape. Rounding marks what is too near a boundary.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from honours.engine.award import AWARD
from honours.engine.case import aggregate
from honours.engine.compiled import BOUND
from honours.engine.memo import Memo, players_loop
from honours.engine.plan import Plan, Quantity
from honours.engine.rules import ENGINE_WORDS, Level, Rule

FIXED = (
    "first",
    "last",
    "shape_of",
    "skipped",
    "entrant_offsets",
    "player_offsets",
    "place",
    "tied",
    "paid_of",
    "curve_offsets",
    "widest",
    "deepest",
    "crowd",
    "out",
    "flag",
    "doubtful",
)
INDEX = {"entrant": "i", "player": "j", "place": "x"}
LOOPS = {"entrant": "for i in range(n):", "player": "for j in range(m):"}
ROW = {"entrant": "e0 + i", "player": "p0 + j"}

LARGEST = 2**30
"""An award of so many units does not fit where a loop puts awards: it is left to the exact way."""


class CannotFuse(Exception):
    """The graph has something the generated loop has no form for; the columns way has."""


@dataclass
class Source:
    """The text of the loop as it grows; ``wants`` are the arrays and numbers to be passed."""

    plan: Plan
    rounding: Callable[[Rule], tuple[str, Fraction]]
    numbers: Callable[[str], float | None]
    units: Mapping[tuple[str, Level], Fraction | None]
    keep: tuple[str, ...] = ()
    """Rounded quantities of the field whose units are wanted outside."""
    wants: dict[str, tuple[str, str]] = field(default_factory=dict)
    rules: dict[str, Callable[..., Any]] = field(default_factory=dict)
    body: list[str] = field(default_factory=list)
    group: Level = "field"
    lines: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    local: set[str] = field(default_factory=set)
    scratch: dict[str, Level] = field(default_factory=dict)
    memo: Memo | None = None
    keeps_rows: bool = False
    """Whether anything of a field's rows is kept while the field is worked out."""

    def want(self, kind: str, name: str) -> str:
        """The parameter of the loop that holds something; asked for once."""
        short = f"{kind}_{name}"
        self.wants[short] = (kind, name)
        return short

    def unit_of(self, name: str) -> Fraction:
        """The unit a rounded quantity of the field is a multiple of."""
        rule = next(q.rule for q in self.plan.own if q.name == name and q.rule)
        return self.rounding(rule)[1]

    # --- values in a loop -------------------------------------------------------------------

    def value(self, name: str, level: Level, rule: Rule) -> str:
        """How the loop writes an argument of a rule per ``level``."""
        if name == "previous":
            return f"s_{rule.name}[x - 1]"
        if name in ENGINE_WORDS:
            return "(x + 1.0)" if level == "place" else f"float({name}[e0 + i])"
        if self.plan.shared(name, level):
            return self._shared(name)
        if aggregate(name):
            return f"v_{name}" if level == "field" else self._row(name, level)
        own = self.plan.case.level(name)
        if not isinstance(self.plan.case.find(name), Rule):
            return self._fact(name, own, level)
        return f"v_{name}" if own == "field" else self._row(name, own, level)

    def _shared(self, name: str) -> str:
        if not aggregate(name) and self.plan.case.level(name) == "place":
            return f"{self.want('curve', name)}[o + x]"
        number = self.numbers(name)
        if number is not None:
            return self.want("number", name)
        return f"{self.want('shape', name)}[c]"

    def _row(self, name: str, own: Level, level: Level | None = None) -> str:
        if level not in (None, own):
            raise CannotFuse(f"{name} per {own} asked per {level}")
        if name in self.local:
            return f"l_{name}"
        return f"s_{name}[{INDEX[own]}]"

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

    # --- quantities -------------------------------------------------------------------------

    def add(self, quantity: Quantity) -> None:
        """Write what works out one quantity."""
        if quantity.rule is None:
            self._aggregate(quantity)
        elif quantity.level == "field":
            self._enter("field")
            self.body += self._rule(quantity.rule, f"v_{quantity.name}", "        ")
            if quantity.name in self.keep:
                kept = self.want("keep", quantity.name)
                self.body.append(f"        {kept}[f] = int(w) if w == w else 0")
        elif quantity.level == "place":
            self._place_rule(quantity.rule)
        else:
            self._enter(quantity.level)
            self.lines += self._rule(quantity.rule, f"l_{quantity.name}", "")
            self._keep(quantity.name, quantity.level)

    def _keep(self, name: str, level: Level) -> None:
        self.local.add(name)
        self.scratch[name] = level
        self.lines.append(f"s_{name}[{INDEX[level]}] = l_{name}")

    def _rule(self, rule: Rule, target: str, pad: str) -> list[str]:
        self.rules[f"r_{rule.function.__name__}"] = rule.function
        values = ", ".join(self.value(a, rule.per, rule) for a in rule.arguments)
        lines = [f"{target} = r_{rule.function.__name__}({values})"]
        return [pad + text for text in (*lines, *self._rounds(rule, target))]

    def _rounds(self, rule: Rule, target: str) -> list[str]:
        mark = "flag[e0 + i] = 1" if rule.per == "entrant" else "doubt = True"
        mode, unit = self.rounding(rule) if rule.rounds else ("", Fraction(0))
        if unit == 0:
            return [f"if {target} != {target}: doubt = True"]
        below = f" / {unit.numerator}.0" if unit.numerator > 1 else ""
        half = " + 0.5" if mode == "nearest" else ""
        whole = "np.ceil(t)" if mode == "up" else "np.floor(t)"
        return [
            f"t = {target} * {unit.denominator}.0{below}{half}",
            "w = np.rint(t)",
            f"if abs(t - w) > {BOUND!r} * max(1.0, abs(t)): w = {whole}",
            f"else: {mark}",
            f"{target} = w * {unit.numerator}.0 / {unit.denominator}.0",
            f"if {target} != {target}: doubt = True",
        ]

    def _place_rule(self, rule: Rule) -> None:
        self._enter("field")
        self.scratch[rule.name] = "place"
        start = 0
        if rule.starts:
            shared = self.plan.shared(rule.starts, "field")
            first = self._shared(rule.starts) if shared else f"v_{rule.starts}"
            self.body.append(f"        if paid > 0: s_{rule.name}[0] = {first}")
            start = 1
        self.body.append(f"        for x in range({start}, paid):")
        self.body += self._rule(rule, "y", "            ")
        self.body.append(f"            s_{rule.name}[x] = y")

    # --- many into one ----------------------------------------------------------------------

    def _aggregate(self, quantity: Quantity) -> None:
        wanted = aggregate(quantity.name)
        assert wanted is not None
        of = self.plan.case.level(wanted.of)
        if wanted.how == "covered_":
            self._covered(quantity.name, wanted.of)
        elif wanted.how == "rank_of_":
            self._rank(quantity.name, wanted.of)
        elif quantity.level == "field" and of != "place":
            self._over_field(quantity.name, wanted.how, wanted.of, of)
        elif quantity.level == "entrant" and of == "player":
            self._over_entrant(quantity.name, wanted.how, wanted.of)
        else:
            raise CannotFuse(quantity.name)

    def _covered(self, name: str, of: str) -> None:
        if self.plan.shared(of, "place"):
            array, base = self.want("totals", of), "o + c"
        else:
            self._enter("field")
            array, base = f"s_total_{of}", "0"
            self.scratch[f"total_{of}"] = "place"
            self.body += [
                f"        s_total_{of}[0] = 0.0",
                "        for x in range(paid):",
                f"            s_total_{of}[x + 1] = s_total_{of}[x] + s_{of}[x]",
            ]
        self._enter("entrant")
        self.lines += [
            *_COVERED,
            f"l_{name} = {array}[np.uint64({base} + b)] - {array}[np.uint64({base} + a)]",
        ]
        self._keep(name, "entrant")

    def _rank(self, name: str, of: str) -> None:
        self._enter("field")
        self.scratch[name] = "entrant"
        # Counting beats sorting for the sizes events have, and compiles in a tenth of the time.
        self.body += [
            "        for i in range(n):",
            "            above = 1",
            "            size = player_offsets[e0 + i + one] - player_offsets[e0 + i]",
            "            for j in range(n):",
            f"                above += s_{of}[j] > s_{of}[i]",
            f"                if s_{of}[j] == s_{of}[i] and j != i:",
            "                    other = player_offsets[e0 + j + one] - player_offsets[e0 + j]",
            "                    above += other < size or (other == size and j < i)",
            f"            s_{name}[i] = above",
        ]

    def _over_field(self, name: str, how: str, of: str, level: Level) -> None:
        many = "n" if level == "entrant" else "m"
        if how == "count_of_":
            self._enter("field")
            self.body.append(f"        v_{name} = float({many})")
            return
        if of not in self.local:
            self._enter("field")
            self._enter(level)
        value = self.value(of, level, Rule("", len, ""))
        self.before.append(f"        v_{name} = 0.0")
        self.lines.append(f"v_{name} += {value}")
        if how == "mean_of_":
            self.after.append(f"        v_{name} /= {many}")

    def _over_entrant(self, name: str, how: str, of: str) -> None:
        own = isinstance(self.plan.case.find(of), Rule)
        if own:
            self._enter("field")
        self._enter("entrant")
        span = (
            "np.uint64(player_offsets[e0 + i]) - p0, np.uint64(player_offsets[e0 + i + one]) - p0"
        )
        if how == "count_of_":
            self.lines.append(
                f"l_{name} = float(player_offsets[e0 + i + one] - player_offsets[e0 + i])"
            )
        else:
            value = f"s_{of}[j]" if own else self._fact(of, "player", "player")
            self.lines += [f"l_{name} = 0.0", f"for j in range({span}): l_{name} += {value}"]
        if how == "mean_of_":
            self.lines.append(f"l_{name} /= player_offsets[e0 + i + one] - player_offsets[e0 + i]")
        self._keep(name, "entrant")

    # --- loops ------------------------------------------------------------------------------

    def _enter(self, level: Level) -> None:
        """Go on in a loop over ``level``, closing one over another."""
        if level == self.group and level != "field" and not self.before:
            return  # a sum that is being made in this loop may be asked for only after it
        if self.lines:
            self.body += self.before
            self.body += self._loop()
            self.body += self.after
        self.lines, self.before, self.after, self.local = [], [], [], set()
        self.group = level

    def _loop(self) -> list[str]:
        lines = [f"            {text}" for text in self.lines]
        return [f"        {LOOPS[self.group]}", *lines]

    def finish(self) -> str:
        """The whole function, without what nobody reads."""
        self._enter("entrant")
        self.lines += [
            f"t = l_{AWARD} * scale",
            "w = np.rint(t)",
            f"if abs(t - w) <= 1e-3 and abs(w) < {LARGEST}: out[e0 + i] = int(w)",
            "else: doubt = True",
        ]
        self._skip_unpaid()
        self._enter("field")
        body = self._remembered(_without_unread(self.body))
        kept = [s for s in self.scratch if any(f"s_{s}[" in line for line in body)]
        self.keeps_rows = bool(kept)
        sizes = {"entrant": "widest", "player": "crowd", "place": "deepest"}
        made = [f"    s_{s} = np.empty({sizes[self.scratch[s]]} + 2)" for s in kept]
        head = f"def fused({', '.join((*FIXED, *self.wants))}):"
        return "\n".join([head, *made, *_PROLOGUE, *body, _EPILOGUE]) + "\n"

    def _skip_unpaid(self) -> None:
        """Let who is below the paid places have what the one before there had: it depends on
        nothing but how many share the place."""
        read = _without_unread(self.lines)
        text = "".join(line for line in read if line not in _COVERED)
        if _COVERED[0] not in self.lines or re.search(
            r"\bplace\[|\b(s|fact|curve)_|_offsets", text
        ):
            return
        self.before.append("        again, unpaid, near = 0, 0, 0")
        known = [
            "    out[e0 + i] = unpaid",
            "    if near: flag[e0 + i] = 1",
            "    continue",
        ]
        self.lines = [
            _COVERED[0],
            "if a == paid and tied[e0 + i] == again:",
            *known,
            *(line for line in read if line != _COVERED[0]),
            "if a == paid: again, unpaid, near = tied[e0 + i], out[e0 + i], flag[e0 + i]",
        ]

    def _remembered(self, body: list[str]) -> list[str]:
        """The body with the players' loop looking up what it has worked out before."""
        loop = players_loop(body)
        if loop is None or self.units.get((loop.name, "player")) is None:
            return body
        self.memo = loop.memo
        self.wants |= {"memo": ("memo", ""), "memo_of": ("memo_of", "")}
        return [*body[: loop.start], *loop.looking_up(), *body[loop.stop :]]


_COVERED = (
    "a = min(place[e0 + i] - 1, paid)",
    "b = min(place[e0 + i] - 1 + tied[e0 + i], paid)",
)
# Rows are unsigned, so that nothing looks whether an index is meant from the end.
_PROLOGUE = (
    "    one, two = np.uint64(1), np.uint64(2)",
    "    for f in range(first, last):",
    "        c = shape_of[f]",
    "        if skipped[c]: continue",
    "        e0 = np.uint64(entrant_offsets[f])",
    "        n = np.uint64(entrant_offsets[f + 1]) - e0",
    "        p0 = np.uint64(player_offsets[e0])",
    "        m = np.uint64(player_offsets[e0 + n]) - p0",
    "        paid = paid_of[c]",
    "        o = curve_offsets[c]",
    "        doubt = False",
)
_EPILOGUE = "        if doubt: doubtful[f] = True"


def _without_unread(body: list[str]) -> list[str]:
    """Drop what is stored for later where nobody asks later."""
    kept = []
    for line in body:
        stored = re.fullmatch(r"\s*s_(\w+)\[[ij]\] = l_\w+", line)
        name = f"s_{stored[1]}[" if stored else ""
        if not stored or any(name in other for other in body if other != line):
            kept.append(line)
    return kept
