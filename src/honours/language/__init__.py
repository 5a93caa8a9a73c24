"""Messages in the words of a reader's language, through gettext catalogues: one a language.

Babel is imported where a text asks for it, since most commands answer in English.
"""

from __future__ import annotations

import io
import re
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from honours.model.message import Message, fill

if TYPE_CHECKING:
    from babel.support import NullTranslations

LANGUAGES = {"en": "English", "fr": "Français"}
DEFAULT = "en"
_LOCALES = {"en": "en_GB"}
_DAY = len("2026-03-03")
_DECIMALS = re.compile(r"[-−+]?\d+\.\d+\s?%?")
_GROUPED = re.compile(r"[+−-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")


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
    if language == DEFAULT:
        return text
    from babel.numbers import get_decimal_symbol, get_group_symbol

    signs = get_group_symbol(language), get_decimal_symbol(language)
    return "".join(signs[",.".index(sign)] if sign in ",." else sign for sign in text)


def shown_date(day: date, language: str = DEFAULT) -> str:
    """A date as a language writes it: 3 Mar 2026, 3 mars 2026."""
    from babel.dates import format_date

    return format_date(day, "medium", locale=_LOCALES.get(language, language))


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
    if language == DEFAULT:
        return text
    from babel.numbers import get_decimal_symbol, get_group_symbol

    if not (_DECIMALS.fullmatch(text) or _GROUPED.fullmatch(text)):
        return text
    signs = {ord("."): get_decimal_symbol(language), ord(","): get_group_symbol(language)}
    return text.translate(signs)


def is_translated(text: str, language: str) -> bool:
    """Whether a text is in the reader's language: a message that the catalogue has, or signs around
    one that it has."""
    if not isinstance(text, Message):
        return False
    if language == DEFAULT or text.template in texts_in(language):
        return True
    parts = [value for value in text.values.values() if isinstance(value, str)]
    return any(is_translated(part, language) for part in parts)


@cache
def catalogue(language: str) -> NullTranslations:
    """The translations into a language; the texts themselves are English."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po
    from babel.support import NullTranslations, Translations

    if language == DEFAULT:
        return NullTranslations()
    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(_text_of(language)), locale=language))
    compiled.seek(0)
    return Translations(compiled)


@cache
def texts_in(language: str) -> frozenset[str]:
    """The texts there are translations of; of one with a plural, the singular."""
    from babel.messages.pofile import read_po

    translations = read_po(io.BytesIO(_text_of(language)), locale=language)
    identities = (one.id if isinstance(one.id, str) else one.id[0] for one in translations)
    return frozenset(identity for identity in identities if identity)


def _text_of(language: str) -> bytes:
    from importlib import resources  # which imports much that English does not need

    return (resources.files(__package__) / f"{language}.po").read_bytes()
