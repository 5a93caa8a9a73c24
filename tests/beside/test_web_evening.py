"""Compared with real files beside the repository: an evening that is watched."""

import httpx

from tests.support import shared
from tests.web.test_evening import V1, set_up


def test_a_bridgemates_file_is_shown_ruled_on_and_handed_on(client: httpx.Client) -> None:
    content = shared("real/bws/12-tables-1-section.bws").read_bytes()
    evening = set_up(client, pairs=0, movement="", watched=True)
    path = f"{V1}/evenings/{evening}/file"
    assert client.put(path, files={"file": ("night.bws", content)}).json()["new"]
    rows = client.get(f"{V1}/evenings/{evening}/standings").json()["lists"][0]["rows"]
    assert len(rows) == 24
    ruling = {"kind": "penalty", "pair": rows[0]["pair"], "amount": "100", "by": "D"}
    changes = client.post(f"{V1}/evenings/{evening}/rulings", json=ruling)
    assert changes.status_code == 201, changes.text
    after = client.get(f"{V1}/evenings/{evening}/standings").json()["lists"][0]["rows"]
    assert after != rows
    ended = client.post(f"{V1}/evenings/{evening}/end").json()
    rulings = client.get(f"{V1}/events/{ended['event']}/rulings").json()["rulings"]
    assert [one["kind"] for one in rulings] == ["penalty"]
