"""Pages walked from link to link: the links and forms of each, and how a form may be filled in
wrongly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import httpx

WRONG = {"date": "31 June", "number": "many", "color": "red"}
"""What nobody can mean, by the type of a field."""
TYPED = "typed <b>“so”</b>"
ELSEWHERE = re.compile(r"/sign-out|/verify|/codes|lang=|/download/|/send/|\.(pdf|xml|svg|eml)")
NAMED = re.compile(r"[0-9a-f]{12}|\d+|(?<=kind=)\w+|(?<=/calculators/)[\w-]+|(?<=/rulebooks/).+")
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

    def __init__(self, path: str, text: str, status: int = 200) -> None:
        super().__init__()
        self.status = status
        self.path, self.forms, self.links = path, list[Form](), list[str]()
        self.again: dict[str, str] | None = None
        self._inside: Form | None = None
        self._field, self._json, self._main, self._writing = "", False, False, False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: text or "" for key, text in attrs}
        self._main |= tag == "main"
        self._writing = tag == "textarea"
        if tag == "a" and attributes.get("href", "").startswith("/"):
            self.links.append(attributes["href"])
        if tag == "script":
            self._json = attributes.get("type") == "application/json"
        if tag == "form" and attributes.get("method") == "post" and self._main:
            self._inside = Form(self.path, attributes["action"])
            self.forms.append(self._inside)
        if self._inside is not None and tag in ("input", "select", "textarea", "option"):
            self._asked(self._inside, tag, attributes)

    def _asked(self, form: Form, tag: str, attributes: dict[str, str]) -> None:
        kind = attributes.get("type", "text") if tag == "input" else tag
        if tag == "option":
            if "selected" in attributes or self._field not in form.held:
                form.held[self._field] = form.fields[self._field] = attributes.get("value", "")
            return
        self._field = attributes.get("name", "")
        if not self._field or kind in ("checkbox", "radio", "file", "password", "submit"):
            return
        form.typed += kind != "hidden"
        if kind == "select":
            return
        form.held[self._field] = attributes.get("value", "")
        text = attributes.get("value", "") if kind == "hidden" else WRONG.get(kind, TYPED)
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


def walk(client: httpx.Client, first: list[str]) -> Iterator[Page]:
    """One page of every kind a link leads to; what cannot be seen as well."""
    waiting, seen = [*first], {NAMED.sub("1", one) for one in first}
    while waiting and len(seen) < _MOST:
        path = waiting.pop(0)
        answer = client.get(path, follow_redirects=True)
        if "text/html" not in answer.headers["content-type"]:
            continue
        page = Page(path, answer.text, answer.status_code)
        yield page
        for link in page.links:
            kind = NAMED.sub("1", link.partition("#")[0])
            if kind not in seen and not ELSEWHERE.search(link):
                seen.add(kind)
                waiting.append(link)
