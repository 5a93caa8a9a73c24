"""Figures as a language writes them."""

import pytest

from honours.language import shown_figure


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("35,059.14", "35\u202f059,14"),
        ("-12,345", "-12\u202f345"),
        ("4.48", "4,48"),
        ("24,26", "24,26"),
        ("0–50", "0–50"),
        ("E1,000", "E1,000"),
    ],
)
def test_thousands_and_decimals_follow_the_language(english: str, french: str) -> None:
    assert shown_figure(english, "fr") == french
    assert shown_figure(english) == english
