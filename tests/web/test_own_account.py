"""One's own account: password, second factor, tokens, and guesses that are counted for good."""

import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from honours.errors import InputError
from honours.model.rights import KEEP, SCORE
from honours.web.accounts import second_factor
from honours.web.accounts.keys import TokenWish
from honours.web.accounts.passwords import weakness
from honours.web.accounts.store import Accounts
from honours.web.settings import Settings
from tests.web.federation import PASSWORD, signed
from tests.web.server import serving

V1 = "/api/v1"
ANOTHER = "seven quiet lanterns"


@pytest.mark.parametrize(
    "password",
    [
        "aaaaaaaaaa",
        "1234567890",
        "password12",
        "P4ssw0rd!!",
        "qwertyuiop",
        "azertyuiop",
        "poiuytrewq",
        "19840312 1984",
        "abcabcabcabc",
        "bridgebridge",
        "masterpoints1",
        "letmein2026!",
        "annsmith2026",
        "Summer2026!!",
        "short",
    ],
)
def test_what_is_tried_first_is_not_taken(password: str) -> None:
    assert weakness(password, "Ann Smith")


@pytest.mark.parametrize(
    "password", [PASSWORD, ANOTHER, "k7#vQ2!mZp9w", "7391046285518263", "Zwölf Enten im Nebel"]
)
def test_what_is_not_is_taken(password: str) -> None:
    assert weakness(password, "Ann Smith") == ""


def test_a_weak_password_makes_no_account(tmp_path: Path) -> None:
    accounts = Accounts(str(tmp_path / "accounts.db"))
    with pytest.raises(InputError, match="different characters"):
        accounts.set("ann", "viewer", "aaaaaaaaaa")
    assert accounts.all() == []
    accounts.close()


def _sign_in(client: httpx.Client, password: str = PASSWORD, code: str = "") -> int:
    form = {"name": "ann", "password": password, "code": code}
    return client.post("/sign-in", data=form).status_code


def test_ones_own_password_is_changed(settings: Settings, accounts: Accounts) -> None:
    token = accounts.token("ann")
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        assert _sign_in(client) == 303
        page = client.get("/account")
        assert page.status_code == 200
        wrong = {"password": "not mine at all", "new_password": ANOTHER, "password_again": ANOTHER}
        assert client.post("/account/password", data=wrong).status_code == 422
        weak = {"password": PASSWORD, "new_password": "aaaaaaaaaa", "password_again": "aaaaaaaaaa"}
        assert client.post("/account/password", data=weak).status_code == 422
        unlike = {"password": PASSWORD, "new_password": ANOTHER, "password_again": ANOTHER + "s"}
        assert client.post("/account/password", data=unlike).status_code == 422
        right = {"password": PASSWORD, "new_password": ANOTHER, "password_again": ANOTHER}
        answer = client.post("/account/password", data=right)
        assert answer.status_code == 303
        page = client.get(answer.headers["location"])
        assert page.status_code == 200  # this session stays
        assert "The password was changed." in page.text
    assert accounts.who(token, "token") is None  # and nothing else does
    assert accounts.knows("ann", ANOTHER)
    assert not accounts.knows("ann", PASSWORD)


@pytest.mark.parametrize("path", ["password", "tokens", "second-factor/offer"])
def test_who_has_signed_in_does_not_guess_the_password_either(
    settings: Settings, accounts: Accounts, path: str
) -> None:
    hasty = replace(settings, guesses=3, sign_ins=1000)
    with serving(hasty) as address, httpx.Client(base_url=address) as client:
        assert _sign_in(client) == 303
        wrong = {"password": "not mine at all"}
        codes = [client.post(f"/account/{path}", data=wrong).status_code for _ in range(4)]
        assert codes == [422, 422, 422, 429]
        right = {"password": PASSWORD, "new_password": ANOTHER, "password_again": ANOTHER}
        for asked in ("password", "tokens", "second-factor/drop"):
            assert client.post(f"/account/{asked}", data=right).status_code == 429
        client.cookies.clear()
        assert _sign_in(client) == 303  # which is counted apart: nobody is locked out by it
    assert accounts.knows("ann", PASSWORD)


def test_guesses_elsewhere_do_not_keep_anybody_from_their_own_account(settings: Settings) -> None:
    hasty = replace(settings, guesses=3, sign_ins=1000)
    with serving(hasty) as address, httpx.Client(base_url=address) as client:
        assert _sign_in(client) == 303
        with httpx.Client(base_url=address) as other:
            assert [_sign_in(other, "a guess of somebody") for _ in range(3)] == [403] * 3
        assert client.post("/account/tokens", data={"password": PASSWORD}).status_code == 200


def test_a_token_makes_no_other_token(settings: Settings, accounts: Accounts) -> None:
    token = accounts.token("ann", TokenWish(role="viewer"))
    with serving(settings) as address, signed(address, token) as program:
        asked = {"password": PASSWORD, "role": "scorer"}
        assert program.post("/account/tokens", data=asked).status_code == 403
        assert program.get("/account").status_code == 403
    assert len(accounts.keys.tokens("ann")) == 1


def test_the_codes_are_those_of_the_standard() -> None:
    secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # RFC 6238, appendix B, the last six digits
    shown = {59: "287082", 1111111109: "081804", 1234567890: "005924", 2000000000: "279037"}
    assert {at: second_factor.code_at(secret, at // 30) for at in shown} == shown


def test_a_second_factor_is_asked_for_once_it_is_set_up(
    settings: Settings, accounts: Accounts
) -> None:
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        assert _sign_in(client) == 303
        offered = client.post("/account/second-factor/offer", data={"password": PASSWORD}).text
        secret = offered.partition("<p><code>")[2].partition("<")[0]
        assert "data:image/svg+xml" in offered
        assert client.post("/account/second-factor", data={"code": "000000"}).status_code == 422
        assert not accounts.has_second_factor("ann")
        used = second_factor.code_at(secret, second_factor.step_now())
        assert client.post("/account/second-factor", data={"code": used}).status_code == 303
        assert secret not in client.get("/account").text  # it was shown once
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        assert _sign_in(client) == 403
        assert _sign_in(client, code=used) == 403  # a code is good once
        later = second_factor.code_at(secret, second_factor.step_now() + 1)
        assert _sign_in(client, code=later) == 303
        dropped = client.post("/account/second-factor/drop", data={"password": PASSWORD})
        assert dropped.status_code == 303
        assert _sign_in(client) == 303


def test_codes_are_not_guessed_where_the_account_is_used_to_sign_in(
    settings: Settings, accounts: Accounts
) -> None:
    """Who knows the password and sits at the club's address had ten codes a minute for ever."""
    hasty = replace(settings, guesses=3, sign_ins=1000)
    with serving(hasty) as address, httpx.Client(base_url=address) as client:
        assert _sign_in(client) == 303
        secret = accounts.offer_second_factor("ann")
        step = second_factor.step_now()
        assert accounts.take_second_factor("ann", second_factor.code_at(secret, step))
        assert [_sign_in(client, code="1234567") for _ in range(4)] == [403, 403, 403, 429]
        right = second_factor.code_at(secret, step + 1)
        assert _sign_in(client, code=right) == 429


def test_a_token_may_do_no_more_than_it_was_made_for(
    settings: Settings, accounts: Accounts
) -> None:
    accounts.set("duo", "secretary", PASSWORD, "Aberdeen")
    accounts.set("duo", "administrator", club="Perth")
    only = accounts.who(
        accounts.token("duo", TokenWish(label="site", role="viewer", club="Perth")), "token"
    )
    assert only is not None
    assert [(one.club, one.role) for one in only.grants] == [("Perth", "viewer")]
    narrow = accounts.who(accounts.token("duo", TokenWish(label="site", role="scorer")), "token")
    assert narrow is not None
    assert not narrow.may(KEEP)
    assert narrow.may(SCORE, "Aberdeen")
    with serving(settings) as address, httpx.Client(base_url=address) as ann:
        assert _sign_in(ann) == 303
        made = {"password": PASSWORD, "label": "results page", "role": "viewer", "days": "7"}
        shown = ann.post("/account/tokens", data=made).text
        token = shown.partition("<code>")[2].partition("<")[0]
        with signed(address, token) as program:
            assert program.get(f"{V1}/events").status_code == 200
            assert program.post("/events/example").status_code == 403
            page = ann.get("/account").text
            assert token not in page
            assert "results page" in page
            [listed] = [one for one in accounts.keys.tokens("ann") if one.label]
            assert ann.post("/account/tokens/end", data={"token": listed.id}).status_code == 303
            assert program.get(f"{V1}/events").status_code == 401
        assert ann.get("/account").status_code == 200  # the session goes on
    with pytest.raises(ValueError, match="less than or equal to 365"):
        TokenWish(days=400)


def test_an_administrator_ends_a_single_token(federation: str, tokens: dict[str, str]) -> None:
    path = f"{V1}/accounts/eva/tokens"
    with signed(federation, tokens["all"]) as everywhere:
        asked = {"label": "site", "role": "viewer", "days": 3}
        made = everywhere.post(path, json=asked).json()["token"]
        listed = everywhere.get(path).json()
        [one] = [token for token in listed if token["label"] == "site"]
        assert made not in str(listed)
        with signed(federation, made) as program:
            assert program.get(f"{V1}/events").status_code == 200
            assert everywhere.delete(f"{path}/{one['id']}").status_code == 204
            assert program.get(f"{V1}/events").status_code == 401
        assert everywhere.delete(f"{path}/{one['id']}").status_code == 404
    with signed(federation, tokens["eva"]) as eva:
        assert eva.get(f"{V1}/events").status_code == 200


def test_guesses_are_counted_for_an_account_and_survive_a_restart(
    settings: Settings, accounts: Accounts
) -> None:
    from honours.web.accounts.sign_in import sign_in

    def tried(password: str, address: str) -> str:
        from starlette.exceptions import HTTPException

        again = Accounts(settings.accounts_at)  # as after a restart, each time
        try:
            key = sign_in(again, settings, "ann", password, "", address)
        except HTTPException as error:
            return str(error.status_code)
        finally:
            again.close()
        return "in" if key else "wrong"

    assert tried(PASSWORD, "192.0.2.1") == "in"
    guesses = [tried("not the password", f"198.51.100.{n}") for n in range(settings.guesses + 5)]
    assert guesses == ["wrong"] * settings.guesses + ["429"] * 5
    assert tried(PASSWORD, "198.51.100.77") == "429"  # whoever guesses gets no answer at all
    assert tried(PASSWORD, "192.0.2.1") == "in"  # and yet nobody is locked out from where they are
    address = [tried("x", "203.0.113.9") for _ in range(settings.sign_ins + 1)]
    assert address[-1] == "429"
    refused = [line for line in accounts.audit.lines() if line.code == 403]
    assert {(line.who, line.what) for line in refused} == {("ann", "was refused: signed in")}
    assert {line.address for line in refused} >= {"198.51.100.0", "198.51.100.9"}


def test_who_signs_in_is_brought_where_they_were_going(settings: Settings) -> None:
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        asked = client.get("/events?kind=pairs").headers["location"]
        assert asked == "/sign-in?to=%2Fevents%3Fkind%3Dpairs"
        assert 'name="to" value="/events?kind=pairs"' in client.get(asked).text
        form = {"name": " Ann", "password": PASSWORD}  # capitals do not matter
        for to, there in (("/events?kind=pairs", "/events?kind=pairs"), ("//evil.example", "/")):
            answer = client.post("/sign-in", data={**form, "to": to})
            assert (answer.status_code, answer.headers["location"]) == (303, there)


def test_capitals_neither_evade_the_limit_nor_make_another_account(
    settings: Settings, accounts: Accounts
) -> None:
    with pytest.raises(InputError):
        accounts.set("ANN", "viewer", PASSWORD)
    few = replace(settings, guesses=2)
    with serving(few) as address, httpx.Client(base_url=address) as client:
        forms = [{"name": name, "password": "not it"} for name in ("ann", "Ann", "ANN", "aNN")]
        codes = [client.post("/sign-in", data=form).status_code for form in forms]
    assert codes == [403, 403, 429, 429]


def test_a_forgotten_password_is_set_by_a_link_that_holds_once(
    settings: Settings, accounts: Accounts
) -> None:
    accounts.set("root", "administrator", PASSWORD)
    with serving(settings) as address, httpx.Client(base_url=address) as client:
        client.post("/sign-in", data={"name": "root", "password": PASSWORD})
        page = client.post("/accounts/link", data={"name": "ann"}).text
        link = page.partition("<code>")[2].partition("</code>")[0]
        new = {"new_password": ANOTHER, "password_again": ANOTHER}
        with httpx.Client() as anybody:
            assert "ann" in anybody.get(link).text
            unlike = {**new, "password_again": "something else"}
            assert anybody.post(link, data=unlike).status_code == 422
            assert anybody.post(link, data=new).headers["location"] == "/sign-in?changed=1"
            assert anybody.get(link).status_code == 404
            assert anybody.post(link, data=new).status_code == 404
            form = {"name": "ann", "password": ANOTHER}
            assert anybody.post(f"{address}/sign-in", data=form).status_code == 303


def test_sessions_are_seen_and_ended(settings: Settings) -> None:
    with (
        serving(settings) as address,
        httpx.Client(base_url=address) as here,
        httpx.Client(base_url=address, headers={"user-agent": "A lost phone"}) as there,
    ):
        assert (_sign_in(here), _sign_in(there)) == (303, 303)
        page = here.get("/account").text
        [lost] = re.findall(r'<option\s+value="(\w+)">[^<]*A lost phone', page)
        assert here.post("/account/sessions/end", data={"session": lost}).status_code == 303
        assert there.get("/account").status_code == 303
        assert here.get("/account").status_code == 200
        assert here.post("/account/sessions/end", data={"session": lost}).status_code == 422
