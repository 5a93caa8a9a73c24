"""The wording of a message on a page: what would mend something as a field or a page, and days as
the reader writes them."""

from __future__ import annotations

from honours.language import DEFAULT, shown_day
from honours.model.message import Message, Remedy

_DAYS = frozenset({"day", "date", "since", "until", "at", "first", "last"})
"""Values of messages that are days, as they are kept."""


def on_page(text: str, language: str = DEFAULT) -> str:
    """A text for a page: what would mend it named as a page does, and days in it as the language
    writes them."""
    if not isinstance(text, Message):
        return text
    if isinstance(text, Remedy):
        field = text.values.get("field")
        return Message("“{field}”", field=field) if field else ""
    values = {
        name: shown_day(value, language)
        if name in _DAYS and type(value) is str
        else _value(value, language)
        for name, value in text.values.items()
    }
    return Message(text.template, text.of_many, **values)


def _value(value: object, language: str) -> object:
    if isinstance(value, tuple):
        return tuple(_value(one, language) for one in value)
    return on_page(value, language) if isinstance(value, str) else value
