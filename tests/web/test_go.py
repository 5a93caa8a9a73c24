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
        assert client.get(f"{event}/pairs/nobody").status_code == 404
