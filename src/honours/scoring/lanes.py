"""Compares all scores of a board at once, in the lanes of a vector register.

Numba widens small numbers before it compares them, a few at a time; written in LLVM's own vectors,
a register holds sixteen 16-bit scores. Where nothing is compiled the plain function of
:mod:`honours.scoring.kernel` does the same, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, config, types
from numba.extending import intrinsic

from honours.scoring import kernel

_cg: Any = cgutils  # has no types

WIDE, NARROW = 32, 16
"""How many scores are compared at once: two AVX2 registers, or one for a small board."""


def _comparing(width: int) -> Callable[..., None]:
    """``sums[at : at + width]`` is set to the sign sums of as many scores of a group; both arrays
    must have room for so many."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        scores_type, _, _, _, sums_type = signature.args
        scores, start, count, at, sums = arguments
        group = _element(context, builder, scores_type, scores, start)
        kind = ir.VectorType(group.type.pointee, width)
        mine = _load(builder, builder.gep(group, [at]), kind)
        total = _cg.alloca_once_value(builder, ir.Constant(kind, None))
        builder.store(ir.Constant(kind, None), total)  # once an entry, not once a function
        with _cg.for_range(builder, count, intp=count.type) as loop:
            theirs = _everywhere(builder, builder.load(builder.gep(group, [loop.index])), kind)
            # A comparison that holds is −1 in its lane.
            below = builder.sext(builder.icmp_signed("<", mine, theirs), kind)
            above = builder.sext(builder.icmp_signed(">", mine, theirs), kind)
            builder.store(builder.add(builder.load(total), builder.sub(below, above)), total)
        target = _element(context, builder, sums_type, sums, at)
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


def _falling(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    array_type = signature.args[0]
    here = _element(context, builder, array_type, *arguments)
    kind = ir.VectorType(here.type.pointee, WIDE)
    before = builder.gep(here, [ir.Constant(ir.IntType(64), -1)])
    compare = builder.icmp_signed if array_type.dtype.signed else builder.icmp_unsigned
    falls = compare("<", _load(builder, here, kind), _load(builder, before, kind))
    bits = builder.bitcast(falls, ir.IntType(WIDE))
    return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))


def _falls(_: Any, array: Any, at: Any) -> Any:  # noqa: ARG001
    """Whether any of the 32 numbers from ``at`` on is below the one before it."""
    return types.boolean(array, types.int64), _falling


def _falls_plainly(array: Any, at: int) -> bool:
    return bool((array[at : at + WIDE] < array[at - 1 : at - 1 + WIDE]).any())


def _plainly(width: int) -> Callable[..., None]:
    """What the lanes do, where nothing is compiled."""

    def sign_sums(scores: Any, start: int, count: int, at: int, sums: Any) -> None:
        several = scores[start : start + count].tolist()
        found = [0] * count
        kernel.sign_sums(several, 0, count, found)
        sums[at : min(at + width, count)] = found[at : at + width]

    return sign_sums


_plain = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]  # set when imported
sixteen = (_plainly if _plain else _comparing)(NARROW)
thirty_two = (_plainly if _plain else _comparing)(WIDE)
falls: Callable[..., bool] = _falls_plainly if _plain else intrinsic(_falls)
