"""Cells that name two members: parted and said, or asked about; never one member in silence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from honours.errors import InputError
from honours.lab.history.importing import ImportResult, drafted_plan
from tests.lab.histories import history, import_tables, imported, write_csv


def _rows(sign: str, events: int = 6) -> list[dict[str, Any]]:
    """A history with both members of a pair in one cell."""
    return [
        {name: value for name, value in row.items() if not name[-1].isdigit()}
        | {"Members": f"{row['Member 1']}{sign}{row['Member 2']}"}
        | {"Holding": f"{row['Holding 1']}{sign}{row['Holding 2']}"}
        for row in history(events)
    ]


def _take(tmp_path: Path, rows: list[dict[str, Any]], plan: str = "") -> ImportResult:
    corrected = tmp_path / "plan.toml"
    corrected.write_text(plan, encoding="utf-8")
    folder = tmp_path / f"corpus-{len([*tmp_path.iterdir()])}"
    return import_tables([str(write_csv(tmp_path / "a.csv", rows))], folder, {}, corrected)


@pytest.mark.parametrize("sign", [" & ", "&", " / ", "; ", "+"])
def test_two_members_of_a_cell_are_two(tmp_path: Path, sign: str) -> None:
    together = _take(tmp_path, _rows(sign))
    apart = imported(tmp_path, [*history(6)], "d")
    players = [corpus.table("players").to_pylist() for corpus in (together.corpus, apart.corpus)]
    assert players[0] == players[1]
    assert together.corpus.member_ids() == apart.corpus.member_ids()
    notes = "\n".join(map(str, together.notes()))
    assert f"'Members' has several members in a cell, with {sign.strip()!r}" in notes


def test_names_are_parted_by_and(tmp_path: Path) -> None:
    rows = [
        row | {"Members": f"Sandy {row['Place']} and Andy {row['Place']}"} for row in _rows("&")
    ]
    taken = _take(tmp_path, rows)
    assert {"Sandy 1", "Andy 1"} <= set(taken.corpus.member_ids().values())


def test_a_few_such_cells_are_asked_about(tmp_path: Path) -> None:
    rows = [row | {"Members": row["Members"].partition("&")[0]} for row in _rows("&")]
    rows = [{k: v for k, v in row.items() if k != "Holding"} for row in rows]
    rows[3]["Members"] = "Jo & Di"
    with pytest.raises(InputError, match=r"a\.csv: column 'Members': is 'Jo & Di' one member or"):
        _take(tmp_path, rows)
    one = _take(tmp_path, rows, '[written]\nmembers = ""\n')
    assert "Jo & Di" in one.corpus.member_ids().values()


@pytest.mark.parametrize("shape", ["UK/{}", "{0:07}-{0:07}", "{},{}"])
def test_a_sign_that_may_belong_to_an_id_is_asked_about(tmp_path: Path, shape: str) -> None:
    rows = [
        {name: value for name, value in row.items() if name not in ("Holding", "Members")}
        | {"Members": shape.format(k, k)}
        for k, row in enumerate(_rows("&"))
    ]
    with pytest.raises(InputError, match="one member or several"):
        _take(tmp_path, rows)


def test_a_team_may_have_two_pairs_in_two_cells(tmp_path: Path) -> None:
    rows = [
        {"Event ID": "e", "Kind": "Teams", "Place": k + 1, "Date": "2019-01-02"}
        | {"Member 1": f"a{k} & b{k}", "Member 2": f"c{k} & d{k}", "Holding": 100 + k}
        for k in range(5)
    ]
    taken = _take(tmp_path, rows)
    assert len(taken.corpus.member_ids()) == 20
    assert taken.corpus.table("players").num_rows == 20
    assert "'Holding' is left out: a row has several players" in "\n".join(map(str, taken.notes()))


def test_a_plan_says_what_stands_between_members(tmp_path: Path) -> None:
    rows = [row | {"Members": row["Members"].replace("&", ",")} for row in _rows("&")]
    path = write_csv(tmp_path / "a.csv", rows)
    assert "members" not in drafted_plan([str(path)])
    taken = _take(tmp_path, rows, '[written]\nmembers = ","\n')
    assert not any("," in one for one in taken.corpus.member_ids().values())
    with pytest.raises(InputError, match=r"members = '\?': expected one of"):
        _take(tmp_path, rows, '[written]\nmembers = "?"\n')


def test_what_a_draft_says_of_members_is_what_an_import_does(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "a.csv", _rows(" & "))
    draft = drafted_plan([str(path)])
    assert 'members = "&"' in draft
    assert '"Members" = "player"' in draft
    assert (_take(tmp_path, _rows(" & "), draft).corpus.folder / "import.toml").read_text() == draft
