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
from honours.model.message import Message, message_data, message_of


class _Steps:
    """The steps met so far; one that is equal in every part has one number."""

    def __init__(self) -> None:
        self.rows: list[list[Any]] = []
        self._known: dict[str, int] = {}
        self._seen: dict[int, tuple[Step, int]] = {}

    def number(self, step: Step) -> int:
        if id(step) in self._seen:
            return self._seen[id(step)][1]
        row = _row(step, [self.number(used) for used in step.uses])
        key = text_of(row)
        if key not in self._known:
            self._known[key] = len(self.rows)
            self.rows.append(row)
        self._seen[id(step)] = (step, self._known[key])  # held, so that its id is not reused
        return self._known[key]


def _row(step: Step, uses: list[int]) -> list[Any]:
    """Every text as template and values, so that it can be put into another language years
    later."""
    citation = [step.citation.clause, step.citation.words] if step.citation else []
    parts = [[message_data(each) for each in part] for part in step.parts]
    short = [_sentence(sentence) for sentence in step.short]
    return [
        step.name,
        step_value(step),
        step.kind,
        message_data(step.about),
        message_data(step.formula),
        message_data(step.working),
        message_data(step.rounding),
        citation,
        uses,
        parts,
        message_data(step.because),
        short,
        step.item_of,
        message_data(step.called),
    ]


def _sentence(sentence: Sentence) -> list[Any]:
    text = sentence.text if isinstance(sentence.text, Message) else Message(sentence.text)
    return [text.template, dict(text.values), sentence.citation.clause]


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
    """What the rulebook gives besides points: for whom, if not for everybody, and why."""
    return [
        [figure.player.number if figure.player else "", steps.number(figure.why)]
        for figure in award.figures
    ]


def remarks_of(awards: EventAwards) -> dict[str, list[str]]:
    """What was refused, noticed and chosen."""
    notices = [*awards.notices, *(n for a in awards.lists for n in a.notices)]
    return {
        "refusals": list(dict.fromkeys(_refusal(a.refusal) for a in awards.lists if a.refusal)),
        "notices": sorted({f"{n.text} [{n.citation}]" for n in notices}),
        "choices": sorted({c.reading for a in awards.lists for c in a.choices}),
    }


def _refusal(refusal: Refusal) -> str:
    return f"{refusal.reason} [{refusal.citation}]"


def made_from(text: str) -> tuple[KnownFact, ...]:
    """What the awards were made from, as known at the time."""
    from honours.reports.provenance import known_of

    return known_of(data_of(text)["known"])


def why(text: str, entrant: str, member: int | None = None) -> list[Step]:
    """Why an entrant got its award: a tree for each award that counted and for each further
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


def _step(rows: list[list[Any]], number: int, made: dict[int, Step]) -> Step:
    if number not in made:
        (
            name,
            shown,
            kind,
            about,
            formula,
            working,
            rounding,
            citation,
            uses,
            parts,
            because,
            short,
            item_of,
            called,
        ) = rows[number]
        used = tuple(_step(rows, each, made) for each in uses)
        made[number] = Step(
            name,
            _value(shown),
            shown,
            kind,
            message_of(about),
            message_of(formula),
            message_of(working),
            message_of(rounding),
            Citation(*citation) if citation else None,
            used,
            tuple((message_of(who), message_of(what)) for who, what in parts),
            message_of(because),
            tuple(
                Sentence(Message(template, **values), Citation(clause))
                for template, values, clause in short
            ),
            called=message_of(called),
            item_of=item_of,
        )
    return made[number]


def _value(shown: str) -> Fraction | str:
    """A step's value as it was shown: as a number if it is one."""
    try:
        return exact(shown)
    except InputError:
        return shown
