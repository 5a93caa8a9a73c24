"""A form that cannot be taken: every form there is comes back with what was typed, and says what is
wrong once, at its field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from honours.web.settings import Settings
from tests.web.federation import signed, tokens_at
from tests.web.server import serving

WRONG = {"date": "31 June", "number": "many", "color": "red"}
"""What nobody can mean, by the type of a field."""
TYPED = "typed <b>“so”</b>"
_ELSEWHERE = re.compile(r"/sign-out|/verify|/codes|lang=|/download/|/send/|\.(pdf|xml|svg|eml)")
_NAMED = re.compile(r"[0-9a-f]{12}|\d+|(?<=kind=)\w+|(?<=/calculators/)[\w-]+|(?<=/rulebooks/).+")
_MOST = 90


@dataclass
class Form:
    """A form of a page, with a wrong text for each of its fields."""

    page: str
    action: str
    fields: dict[str, str] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)
    """What the fields have on the page."""
    typed: int = 0


class Page(HTMLParser):
    """The links and forms of a page, and what it says about a form that came back."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__()
        self.path, self.forms, self.links = path, list[Form](), list[str]()
        self.again: dict[str, str] | None = None
        self._inside: Form | None = None
        self._field, self._json, self._main, self._writing = "", False, False, False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {key: text or "" for key, text in attrs}
        self._main |= tag == "main"
        self._writing = tag == "textarea"
        if tag == "a" and told.get("href", "").startswith("/"):
            self.links.append(told["href"])
        if tag == "script":
            self._json = told.get("type") == "application/json"
        if tag == "form" and told.get("method") == "post" and self._main:
            self._inside = Form(self.path, told["action"])
            self.forms.append(self._inside)
        if self._inside is not None and tag in ("input", "select", "textarea", "option"):
            self._asked(self._inside, tag, told)

    def _asked(self, form: Form, tag: str, told: dict[str, str]) -> None:
        kind = told.get("type", "text") if tag == "input" else tag
        if tag == "option":
            if "selected" in told or self._field not in form.held:
                form.held[self._field] = form.fields[self._field] = told.get("value", "")
            return
        self._field = told.get("name", "")
        if not self._field or kind in ("checkbox", "radio", "file", "password", "submit"):
            return
        form.typed += kind != "hidden"
        if kind == "select":
            return
        form.held[self._field] = told.get("value", "")
        text = told.get("value", "") if kind == "hidden" else WRONG.get(kind, TYPED)
        form.fields[self._field] = text

    def handle_data(self, data: str) -> None:
        if self._json and '"typed"' in data:
            self.again = dict(json.loads(data)["typed"])
        elif self._inside is not None and self._writing:
            self._inside.held[self._field] += data

    def handle_endtag(self, tag: str) -> None:
        self._writing = False
        if tag == "form":
            self._inside = None
        self._main &= tag != "main"


def _walk(client: httpx.Client, first: list[str]) -> Iterator[Page]:
    """One page of every kind a link leads to."""
    waiting, seen = [*first], {_NAMED.sub("1", one) for one in first}
    while waiting and len(seen) < _MOST:
        path = waiting.pop(0)
        answer = client.get(path, follow_redirects=True)
        if "text/html" not in answer.headers["content-type"] or answer.status_code != 200:
            continue
        page = Page(path, answer.text)
        yield page
        for link in page.links:
            kind = _NAMED.sub("1", link.partition("#")[0])
            if kind not in seen and not _ELSEWHERE.search(link):
                seen.add(kind)
                waiting.append(link)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    with (
        serving(Settings(data=tmp_path)) as address,
        httpx.Client(base_url=address, timeout=60) as found,
    ):
        yield found


def _forms(client: httpx.Client) -> list[Form]:
    """Every form in which something is typed, once."""
    event = client.post("/demo").headers["location"]
    season = client.post("/ledger/seasons/example").headers["location"]
    held = {"by": "A. Secretary", "day": "2020-03-03", "new": "yes"}
    client.post(f"{event}/draft?rulebook=sbu-clubs-2016&g.winners=1", data=held)
    known: dict[str, Form] = {}
    for page in _walk(
        client, ["/", event, season, "/ledger/drafts/1", "/club", "/ledger/people/new"]
    ):
        for form in page.forms:
            if form.typed and not _ELSEWHERE.search(form.action):
                known.setdefault(_NAMED.sub("1", form.action), form)
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


def test_passwords_never_come_back(tmp_path: Path) -> None:
    settings = Settings(tmp_path, accounts=True)
    tokens = tokens_at(settings)
    with serving(settings) as address, signed(address, tokens["all"]) as client:
        said = {"password": "a secret of mine", "new_password": "x-secret", "password_again": "y"}
        headers = {"referer": f"{address}/account"}
        answer = client.post("/account/password", data=said, headers=headers)
        assert answer.status_code == 422
        assert 'data-at="password"' in answer.text
        assert "secret of mine" not in answer.text
        assert "x-secret" not in answer.text
        # and a page that somebody may not see is not shown to them by way of a form
        with signed(address, tokens["ann"]) as scorer:
            headers = {"referer": f"{address}/accounts"}
            answer = scorer.post("/account/tokens", data={"days": "many"}, headers=headers)
            assert answer.status_code == 422
            assert "What was done" not in answer.text
