"""Messages in the words of a reader's language, through gettext catalogues: a folder a language, a
file a room of the house."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from gettext import NullTranslations, c2py
from typing import NamedTuple

from honours.model.message import Message, fill, in_context, without_context

LANGUAGES = {"en": "English", "fr": "Français", "de": "Deutsch"}
DEFAULT = "en"


class Custom(NamedTuple):
    """How a language sets figures and dates."""

    decimal: str
    group: str
    months: str


_CUSTOMS = {
    "en": Custom(".", ",", "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
    "fr": Custom(
        ",",
        "\N{NARROW NO-BREAK SPACE}",
        "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    ),
    "de": Custom(",", ".", "Jan. Feb. März April Mai Juni Juli Aug. Sept. Okt. Nov. Dez."),
}
_DAY = len("2026-03-03")
_FIGURE = r"[-−+]?\d+\.\d+\s?%?|[+−-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?"
_STATEMENT = r'^(msg\w+(?:\[\d\])?) ((?:"(?:[^"\\]|\\.)*"\s*)+)'
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_ENGLISH = ("\ue000", "\ue001")
"""Signs for private use around a text that has no translation."""
_NOTHING = {ord(sign): None for sign in _ENGLISH}
_NO_ELEMENTS = re.compile(
    r"<(title|option|textarea|script|style)\b.*?</\1>|<[^>]*>", re.DOTALL | re.IGNORECASE
)


def words(text: str, language: str = DEFAULT) -> str:
    """A message in a language; a text that is no message is somebody's own and stays as it is."""
    if not isinstance(text, Message) or language == DEFAULT:
        return str(text)
    known = catalogue(language)
    if text.of_many:
        count = text.values["count"]
        assert isinstance(count, int)
        template = known.ngettext(text.template, text.of_many, count)
    else:
        template = known.gettext(text.template) if text.template else ""
    return fill(template, text.values, lambda value, spec: _in_words(value, spec, language))


def _in_words(value: object, spec: str, language: str) -> str:
    """A value of a message in a language: its own words, or figures set as they are there."""
    if isinstance(value, tuple):
        return ", ".join(_in_words(one, spec, language) for one in value)
    if isinstance(value, str):
        return words(value, language)
    if isinstance(value, date):
        return shown_date(value, language)
    if isinstance(value, Decimal):
        return shown_figure(str(value), language)
    return _figure(format(value, spec), language) if spec else str(value)


def _figure(text: str, language: str) -> str:
    """A number that was put into figures the English way, as a language writes it."""
    custom = _CUSTOMS[language]
    return text.translate({ord("."): custom.decimal, ord(","): custom.group})


def shown_date(day: date, language: str = DEFAULT) -> str:
    """A date as a language writes it: 3 Mar 2026, 3 mars 2026."""
    return f"{day.day} {_CUSTOMS[language].months.split()[day.month - 1]} {day.year}"


def shown_day(text: str, language: str = DEFAULT) -> str:
    """A day or moment as it is kept, 2026-03-03 09:41:00+00:00, as a language writes it: to the
    minute where it says the time; what is neither stays as it is."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    day = shown_date(moment.date(), language)
    return day if len(text) <= _DAY else f"{day} {moment:%H:%M}"


def shown_figure(text: str, language: str = DEFAULT) -> str:
    """A figure as English writes it, thousands parted or not, as a language does; other texts as
    they are."""
    if language == DEFAULT or not re.fullmatch(_FIGURE, text):
        return text
    return _figure(text, language)


def is_translated(text: str, language: str) -> bool:
    """Whether a text is in the reader's language: a message that the catalogue has, or signs around
    one that it has."""
    if not isinstance(text, Message):
        return False
    if language == DEFAULT or text.template in catalogue(language).texts:
        return True
    parts = [value for value in text.values.values() if isinstance(value, str)]
    return any(is_translated(part, language) for part in parts)


class Catalogue(NullTranslations):
    """The translations into a language, from the texts of its files; what has none, or one that
    somebody has yet to look at, stays English, and is marked so in a ``marking`` catalogue."""

    marking = False

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.texts: dict[str, tuple[str, ...]] = {}
        self.left = 0
        """Texts that are still to be translated."""
        self._form = c2py("n != 1")
        for template, forms, fuzzy in _entries(text):
            if not template:
                self._form = c2py(re.findall(r"plural=([^;\n]+)", forms[0])[0])
            elif all(forms) and not fuzzy:
                self.texts[template] = forms
            else:
                self.left += 1

    @property
    def is_for_everyone(self) -> bool:
        """Whether so much is translated that who prefers the language is best served by it."""
        return self.left * 10 <= len(self.texts)

    def gettext(self, message: str) -> str:
        forms = self.texts.get(message)
        return forms[0] if forms else self._english(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        forms = self.texts.get(msgid1)
        return forms[self._form(n)] if forms else self._english((msgid1, msgid2)[n != 1])

    def _english(self, text: str) -> str:
        text = without_context(text)
        return f"{_ENGLISH[0]}{text}{_ENGLISH[1]}" if self.marking else text

    def marks_english(self) -> Catalogue:
        """The same catalogue, for pages on which :func:`mark_english` then says what is English."""
        other = copy(self)
        other.marking = True
        return other


def mark_english(html: str) -> str:
    """A page drawn from a marking catalogue: texts without a translation are in an element that
    says they are English, but where no element can stand."""
    if _ENGLISH[0] not in html:
        return html
    html = _NO_ELEMENTS.sub(lambda found: _unmarked(found[0]), html)
    return html.replace(_ENGLISH[0], '<span lang="en">').replace(_ENGLISH[1], "</span>")


def _unmarked(text: str) -> str:
    return text.translate(_NOTHING) if _ENGLISH[0] in text or _ENGLISH[1] in text else text


def _entries(text: str) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """Template, translation in its forms, and whether it is marked as fuzzy."""
    import json

    for block in re.split(r"\n\s*\n", text):
        said = {
            keyword: "".join(json.loads(quoted) for quoted in re.findall(_QUOTED, value))
            for keyword, value in re.findall(_STATEMENT, block, re.MULTILINE)
        }
        forms = tuple(value for keyword, value in said.items() if keyword.startswith("msgstr"))
        if "msgid" in said and forms:
            yield (
                in_context(said.get("msgctxt", ""), said["msgid"]),
                forms,
                "\n#, fuzzy" in f"\n{block}",
            )


@cache
def catalogue(language: str) -> Catalogue:
    """The translations into a language; the texts themselves are English."""
    return Catalogue("" if language == DEFAULT else _text_of(language).decode("utf-8"))


def _text_of(language: str) -> bytes:
    from importlib import resources  # which imports much that English does not need

    folder = resources.files(__package__) / language
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return b"\n\n".join(file.read_bytes() for file in files if file.name.endswith(".po"))
