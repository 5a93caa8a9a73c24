"""A form that cannot be taken: every form there is comes back with what was typed, and says what is
wrong once, at its field."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from honours.errors import InputError, MissingInput, WrongValue
from honours.language import words
from honours.web.http.problems import problem_of
from honours.web.settings import Settings
from tests.web.federation import PASSWORD, tokens_at
from tests.web.server import client_of, serving
from tests.web.walking import ELSEWHERE, NAMED, Form, Page, walk


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    with client_of(Settings(data=tmp_path)) as client:
        yield client


def _forms(client: httpx.Client) -> list[Form]:
    """Every form in which something is typed, once."""
    event = client.post("/demo").headers["location"]
    season = client.post("/ledger/seasons/example").headers["location"]
    held = {"by": "A. Secretary", "day": "2020-03-03", "new": "yes"}
    client.post(f"{event}/draft?rulebook=sbu-clubs-2016&as_usual=yes&g.winners=1", data=held)
    known: dict[str, Form] = {}
    for page in walk(
        client, ["/", event, season, "/ledger/drafts/1", "/club", "/ledger/people/new"]
    ):
        for form in page.forms:
            if form.typed and not ELSEWHERE.search(form.action):
                known.setdefault(NAMED.sub("1", form.action), form)
    return list(known.values())


def test_every_form_comes_back(client: httpx.Client) -> None:
    refused = 0
    for form in _forms(client):
        page = f"{client.base_url}{form.page}"
        answer = client.post(form.action, data=form.fields, headers={"referer": page})
        if answer.status_code < 400:  # where anything may be said
            continue
        refused += 1
        back = Page(form.page, answer.text)
        there = [one for one in back.forms if one.action == form.action]
        assert there, f"{form.action}: {answer.status_code}, and no form to mend it in"
        assert answer.text.count('role="alert"') == 1, form.action
        kept = back.again if back.again is not None else there[0].held
        assert {k: kept.get(k) for k in form.fields} == form.fields, form.action
    assert refused > 15


def test_a_form_comes_back_only_to_the_page_it_is_on(client: httpx.Client) -> None:
    """What a form's page is says the browser; another site's page, or none, is not asked for."""
    event = client.post("/events/example").headers["location"]
    for referer in ("", "http://elsewhere.example/", "http://[", f"{client.base_url}/nowhere"):
        answer = client.post(f"{event}/final", data={"by": ""}, headers={"referer": referer})
        assert answer.status_code == 422
        assert "That cannot be done" in answer.text
        assert 'id="again"' not in answer.text


@contextmanager
def _signed_in(address: str, name: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        client.post("/sign-in", data={"name": name, "password": PASSWORD})
        yield client


def test_passwords_never_come_back(tmp_path: Path) -> None:
    settings = Settings(tmp_path, accounts=True)
    tokens_at(settings)
    with serving(settings) as address, _signed_in(address, "all") as client:
        form = {"password": "a secret of mine", "new_password": "x-secret", "password_again": "y"}
        headers = {"referer": f"{address}/account"}
        answer = client.post("/account/password", data=form, headers=headers)
        assert answer.status_code == 422
        assert 'data-at="password"' in answer.text
        assert "secret of mine" not in answer.text
        assert "x-secret" not in answer.text
        # and a page that somebody may not see is not shown to them by way of a form
        with _signed_in(address, "ann") as scorer:
            headers = {"referer": f"{address}/accounts"}
            answer = scorer.post("/account/tokens", data={"days": "many"}, headers=headers)
            assert answer.status_code == 422
            assert "What was done" not in answer.text


def test_a_fault_is_at_the_field_its_error_names() -> None:
    wrong = WrongValue("days", "many", "expected a whole number")
    [fault] = problem_of(wrong).errors
    assert (fault.field, fault.message) == ("days", "days=many: expected a whole number")
    assert words(fault.beside, "fr") == "many : un nombre entier était attendu"
    [needed] = problem_of(MissingInput(("winners", "movement"), "one list or two")).errors
    assert (needed.field, needed.asked) == ("winners or movement", "winners")


def test_no_field_is_guessed_from_the_words_of_an_error() -> None:
    assert problem_of(InputError("days=many: expected a whole number")).errors == ()
