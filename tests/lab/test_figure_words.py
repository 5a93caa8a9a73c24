"""A corpus says in the reader's language what its figures are of."""

import pytest

from honours.lab.generate.figure_words import in_words
from honours.language import words


@pytest.mark.parametrize(
    ("kept", "french"),
    [
        ("median tables of those", "nombre médian de leurs tables"),
        ("points won in a day", "points gagnés en un jour"),
        ("points won in a day, 0–50", "points gagnés en un jour, 0–50"),
        (
            "share of player-days held by 10,000 and more",
            "part des journées de joueurs détenant 10,000 et plus",
        ),
        ("pairs events", "épreuves : paires"),
        ("something of long ago", "something of long ago"),
    ],
)
def test_a_figure_is_in_words(kept: str, french: str) -> None:
    assert in_words(kept) == kept
    assert words(in_words(kept), "fr") == french
