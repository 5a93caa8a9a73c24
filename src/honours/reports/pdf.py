"""PDFs by typst: a results sheet, personal scorecards, a list of awards, one award explained.

Templates get the report as data and show it as text, so that nothing in it is ever markup; fonts
are those of typst itself, so that a document is the same on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from importlib import resources
from typing import Any

from honours.engine.exact.explanation import SEE_ABOVE, details, step_value, title
from honours.engine.numbers import show
from honours.errors import InputError, UnknownName
from honours.language import DEFAULT, words
from honours.model import Award, Player, Step
from honours.model.message import Message, by_option, plural, word
from honours.model.table import Column, Kind, Table, headed, table
from honours.pipeline import Report
from honours.reports import views
from honours.reports.awards import share_shown
from honours.reports.drawing import HOUSE, Dress, draw_for_pdf, is_colour
from honours.reports.travellers import in_order, scorecards
from honours.reports.views import EntrantAward
from honours.rings import require

KINDS = ("results", "scorecards", "certificates", "award-list", "explanation")
PAPERS = {"a4": "a4", "letter": "us-letter"}


def make_pdf(
    report: Report,
    kind: str,
    entrant: str = "",
    paper: str = "a4",
    fonts: Sequence[str] = (),
    language: str = DEFAULT,
    dress: Dress = HOUSE,
) -> bytes:
    """The document's bytes in a club's dress; ``entrant`` says whose scorecard or award, ``fonts``
    are folders of fonts for letters that typst's own do not have."""
    data = {**_common(report, paper), **_BODIES[kind](report, entrant), "language": language}
    data |= {"club": dress.name, "colour": dress.colour if is_colour(dress.colour) else ""}
    return typeset(kind, _in_words(data, language), fonts)


def _in_words(value: Any, language: str) -> Any:
    """Data for a template with every message and table in the words of a language."""
    if isinstance(value, Table):
        return draw_for_pdf(value, language)
    if isinstance(value, dict):
        return {key: _in_words(one, language) for key, one in value.items()}
    if isinstance(value, list):
        return [_in_words(one, language) for one in value]
    return words(value, language) if isinstance(value, str) else value


def typeset(kind: str, data: dict[str, Any], fonts: Sequence[str] = ()) -> bytes:
    """A template filled; nothing but the templates' folder is in its reach."""
    require("typst")
    import typst

    source = resources.files("honours.reports") / "templates"
    with resources.as_file(source) as folder:
        return typst.compile(
            str(folder / f"{kind}.typ"),
            root=str(folder),
            format="pdf",
            ignore_system_fonts=True,
            font_paths=list(fonts),
            sys_inputs={"data": json.dumps(data, ensure_ascii=False)},
        )


def _common(report: Report, paper: str) -> dict[str, Any]:
    state = views.state(report)
    unit = report.book.unit if report.book else ""
    return {
        "paper": PAPERS[paper],
        "title": report.account.title,
        "subtitle": views.subtitle(report),
        "state": state.message if state else "",
        "changes": list(state.changes) if state else [],
        "rulebook": views.rulebook_line(report),
        "unit": unit,
        "words": {
            "results": Message("Results"),
            "scorecard": Message("Scorecard"),
            "certificate": Message("Certificate"),
            "list": Message("Awards"),
            "awarded_to": Message("is awarded"),
            "why": Message("Why this award"),
            "short": Message("In short"),
            "full": Message("In full"),
            "awarded": Message("Awarded under {rulebook}.", rulebook=views.rulebook_line(report)),
            "under": Message("Under {rulebook}.", rulebook=views.rulebook_line(report)),
            "players": Message(
                "The players below are awarded the {unit} shown for this event, under {rulebook}.",
                unit=unit,
                rulebook=views.rulebook_line(report),
            ),
            "changed": Message("Changed since made final"),
            "notes": Message("Notes"),
            "director": Message("Tournament director, date"),
            "secretary": Message("Master point secretary, date"),
        },
    }


def _results(report: Report, _entrant: str) -> dict[str, Any]:
    return {
        "standings": list(views.standings(report)),
        "notes": [*report.notes, *views.rule_notes(report)],
    }


def _scorecards(report: Report, entrant: str) -> dict[str, Any]:
    if report.scored is None or not report.scored.boards:
        called = report.account.called
        raise InputError("{file} has no boards, so there are no scorecards", file=called)
    ids = in_order(report.scored)
    if entrant and entrant not in ids:
        raise UnknownName("entrant", entrant, ids)
    unit = report.book.unit if report.book else ""
    paid = {
        p.entrant.id: Message(
            "Place {place}, {amount} {unit}", place=p.place, amount=p.amount, unit=unit
        )
        for p in views.payments(report)
    }
    cards = zip(ids, scorecards(report.scored), strict=True)
    return {
        "cards": [
            {"table": card.used(), "award": paid.get(one, "")}
            for one, card in cards
            if not entrant or one == entrant
        ],
    }


def _awarded(report: Report) -> tuple[EntrantAward, ...]:
    if report.awards is None:
        raise InputError(
            "this document is about awards: name a rulebook with {remedy}",
            remedy=by_option("rulebook"),
        )
    return views.payments(report)


def _certificates(report: Report, entrant: str) -> dict[str, Any]:
    """A page for every player who gets something, to sign and hand over."""
    unit = report.book.unit if report.book else ""
    paid = [one for one in _awarded(report) if not entrant or one.entrant.id == entrant]
    if entrant and not paid:
        raise UnknownName("entrant", entrant, [one.entrant.id for one in _awarded(report)])
    pages = [
        {
            "name": name,
            "number": number,
            "what": Message("place {place} in {event}", place=place, event=report.account.title),
            "award": Message("{amount} {unit}", amount=amount, unit=unit),
        }
        for one in paid
        for (place, name, number, amount), _ in _people(one)
    ]
    if not pages:
        raise InputError("nobody is awarded anything, so there are no certificates")
    return {"pages": pages}


def _award_list(report: Report, _entrant: str) -> dict[str, Any]:
    rows = [row for paid in _awarded(report) for row in _people(paid)]
    unit = report.book.unit if report.book else ""
    columns = (
        headed("place", Kind.CODE),
        headed("player"),
        headed("number", Kind.CODE),
        Column("award", unit, Kind.NUMBER),
    )
    total = sum((amount for _, amount in rows), Fraction(0))
    in_all = plural(
        "{count} line, {total} {unit} in all.",
        "{count} lines, {total} {unit} in all.",
        count=len(rows),
        total=show(total, report.book.decimals if report.book else 0),
        unit=unit,
    )
    return {
        "people": table("certificate", columns, [row for row, _ in rows], foot=in_all),
        "notes": [*views.rule_notes(report), *views.made_from(report)],
    }


def _people(paid: EntrantAward) -> list[tuple[tuple[str, str, str, str], Fraction]]:
    """A line for every player who gets something, with the amount to add up."""
    amount = paid.total
    if not amount or any(award.refusal for award in paid.counted):
        return []
    withheld = [player for award in paid.counted for player, _ in award.withheld]
    players = paid.entrant.players or (Player(paid.entrant.title),)
    return [
        ((paid.place, player.name, player.number, shown), own)
        for player, (shown, own) in zip(players, _each(paid, len(players)), strict=True)
        if own and not any(player is other for other in withheld)
    ]


def _each(paid: EntrantAward, players: int) -> list[tuple[str, Fraction]]:
    """The amount of each player, shown and to add up: not the same where the award is per
    player."""
    if len(paid.counted) > 1 or not paid.counted[0].shares:
        return [(paid.amount, paid.total)] * players
    award = paid.counted[0]
    return [(share_shown(award, nth), award.amount_of(nth)) for nth in range(players)]


def _explanation(report: Report, entrant: str) -> dict[str, Any]:
    payments = {paid.entrant.id: paid for paid in _awarded(report)}
    if not entrant:
        some = tuple(payments)[:10]
        raise InputError("whose award? Choose one of {some}", some=some)
    if entrant not in payments:
        raise UnknownName("entrant", entrant, payments)
    paid = payments[entrant]
    unit = report.book.unit if report.book else ""
    return {
        "awards": [_reason(award, paid, unit) for award in paid.counted],
        "notes": [*views.rule_notes(report), *views.made_from(report)],
    }


def _reason(award: Award, paid: EntrantAward, unit: str) -> dict[str, Any]:
    return {
        "title": Message(
            "{who}, place {place}: {amount} {unit}",
            who=paid.entrant.title,
            place=paid.place,
            amount=award.shown,
            unit=unit,
        ),
        "refusals": list(paid.refusals),
        "short": [
            Message("{sentence} ({clause})", sentence=one.text, clause=one.citation.clause)
            for one in award.why.short
        ],
        "why": _step(award.why, set()),
    }


def _step(step: Step, seen: set[tuple[str, str]]) -> dict[str, Any]:
    """The tree; what was already explained is only named again, as in the text."""
    known = (step.name, step.shown) in seen and bool(step.uses)
    seen.add((step.name, step.shown))
    return {
        "title": title(step),
        "shown": step_value(step),
        "about": word(step.about),
        "details": [SEE_ABOVE] if known else details(step),
        "uses": [] if known else [_step(used, seen) for used in step.uses],
    }


_BODIES = {
    "results": _results,
    "scorecards": _scorecards,
    "certificates": _certificates,
    "award-list": _award_list,
    "explanation": _explanation,
}
