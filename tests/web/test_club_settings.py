"""What a club has settled, over the API: read, changed, and guarded as its page is."""

import httpx

from tests.web.federation import signed

V1 = "/api/v1/club"


def test_settings_are_read_and_changed_one_by_one(client: httpx.Client) -> None:
    before = client.get(V1).json()
    changed = client.patch(V1, json={"year_begins": "2017-09-01", "name": "Ayr"}).json()
    assert changed == {**before, "year_begins": "09-01", "name": "Ayr"}
    assert 'value="09-01"' in client.get("/club").text
    again = client.patch(V1, json={"profile": "ebu-simplified"}).json()
    assert again == {**changed, "profile": "ebu-simplified"}
    for wrong in ({"year_begins": "13-40"}, {"profile": "mine"}, {"colour": "green"}):
        assert client.patch(V1, json={"name": "Other", **wrong}).status_code == 422
        assert client.get(V1).json() == again
    kept = {key: before[key] for key in ("name", "colour", "profile", "year_begins")}
    assert client.patch(V1, json=kept).json() == before


def test_a_secretary_settles_what_is_usual_with_the_own_club_alone(
    federation: str, tokens: dict[str, str]
) -> None:
    with signed(federation, tokens["ann"]) as scorer:
        assert scorer.get(V1).status_code == 403
    with signed(federation, tokens["sec"]) as secretary:
        assert secretary.get(V1).json()["club"] == "Aberdeen"
        assert secretary.get(V1, params={"club": "Perth"}).status_code == 403
        refused = secretary.patch(V1, params={"club": "Perth"}, json={"year_begins": "09-01"})
        assert refused.status_code == 403
    with signed(federation, tokens["all"]) as everybody:
        data = everybody.patch(V1, params={"club": "Perth"}, json={"year_begins": "09-01"}).json()
        assert (data["club"], data["year_begins"]) == ("Perth", "09-01")
        assert everybody.get(V1, params={"club": "Aberdeen"}).json()["year_begins"] == ""


def test_a_standing_answer_is_told_until_it_is_taken_back(
    client: httpx.Client,
) -> None:
    rows = "".join(f"{n},{70 - n},Ann A{n} & Bo B{n}\n" for n in range(1, 13))
    asked = {"rulebook": "ebu-clubs", "as_usual": True, "given": {"boards": 24}}

    def awards(name: str) -> httpx.Response:
        file = (name, f"pair,score,players\n{rows}")
        event = client.post("/api/v1/events", files={"file": file}).json()[0]["id"]
        return client.post(f"/api/v1/events/{event}/awards", json=asked)

    def open_(answer: httpx.Response) -> set[str]:
        questions = answer.json()["questions"] if answer.status_code == 409 else []
        return {fact for one in questions for fact in one["facts"]}

    before = client.get(V1).json()["answers"]
    first = open_(awards("evening.csv"))
    assert "scale" in first
    client.patch(V1, json={"answers": 'scale = "A"\n[Friday]\nscale = "B"'})
    assert open_(awards("another.csv")) == first - {"scale"}
    client.patch(V1, json={"answers": before})
    assert "scale" in open_(awards("third.csv"))
