"""Results typed from paper: in the letters of the reader, with what each line scored beside it."""

import json
from collections.abc import Iterator

import httpx
import pytest

from honours.web.settings import Settings
from tests.support import cases
from tests.web.server import client_of
from tests.web.test_evening import V1, set_up

FRENCH = {"accept-language": "fr"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with client_of(Settings(data=tmp_path_factory.mktemp("evenings"))) as client:
        yield client


def test_a_grid_is_typed_in_the_letters_of_its_reader(client: httpx.Client) -> None:
    evening = set_up(client)
    api = f"{V1}/evenings/{evening}"
    typed = {"round": 1, "table": 1, "board": 1, "language": "fr"}
    sent = client.post(f"{api}/lines", json={**typed, "text": "4CO+1"}).json()
    assert (sent["line"]["text"], sent["line"]["spelled"]) == ("4H W +1", "4C O +1")
    wrong = client.post(f"{api}/lines", json={**typed, "text": "3Z N ="}, headers=FRENCH)
    assert wrong.status_code == 422
    assert "4P, 3SAx ou passe" in wrong.json()["detail"]
    for headers, spelled in (({}, "4H W +1"), (FRENCH, "4C O +1")):
        lines = client.get(f"{api}/grid", headers=headers).json()["lines"]
        assert [one["spelled"] for one in lines if "spelled" in one] == [spelled]
        assert spelled in client.get(f"/evenings/{evening}/grid", headers=headers).text


@cases
def test_a_score_without_a_sign_is_asked_about_where_both_are_possible(
    client: httpx.Client, board: int, text: str, kept: str
) -> None:
    api = f"{V1}/evenings/{set_up(client)}"
    lines = client.get(f"{api}/grid").json()["lines"]
    place = next(one for one in lines if one["board"] == board)
    sent = {name: place[name] for name in ("round", "table", "board")} | {"text": text}
    answer = client.post(f"{api}/lines", json=sent)
    assert [one["text"] for one in client.get(f"{api}/lines").json()] == ([kept] if kept else [])
    assert answer.status_code == (200 if kept else 422)
    assert answer.json().get("offers") == (None if kept else [f"+{text}", f"-{text}"])


def test_a_key_means_one_act_at_its_table(client: httpx.Client) -> None:
    api = f"{V1}/evenings/{set_up(client)}"
    entry = {"key": "0f3c9a7e51", "kind": "result", "text": "4S N ="}
    lines = [one for one in client.get(f"{api}/grid").json()["lines"] if one["round"] == 1]
    (first, second), other = (
        [one["board"] for one in lines if one["table"] == 1][:2],
        next(one["board"] for one in lines if one["table"] == 2),
    )

    def entered(table: int, board: int, **more: str) -> tuple[int, bool | None]:
        sent = {**entry, "board": board, **more}
        answer = client.post(f"{api}/tables/{table}/entries", json=sent)
        return answer.status_code, answer.json().get("again")

    assert entered(1, first) == (200, False)
    assert entered(1, first) == (200, True)
    assert entered(1, first, text="4S N +1") == (409, None)
    assert entered(1, second) == (409, None)
    assert entered(2, other) == (200, False)
    kept = client.get(f"{api}/lines").json()
    assert [(one["table"], one["text"]) for one in kept] == [(1, "4S N ="), (2, "4S N =")]


def test_play_ends_once(client: httpx.Client) -> None:
    evening = set_up(client)
    api = f"{V1}/evenings/{evening}"
    lines = [one for one in client.get(f"{api}/grid").json()["lines"] if one["board"] == 1]
    for place, text in zip(lines, ("4S N =", "pass"), strict=False):
        sent = {name: place[name] for name in ("round", "table", "board")} | {"text": text}
        assert client.post(f"{api}/lines", json=sent).status_code == 200
    first, second = (client.post(f"{api}/end").json() for _ in range(2))
    assert first == second
    assert first["event"]


@pytest.mark.parametrize(("kind", "many"), [("round-robin", 4), ("american-whist", 5)])
def test_a_line_of_teams_has_its_imps_and_its_match(
    client: httpx.Client, kind: str, many: int
) -> None:
    evening = set_up(client, movement=kind, pairs=many, boards=12)
    rounds = client.get(f"{V1}/evenings/{evening}").json()["rounds"]
    for number in range(1, rounds + 1):
        client.post(f"{V1}/evenings/{evening}/rounds", json={"round": number})
    for number, table, board in _places(client, evening):
        text = "4S N =" if table == 1 else "4S N -1"
        line = {"round": number, "table": table, "board": board, "text": text}
        assert client.post(f"{V1}/evenings/{evening}/lines", json=line).status_code == 200
    lines = client.get(f"{V1}/evenings/{evening}/grid").json()["lines"]
    lines = [one for one in lines if one["board"] == 1]
    assert len(lines) > 1
    for line in lines:
        assert line["ns_points"].lstrip("-") == line["ew_points"].lstrip("-") != ""
        assert " – " in line["match"]
    page = client.get(f"/evenings/{evening}/grid").text
    assert "NS IMPs" in page
    assert json.dumps(lines[0]["match"]) in page


def _places(client: httpx.Client, evening: str) -> list[tuple[int, int, int]]:
    missing = client.get(f"{V1}/evenings/{evening}/missing").json()["missing"]
    return [(one["round"], one["table"], one["board"]) for one in missing]
