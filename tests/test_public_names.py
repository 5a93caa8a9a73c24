"""The public names: each is there, and the docstring's example is true."""

import ast
import doctest
from importlib import import_module
from pathlib import Path

import pytest

import honours
from honours import model


@pytest.mark.parametrize("name", honours.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(honours, name) is not None


def test_what_is_not_public_is_not_there() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = honours.nonsense


def test_the_example_in_the_docstring() -> None:
    result = doctest.testmod(honours)
    assert result.attempted > 0
    assert result.failed == 0


def test_every_name_of_the_model_is_had_where_it_is_declared() -> None:
    tree = ast.parse(Path(model.__file__).read_text(encoding="utf-8"))
    declared = {
        (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("honours.model.")
        for alias in node.names
    }
    assert {name for _, name in declared} <= {*dir(model)}
    for module, name in declared:
        assert getattr(model, name) is getattr(import_module(str(module)), name)
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(model, "nonsense")  # noqa: B009 -- as an attribute it is an error of types
