"""Colours, further figures and shares of players stand beside an award wherever it is shown."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from honours.engine.event_awards import EventAwards, award_event
from honours.engine.rulebook import Rulebook
from honours.model import Entrant, Field, Player, Standing
from honours.reports.awards import award_table, event_csv, event_data, event_text
from tests.engine.books import write_book

TOML = """
[inputs.entrants]
about = "how many"
type = "count"
[inputs.earned]
about = "earned this season"
per = "player"
first = 0
[figures.left]
about = "what the season leaves"
quantity = "left"
[figures.title]
about = "what it is called"
quantity = "title"
[colours]
gold = "gold"
black = "black"
[parameters]
cap = { value = 3, clause = "§2" }
"""
RULES = '''
@rule("§1")
def places(entrants):
    """All."""
    return entrants

@rule("§1", per="entrant")
def worth(place, entrants):
    """More to the first; the last loses a point."""
    return entrants - place - 1

@rule("§2", per="player")
def left(cap, earned):
    """What the season leaves."""
    return cap - earned

@rule("§2", per="PER")
def award(AMOUNT):
    """What is paid."""
    return BODY

@rule("§3", per="entrant")
def gold(worth, place):
    """Of the first."""
    if place == 1:
        return worth
    return 0

@rule("§3", per="entrant")
def black(worth, gold):
    """Of the others."""
    return worth - gold

@rule("§4", per="entrant")
def title(worth) -> str:
    """What it is called."""
    return "winner" if worth > 0 else "loser"
'''
LIST = tuple(
    Standing(Entrant(str(k), tuple(Player(n, n, {"earned": Fraction(e)}) for n, e in people)), k, 1)
    for k, people in (
        (1, (("Ann", 0), ("Bob", 3))),
        (2, (("Cid", 1), ("Dot", 1))),
        (3, (("Eve", 0),)),
    )
)


def awarded(
    folder: Path, per: str, amount: str, body: str, colours: bool
) -> tuple[Rulebook, EventAwards]:
    rules = RULES.replace("PER", per).replace("AMOUNT", amount).replace("BODY", body)
    toml = TOML if colours else TOML.replace('[colours]\ngold = "gold"\nblack = "black"\n', "")
    book = write_book(folder, toml, rules)
    return book, award_event(book, [Field({}, LIST)], {})


def test_colours_and_figures_are_columns(tmp_path: Path) -> None:
    book, awards = awarded(tmp_path / "made_up", "entrant", "worth", "worth", True)
    text = event_text(book, awards)
    assert "gold  black  left          title" in text
    first, _, last = award_table(awards.lists[0]).rows
    assert [cell.text for cell in first][-4:] == ["1.00", "", "Ann 3, Bob 0", "winner"]
    assert [cell.text for cell in last][3:] == ["-1.00", "", "-1.00", "3", "loser"]
    data = event_data(book, awards)["awards"][0]
    assert data["colours"] == {"gold": "1.00"}
    assert {"name": "left", "value": "0", "player": "Bob"} in data["figures"]
    rows = event_csv(awards).splitlines()
    assert rows[0].endswith("award,refusal,colour_gold,colour_black,figure_left,figure_title")
    assert rows[1].endswith("Ann,Ann,1.00,,1.00,,3,winner")
    assert rows[2].endswith("Bob,Bob,1.00,,1.00,,0,winner")


def test_players_who_are_paid_differently_are_shown_each(tmp_path: Path) -> None:
    per_player = ("player", "worth, left", "min(worth, left)")
    book, awards = awarded(tmp_path / "made_up", *per_player, False)
    assert "1.00 / 0.00" in event_text(book, awards)
    assert event_data(book, awards)["awards"][0]["shares"] == ["1.00", "0.00"]
    rows = event_csv(awards).splitlines()
    assert ",Ann,Ann,1.00," in rows[1]
    assert ",Bob,Bob,0.00," in rows[2]
