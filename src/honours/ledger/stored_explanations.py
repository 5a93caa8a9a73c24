"""An event's explanation as stored: every step once, however many awards depend on it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from honours.engine.event_awards import EventAwards
from honours.engine.exact.explanation import step_value
from honours.engine.numbers import exact
from honours.errors import InputError
from honours.ledger.canonical import data_of, text_of
from honours.model import Award, Citation, KnownFact, Refusal, Sentence, Step
from honours.model.message import message_data, message_of

_TOLD = (
    "name",
    "kind",
    "about",
    "formula",
    "working",
    "rounding",
    "parts",
    "because",
    "called",
    "item_of",
)
"""What is stored of a step as it is: every text as template and values, so that it can be put into
another language years later."""


class _Steps:
    """The steps met so far; one that is equal in every part has one number."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self._known: dict[str, int] = {}
        self._seen: dict[int, tuple[Step, int]] = {}

    def number(self, step: Step) -> int:
        if id(step) in self._seen:
            return self._seen[id(step)][1]
        told = {name: message_data(getattr(step, name)) for name in _TOLD}
        row = {
            **told,
            "shown": step_value(step),
            "citation": [step.citation.clause, step.citation.words] if step.citation else [],
            "uses": [self.number(used) for used in step.uses],
            "short": [[message_data(one.text), one.citation.clause] for one in step.short],
        }
        key = text_of(row)
        if key not in self._known:
            self._known[key] = len(self.rows)
            self.rows.append({name: value for name, value in row.items() if value})
        self._seen[id(step)] = (step, self._known[key])  # held, so that its id is not reused
        return self._known[key]


def to_text(awards: EventAwards) -> str:
    """The explanation of every award of an event."""
    steps = _Steps()
    items = [
        {
            "entrant": entrant,
            "place": a.standing.place,
            "award": a.shown,
            "why": steps.number(a.why),
            **({"figures": _figures(a, steps)} if a.figures else {}),
            **({"refusal": _refusal(a.refusal)} if a.refusal else {}),
            **({"withheld": [[p.name, _refusal(r)] for p, r in a.withheld]} if a.withheld else {}),
        }
        for entrant, counted in awards.combined.items()
        for a in counted
    ]
    from honours.reports.provenance import known_data

    known = known_data(awards.lists)
    return text_of({"steps": steps.rows, "awards": items, "known": known, **remarks_of(awards)})


def _figures(award: Award, steps: _Steps) -> list[list[Any]]:
    """Return the figures beside the points: for whom, if not for everybody, and why."""
    return [
        [figure.player.number if figure.player else "", steps.number(figure.why)]
        for figure in award.figures
    ]


def remarks_of(awards: EventAwards) -> dict[str, list[str]]:
    """Return the refusals, notices and choices of awards."""
    notices = [*awards.notices, *(n for a in awards.lists for n in a.notices)]
    return {
        "refusals": list(dict.fromkeys(_refusal(a.refusal) for a in awards.lists if a.refusal)),
        "notices": sorted({f"{n.text} [{n.citation}]" for n in notices}),
        "choices": sorted({c.reading for a in awards.lists for c in a.choices}),
    }


def _refusal(refusal: Refusal) -> str:
    return f"{refusal.reason} [{refusal.citation}]"


def made_from(text: str) -> tuple[KnownFact, ...]:
    """Return the facts the awards were made from, as known at the time."""
    from honours.reports.provenance import known_of

    return known_of(data_of(text)["known"])


def why(text: str, entrant: str, member: int | None = None) -> list[Step]:
    """Return why an entrant got its award: a tree for each award that counted and for each further
    figure; for a single ``member``, only their own."""
    data = data_of(text)
    made: dict[int, Step] = {}
    own = [item for item in data["awards"] if item["entrant"] == entrant]
    awards = [item["why"] for item in own]
    figures = [
        number
        for item in own
        for whose, number in item.get("figures", ())
        if member is None or whose in ("", str(member))
    ]
    return [_step(data["steps"], number, made) for number in dict.fromkeys([*awards, *figures])]


def _step(rows: list[dict[str, Any]], number: int, made: dict[int, Step]) -> Step:
    if number not in made:
        row = rows[number]
        shown, citation = row.get("shown", ""), row.get("citation")
        made[number] = Step(
            value=_value(shown),
            shown=shown,
            citation=Citation(*citation) if citation else None,
            uses=tuple(_step(rows, each, made) for each in row.get("uses", ())),
            short=tuple(
                Sentence(message_of(text), Citation(clause))
                for text, clause in row.get("short", ())
            ),
            **{name: message_of(row[name]) for name in _TOLD if name in row},
        )
    return made[number]


def _value(shown: str) -> Fraction | str:
    """A step's value as it was shown: as a number if it is one."""
    try:
        return exact(shown)
    except InputError:
        return shown
