"""A corpus says in the reader's language what its figures are of."""

import json

import pytest

from honours.lab.bands import band_names
from honours.lab.generate.figure_words import figure_data, figures_of, in_words
from honours.language import words
from honours.model.message import Message


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


def test_a_figure_is_kept_with_its_template() -> None:
    *_, last = band_names((0, 50, 10_000))
    row = json.loads(json.dumps(figure_data(Message("points won in a day, {range}", range=last))))
    assert row["figure"] == "points won in a day, 10,000 and more"
    [shown] = figures_of({"figures": [{**row, "corpus": 3}]})
    assert words(shown["figure"], "fr").startswith("points gagnés en un jour, 10")
    assert list(shown) == ["figure", "corpus"]


def test_a_corpus_of_the_first_version_kept_the_text_alone() -> None:
    [shown] = figures_of({"figures": [{"figure": "pairs events", "corpus": 3}]})
    assert words(shown["figure"], "fr") == "épreuves : paires"
