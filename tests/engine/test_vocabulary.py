"""The words an author may use: all told, and the guide made from them."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

from honours.engine import numbers, rules
from honours.engine.rulebook import BookStanding, Input, ListPolicy, Unsaid, source
from honours.engine.rulebook.examples import Example


def test_every_key_is_told() -> None:
    assert list(source.SECTIONS["lists"]) == [f.name for f in fields(ListPolicy)]
    keys = {f.name for f in fields(Input)} - {"name", "default", "unsaid"} | {*get_args(Unsaid)}
    assert set(source.SECTIONS["inputs"]) == keys
    assert set(source.SECTIONS["standing"]) == {f.name for f in fields(BookStanding)}
    known = {f.name for f in fields(Example)} - {"changes", "entrants"}
    assert set(source.EXAMPLE) == known | {"set", "list"}
    assert set(source.SECTIONS) < set(source.TOP)


def test_every_decorator_and_level_is_told() -> None:
    assert list(source.DECLARED) == rules.DECLARED
    assert tuple(source.LEVELS) == rules.LEVELS


def test_every_name_and_function_is_told() -> None:
    prefixes = {name.removesuffix("x") for name in source.NAMES if name.endswith("_x")}
    assert prefixes == {*rules.PREFIXES, rules.OPPONENT}
    assert {*rules.ENGINE_WORDS} < set(source.NAMES)
    own = {"power", "log10", "ln", "exp", "row_for"}
    assert {f.__name__ for f in source.FUNCTIONS} >= own
    assert all(f.__module__ == numbers.__name__ for f in source.FUNCTIONS)
