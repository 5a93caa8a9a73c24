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


def test_names_of_the_model_in_the_first_version_go_on() -> None:
    names = (
        "Value Facts Player Entrant Seat Denomination Contract Source Artificial Assigned Adjusted "
        "Result Board Match Penalty Session EventEntrant Event Standing Field Citation Step "
        "Refusal Notice Choice Award Awards"
    )
    assert [name for name in names.split() if not hasattr(model, name)] == []
