"""One loop over fields, generated from the graph of a rulebook and compiled.

The quantities of a field's own (:mod:`honours.engine.compiled.plan`) are worked out in one pass
over its players, entrants and places, calling the rule functions themselves; shared quantities are
looked up by the field's shape. Rounding marks values too near a boundary.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from honours.engine.aggregates import Fold
from honours.engine.compiled.emitting import in_operations, is_rational
from honours.engine.compiled.loop_values import INDEX, CannotFuse, LoopValues
from honours.engine.compiled.memo import FieldLoop, LoopStore, LoopSum
from honours.engine.compiled.plan import Quantity
from honours.engine.compiled.rounding import BOUND
from honours.engine.graph import AWARD, OperationKind
from honours.engine.rounding import WAYS
from honours.engine.rules import Level, Rule

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
    "refused",
)
LARGEST = 2**30
"""An award of this many units does not fit where a loop stores awards, so it is left to the
exact way."""


@dataclass
class LoopSource(LoopValues):
    """The text of the loop as it grows."""

    # --- quantities -------------------------------------------------------------------------

    def add(self, quantity: Quantity) -> None:
        """Write the code that works out one quantity."""
        rule = quantity.operation.rule
        if rule is None:
            self._aggregate(quantity)
        elif rule.tabulated and not self.on_fractions_alone(rule):
            raise CannotFuse(f"{rule.name} is tabulated")  # floats must not occur there
        elif quantity.level == "field":
            self._field_rule(rule)
        elif quantity.level == "place":
            self._place_rule(rule)
        else:
            self._enter(quantity.level)
            self._member_rule(rule)

    def refuse(self, rule: Rule) -> None:
        """Write the code that checks a refusal of the field and moves on to the next field if it
        applies."""
        self._enter("field")
        if all(self.is_exact(a, "field") for a in rule.arguments) and is_rational(rule.function):
            lines = self._exact_rule(rule, "no")
            lines += ["if no[1] == 0: doubt = True", "holds = no[0] != 0"]
        else:
            lines = self._nudged(rule)
        lines += ["if doubt:", "    doubtful[f] = True", "    continue"]
        lines += ["if holds:", "    refused[f] = True", "    continue"]
        self.body += [f"        {line}" for line in lines]

    def _nudged(self, rule: Rule) -> list[str]:
        """A refusal on floats, in doubt if a slightly larger or smaller value would change the
        outcome."""
        called = f"r_{rule.function.__name__}"
        self.rules[called] = rule.function
        values = [self.value(a, "field", rule.name) for a in rule.arguments]
        inexact = [i for i, a in enumerate(rule.arguments) if not self.is_exact(a, "field")]
        if not inexact:
            raise CannotFuse(f"{rule.name} takes powers of what is exact")
        lines = [f"holds = {called}({', '.join(values)}) != 0"]
        for i in inexact:
            for nudge in (1 - BOUND, 1 + BOUND):
                moved = ", ".join([*values[:i], f"{values[i]} * {nudge!r}", *values[i + 1 :]])
                lines.append(f"if ({called}({moved}) != 0) != holds: doubt = True")
        return lines

    def _field_rule(self, rule: Rule) -> None:
        self._enter("field")
        name, unit = rule.name, self.rounding(rule)[1] if rule.rounds else Fraction(0)
        if self.on_fractions_alone(rule):
            lines = [*self._exact_rule(rule, f"x_{name}"), f"v_{name} = as_float(x_{name})"]
            lines.append(f"if v_{name} != v_{name}: doubt = True")
            self.body += [f"        {line}" for line in lines]
            units = f"np.int64(np.rint(v_{name} * {unit.denominator}.0 / {unit.numerator or 1}.0))"
            whole = f"{units} if v_{name} == v_{name} else 0"
        else:
            self.body += self._rule(rule, f"v_{name}", "        ")
            whole = "np.int64(w) if w == w else 0"
        if unit:
            self.body.append(f"        u_{name} = {whole}")
        if name in self.keep:
            self.body.append(f"        {self.want('keep', name)}[f] = u_{name}")

    def _member_rule(self, rule: Rule) -> None:
        if self._made_of_fractions(rule.name):
            self.group.lines += self._exact_rule(rule, f"x_{rule.name}")
            self._keep_pair(rule.name, rule.per)
        else:
            self.group.lines += self._rule(rule, f"l_{rule.name}", "")
            self._keep(rule.name, rule.per)

    def _keep(self, name: str, level: Level) -> None:
        self.group.local.add(name)
        self.scratch[name] = level
        self.group.lines.append(LoopStore(name, f"s_{name}[{INDEX[level]}] = l_{name}"))

    def _keep_pair(self, name: str, level: Level) -> None:
        self.group.local.add(name)
        for nth, end in enumerate(("above", "below")):
            kept = f"{name}__{end}"
            self.scratch[kept] = level
            self.group.lines.append(LoopStore(kept, f"s_{kept}[{INDEX[level]}] = x_{name}[{nth}]"))

    def _rule(self, rule: Rule, target: str, pad: str) -> list[str]:
        self.rules[f"r_{rule.function.__name__}"] = rule.function
        self.group.rules.add(f"r_{rule.function.__name__}")
        values = ", ".join(self.value(a, rule.per, rule.name) for a in rule.arguments)
        lines = [f"{target} = r_{rule.function.__name__}({values})"]
        return [pad + text for text in (*lines, *self._rounds(rule, target))]

    def _exact_rule(self, rule: Rule, target: str) -> list[str]:
        """A rule on fractions; values that do not fit are left to the exact way."""
        called = f"q_{rule.function.__name__}"
        text = in_operations(rule.function, called)
        assert text is not None
        self.on_fractions[called] = text
        values = ", ".join(self.pair(a, rule.per, rule.name) for a in rule.arguments)
        lines = [f"{target} = {called}({values})"]
        mode, unit = self.rounding(rule) if rule.rounds else ("", Fraction(0))
        if unit:
            multiple = f"({unit.numerator}, {unit.denominator})"
            lines.append(f"{target} = to_units({target}, {_way(mode)}, {multiple})")
        return lines

    def _rounds(self, rule: Rule, target: str) -> list[str]:
        mark = "flag[e0 + i] = 1" if rule.per == "entrant" else "doubt = True"
        mode, unit = self.rounding(rule) if rule.rounds else ("", Fraction(0))
        if unit == 0:
            return [f"if {target} != {target}: doubt = True"]
        units = f"{_way(mode)}, {unit.numerator}.0, {unit.denominator}.0"
        return [
            f"w, near_it = float_units({target}, {units})",
            f"if near_it: {mark}",
            f"{target} = w * {unit.numerator}.0 / {unit.denominator}.0",
            f"if {target} != {target}: doubt = True",
        ]

    def _place_rule(self, rule: Rule) -> None:
        self._enter("field")
        name = rule.name
        if self._made_of_fractions(name):
            self._exact_places(rule)
            return
        self.scratch[name] = "place"
        if rule.starts:
            shared = self.plan.shared(rule.starts, "field")
            first = self._shared(rule.starts) if shared else self._own(rule.starts)
            self.body.append(f"        if paid > 0: {self._kept(name, '0')} = {first}")
        self.body.append(f"        for x in range({1 if rule.starts else 0}, paid):")
        self.body += self._rule(rule, "y", "            ")
        self.body.append(f"            s_{name}[x] = y")

    def _exact_places(self, rule: Rule) -> None:
        ends = [f"s_{rule.name}__{end}" for end in ("above", "below")]
        self.scratch |= {f"{rule.name}__above": "place", f"{rule.name}__below": "place"}
        if rule.starts:
            first = self.pair(rule.starts, "field")
            self.body.append(f"        if paid > 0: {ends[0]}[0], {ends[1]}[0] = {first}")
        self.body.append(f"        for x in range({1 if rule.starts else 0}, paid):")
        self.body += [f"            {line}" for line in self._exact_rule(rule, "y")]
        self.body.append(f"            {ends[0]}[x], {ends[1]}[x] = y")

    # --- many into one ----------------------------------------------------------------------

    def _aggregate(self, quantity: Quantity) -> None:
        (of,), level = quantity.operation.reads, self.plan.graph.level(quantity.operation.reads[0])
        wanted = quantity.operation.aggregate
        fold = wanted.fold if wanted else None
        if quantity.operation.kind is OperationKind.COVERED:
            self._covered(quantity.name, of)
        elif quantity.operation.kind is OperationKind.RANK and level == "entrant":
            self._rank(quantity.name, of)
        elif fold is None or fold.best:
            raise CannotFuse(quantity.name)
        elif quantity.level == "field" and level != "place":
            self._over_field(quantity.name, fold, of, level)
        elif quantity.level == "entrant" and level == "player":
            self._over_entrant(quantity.name, fold, of)
        else:
            raise CannotFuse(quantity.name)

    def _covered(self, name: str, of: str) -> None:
        if self.is_exact(name, "entrant"):
            self._exactly_covered(name, of)
            return
        if self.plan.shared(of, "place"):
            array, base = self.want("totals", of), "o + c"
        else:
            self._enter("field")
            array, base = f"s_total_{of}", "0"
            self.scratch[f"total_{of}"] = "place"
            self.body += [
                f"        {self._kept(f'total_{of}', '0')} = 0.0",
                "        for x in range(paid):",
                f"            s_total_{of}[x + 1] = s_total_{of}[x] + {self._kept(of, 'x')}",
            ]
        self._enter("entrant")
        self.group.covers = True
        self.group.lines += [
            f"l_{name} = {array}[np.uint64({base} + b)] - {array}[np.uint64({base} + a)]",
        ]
        self._keep(name, "entrant")

    def _exactly_covered(self, name: str, of: str) -> None:
        self._enter("entrant")
        first, more = (self.pair(of, "place", at=at) for at in ("a", "x"))
        self.group.covers = True
        self.group.lines += [
            f"x_{name} = (np.int64(0), np.int64(1))",
            "if b > a:",
            f"    x_{name} = {first}",
            f"    for x in range(a + 1, b): x_{name} = plus(x_{name}, {more})",
        ]
        self._keep_pair(name, "entrant")

    def _rank(self, name: str, of: str) -> None:
        if self._made_of_fractions(of):
            raise CannotFuse(f"{name}: ranked by fractions")
        if self.operation(of, "entrant").rule is None or self.plan.shared(of, "entrant"):
            raise CannotFuse(f"{name}: ranked by what the loop does not work out")
        self._enter("field")
        self.scratch[name] = "entrant"
        here, there = self._kept(of, "i"), self._kept(of, "j")
        # Counting beats sorting for the sizes events have, and compiles in a tenth of the time;
        # those with others near by, which are rare, are looked at once more.
        self.body += [
            "        for i in range(n):",
            f"            bound = {BOUND!r} * max(1.0, abs({here}))",
            f"            low, high = {here} - bound, {here} + bound",
            "            above, reached = 1, 0",
            "            for j in range(n):",
            f"                above += {there} > high",
            f"                reached += {there} >= low",
            "            if reached > above:",  # more than it alone is within the bound
            "                size_i = player_offsets[e0 + i + one] - player_offsets[e0 + i]",
            "                for j in range(n):",
            f"                    if j != i and low <= {there} <= high:",
            "                        other = player_offsets[e0 + j + one] - player_offsets[e0 + j]",
            "                        above += other < size_i or (other == size_i and j < i)",
            f"                        if {there} != {here}: doubt = True",
            f"            s_{name}[i] = above",
        ]

    def _over_field(self, name: str, fold: Fold, of: str, level: Level) -> None:
        many = "n" if level == "entrant" else "m"
        if fold.counts:
            self._enter("field")
            self.body.append(f"        v_{name} = float({many})")
            return
        if of not in self.group.local:
            self._enter("field")
            self._enter(level)
        value = self.value(of, level)
        self.group.sums.append(LoopSum(f"v_{name}", value))
        if fold.mean:
            self.group.after.append(f"        v_{name} /= {many}")

    def _over_entrant(self, name: str, fold: Fold, of: str) -> None:
        own = self.operation(of, "player").rule is not None
        if own:
            self._enter("field")
        self._enter("entrant")
        span = (
            "np.uint64(player_offsets[e0 + i]) - p0, np.uint64(player_offsets[e0 + i + one]) - p0"
        )
        if fold.counts:
            self.group.lines.append(
                f"l_{name} = float(player_offsets[e0 + i + one] - player_offsets[e0 + i])"
            )
        else:
            value, scaled = (self._kept(of, "j"), "") if own else self._whole_fact(of)
            each = LoopSum(f"l_{name}", value)
            self.group.lines += [each.begins, f"for j in range({span}): {each.goes_on}"]
            if scaled:  # whole numbers, so that equal sums are equal floats
                self.group.lines.append(f"l_{name} = {scaled.format(f'l_{name}')}")
        if fold.mean:
            many = "player_offsets[e0 + i + one] - player_offsets[e0 + i]"
            self.group.lines.append(f"l_{name} /= {many}")
        self._keep(name, "entrant")

    # --- loops ------------------------------------------------------------------------------

    def _enter(self, level: Level) -> None:
        """Continue in a loop over ``level``, closing any other loop."""
        if level == self.group.level and level != "field" and not self.group.sums:
            return  # a sum made in this loop is available only after it
        if self.group.lines or self.group.sums:
            self.body.append(self.group)
        self.group = FieldLoop(level)

    def finish(self) -> str:
        """The complete function, without quantities that nothing reads."""
        self._enter("entrant")
        self.group.lines += self._paid()
        self.group.skips = self.plan.same_below_paid()
        self._enter("field")
        players = [g for g in self.body if isinstance(g, FieldLoop) and g.level == "player"]
        fact = self.plan.remembered() if len(players) == 1 else None
        if fact and self.units.get((fact, "player")) is not None:
            self.memo = players[0]
            self.wants |= {"memo": ("memo", ""), "memo_of": ("memo_of", "")}
        body: list[str] = []
        for part in self.body:
            body += (
                part.text(self.read, part is self.memo) if isinstance(part, FieldLoop) else [part]
            )
        sizes = {"entrant": "widest", "player": "crowd", "place": "deepest"}
        made = [
            f"    s_{s} = np.empty({sizes[self.scratch[s]]} + 2{_kind(s)})"
            for s in self.scratch
            if s in self.read
        ]
        head = f"def fused({', '.join((*FIXED, *self.wants))}):"
        return "\n".join([head, *made, *_PROLOGUE, *body, _EPILOGUE]) + "\n"

    def _paid(self) -> list[str]:
        """The code that stores an entrant's award, in whole units of the scale."""
        if self.is_exact(AWARD, "entrant"):
            return [
                f"t, d = x_{AWARD}",
                "w = t * iscale // d if d != 0 and abs(t) < 1 << 40 else 0",
                f"if d != 0 and w * d == t * iscale and abs(w) < {LARGEST}: out[e0 + i] = w",
                "else: flag[e0 + i] = 1",
            ]
        return [
            f"t = l_{AWARD} * scale",
            "w = np.rint(t)",
            f"if abs(t - w) <= 1e-3 and abs(w) < {LARGEST}: out[e0 + i] = int(w)",
            "else: doubt = True",
        ]


def _way(mode: str) -> str:
    return f"{WAYS[mode].sign}, {WAYS[mode].halves}"


def _kind(scratch: str) -> str:
    return ", np.int64" if scratch.endswith(("__above", "__below")) else ""


# Row numbers are unsigned, so that no code checks for negative indices.
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
