"""Results typed from paper: in the letters of the reader, with what each line scored beside it."""

from collections.abc import Iterator

import httpx
import pytest

from honours.web.settings import Settings
from tests.web.server import client_of
from tests.web.test_evening import V1, set_up

FRENCH = {"accept-language": "fr"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with client_of(Settings(data=tmp_path_factory.mktemp("evenings"))) as client:
        yield client


def test_a_grid_is_typed_in_the_letters_of_its_reader(client: httpx.Client) -> None:
    evening = set_up(client)
    path = f"/evenings/{evening}/grid?by=slip&at=0"
    typed = {"r.1.1.1": "4CO+1", "r.1.1.2": "3Z N ="}
    page = client.post(path, data=typed, headers=FRENCH)
    assert page.status_code == 422
    assert "4P, 3SAx ou passe" in page.text
    [line] = client.get(f"{V1}/evenings/{evening}/lines").json()
    assert (line["text"], line["spelled"]) == ("4H W +1", "4H W +1")
    shown = client.get(path, headers=FRENCH).text
    assert 'value="4C O +1"' in shown
    assert "C est toujours cœur" in shown
    assert 'value="4H W +1"' in client.get(path).text
    again = {"key": "a new key", "round": 1, "table": 1, "board": 1, "language": "fr"}
    sent = client.post(f"{V1}/evenings/{evening}/lines", json={**again, "text": "2t s ="}).json()
    assert (sent["line"]["text"], sent["line"]["spelled"]) == ("2C S =", "2T S =")


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
    lines = client.get(f"{V1}/evenings/{evening}/boards/1").json()["lines"]
    assert len(lines) > 1
    for line in lines:
        assert line["ns_points"].lstrip("-") == line["ew_points"].lstrip("-") != ""
        assert " – " in line["match"]
    page = client.get(f"/evenings/{evening}/grid").text
    assert "NS IMPs" in page
    assert lines[0]["match"] in page


def _places(client: httpx.Client, evening: str) -> list[tuple[int, int, int]]:
    missing = client.get(f"{V1}/evenings/{evening}/missing").json()["missing"]
    return [(one["round"], one["table"], one["board"]) for one in missing]
