"""The PDFs, by the text that is in them."""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction

import pytest
from pypdf import PdfReader

from honours.demo import FILES, file
from honours.engine.event_awards import award_event
from honours.errors import InputError, UnknownName
from honours.formats.detect import format_called
from honours.formats.table_standings import StandingsFile
from honours.model import Entrant, Field, Player, Standing
from honours.pipeline import Account, Report, awarded, ranked, read_account
from honours.reports.pdf import KINDS, make_pdf
from honours.rulebooks import load

EVIL = ('#import "@preview/x:1.0.0"', "$x$ *b* _i_ `c`", '#read("/etc/passwd")', "] #panic()")


def text_of(pdf: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages)


def pages_of(pdf: bytes) -> int:
    return len(PdfReader(io.BytesIO(pdf)).pages)


@pytest.fixture(scope="module")
def demo() -> Report:
    report = ranked(read_account(str(file(FILES[0]))))
    return awarded(report, load("sbu-clubs-2016"), {})


def test_the_results_sheet(demo: Report) -> None:
    text = text_of(make_pdf(demo, "results"))
    for words in (
        "tuesday",
        "provisional",
        "Magnus Young & Iain Galt",
        "61.82",
        "36",
        "Scottish Bridge Union",
    ):
        assert words in text
    for doubt in ("perhaps fouled", "The source is unclear here", "boards_per_session"):
        assert doubt not in text


def test_a_scorecard_a_page_or_one_alone(demo: Report) -> None:
    assert pages_of(make_pdf(demo, "scorecards")) == 18
    one = make_pdf(demo, "scorecards", "11", "letter")
    assert pages_of(one) == 1
    assert "Place 1, 36 points" in text_of(one)
    assert "61.82%" in text_of(one)
    assert [float(x) for x in PdfReader(io.BytesIO(one)).pages[0].mediabox[2:]] == [612, 792]


def test_the_list_of_awards_adds_up(demo: Report) -> None:
    text = text_of(make_pdf(demo, "award-list"))
    assert "Derived: entrants: " in text  # whoever signs it sees what it was made from
    assert "12 lines, 252 points in all" in text
    assert "Iain Galt" in text
    assert "Nessa Calder" not in text


def test_an_award_is_explained(demo: Report) -> None:
    text = text_of(make_pdf(demo, "explanation", "11"))
    assert "Magnus Young & Iain Galt, place 1: 36 points" in text
    assert "placing points = 36" in text
    assert "Chapter 1" in text


def test_what_is_missing_is_asked_for(demo: Report) -> None:
    with pytest.raises(InputError, match="whose award"):
        make_pdf(demo, "explanation")
    with pytest.raises(UnknownName):
        make_pdf(demo, "explanation", "99")
    with pytest.raises(UnknownName):
        make_pdf(demo, "scorecards", "99")
    with pytest.raises(InputError, match="--rulebook"):
        make_pdf(replace(demo, awards=None), "award-list")


def evil() -> Report:
    """Standings whose every word is markup of typst."""
    players = [Player(EVIL[n % 4], f"#{n}", {"masterpoints": Fraction(100)}) for n in range(12)]
    standings = tuple(
        Standing(Entrant(f"#{n}", (players[2 * n], players[2 * n + 1])), n + 1) for n in range(6)
    )
    lists = (Field(standings=standings),)
    content = StandingsFile("#title.csv", lists, notices=EVIL)
    report = Report(Account("#title.csv", format_called("standings"), content), lists, remarks=EVIL)
    book = load("acbl-sof-2020")
    given = {"kind": "pairs", "sessions": "2", "class": "regional"}
    return replace(report, book=book, awards=award_event(book, lists, given))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "scorecards"])
def test_names_are_text_and_never_markup(kind: str) -> None:
    text = text_of(make_pdf(evil(), kind, "#0"))
    assert '#import "@preview/x:1.0.0"' in text.replace("“", '"').replace("”", '"')


def test_standings_have_no_scorecards() -> None:
    with pytest.raises(InputError, match="no boards"):
        make_pdf(evil(), "scorecards")
