"""Every kind of ruling by its name, and rulings as files, forms and programs have them.

A kind is declared once, among :data:`CORRECTIONS` or :data:`DECISIONS`: what it asks, how its words
are read and how it is told. Rulings files, the commands of ``honours rule``, the forms of the pages
and the API all follow from :data:`KINDS`. What a ruling does to an event is in
:mod:`honours.scoring.rulings`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from honours.errors import InputError, MissingInput, UnknownName, WrongValue, message_of
from honours.formats.ruling_corrections import CORRECTIONS
from honours.formats.ruling_decisions import DECISIONS, FINAL
from honours.formats.ruling_parts import Names, RulingField, RulingKind, Words
from honours.formats.spelling import read_spelled
from honours.language import DEFAULT
from honours.model import Source
from honours.model.message import Message
from honours.scoring.ruling_kinds import Ruling
from honours.scoring.scored import ScoredEvent
from honours.scoring.status import published_places

_NOTHING: tuple[Any, ...] = (None, "", [], {}, False)
_LONGEST = 500


NOTES = (
    RulingField("by", Message("who rules"), required=True),
    RulingField("when", Message("when"), Message("now, unless said otherwise"), rare=True),
    RulingField("why", Message("why")),
    RulingField("law", Message("law or regulation"), rare=True),
)
"""What every ruling records."""

ASKED = {declared.kind: declared for declared in (*CORRECTIONS, *DECISIONS)}
KINDS = {**ASKED, FINAL.kind: FINAL}


def ruling_kind(kind: str) -> RulingKind:
    """A kind of ruling that people fill in."""
    if kind not in ASKED:
        raise UnknownName("kind of ruling", kind, ASKED)
    return ASKED[kind]


def read_ruling(words: Words, source: Source | None = None) -> Ruling:
    """A ruling from its words; InputError says what is wrong with them."""
    kind = str(words.get("kind", ""))
    if kind not in KINDS:
        raise UnknownName("kind of ruling", kind, KINDS)
    known = ("kind", *(field.name for field in NOTES), *KINDS[kind].names)
    for key in words:
        if key not in known:
            raise UnknownName(Message("word in a {kind!r} ruling", kind=kind), key, known)
    for key in ("by", "when"):
        if not words.get(key):
            raise MissingInput(key, needed_for=Message("the record of a ruling"))
    try:
        what = KINDS[kind].read(words)
    except ValueError as error:
        raise InputError(message_of(error)) from error
    by, when, why, law = (str(words.get(field.name, "")) for field in NOTES)
    return Ruling(what, by, when, why, law, source)


def in_words(ruling: Ruling, names: Names) -> Message:
    """What was ruled, on which board and about whom, in a sentence."""
    return KINDS[ruling.kind].sentence(ruling.what, names)


def dated(words: Words) -> dict[str, Any]:
    """A ruling's words as its file has them: in their order, without those that say nothing, and
    with the time it is made, unless they say when it was."""
    given = {key: value for key, value in words.items() if value not in _NOTHING}
    given.setdefault("when", datetime.now().astimezone().isoformat(" ", "seconds"))
    declared = KINDS.get(str(given.get("kind")))
    names = declared.names if declared else ()
    order = dict.fromkeys(("kind", *names, *(field.name for field in NOTES), *given))
    return {key: given[key] for key in order if key in given}


def final_words(scored: ScoredEvent) -> dict[str, Any]:
    """What a ruling says that makes standings final as they are."""
    return {"scored": scored.chosen, "standings": [list(row) for row in published_places(scored)]}


def typed_words(
    declared: RulingKind, texts: Mapping[str, str], language: str = DEFAULT
) -> dict[str, Any]:
    """What a person typed, field by field, as the words of a ruling."""
    words: dict[str, Any] = {"kind": declared.kind}
    for field in (*declared.fields, *NOTES):
        text = texts.get(field.name, "").strip()
        if len(text) > _LONGEST:
            raise InputError(
                "{name} is longer than {most} characters", name=field.name, most=_LONGEST
            )
        if text:
            plain = read_spelled(text, language) if field.type == "result" else text
            words[field.name] = _typed(field, plain)
    return words


def _typed(field: RulingField, text: str) -> Any:
    parts = [part.strip() for part in re.split(r"[,&;]", text) if part.strip()]
    if field.type == "pairs":
        return dict(_pair(field.name, part) for part in parts)
    if field.type == "yes":
        return True
    return parts if field.type == "many" else text


def _pair(name: str, text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise WrongValue(name, text, "expected e.g. 3=yes, 4=no")
    return key.strip(), value.strip()
