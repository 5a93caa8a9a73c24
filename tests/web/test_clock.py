"""What ends by the clock ends when it should: the clock is put forward, nobody waits."""

import time
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from honours import clock
from honours.web.accounts import second_factor
from honours.web.accounts.keys import LINK_SECONDS, SESSION_SECONDS, TokenWish
from honours.web.accounts.store import Accounts
from honours.web.settings import Settings
from tests.web.federation import PASSWORD
from tests.web.server import serving
from tests.web.test_evening import V1, play, set_up


def forward(monkeypatch: pytest.MonkeyPatch, **by: float) -> None:
    monkeypatch.setattr(clock, "ahead", clock.ahead + timedelta(**by))


@pytest.mark.parametrize(
    ("kind", "seconds"), [("session", SESSION_SECONDS), ("link", LINK_SECONDS), ("token", 86400)]
)
def test_a_key_holds_as_long_as_it_was_made_for(
    kind: str, seconds: float, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "token":
        key = accounts.keys.token("ann", TokenWish(days=1))
    else:
        key = accounts.keys.session("ann") if kind == "session" else accounts.keys.link("ann")
    forward(monkeypatch, seconds=seconds - 5)
    assert accounts.keys.who(key, kind)
    forward(monkeypatch, seconds=10)
    assert accounts.keys.who(key, kind) is None


def test_who_was_signed_in_signs_in_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        client.post("/sign-in", data={"name": "ann", "password": PASSWORD})
        assert client.get("/account").status_code == 200
        forward(monkeypatch, seconds=SESSION_SECONDS + 5)
        assert client.get("/account").status_code == 303


def test_a_code_of_a_telephone_is_taken_a_little_late_and_no_later(
    settings: Settings, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = accounts.offer_second_factor("ann")
    shown = second_factor.code_at(secret, second_factor.step_now())
    accounts.take_second_factor("ann", shown)
    late = [second_factor.code_at(secret, second_factor.step_now() + n) for n in (1, 2)]
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        form = {"name": "ann", "password": PASSWORD}
        forward(monkeypatch, seconds=120)
        assert client.post("/sign-in", data={**form, "code": late[0]}).status_code != 303
        forward(monkeypatch, seconds=-35)
        assert client.post("/sign-in", data={**form, "code": late[1]}).status_code == 303


def test_whoever_guessed_too_often_may_try_again_later(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = {"name": "ann", "password": "not the password"}
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        codes = [
            client.post("/sign-in", data=form).status_code for _ in range(settings.guesses + 1)
        ]
        assert codes[-1] == 429
        right = {**form, "password": PASSWORD}
        assert client.post("/sign-in", data=right).status_code == 429
        forward(monkeypatch, minutes=16)
        assert client.post("/sign-in", data=right).status_code == 303


def test_standings_are_final_after_the_correction_period(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data=tmp_path)
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        evening = set_up(client)
        play(client, evening)
        client.post(f"{V1}/evenings/{evening}/end")
    for minutes, provisional in ((29, True), (2, False)):
        forward(monkeypatch, minutes=minutes)
        with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
            for _ in range(1 if provisional else 600):  # a thread of the server sees to it
                standings = client.get(f"{V1}/evenings/{evening}/standings").json()
                if standings["provisional"] is provisional:
                    break
                time.sleep(0.1)
            assert standings["provisional"] is provisional
            rulings = client.get(f"{V1}/events/{evening}/rulings").json()["rulings"]
            assert [one["kind"] for one in rulings] == ([] if provisional else ["final"])
