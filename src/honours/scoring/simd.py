"""Compares all scores of a board at once, in the lanes of a vector register.

Numba widens small numbers before it compares them, a few at a time; written in LLVM's own vectors,
a register holds sixteen 16-bit scores. Where nothing is compiled the plain function of
:mod:`honours.scoring.kernel` does the same, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, config, types
from numba.extending import intrinsic

from honours.scoring import kernel

_cg: Any = cgutils  # has no types

LANES = 16
"""Scores in an AVX2 register."""
WIDE = 4 * LANES
"""The most scores that are compared at once, in four registers; a group that is smaller, or what
is left of a larger one, is compared in as few as hold it."""


NEIGHBOURS = 32
"""How many numbers are compared at once with the one before each."""


def _comparing(registers: int) -> Callable[..., None]:
    """``sums[at : at + 16 · registers]`` is set to the sign sums of as many scores of a group; both
    arrays must have room for so many."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        scores_type, _, _, _, sums_type = signature.args
        scores, start, count, at, sums = arguments
        group = _element(context, builder, scores_type, scores, start)
        kind = ir.VectorType(group.type.pointee, LANES)
        nothing = ir.Constant(kind, None)
        firsts = [builder.add(at, ir.Constant(at.type, LANES * k)) for k in range(registers)]
        mine = [_load(builder, builder.gep(group, [first]), kind) for first in firsts]
        totals = [_cg.alloca_once_value(builder, nothing) for _ in firsts]
        for total in totals:
            builder.store(nothing, total)  # once an entry, not once a function
        with _cg.for_range(builder, count, intp=count.type) as loop:
            theirs = _everywhere(builder, builder.load(builder.gep(group, [loop.index])), kind)
            for own, total in zip(mine, totals, strict=True):
                # A comparison that holds is −1 in its lane. Taken off and added one by one: of
                # the difference of two LLVM makes choices by masks, which take twice as long.
                below = builder.sext(builder.icmp_signed("<", own, theirs), kind)
                above = builder.sext(builder.icmp_signed(">", own, theirs), kind)
                less = builder.sub(builder.load(total), above)
                builder.store(builder.add(less, below), total)
        for first, total in zip(firsts, totals, strict=True):
            target = _element(context, builder, sums_type, sums, first)
            place = builder.bitcast(target, kind.as_pointer())
            builder.store(builder.load(total), place, align=1)
        return context.get_dummy_value()

    def sign_sums(_: Any, scores: Any, start: Any, count: Any, at: Any, sums: Any) -> Any:  # noqa: ARG001
        return types.void(scores, types.int64, types.int64, types.int64, sums), code

    made: Callable[..., None] = intrinsic(sign_sums)
    return made


def _element(context: Any, builder: Any, kind: Any, array: Any, at: Any) -> Any:
    data = _cg.create_struct_proxy(kind)(context, builder, array).data
    return builder.gep(data, [at])


def _load(builder: Any, pointer: Any, kind: Any) -> Any:
    return builder.load(builder.bitcast(pointer, kind.as_pointer()), align=1)


def _everywhere(builder: Any, number: Any, kind: Any) -> Any:
    """One number in all lanes."""
    nothing = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), None)
    return builder.shuffle_vector(first, nothing, zeros)


def _neighbours(compared: str) -> Callable[..., bool]:
    """True if any of the 32 numbers from ``at`` on is so compared with the one before it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        here = _element(context, builder, array_type, *arguments)
        kind = ir.VectorType(here.type.pointee, NEIGHBOURS)
        before = builder.gep(here, [ir.Constant(ir.IntType(64), -1)])
        compare = builder.icmp_signed if array_type.dtype.signed else builder.icmp_unsigned
        any_of = compare(compared, _load(builder, here, kind), _load(builder, before, kind))
        bits = builder.bitcast(any_of, ir.IntType(NEIGHBOURS))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    def neighbours(_: Any, array: Any, at: Any) -> Any:  # noqa: ARG001
        return types.boolean(array, types.int64), code

    made: Callable[..., bool] = intrinsic(neighbours)
    return made


def _neighbours_plainly(compared: str) -> Callable[..., bool]:
    compare = {"<": np.less, "!=": np.not_equal}[compared]

    def neighbours(array: Any, at: int) -> bool:
        return bool(compare(array[at : at + NEIGHBOURS], array[at - 1 : at - 1 + NEIGHBOURS]).any())

    return neighbours


def _plainly(registers: int) -> Callable[..., None]:
    """A plain version of the lanes, where nothing is compiled."""

    def sign_sums(scores: Any, start: int, count: int, at: int, sums: Any) -> None:
        several = scores[start : start + count].tolist()
        own = [0] * count
        kernel.sign_sums(several, 0, count, own)
        end = min(at + LANES * registers, count)
        sums[at:end] = own[at:end]

    return sign_sums


_plain = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]  # set when imported
one, two, three, four = map(_plainly if _plain else _comparing, (1, 2, 3, 4))
falls, changes = map(_neighbours_plainly if _plain else _neighbours, ("<", "!="))
