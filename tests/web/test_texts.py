"""Translations fit their texts, and no text of a page goes past gettext."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from honours.language import LANGUAGES
from scripts import catalogue

TEMPLATES = sorted(catalogue.HOUSE.rglob("web/**/templates/*.html"))
NAMES = {
    "Honours",
    "CSV",
    "JSON",
    "OpenAPI",
    "*",
    "·",
    "=",
    ":",
    "size_exponent=1/2",
    "limit=750",
    "Saturday*",
    "2027-03-15 River Town Open",
}
SPOKEN = ("aria-label", "placeholder", "title", "alt", "data-ask")


@pytest.mark.parametrize("language", sorted(set(LANGUAGES) - {"en"}))
def test_a_translation_fits_its_text(language: str) -> None:
    texts = catalogue.read(catalogue.FOLDER / language)
    known = {m.id: m for m in texts if m.id and not m.fuzzy}
    assert known
    for message in known.values():
        if "%(" in str(message.id):  # a text of a template; a percent sign alone is no place
            assert list(message.check()) == []
        assert _places(message.string) <= _places(message.id), message.id


def _places(texts: str | tuple[str, ...] | list[str] | None) -> set[str]:
    """The values that are put into a text, or into any of its forms."""
    several = (texts,) if isinstance(texts, str) else texts or ()
    return {place for text in several for place in re.findall(r"\{(\w+)", text)}


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found += [word for word in data.split() if re.search(r"[A-Za-z]", word)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "link":
            self.found += [v for k, v in attrs if k in SPOKEN and v and re.search("[A-Za-z]", v)]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_text_goes_past_gettext(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\{#.*?#\}", "", text, flags=re.DOTALL)
    text = re.sub(r"\{% trans\s.*?endtrans %\}", "", text, flags=re.DOTALL)
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "", text, flags=re.DOTALL)
    parser = _Texts()
    parser.feed(text)
    assert [word for word in parser.found if word not in NAMES] == []


def test_a_line_of_a_template_is_short_enough_to_read() -> None:
    every = [*catalogue.HOUSE.rglob("*.html")]
    assert every
    for path in every:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert len(line) <= 160, f"{path.name}, line {number}"
