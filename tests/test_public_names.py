"""The public names: each is there, and the docstring's example is true."""

import doctest

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
    for name in ("Award", "Entrant", "Event", "Facts", "Field", "Result", "Standing"):
        assert name in dir(model)
        assert getattr(model, name).__module__.startswith(
            ("honours.model.", "collections", "types")
        )
    with pytest.raises(AttributeError, match="nonsense"):
        getattr(model, "nonsense")  # noqa: B009 -- as an attribute it is an error of types
