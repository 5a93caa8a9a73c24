"""Figures as a language writes them."""

from honours.language import shown_figure
from tests.support import cases


@cases
def test_thousands_and_decimals_follow_the_language(english: str, french: str) -> None:
    assert shown_figure(english, "fr") == french
    assert shown_figure(english) == english
