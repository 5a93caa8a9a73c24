"""One table, drawn in every way."""

import csv
import io
from datetime import date
from fractions import Fraction

import pytest

from honours.model.message import Message
from honours.model.table import Cell, Column, Content, Kind, Link, Table, table
from honours.reports.drawing import (
    draw_arrow,
    draw_csv,
    draw_data,
    draw_for_pdf,
    draw_html,
    draw_text,
    heading,
)

HOSTILE = "<b onclick=x>O'Hara</b>"


def standings() -> Table:
    columns = (
        Column("place", Message("place"), Kind.PLACE),
        Column("name", Message("name")),
        Column("score", Message("percent"), Kind.NUMBER, unit="%"),
        Column("state", Message("remark"), Kind.WORD),
        Column("day", Message("date"), Kind.DATE),
    )
    rows: list[tuple[Cell | Content, ...]] = [
        (
            "1",
            Cell(HOSTILE, link=Link("entrant", "7")),
            Cell(Fraction(121, 2), "60.50"),
            Message("final"),
            None,
        ),
        ("2=", "=2+2", Cell(Fraction(50), "50.00"), "", date(2026, 1, 31)),
    ]
    return table("standings", columns, rows, Message("results"), "foot")


def test_text_is_aligned_and_in_the_language() -> None:
    assert draw_text(standings().without("name"), "fr").splitlines() == [
        "Résultats",
        "place  pour cent  remarque   date",
        "-----  ---------  ---------  ----------",
        "    1      60,50  définitif",
        "   2=      50,00             2026-01-31",
        "foot",
    ]


def test_html_escapes_and_links() -> None:
    drawn = str(draw_html(standings(), "fr", lambda link: f"/{link.kind}/{link.name}"))
    assert '<a href="/entrant/7">&lt;b onclick=x&gt;O&#39;Hara&lt;/b&gt;</a>' in drawn
    assert '<th scope="col" data-key="score" class="figure">Pour cent</th>' in drawn
    assert "définitif" in drawn


def test_a_text_of_another_language_says_so() -> None:
    clause = table("clauses", [Column("words", Message("name"), lang="en")], [["Rounding"]])
    assert '<span lang="en">Rounding</span>' in draw_html(clause, "fr")
    assert "lang=" not in draw_html(clause, "en")


def test_suits_are_drawn_in_contracts_only() -> None:
    contract = table("board", [Column("contract", Message("result"), Kind.CARDS)], [["4HX S"]])
    assert '4<span class="red">♥</span>× <abbr title="South">S</abbr>' in draw_html(contract)
    west = table("board", contract.columns, [["3NT W"], ["SA"], ["as AHEAD"]])
    french = draw_html(west, "fr")
    assert '3SA <abbr title="Ouest">O</abbr>' in french
    assert '<span class="black">♠</span>A' in french
    assert "as AHEAD" in french


@pytest.mark.parametrize("text", ["=2+2", "@sum", "＝cmd", "-2+3", "'=x", "\t=1", "+name"])
def test_a_spreadsheet_runs_nothing(text: str) -> None:
    written = draw_csv(table("t", [Column("name", Message("name"))], [[text]]))
    assert list(csv.reader(io.StringIO(written)))[1] == [f"'{text}"]


@pytest.mark.parametrize("text", ["-50", "=", "+1", "60.50%", "1/3", "O'Hara", ""])
def test_figures_and_names_are_written_as_they_are(text: str) -> None:
    written = draw_csv(table("t", [Column("a", "a"), Column("b", "b")], [[text, "x"]]))
    assert list(csv.reader(io.StringIO(written)))[1] == [text, "x"]


def test_data_has_exact_values_by_the_columns_keys() -> None:
    data = draw_data(standings())
    assert data["columns"][2] == {"key": "score", "title": "percent", "kind": "number", "unit": "%"}
    assert data["rows"][1] == {
        "place": "2=",
        "name": "=2+2",
        "score": "50.00",
        "state": "",
        "day": "2026-01-31",
    }


def test_arrow_and_pdf_have_the_same_rows() -> None:
    assert draw_arrow(standings()).column("score").to_pylist() == ["121/2", "50"]
    assert draw_for_pdf(standings())["rows"][0][:3] == ["1", HOSTILE, "60.50"]


def test_columns_nobody_uses_can_be_left_out() -> None:
    empty = table("t", [Column("a", "a"), Column("b", "b")], [["x", ""], ["y", None]])
    assert [column.key for column in empty.used().columns] == ["a"]


def test_a_row_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="2 columns, a row of 1"):
        table("t", [Column("a", "a"), Column("b", "b")], [["x"]])


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        (Message("awards"), "Awards"),
        (
            Message("{folder}: how closely it matches the published figures", folder="year"),
            "year: how closely",
        ),
        (Message("{name}: {what}", name=Message("members"), what="x"), "Members: x"),
        ("our own title", "our own title"),
    ],
)
def test_a_title_of_ours_begins_with_a_capital_and_nobodys_own_does(title: str, shown: str) -> None:
    assert heading(title).startswith(shown)
