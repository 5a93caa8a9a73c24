"""An account of an event as a file of another kind, with what was awarded where there is room."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from honours.engine.rulebook import Rulebook
from honours.errors import InputError
from honours.formats.format import WrittenFile
from honours.formats.go import GoTournament
from honours.formats.honours_json import write_json
from honours.formats.json_data import number_text
from honours.formats.table_standings import StandingsFile
from honours.formats.table_write import AwardsBeside, write_results, write_standings
from honours.formats.usebio import UsebioAwards, patch_usebio, write_usebio
from honours.model import Event, EventEntrant
from honours.model.message import Message, by_option, plural
from honours.pipeline import Account, Report
from honours.pipeline.published import published_otherwise
from honours.pipeline.report import as_ranked
from honours.reports.awards import amount_shown, event_data

ENDINGS = {"usebio": ".xml", "results": ".csv", "standings": ".csv", "json": ".json"}
"""What a file can become, and how such a file's name ends."""
_KINDS = {".xml": "usebio", ".json": "json", ".csv": "csv", ".tsv": "csv"}


def target_kind(account: Account, name: str | Path, with_awards: bool) -> str:
    """The kind a file's name asks for; a CSV of results or, where awards are asked, standings."""
    ending = Path(name).suffix.lower()
    if ending not in _KINDS:
        raise InputError(
            "{name}: ends in {ending!r}, expected .xml, .csv or .json; or say {remedy}",
            name=name,
            ending=ending or "nothing",
            remedy=by_option("to", "|".join(ENDINGS)),
        )
    if _KINDS[ending] != "csv":
        return _KINDS[ending]
    return "results" if isinstance(account.content, Event) and not with_awards else "standings"


def needs_ranking(kind: str) -> bool:
    """True if a kind of file is of the ranking, not of what happened at the tables."""
    return kind == "standings"


def converted_file(account: Account, kind: str, report: Report | None = None) -> WrittenFile:
    """The file's bytes, and what of the account it could not say."""
    if kind == "json":
        return _json(account, report)
    if kind == "standings":
        assert report is not None, "standings are written of a report"
        if isinstance(account.content, GoTournament):
            account.content.require_finished()  # standings cannot say that they are not the last
        return write_standings(as_ranked(report), _given(report))
    if not isinstance(account.content, Event):
        raise InputError(
            "{called} has no bridge results ({title}): it can become standings or json",
            called=account.called,
            title=account.form.title,
        )
    if kind == "results":
        if report and report.awards:
            raise InputError("a table of results has no place for awards: write the standings")
        return write_results(account.content)
    return _usebio(account, account.content, report)


def _json(account: Account, report: Report | None) -> WrittenFile:
    content = account.content
    if isinstance(content, StandingsFile):  # its name, which may speak of what it is, goes along
        content = replace(content, event=account.title)
    kept = (content,) if isinstance(content, Event) else content
    data = None
    if report and report.book and report.awards:
        data = event_data(report.book, report.awards)
    return WrittenFile(write_json(kept, data), ())


def rulebook_named(book: Rulebook) -> str:
    """The rulebook as a file names it: id, revision and amendments."""
    amended = "".join(f", {key}={value}" for key, value in book.amended.items())
    return f"{book.id} revision {book.revision}{amended}"


def _given(report: Report) -> AwardsBeside | None:
    if report.book is None or report.awards is None:
        return None
    awards = report.awards
    amounts = {one: amount_shown(report.book, awards, one) for one in awards.combined}
    return AwardsBeside(rulebook_named(report.book), amounts)


def _usebio(account: Account, event: Event, report: Report | None) -> WrittenFile:
    if report is None or report.book is None or report.awards is None:
        return write_usebio(event)
    amounts = _amounts(report, report.book)
    if account.form.name == "usebio":
        lost = (
            [
                plural(
                    "{count} ruling: the document keeps its own results",
                    "{count} rulings: the document keeps its own results",
                    count=len(account.rulings),
                )
            ]
            if account.rulings
            else []
        )
        absent = str(event.facts.get("unlisted", "")).split(", ")
        listed = {one: amount for one, amount in amounts.items() if one not in absent}
        numbers = {e.entrant.id: [p.number for p in e.entrant.players] for e in event.entrants}
        patched = patch_usebio(
            account.path, UsebioAwards(rulebook_named(report.book), listed, numbers=numbers)
        )
        return WrittenFile(patched, (*lost, *_withheld(report)))
    written = write_usebio(_with_awards(event, amounts, rulebook_named(report.book)))
    return WrittenFile(written.data, (*written.lost, *_withheld(report)))


def _amounts(report: Report, book: Rulebook) -> dict[str, str]:
    """Every entrant's award in the unit of USEBIO, hundredths where a point has decimals."""
    assert report.awards is not None
    refusals = [a.refusal for a in report.awards.lists if a.refusal]
    if refusals and not report.awards.combined:
        raise InputError(
            "no award: {reason} [{citation}]; write it without a rulebook",
            reason=refusals[0].reason,
            citation=refusals[0].citation,
        )
    scored, event = report.choices.get("order") == "scored", report.account.played
    if scored and event is not None and published_otherwise(report.lists, event):
        raise InputError(
            "{called}: the document keeps its own places, and these awards are for other "
            "ones: say {remedy}, or write a table of standings",
            called=report.account.called,
            remedy=by_option("order", "published"),
        )
    unit = 100 if book.decimals else 1
    everyone = (s.entrant.id for field in report.lists for s in field.standings)
    return {one: number_text(unit * report.awards.amount(one)) for one in everyone}


def with_awards(event: Event, report: Report) -> Event:
    """The event with what its report awards, as USEBIO has it."""
    assert report.book is not None
    return _with_awards(event, _amounts(report, report.book), rulebook_named(report.book))


def _with_awards(event: Event, amounts: dict[str, str], awarded_under: str) -> Event:
    def awarded(e: EventEntrant) -> EventEntrant:
        amount = Fraction(amounts.get(e.entrant.id, "0"))
        return replace(e, published={**e.published, "masterpoints": amount})

    facts = {**event.facts, "awarded_under": awarded_under}
    return replace(event, entrants=tuple(map(awarded, event.entrants)), facts=facts)


def _withheld(report: Report) -> tuple[str, ...]:
    """Everything that is lost: USEBIO has one figure per entrant, and no place for a player who
    gets nothing."""
    assert report.awards is not None
    return tuple(
        Message(
            "that {name} gets nothing: {reason}",
            name=player.name or player.number,
            reason=refusal.reason,
        )
        for counted in report.awards.combined.values()
        for award in counted
        for player, refusal in award.withheld
    )
