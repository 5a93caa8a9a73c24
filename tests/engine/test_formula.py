"""A rule's formula as people write it: in words, in values, and why a branch was taken."""

from __future__ import annotations

import ast
from fractions import Fraction

from honours.engine.exact.formula import branch_for, value_text, write, write_test
from honours.engine.numbers import row_for
from tests.support import cases


@cases
def test_an_expression_as_people_write_it(rule: str, formula: str) -> None:
    assert write(ast.parse(rule, mode="eval").body, {}) == formula


def test_names_are_replaced_by_values_with_their_brackets() -> None:
    tree = ast.parse("a * class_ - the_rest", mode="eval").body
    values = {"a": "1/3", "class_": "-2", "the_rest": "x 1, y 2"}
    assert write(tree, values) == "1/3 × -2 − (x 1, y 2)"
    power_tree = ast.parse("power(a, class_)", mode="eval").body
    assert write(power_tree, values) == "(1/3)^(-2)"
    assert write(ast.parse("b / a", mode="eval").body, values) == "b / (1/3)"
    assert write(ast.parse("a < the_rest", mode="eval").body, values) == "1/3 < (x 1, y 2)"
    assert write(tree, {}) == "a × class − the rest"


@cases
def test_a_test_as_it_turned_out(test: str, held: bool, text: str) -> None:
    assert write_test(ast.parse(test, mode="eval").body, held, {}) == text


def test_a_value_in_a_working_is_short() -> None:
    texts = {
        Fraction("12345.678"): "12345.678",
        Fraction("12345.6789"): "12345.6789",
        Fraction("1234567890.5"): "1234567890.5000",
        Fraction(2, 3): "2/3",
        Fraction(22, 13): "1.6923",
    }
    assert {value: value_text(value) for value in texts} == {
        **texts,
        Fraction("12345.6789"): "12345.6789",
    }
    assert value_text("word") == "word"
    assert [value_text(Fraction(x)) for x in ("1.2345678", "1.23456789")] == ["1.2345678", "1.2346"]
    assert value_text(Fraction("12345.6789") / 3) == "4115.2263"


def test_a_branch_may_be_chosen_by_what_a_function_gives() -> None:
    def chosen(a: Fraction, table: tuple[tuple[Fraction, ...], ...]) -> Fraction:
        if row_for(a, table) > 1:
            return a
        return Fraction(0)

    rows = ((Fraction(1), Fraction(1)), (Fraction(5), Fraction(2)))
    assert branch_for(chosen, {"a": Fraction(6), "table": rows}).formula == "a"
    assert branch_for(chosen, {"a": Fraction(4), "table": rows}).formula == "Fraction (0)"


def test_a_table_is_looked_up_in_a_working() -> None:
    def chosen(table: dict[str, Fraction], kind: str, other: Fraction) -> Fraction:
        return table[kind] + table.get(kind, 0) * other

    values = {"table": {"a": Fraction(1, 3)}, "kind": "a", "other": Fraction(2)}
    way = branch_for(chosen, values)
    assert way.formula == "table[kind] + table[kind] × other"
    assert way.working(values, {"other": "2"}) == "1/3 + 1/3 × 2"


def test_the_item_of_what_is_no_table_of_the_rule_stays_as_it_is() -> None:
    def chosen(table: dict[str, Fraction], rows: dict[str, dict[str, Fraction]]) -> Fraction:
        return rows["x"]["y"] + min(table["a"], Fraction(1))

    values = {"table": {"a": Fraction(4)}, "rows": {"x": {"y": Fraction(2)}}}
    way = branch_for(chosen, values)
    assert way.working(values, {}) == "rows[x][y] + the smaller of (4, Fraction (1))"


def test_a_choice_within_an_argument_is_shown_as_taken() -> None:
    def chosen(a: Fraction, b: Fraction) -> Fraction:
        return min(a if a > b else b, b)

    assert (
        branch_for(chosen, {"a": Fraction(2), "b": Fraction(1)}).formula == "the smaller of (a, b)"
    )
    assert (
        branch_for(chosen, {"a": Fraction(0), "b": Fraction(1)}).formula == "the smaller of (b, b)"
    )
