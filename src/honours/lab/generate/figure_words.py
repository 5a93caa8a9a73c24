"""What each figure of a corpus measures, in the reader's language.

A manifest stores the English text of each and, beside it, the template and its values. The first
version stored the text alone; the patterns here serve only corpora from that version.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from honours.model.message import Message, mark, message_data, message_of, word

_TEMPLATES = (
    mark("two-session regionals at this scale"),
    mark("median tables of those"),
    mark("share reaching 60 tables"),
    mark("share of player-days held by {range}"),
    mark("mean of the formula, {range}"),
    mark("variance of points won in a day explained by holdings"),
    mark("points won in a day"),
    mark("points won in a day, {range}"),
    mark("{kind} events"),
    mark("variance of pairs' percentages explained by holdings"),
    mark("share of pairs far apart (pro and client)"),
    mark("entrants of the largest event"),
)
_MORE = mark("{low} and more")


def figure_data(figure: Message) -> dict[str, Any]:
    """What a figure measures, as stored in a manifest."""
    return {"figure": str(figure), "words": message_data(figure)}


def figures_of(manifest: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The figures of a corpus, each with a message that says what it measures."""
    return [_figure(**row) for row in manifest.get("figures", [])]


def _figure(figure: str, words: Any = None, **rest: Any) -> dict[str, Any]:
    return {"figure": message_of(words) if words else in_words(figure), **rest}


def in_words(figure: str) -> str:
    """What a figure in a corpus of the first version measures; an unknown text stays as it is."""
    for template in _TEMPLATES:
        if values := _values(template, figure):
            return Message(template, **{name: _value(text) for name, text in values.items()})
        if template == figure:
            return Message(template)
    return figure


def _value(text: str) -> str:
    above = _values(_MORE, text)
    return Message(_MORE, **above) if above else word(text.replace("-", " "))


def _values(template: str, text: str) -> dict[str, str]:
    """The values in the placeholders of a template; nothing if the text does not match it."""
    parts = re.split(r"\{(\w+)\}", template)
    pattern = "".join(
        f"(?P<{part}>.+)" if number % 2 else re.escape(part) for number, part in enumerate(parts)
    )
    match = re.fullmatch(pattern, text)
    return match.groupdict() if match else {}
