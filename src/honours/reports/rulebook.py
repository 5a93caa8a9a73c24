"""A rulebook as a document: what it asks, its numbers with their clauses, its choices."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from honours.engine.exact.explanation import citation_data
from honours.engine.numbers import show
from honours.engine.rulebook import Input, Parameter, Rulebook
from honours.engine.written_names import public
from honours.model.message import Message, joined, word


def rulebook_data(rulebook: Rulebook) -> dict[str, Any]:
    """Everything the rulebook declares, as plain data."""
    return {
        "id": rulebook.id,
        "title": rulebook.title,
        "body": rulebook.body,
        "edition": rulebook.edition,
        "revision": rulebook.revision,
        "hash": rulebook.hash,
        "amended": dict(rulebook.amended),
        "sources": dict(rulebook.sources),
        "effective": {"since": rulebook.effective.since, "until": rulebook.effective.until},
        "standing": {
            "status": rulebook.standing.status,
            "evidence": rulebook.standing.evidence,
            "refused": rulebook.standing.refused,
        },
        "unit": rulebook.unit,
        "inputs": [_input_data(i) for i in rulebook.inputs.values()],
        "parameters": [_parameter_data(p) for p in rulebook.parameters.values()],
        "rules": [
            {
                "name": r.name,
                "kind": r.kind,
                "per": r.per,
                "about": r.about or r.message,
                "clause": r.clause,
            }
            for r in rulebook.rules
        ],
        "choices": [
            {"name": r.choice.name, "reading": r.choice.reading} for r in rulebook.readings
        ],
        "variants": [{"name": v.name, "about": v.about} for v in rulebook.variants.values()],
    }


def _input_data(declared: Input) -> dict[str, Any]:
    return {
        "key": public(declared.name),
        "about": declared.about,
        "type": declared.type,
        "per": declared.per,
        "words": list(declared.words),
        "default": declared.default,
        "example": declared.example,
    }


def _parameter_data(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "value": value_text(parameter.value),
        "about": parameter.about,
        "citation": citation_data(parameter.citation),
    }


def value_text(value: object) -> str:
    """A parameter's value: a number, a word, or a table on one line."""
    if isinstance(value, Fraction):
        return show(value) if len(show(value)) < 10 else f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {value_text(v)}" for k, v in value.items())
    if isinstance(value, tuple):
        return ", ".join(":".join(value_text(x) for x in row) for row in value)
    return str(value)


def standing_text(rulebook: Rulebook) -> Message:
    """What the rule is worth, in a line or two."""
    standing = rulebook.standing
    parts = (
        Message("Standing: {status}.", status=word(standing.status)),
        standing.evidence,
        Message("Refused: {what}", what=standing.refused) if standing.refused else "",
    )
    return joined(" ", filter(None, parts))


def rulebook_head(rulebook: Rulebook) -> Message:
    """The rulebook for a terminal: what it is, and its README."""
    title = Message(
        "{id}, revision {revision}: {title}",
        id=rulebook.id,
        revision=rulebook.revision,
        title=rulebook.title,
    )
    edition = joined(", ", filter(None, (rulebook.body, rulebook.edition, _effective(rulebook))))
    head = joined("\n", (title, edition, standing_text(rulebook)))
    return joined("\n\n", (head, rulebook.readme.strip()))


def _effective(rulebook: Rulebook) -> str:
    since, until = rulebook.effective.since, rulebook.effective.until
    if since and until:
        return Message("from {since} until {until}", since=str(since), until=str(until))
    if since:
        return Message("from {since}", since=str(since))
    return Message("until {until}", until=str(until)) if until else ""
