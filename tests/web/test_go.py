"""A go tournament on its pages: grades, cross table, round by round, and each player's games."""

from __future__ import annotations

import re
from pathlib import Path

from honours.demo import file
from honours.web.settings import Settings
from tests.web.server import client_of, kept_anew


def test_a_tournament_is_shown_round_by_round_and_player_by_player(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:
        event = kept_anew(client, "go-open.txt", file("go-open.txt").read_bytes())
        standings = client.get(event).text
        assert re.search(r">\d+[dk]</td>", standings)
        cross = re.findall(rf'href="({event}/pairs/[^"]+)">\d+[+=-]/[bw]', standings)
        assert cross
        rounds = client.get(f"{event}/rounds").text
        assert 'data-table="round-1"' in rounds
        assert cross[0] in rounds
        player = client.get(cross[0]).text
        assert 'data-table="games"' in player
        assert re.search(r">(white|black)<", player)
        assert "rating change" not in player.lower()  # no class is known of it
        assert client.get(f"{event}/pairs/nobody").status_code == 404


def test_a_player_is_named_and_a_game_is_ruled_on(tmp_path: Path) -> None:
    with client_of(Settings(data=tmp_path)) as client:
        event = kept_anew(client, "go-open.txt", file("go-open.txt").read_bytes())
        first = client.get(f"/api/v1{event}/rulings").json()
        assert first["count"] == 0
        grid = client.get(f"{event}/names").text
        assert 'name="p.501.0" value="Stone, Ada"' in grid
        named = {"p.501.0": "Ada Pebble", "n.501.0": "501"}
        client.post(f"{event}/names", data=named)
        ruling = {"kind": "game", "round": "3", "player": "501", "winner": "black", "by": "D"}
        told = client.post(f"{event}/rulings/preview", data=ruling).text
        assert "Ada Pebble" in told
        client.post(f"{event}/rulings", data=ruling)
        places = re.findall(r">(\d)</td>.*?pairs/(\d+)", client.get(event).text, re.DOTALL)
        assert places[0] != ("1", "501")
        refused = client.post(f"{event}/rulings", data={**ruling, "round": "9"})
        assert refused.status_code == 422
        bridge = {**ruling, "kind": "fouled", "board": "1", "pairs": "1"}
        assert client.post(f"{event}/rulings", data=bridge).status_code == 422


def test_ratings_change_beside_the_results(tmp_path: Path) -> None:
    text = """\
; CL[A]
; EV[Open]
; DT[2025-03-15,2025-03-16]
1 Stone Ada 2d DE Koln 2 2 2+/w0
2 Moku Ben 1d DE Koln 1 1 1-/b0
"""
    with client_of(Settings(data=tmp_path)) as client:
        event = kept_anew(client, "open.h9", text.encode())
        page = client.get(event).text
        changes = re.findall(r">([+-]\d+\.\d)<", page)
        assert [one[0] for one in changes] == ["+", "-"]
        assert changes[0] in client.get(f"{event}/pairs/1").text


def test_a_tournament_that_is_not_finished_says_so(tmp_path: Path) -> None:
    finished = file("go-open.txt").read_text()
    open_ = finished.replace("504 505 B", "504 505 ?")
    with client_of(Settings(data=tmp_path)) as client:
        for text, badges in ((finished, 0), (open_, 1)):
            page = client.get(kept_anew(client, "go.txt", text.encode())).text
            assert page.count("not finished yet") == badges
