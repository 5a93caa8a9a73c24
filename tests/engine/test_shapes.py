"""Shapes, memories and columns: the parts of the compiled way."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honours.engine.compiled.batch import Batch
from honours.engine.compiled.column import NotInColumns, QuantityColumn, constant
from honours.engine.compiled.memo import MOST_ROWS, NO_ROW, VALUES_A_ROW, FactMemory
from honours.engine.compiled.shapes import KnownShapes, ShapeNumbers, ShapeTable, distinct
from honours.model import Field

# --- the parts ------------------------------------------------------------------------------------


def test_the_first_of_each_distinct_row() -> None:
    small = [np.array([3, 1, 3, 1, 2]), np.array([0, 5, 0, 6, 0])]
    wide = [column.astype(np.int64) * 2**33 for column in small]
    many = [np.array([3, 1, 3, 1, 2]) * 2**30, *small, *(c * 2**20 for c in small)]
    broad = [column * 2**28 for column in (small[0], small[1], small[0], small[1])]
    narrow = [np.array([9, -9, 9, -9, 127], np.int8), np.array([0, 250, 0, 255, 0], np.uint8)]
    for columns in (small, wide, many, broad, narrow):
        first, of = distinct(columns, 5)
        rows = list(zip(*columns, strict=True))
        assert len(first) == len(set(rows)) == 4
        assert [rows[first[i]] for i in of] == rows
        assert all(rows.index(rows[i]) == i for i in first)
    first, of = distinct([], 3)
    assert (first.tolist(), of.tolist()) == ([0], [0, 0, 0])


def test_the_first_of_many_rows_is_found_in_any_block() -> None:
    """A key that comes late, one that comes again in a later block, and some below nought."""
    rows = 2 * 2**15 + 7
    column = np.arange(rows) % 5 - 2
    column[-3:] = 9
    first, of = distinct([column], rows)
    assert first.tolist() == [0, 1, 2, 3, 4, rows - 3]
    assert (column[first][of] == column).all()


def test_a_shape_keeps_its_number_from_batch_to_batch() -> None:
    def batch(*tables: str, kind: str = "a") -> Batch:
        fields = [Field({"tables": Fraction(t), "kind": kind}) for t in tables]
        return Batch.of(fields, [])

    register = ShapeNumbers(("tables", "kind"))
    of, new = register.number(batch("3", "4.5", "3"))
    assert (of.tolist(), new.tolist()) == ([0, 1, 0], [0, 1])
    of, new = register.number(batch("4.5", "7"))
    assert (of.tolist(), new.tolist()) == ([1, 2], [1])
    register.forget(1)
    of, new = register.number(batch("8", "3"))
    assert (of.tolist(), new.tolist()) == ([2, 0], [0])
    floats = replace(batch("3"), facts={"field": {"tables": QuantityColumn(np.array([0.5]))}})
    assert register.number(floats)[0].tolist() == [3]


_facts = st.integers(-1, 3) | st.sampled_from([2**20 - 1, 2**20, 2**40])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.tuples(_facts, st.integers(0, 9)), min_size=1), min_size=1, max_size=6))
def test_shapes_are_numbered_alike_whether_a_table_knows_them_or_not(
    batches: list[list[tuple[int, int]]],
) -> None:
    """Each batch is numbered twice: the second time everything in it is known."""
    register, numbers = ShapeNumbers(("a", "b")), dict[tuple[int, int], int]()
    for shapes in batches:
        columns = {
            name: QuantityColumn.in_units(np.array(values), Fraction(1))
            for name, values in zip("ab", zip(*shapes, strict=True), strict=True)
        }
        batch = replace(
            Batch.of([Field({})], []),
            facts={"field": columns},
            entrant_offsets=np.zeros(len(shapes) + 1, np.int64),
        )
        fresh = [shape for shape in dict.fromkeys(shapes) if shape not in numbers]
        of, new = register.number(batch)
        assert {shapes[row] for row in new} == {*fresh}
        numbers |= {shapes[row]: int(of[row]) for row in new}
        again, none = register.number(batch)
        assert of.tolist() == again.tolist() == [numbers[shape] for shape in shapes]
        assert not len(none)
    assert sorted(numbers.values()) == list(range(len(numbers)))


def test_a_table_of_shapes_finds_what_it_has_learnt_and_nothing_else() -> None:
    table = ShapeTable()
    table.learn({(3, 0): 0, (500, 2): 1})
    assert table.look_up([np.array([500, 3]), np.array([2, 0])], 2).tolist() == [1, 0]  # type: ignore[union-attr]
    for unknown in ((3, 2), (4, 0), (501, 0), (-1, 0)):
        assert table.look_up([np.array([3, unknown[0]]), np.array([0, unknown[1]])], 2) is None
    table.learn({(k, k): k for k in range(2**13 + 1)})  # too many: what was learnt stays
    assert table.look_up([np.array([1]), np.array([1])], 1) is None
    assert table.look_up([np.array([3]), np.array([0])], 1).tolist() == [0]  # type: ignore[union-attr]


def test_what_is_known_of_more_shapes_is_put_behind() -> None:
    def known(places: list[int], **arrays: list[float]) -> KnownShapes:
        no = np.zeros(len(places), np.bool_)
        named = {(kind, "x"): np.array(values) for kind, values in arrays.items()}
        return KnownShapes(no, no, np.array(places), named)

    same = known([1], shape=[1.0]).and_then(known([2], shape=[4.0]))
    assert same.arrays["shape", "x"].tolist() == [1, 4]
    both = known([2, 1], shape=[1.0, 2.0]).and_then(known([1], curve=[5.0], totals=[0.0, 5.0]))
    assert both.places.tolist() == [2, 1, 1]
    assert both.offsets.tolist() == [0, 2, 3, 4]
    assert {kind: a.tolist() for (kind, _), a in both.arrays.items()} == {
        "shape": [1, 2, 0],
        "curve": [0, 0, 0, 5],
        "totals": [0, 0, 0, 0, 0, 0, 5],
    }


def test_a_memory_grows_and_is_empty_again() -> None:
    memory = FactMemory()
    assert [memory.row((float(n),)) for n in (7, 8, 7, 9, 10)] == [0, 1, 0, 2, 3]
    memory.values[0] = 5.0
    assert memory.row((11.0,)) == 4
    assert len(memory.values) == MOST_ROWS * VALUES_A_ROW
    assert memory.values[0] == 0
    assert [memory.row((float(n),)) for n in (12, 13, 14, 15, 16, 15)] == [
        5,
        6,
        7,
        NO_ROW,
        NO_ROW,
        NO_ROW,
    ]
    assert (memory.row((7.0,)), len(memory.values)) == (0, MOST_ROWS * VALUES_A_ROW)


def test_columns_of_every_kind() -> None:
    word, number = constant("a"), constant(Fraction(1, 3))
    assert (word.is_word, number.is_word) == (True, False)
    assert number.take(np.array([0, 0])) is number
    assert number.value == Fraction(1, 3)
    fine = QuantityColumn.coding(np.array([0, 1]), (Fraction(1, 10**7), Fraction(1)))
    assert fine.in_whole_units() is fine
    mixed = QuantityColumn.coding(np.array([0, 1]), (Fraction(1), "a"))
    assert mixed.in_whole_units() is mixed
    halves = QuantityColumn.coding(np.array([1, 0]), (Fraction(1, 2), Fraction(3))).in_whole_units()
    assert halves.units is not None
    assert (halves.units.tolist(), halves.unit) == ([6, 1], Fraction(1, 2))
    with pytest.raises(NotInColumns, match="never rounded"):
        QuantityColumn(np.array([0.5])).coded(1)
