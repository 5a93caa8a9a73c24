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
    lists = [own.field for own in report.awards.lists]
    by_lists = honours.award(lists, SBU, as_usual=True).awards
    assert by_lists is not None
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
    tied, apart = (
        honours.award(of_pairs(*places, *range(3, 11)), G2011, as_usual=True).awards
        for places in ((1, 1), (1, 2))
    )
    assert tied is not None
    assert apart is not None
    first, second = (tied.lists[0].schedule[n].amount for n in (0, 1))
    better, worse = (apart.lists[0].schedule[n].amount for n in (0, 1))
    assert first == second
    assert abs(2 * first - better - worse) <= Fraction(2, 100)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (of_pairs(*range(10)), "1: place 0|place 0 is not"),
        (of_pairs("1", *range(2, 11)), "place '1'"),
        (of_pairs(1, 1, *range(2, 10)), "place 2 with 2 above it"),
        (of_pairs(*range(1, 11), sesions=2), "did you mean 'sessions'"),
        (of_pairs(*range(1, 11), entrants=50), "the list has 10"),
        (of_pairs(*range(1, 11), average_masterpoints=1.5), "a float is not exact"),
    ],
)
def test_what_no_file_could_say_is_refused_by_name(field: Field, words: str) -> None:
    with pytest.raises(HonoursError, match=words):
        honours.award(field, G2011)


def test_a_negative_holding_is_refused() -> None:
    held: Any = {"masterpoints": "-5"}
    lone = Standing(Entrant("1", (Player("Ann", facts=held), Player("Bob", facts=held))), 1)
    with pytest.raises(HonoursError, match="Ann: masterpoints=-5"):
        honours.award(Field({"class": "regional"}, (lone,)), G2011)
