"""The words an author may use: all told, and the guide made from them."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import get_args

from honours.engine import aggregates, derive, numbers, rules
from honours.engine.rulebook import BookStanding, Input, ListPolicy, load, vocabulary
from honours.engine.rulebook.examples import Example
from honours.engine.rulebook.inputs import Unsaid


def test_every_key_is_told() -> None:
    assert list(vocabulary.SECTIONS["lists"]) == [f.name for f in fields(ListPolicy)]
    keys = {f.name for f in fields(Input)} - {"name", "default", "unsaid"} | {*get_args(Unsaid)}
    assert set(vocabulary.SECTIONS["inputs"]) == keys
    assert set(vocabulary.SECTIONS["standing"]) == {f.name for f in fields(BookStanding)}
    assert set(vocabulary.SECTIONS["derive"]) == set(derive.KEYS)
    known = {f.name for f in fields(Example)} - {"changes", "entrants"}
    assert set(vocabulary.EXAMPLE) == known | {"set", "list"}
    assert set(vocabulary.SECTIONS) < set(vocabulary.TOP)


def test_every_decorator_and_level_is_told() -> None:
    for name, keys in vocabulary.DECORATORS.items():
        parameters = inspect.signature(getattr(rules, name)).parameters
        assert list(keys) == [p for p in parameters if p != "unknown"]
    assert tuple(vocabulary.LEVELS) == rules.LEVELS
    assert set(load.INPUT_LEVELS) < set(rules.LEVELS)


def test_every_name_and_function_is_told() -> None:
    prefixes = {name.removesuffix("x") for name in vocabulary.NAMES if name.endswith("_x")}
    assert prefixes == {*aggregates.PREFIXES, rules.OPPONENT}
    assert {*rules.ENGINE_WORDS} < set(vocabulary.NAMES)
    own = {"power", "log10", "ln", "exp", "up_to", "row_for", "interpolated"}
    assert {f.__name__ for f in vocabulary.FUNCTIONS} >= own
    assert all(f.__module__ == numbers.__name__ for f in vocabulary.FUNCTIONS)
