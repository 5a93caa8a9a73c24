"""An event pays the same by whatever door it comes, and a wrong one is refused by name at each."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import honours
from honours.engine.event_awards import EventAwards
from honours.errors import HonoursError
from honours.model import Entrant, Field, Player, Standing
from honours.pipeline import Report
from honours.reports.convert import ENDINGS, converted_file
from honours.rulebooks import load
from tests.pipeline import thirty

SBU, G2011 = "sbu-clubs-2016", "acbl-sof-2011"
EVENTS: dict[str, tuple[str, dict[str, str], dict[str, Any]]] = {
    "howell": (thirty.paired(thirty.NIGHT), {}, {}),
    "two-lines": (thirty.paired(thirty.pairs(16, 8, 3, lines=True)), {}, {}),
    "swiss-teams": (thirty.teams(16, 5, 5), {"competition": "swiss"}, thirty.SWISS),
    "two-sections-apart": (thirty.in_sections(10), {}, {"sections_apart": True}),
    "stages": (thirty.paired(thirty.NIGHT, thirty.pairs(10, 8, 3, session=2)), {}, {}),
}


def paid(awards: EventAwards) -> list[tuple[int, Fraction]]:
    return sorted(
        (one.standing.place, awards.amount(one.standing.entrant.id))
        for own in awards.lists
        for one in own.schedule
    )


def award(path: Path, given: dict[str, str], choices: dict[str, Any]) -> Report:
    return honours.award(honours.score(honours.read(path), **choices), SBU, given, as_usual=True)


def doors(report: Report, folder: Path) -> Iterator[tuple[str, Path]]:
    for kind in ENDINGS:
        path = folder / f"{kind}{ENDINGS[kind]}"
        with_awards = None if kind in ("results", "usebio") else report
        path.write_bytes(converted_file(report.account, kind, with_awards).data)
        yield kind, path


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_pays_the_same_by_every_door(name: str, tmp_path: Path) -> None:
    text, given, choices = EVENTS[name]
    path = tmp_path / f"{name}.csv"
    path.write_text(text, encoding="utf-8")
    report = award(path, given, choices)
    assert report.awards is not None
    expected = paid(report.awards)
    assert any(amount for _, amount in expected)
    for kind, again in doors(report, tmp_path):
        read = award(again, given, {} if kind == "standings" else choices).awards
        assert read is not None
        assert paid(read) == expected, kind
    by_lists = honours.award(load(SBU), [own.field for own in report.awards.lists])
    assert paid(by_lists) == expected


# --- lists made in Python -------------------------------------------------------------------------

HELD = {"class": "regional", "sessions": 2}


def of_pairs(*places: Any, **more: Any) -> Field:
    facts = {**HELD, **more}
    held: Any = {"masterpoints": "500"}
    standings = tuple(
        Standing(Entrant(str(n), (Player(f"A{n}", facts=held), Player(f"B{n}", facts=held))), place)
        for n, place in enumerate(places, 1)
    )
    return Field(facts, standings)


def test_ties_are_counted_and_texts_are_read() -> None:
    tied = honours.award(load(G2011), of_pairs(1, 1, *range(3, 11))).schedule
    apart = honours.award(load(G2011), of_pairs(*range(1, 11))).schedule
    assert tied[0].amount == tied[1].amount
    assert abs(2 * tied[0].amount - apart[0].amount - apart[1].amount) <= Fraction(2, 100)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (of_pairs(*range(10)), "1: place 0|place 0 is not"),
        (of_pairs("1", *range(2, 11)), "place '1'"),
        (of_pairs(*range(1, 11), sesions=2), "did you mean 'sessions'"),
        (of_pairs(*range(1, 11), entrants=50), "the list has 10"),
        (of_pairs(*range(1, 11), average_masterpoints=1.5), "a float is not exact"),
    ],
)
def test_what_no_file_could_say_is_refused_by_name(field: Field, words: str) -> None:
    with pytest.raises(HonoursError, match=words):
        honours.award(load(G2011), field)


def test_a_negative_holding_is_refused() -> None:
    held: Any = {"masterpoints": "-5"}
    lone = Standing(Entrant("1", (Player("Ann", facts=held), Player("Bob", facts=held))), 1)
    with pytest.raises(HonoursError, match="Ann: masterpoints=-5"):
        honours.award(load(G2011), Field({"class": "regional"}, (lone,)))
