"""A federation's tables as a corpus: every shape and place, any order, nothing dropped unsaid."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from honours.errors import InputError
from honours.lab.corpus import Corpus
from honours.lab.history import importing, staging
from honours.lab.history.importing import drafted_plan
from tests.lab.histories import by_player, history, import_tables, imported, lab, write_csv


def mixed(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    listed = list(rows)
    random.Random(1).shuffle(listed)
    return listed


def told(corpus: Corpus) -> dict[str, Any]:
    """What a corpus says, event by event, by the ids its owner has."""
    members = corpus.member_ids()
    events = corpus.table("events").to_pylist()
    places = {(r["event"], r["entrant"]): r for r in corpus.table("entrants").to_pylist()}
    listed: dict[str, Any] = {
        row["id"]: ({k: row[k] for k in ("date", "class", "kind", "sessions")}, {})
        for row in events
    }
    names = {row["event"]: row["id"] for row in events}
    for row in corpus.table("players").to_pylist():
        entrant = places[row["event"], row["entrant"]]
        own = (entrant["place"], entrant["tied"], row["holding"], row["paid"])
        listed[names[row["event"]]][1][members[row["player"]]] = own
    return listed


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("wide")
    path = write_csv(folder / "history.csv", history(60))
    return told(import_tables([str(path)], folder / "corpus").corpus)


def test_what_goes_in_is_what_the_table_says(wide: dict[str, Any]) -> None:
    rows = [row for row in history(60) if row["Event ID"] == "2019-00007"]
    facts, people = wide["2019-00007"]
    assert facts["class"] == "regional"
    assert facts["sessions"] == 2
    assert str(facts["date"]) == "2019-01-08"
    for row in rows:
        paid = round(10_000 * (row["Points won"] or 0))
        own = (row["Place"], 1, round(100 * row["Holding 1"]), paid)
        assert people[row["Member 1"]] == own


def _sqlite(folder: Path) -> str:
    rows = mixed(by_player(history(60)))
    path = folder / "history.sqlite"
    with sqlite3.connect(path) as db:
        names = ", ".join(f'"{name}"' for name in rows[0])
        db.execute(f"create table results ({names})")
        marks = ", ".join("?" * len(rows[0]))
        db.executemany(f"insert into results values ({marks})", [(*r.values(),) for r in rows])
    db.close()
    return str(path)


def _duckdb(folder: Path) -> str:
    duckdb = pytest.importorskip("duckdb")
    table = pa.Table.from_pylist(mixed(history(60)))
    path = folder / "history.duckdb"
    with duckdb.connect(str(path)) as db:
        db.register("given", table)
        db.execute("create table results as select * from given")
    return str(path)


def _parquet(folder: Path) -> str:
    pq.write_table(pa.Table.from_pylist(mixed(history(60))), folder / "history.parquet")
    return str(folder / "history.parquet")


def _long(folder: Path) -> str:
    return str(write_csv(folder / "history.csv", mixed(by_player(history(60))), ";"))


def _apart(folder: Path) -> str:
    """Events, entrants and players in tables of their own, and holdings in a list of members."""
    inside = folder / "tables"
    inside.mkdir()
    rows = list(history(60))
    facts = ("Event ID", "Date", "Class", "Kind", "Sessions")
    events = {row["Event ID"]: {name: row[name] for name in facts} for row in rows}
    write_csv(inside / "events.csv", mixed(events.values()))
    own = ("Event ID", "Place", "Points won")
    entrants = [{n: row[n] for n in own} | {"Pair": row["Place"]} for row in rows]
    write_csv(inside / "entrants.csv", mixed(entrants))
    players = [
        {"Event ID": row["Event ID"], "Pair": row["Place"], "Member": row[f"Member {k}"]}
        for row in rows
        for k in "12"
    ]
    write_csv(inside / "players.csv", mixed(players))
    held = {row[f"Member {k}"]: row[f"Holding {k}"] for row in rows for k in "12"}
    write_csv(inside / "members.csv", [{"Member": m, "Masterpoints": h} for m, h in held.items()])
    return str(inside)


@pytest.mark.parametrize("made", [_sqlite, _duckdb, _parquet, _long, _apart])
def test_every_source_and_shape_says_the_same(
    made: Any, tmp_path: Path, wide: dict[str, Any]
) -> None:
    assert told(import_tables([made(tmp_path)], tmp_path / "corpus").corpus) == wide


def test_a_workbook_says_the_same(tmp_path: Path, wide: dict[str, Any]) -> None:
    from tests.lab.workbooks import write_xlsx

    write_xlsx(tmp_path / "history.xlsx", list(history(60)))
    assert told(import_tables([str(tmp_path / "history.xlsx")], tmp_path / "corpus").corpus) == wide


def test_a_large_history_is_cut_into_shards_and_says_the_same(
    tmp_path: Path, wide: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "A_PIECE", 100)
    corpus = imported(tmp_path, mixed(history(60))).corpus
    assert len(corpus.shards) > 5
    assert told(corpus) == wide


def test_another_import_does_not_go_on_in_its_place(tmp_path: Path) -> None:
    one = write_csv(tmp_path / "one.csv", history(3))
    other = write_csv(tmp_path / "other.csv", history(4))
    import_tables([str(one)], tmp_path / "corpus")
    with pytest.raises(InputError, match="not empty"):
        import_tables([str(other)], tmp_path / "corpus")


def test_what_is_not_understood_is_named(tmp_path: Path) -> None:
    rows = [row | {"Colour": "red", "Clas": "x"} for row in history(3)]
    made = lab("import", write_csv(tmp_path / "history.csv", rows), tmp_path / "corpus")
    assert made.exit_code == 0
    assert "column 'Colour' is left out: not understood" in made.stderr
    assert "'Clas' is left out: not understood; it is most like class" in made.stderr
    assert "empty cells in events that paid somebody, taken as 0" in made.stderr
    plan = (tmp_path / "corpus" / importing.PLAN).read_text(encoding="utf-8")
    assert '"Points won" = "paid"' in plan
    assert '"Colour" = ""' in plan


def test_a_corrected_plan_is_followed(tmp_path: Path) -> None:
    rows = [
        {"Wettkampf": r["Event ID"], "Rang": r["Place"], "Wer": r["Member 1"], "Geld": "1,5"}
        for r in history(3)
    ]
    path, draft = write_csv(tmp_path / "history.csv", rows, ";"), tmp_path / "plan.toml"
    assert lab("import", path, "--draft", draft).exit_code == 0
    assert "Wettkampf" in draft.read_text(encoding="utf-8")
    draft.write_text(
        '[written]\ndecimal = ","\n[table."history"]\nWettkampf = "event"\nRang = "place"\n'
        'Wer = "player"\nGeld = "paid"\n',
        encoding="utf-8",
    )
    corpus = import_tables([str(path)], tmp_path / "corpus", {"kind": "individual"}, draft).corpus
    assert set(corpus.table("players")["paid"].to_pylist()) == {15_000}
    assert corpus.table("events").num_rows == 3


def test_dates_that_may_be_two_things_are_asked_about(tmp_path: Path) -> None:
    rows = [row | {"Date": "03/04/2019"} for row in history(3)]
    with pytest.raises(InputError, match=r"03/04/2019 may be %d/%m/%Y or %m/%d/%Y"):
        imported(tmp_path, rows)
    assert 'date = ""' in drafted_plan([str(tmp_path / "corpus.csv")])
    corpus = imported(tmp_path, [row | {"Date": "1/13/2019"} for row in rows]).corpus
    assert str(corpus.table("events")["date"][0].as_py()) == "2019-01-13"


def test_an_event_from_two_files_is_taken_once(tmp_path: Path) -> None:
    rows = list(history(6))
    first = write_csv(tmp_path / "a.csv", rows)
    second = write_csv(tmp_path / "b.csv", [r for r in rows if r["Event ID"] >= "2019-00004"])
    taken = import_tables([str(first), str(second)], tmp_path / "corpus")
    assert taken.events == 6
    assert sorted(taken.twice) == ["2019-00004", "2019-00005"]
    assert not taken.aside


def test_an_event_under_two_ids_is_taken_once(tmp_path: Path) -> None:
    rows = list(history(6))
    copied = [r | {"Event ID": "X"} for r in rows if r["Event ID"] == "2019-00004"]
    taken = imported(tmp_path, rows + copied)
    assert taken.events == 6
    assert len(taken.twice) == 1
    swapped = [r | {"Event ID": "Y", "Place": 3 - r["Place"]} for r in copied if r["Place"] < 3]
    other = [r | {"Event ID": "Y"} for r in copied if r["Place"] > 2]
    path = write_csv(tmp_path / "b.csv", [*rows, *swapped, *other])
    assert import_tables([str(path)], tmp_path / "other").events == 7, "who came where differs"


def test_what_cannot_be_is_set_aside_by_name(tmp_path: Path) -> None:
    rows = list(history(6, pairs=8))
    eight = [r | {"Event ID": "eight firsts", "Place": 1} for r in rows[:8]]
    seats = [r | {"Event ID": "two seats", "Member 1": "M0000001"} for r in rows[8:16]]
    gap = [r | {"Event ID": "gap", "Place": r["Place"] + (r["Place"] > 4)} for r in rows[16:24]]
    word = [r | {"Event ID": "word", "Place": "DNF"} for r in rows[24:32]]
    two = [r | {"Event ID": "two", "Class": f"c{r['Place'] % 2}"} for r in rows[32:40]]
    findings = imported(tmp_path, [*eight, *seats, *gap, *word, *two, *rows[40:]])
    reasons = {ids[0]: reason for reason, ids in findings.aside.items()}
    assert reasons["eight firsts"] == "everybody is at place 1"
    assert reasons["two seats"] == "a member is in two seats"
    assert reasons["gap"].startswith("places that cannot be")
    assert reasons["word"] == "a place cannot be read"
    assert reasons["two"] == "the rows of the event do not agree on what it was"
    assert findings.events == 1


def test_places_come_from_scores_where_only_these_are_told(tmp_path: Path) -> None:
    rows = [
        {
            "event": "E",
            "kind": "pairs",
            "pair": k,
            "score": s,
            "member1": f"a{k}",
            "member2": f"b{k}",
        }
        for k, s in enumerate(("61.5", "58", "58", "40"))
    ]
    corpus = imported(tmp_path, rows).corpus
    entrants = corpus.table("entrants").to_pylist()
    assert [(r["place"], r["tied"]) for r in entrants] == [(1, 1), (2, 2), (2, 2), (4, 1)]


def test_from_a_csv_to_a_comparison_in_two_commands(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "history.csv", mixed(history(200)))
    assert lab("import", path, tmp_path / "corpus").exit_code == 0
    made = lab("compare", tmp_path / "corpus", "as-paid", "acbl-sof-2020", "--json")
    assert made.exit_code == 0, made.output
    answer = json.loads(made.stdout)
    assert "compared with as-paid" in answer["statement"]
    assert "in 200 events that both award" in answer["statement"]
    [row] = answer["tables"]["Paid and the rule"]
    assert row["events"] == 200
    assert row["over"] + row["under"] > 0
    assert answer["synthetic"] is False


def test_what_was_paid_can_be_a_rulebooks_own_and_then_nothing_differs(tmp_path: Path) -> None:
    """Paid as the 2020 rule would: every player alike, and the change is nothing."""
    corpus = imported(tmp_path, history(30)).corpus
    awards = {
        (row["event"], row["entrant"]): row["amount"] / 10_000
        for row in corpus.award("acbl-sof-2020").to_pylist()
    }
    entrants = {
        (row["event"], row["entrant"]): row["place"] for row in corpus.table("entrants").to_pylist()
    }
    ids = {row["event"]: row["id"] for row in corpus.table("events").to_pylist()}
    by_place = {(ids[e], place): awards[e, k] for (e, k), place in entrants.items()}
    rows = [row | {"Points won": by_place[row["Event ID"], row["Place"]]} for row in history(30)]
    again = imported(tmp_path, rows, "again").corpus
    comparison = again.compare("as-paid", "acbl-sof-2020")
    assert "would pay the same" in comparison.statement
    [row] = next(iter(comparison.compared.differences())).rows
    assert row["alike %"] == 100
    assert row["events alike"] == 30


def test_events_without_what_was_paid_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = [
        row | ({"Points won": ""} if row["Event ID"] < "2019-00010" else {}) for row in history(40)
    ]
    corpus = imported(tmp_path, rows).corpus
    comparison = corpus.compare("as-paid", "acbl-sof-2020")
    assert comparison.total.events == 30
    assert "10 events are left out (10: as-paid: what was paid is not known)" in (
        comparison.statement
    )


def test_events_are_found_by_their_owners_ids(tmp_path: Path) -> None:
    corpus = imported(tmp_path, history(5)).corpus
    number = corpus.number_of("2019-00003")
    assert corpus.table("events").to_pylist()[number]["id"] == "2019-00003"
    made = lab("compare", tmp_path / "corpus", "as-paid", "acbl-sof-2020", "--event", "2019-00003")
    assert made.exit_code == 0, made.output
    with pytest.raises(InputError, match="has no event nowhere"):
        corpus.number_of("nowhere")


def test_a_query_to_a_real_postgresql_says_the_same(
    tmp_path: Path, wide: dict[str, Any], postgres_socket: str
) -> None:
    import psycopg

    from tests.ledger import postgres

    address = postgres.another_database(postgres_socket).replace("postgresql+psycopg", "postgresql")
    rows = mixed(history(60))
    names = ", ".join(f'"{name}" text' for name in rows[0])
    marks = ", ".join(["%s"] * len(rows[0]))
    with psycopg.connect(address) as db, db.cursor() as cursor:
        cursor.execute(f"create table results ({names})")
        texts = [[None if v is None else str(v) for v in row.values()] for row in rows]
        cursor.executemany(f"insert into results values ({marks})", texts)
    made = import_tables([address], tmp_path / "corpus", query="select * from results;").corpus
    assert told(made) == wide
    with pytest.raises(InputError, match="say with a query what to read"):
        import_tables([address], tmp_path / "other")
    with pytest.raises(InputError, match="the query fails"):
        import_tables([address], tmp_path / "other", query="select * from nothing")


def test_two_figures_in_a_cell_are_not_one(tmp_path: Path) -> None:
    """Spaces part thousands where all of a column can be read so; else they part figures."""
    rows = [{**row, "Holding 1": "1 750", "Holding 2": "12 345.5"} for row in history(3)]
    write_csv(tmp_path / "thousands.csv", rows)
    corpus = import_tables([str(tmp_path / "thousands.csv")], tmp_path / "thousands").corpus
    held = corpus.table("players")
    assert {175_000, 1_234_550} <= set(held["holding"].to_pylist())
    rows = [*history(3)]
    rows[0]["Holding 1"], rows[1]["Holding 1"] = "667 309", "1759 1778"
    write_csv(tmp_path / "pairs.csv", rows)
    taken = import_tables([str(tmp_path / "pairs.csv")], tmp_path / "pairs")
    notes = "\n".join(map(str, taken.notes()))
    assert "Holding 1: 2 cells cannot be read, e.g. '667 309'" in notes


def test_a_figure_too_large_costs_its_cell_and_is_named(tmp_path: Path) -> None:
    rows = [*history(3)]
    rows[0]["Holding 1"] = "41484926.00"
    write_csv(tmp_path / "large.csv", rows)
    taken = import_tables([str(tmp_path / "large.csv")], tmp_path / "corpus")
    assert any("large.csv" in str(note) and "41484926" in str(note) for note in taken.notes())


def test_a_history_without_players_says_its_kind(tmp_path: Path) -> None:
    """The kind stands in the rows and is told of the event; a header may hold anything."""
    odd = 'x"; drop table events; --'
    one = {"event": "E1", "class": "regional", "kind": "pairs", "sessions": 2, "date": "2019-01-01"}
    rows = [one | {"place": n, "entrant": f"P{n}", odd: f"it's {n}"} for n in range(1, 9)]
    made = lab("import", write_csv(tmp_path / "results.csv", rows), tmp_path / "corpus")
    assert made.exit_code == 0, made.stderr
    assert "8 entrants" in made.stdout
