"""The lab from a notebook: tables in from Arrow, pandas or Polars, out again, and on show."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from honours.errors import InputError, UnknownName, WrongValue
from honours.lab import Corpus
from tests.lab.conftest import small_tables


def _frames(made: Callable[[Any], Any], **instead: Any) -> dict[str, Any]:
    """The small corpus, its rows in the wrong order, in somebody's own library."""
    tables = {**small_tables(0, 3), **instead}
    return {n: made(t.take(list(range(t.num_rows))[::-1])) for n, t in tables.items()}


@pytest.mark.parametrize(
    "made",
    [lambda t: t, lambda t: t.to_pandas(), polars.from_arrow, lambda t: t.to_pydict()],
    ids=["arrow", "pandas", "polars", "columns"],
)
def test_tables_in_and_awards_out(tmp_path: Path, made: Callable[[Any], Any]) -> None:
    corpus = Corpus.of(tmp_path / "corpus", unit="corpus", **_frames(made))
    awards = corpus.award("sbu-clubs-2016")
    first = awards.to_pandas().query("event == 1").set_index("entrant")["amount"]
    assert [first[k] / 10_000 for k in range(4)] == [18, 12, 6, 0]
    assert polars.DataFrame(corpus.table("players")).height == 3 * 8 * 2


def test_a_comparison_shows_itself(tmp_path: Path) -> None:
    corpus = Corpus.of(tmp_path / "corpus", unit="corpus", **_frames(lambda t: t))
    comparison = corpus.compare("sbu-clubs-2016", "sbu-clubs-2016")
    table = comparison.by("kind", "size")
    assert [(r["kind"], r["size"], r["A"]) for r in table] == [("pairs", "0–8", 3 * 2 * 36.0)]
    assert table.pandas().equals(table.polars().to_pandas())
    assert "would pay the same" in comparison._repr_html_()
    assert "<table>" in comparison.by("kind")._repr_html_()
    assert "<b>Corpus</b>" in corpus._repr_html_()
    explained = comparison.explain(2)
    assert [row["A"] for row in explained.places] == [18, 12, 6, 36]
    assert "<details" in explained._repr_html_()
    assert "<table>" in corpus.sweep("sbu-clubs-2016", "third", ["1/2"])._repr_html_()


def test_groups_that_do_not_cross_are_named(tmp_path: Path) -> None:
    corpus = Corpus.of(tmp_path / "corpus", unit="corpus", **_frames(lambda t: t))
    comparison = corpus.compare("sbu-clubs-2016", "sbu-clubs-2016")
    with pytest.raises(InputError, match="holding parts the players of one event"):
        comparison.by("kind", "holding")
    with pytest.raises(InputError, match="by what"):
        comparison.by()


def test_tables_that_do_not_fit_are_named(tmp_path: Path) -> None:
    whole = small_tables(0, 3)
    entrants = whole["entrants"]
    with pytest.raises(InputError, match="entrants: column 'place' is missing"):
        Corpus.of(
            tmp_path / "a", unit="corpus", **{**whole, "entrants": entrants.drop_columns(["place"])}
        )
    words = entrants.set_column(2, "place", pa.array(["first"] * entrants.num_rows))
    with pytest.raises(InputError, match="entrants: column 'place' is string; expected uint16"):
        Corpus.of(tmp_path / "b", unit="corpus", **{**whole, "entrants": words})
    nulls = entrants.set_column(2, "place", pa.array([None] * entrants.num_rows, pa.uint16()))
    with pytest.raises(InputError, match="column 'place' has 24 nulls"):
        Corpus.of(tmp_path / "c", unit="corpus", **{**whole, "entrants": nulls})
    with pytest.raises(InputError, match="a corpus needs a table of players"):
        Corpus.of(tmp_path / "d", unit="corpus", events=whole["events"], entrants=entrants)
    with pytest.raises(UnknownName, match="did you mean 'players'"):
        Corpus.of(tmp_path / "e", unit="corpus", **whole, player=entrants)


def test_ids_that_are_texts_or_long_numbers_stay_theirs(tmp_path: Path) -> None:
    whole = _frames(lambda t: t)
    events = whole["events"]["event"].to_pylist()
    for shape in ("E-{:03d}", "{}"):
        named = {
            event: shape.format(event + (5_000_000_000 if shape == "{}" else 0)) for event in events
        }
        frames = {name: table.to_pylist() for name, table in whole.items()}
        for rows in frames.values():
            for row in rows:
                row["event"] = named[row["event"]] if shape != "{}" else int(named[row["event"]])
                if "player" in row:
                    row["player"] = f"M{row['player']}" if shape != "{}" else row["player"] + 2**40
        tables = {name: pa.Table.from_pylist(rows) for name, rows in frames.items()}
        corpus = Corpus.of(tmp_path / shape[:1], unit="corpus", **tables)
        assert corpus.table("events")["id"].to_pylist() == [named[event] for event in events]
        assert corpus.number_of(named[events[2]]) == 2
        ids = corpus.member_ids()
        of_second = [row for row in corpus.table("players").to_pylist() if row["event"] == 2]
        theirs = tables["players"].filter(
            pc.equal(tables["players"]["event"], tables["events"]["event"][2])
        )
        assert {ids[row["player"]] for row in of_second} == set(
            map(str, theirs["player"].to_pylist())
        )
    tables["entrants"] = tables["entrants"].set_column(
        0, "event", pa.array([7] * tables["entrants"].num_rows, pa.int64())
    )
    with pytest.raises(InputError, match="entrants: event 7 is not in events"):
        Corpus.of(tmp_path / "strange", unit="corpus", **tables)


def test_what_holdings_are_in_is_said(tmp_path: Path) -> None:
    whole = small_tables(0, 3)
    people = whole["players"]

    def held(figure: object) -> dict[str, Any]:
        column = pa.array([figure] * people.num_rows)
        return {**whole, "players": people.append_column("holding", column)}

    with pytest.raises(WrongValue, match="unit='points' or unit='corpus'"):
        Corpus.of(tmp_path / "unsaid", **held(500))
    for k, figure in enumerate((500.25, Decimal("500.25"), "500.25")):
        points = Corpus.of(tmp_path / f"points-{k}", unit="points", **held(figure))
        assert points.table("players")["holding"].to_pylist()[0] == 50025
    stored = Corpus.of(tmp_path / "corpus", unit="corpus", **held(500))
    assert stored.table("players")["holding"].to_pylist()[0] == 500
    for k, wrong in enumerate((500.001, "500.001", "many")):
        with pytest.raises(InputError, match="finer than 1/100"):
            Corpus.of(tmp_path / f"finer-{k}", unit="points", **held(wrong))


def test_a_table_in_memory_is_held_to_what_a_file_is(tmp_path: Path) -> None:
    """Ties are counted from the places, a column nobody knows is refused, and so are floats."""
    whole = small_tables(0, 3)
    entrants = whole["entrants"]
    counted = {**whole, "entrants": entrants.drop_columns(["tied"])}
    corpus = Corpus.of(tmp_path / "counted", unit="corpus", **counted)
    assert corpus.table("entrants")["tied"].to_pylist() == entrants["tied"].to_pylist()
    firsts = pa.array([1, 1, 3, *range(4, 9)] * 3)
    at = entrants.column_names.index("place")
    shared = counted["entrants"].set_column(at, "place", firsts)
    corpus = Corpus.of(tmp_path / "shared", unit="corpus", **{**whole, "entrants": shared})
    assert corpus.table("entrants")["tied"].to_pylist()[:3] == [2, 2, 1]
    events = whole["events"]
    strange = events.append_column("sesions", pa.array([1] * 3))
    with pytest.raises(UnknownName, match="did you mean 'sessions'"):
        Corpus.of(tmp_path / "strange", unit="corpus", **{**whole, "events": strange})
    floats = entrants.set_column(at, "place", pa.array([float(n) for n in firsts.to_pylist()]))
    with pytest.raises(InputError, match="entrants: column 'place' has floats"):
        Corpus.of(tmp_path / "floats", unit="corpus", **{**whole, "entrants": floats})
