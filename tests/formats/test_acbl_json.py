"""ACBL club pages, written from the description."""

import json
from pathlib import Path
from typing import Any

import pytest

from honours.errors import FileProblem, InputError
from honours.formats.acbl import read_acbl_json
from honours.model import Event


def pair(number: str, direction: str, *holdings: float) -> dict[str, Any]:
    return {
        "pair_number": number,
        "direction": direction,
        "strat": 2,
        "percentage": "55.21",
        "boards_played": 24,
        "strat_place": [{"strat_number": 1, "rank": "1/2", "type": "Section"}],
        "players": [
            {
                "id_number": f"{direction}{number}{n}",
                "name": f"P{n}",
                "mp_total": holding,
                "awards_score": [{"total": "0.44", "type": "Section"}],
            }
            for n, holding in enumerate(holdings)
        ],
    }


def line(ns: str, ew: str, **more: object) -> dict[str, object]:
    return {"ns_pair": ns, "ew_pair": ew, "ns_match_points": 1.5, "ew_match_points": "0.5", **more}


def page(*results: dict[str, object]) -> str:
    section = {
        "name": "A",
        "pair_summaries": [pair("1", "NS", 1250.5, 80), pair("1", "EW", 3, 4)],
        "boards": [{"board_number": 1, "board_results": list(results)}],
    }
    return json.dumps(
        {"name": "Club", "start_date": "2025-03-31", "sessions": [{"sections": [section]}]}
    )


PLAYED = {
    "ns_score": "420",
    "ew_score": "-420",
    "contract": "4S",
    "declarer": "N",
    "tricks_taken": 10,
}
ACBL = f"<html><script>var data = {page(line('1', '1', **PLAYED))};</script></html>"


def read(folder: Path, text: str) -> Event:
    path = folder / "x.html"
    path.write_text(text, encoding="utf-8")
    return read_acbl_json(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("var data = {", "not JSON"),
        ('{"sessions": 7}', "no sessions in it"),
        ('{"sessions": [{}]}', "no results in it"),
        ("[" * 100_000, "not JSON"),
        (page(line("1", "1", ns_score="37")), "section A, board 1, 1 v 1: score '37'"),
        (page(line("", "1", ns_score="50")), "no board or no pair"),
    ],
)
def test_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises((InputError, FileProblem)) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
