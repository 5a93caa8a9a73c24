"""The way as five calls: read, rule, score, award; the fifth, post, is the ledger's.

>>> import honours
>>> event = honours.read("examples/tuesday.csv")
>>> report = honours.score(event, winners=1)
>>> report = honours.award(report, "sbu-clubs-2016", as_usual=True)
>>> report.awards.lists[0].schedule[0].shown
'36'

Every option that a command takes is a keyword of the call it belongs to
(:mod:`honours.pipeline.options` declares them).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Any, overload

from honours.engine.rulebook import Rulebook
from honours.engine.unsaid import checked_list
from honours.errors import InputError
from honours.formats.members import Matching, MemberList, parse_answers, read_answers, read_members
from honours.formats.reading import iso_day
from honours.formats.rulings import dated, read_ruling
from honours.model import Event, Field
from honours.model.message import Message
from honours.pipeline.account import Account, account_of, read_account, ruled, with_members
from honours.pipeline.options import AWARDING, SCORING, chosen_options
from honours.pipeline.report import Report, inquired, ranked
from honours.pipeline.standing_answers import StandingAnswers
from honours.rulebooks import load
from honours.scoring import ScoredEvent, ScoringOptions
from honours.scoring import score as score_event
from honours.scoring.profiles import DEFAULT, Profile


def read(path: str | Path, event: str = "", *, as_ruled: bool = True) -> Account:
    """Read any file of one event, or one of several, with the rulings made on it."""
    _require(
        path, (str, PathLike), Message("the path of a file; a table can be written to one as CSV")
    )
    return read_account(path, event, as_ruled=as_ruled)


def _require(value: object, kinds: tuple[type, ...], expected: Message) -> None:
    """Refuse something of another type by its name."""
    if not isinstance(value, kinds):
        raise InputError(
            "a {kind}, expected {expected}", kind=type(value).__name__, expected=expected
        )


def rule(account: Account, *rulings: Mapping[str, Any]) -> Account:
    """The event with more rulings, each in the words of a rulings file."""
    return ruled(account, [read_ruling(dated(words)) for words in rulings])


@overload
def score(
    event: Event, profile: str | Profile = DEFAULT, options: ScoringOptions | None = None
) -> ScoredEvent: ...
@overload
def score(event: Account, profile: str = "", **choices: Any) -> Report: ...
def score(
    event: Event | Account, profile: Any = "", options: Any = None, **choices: Any
) -> ScoredEvent | Report:
    """Score what was read, and rank it: a report of its lists. A bare event is only scored."""
    _require(event, (Event, Account), Message("what honours.read returns"))
    if isinstance(event, Event):
        return score_event(event, profile or DEFAULT, options)
    choices_made = chosen_options({"profile": profile, **choices}, (*SCORING, *AWARDING))
    day = iso_day("date", choices_made["date"]) if choices_made["date"] else ""
    account = _with_members(event, choices_made, day)
    answers = StandingAnswers.chosen(choices_made["standing"], account.path)
    report = replace(ranked(account, choices_made), standing=answers)
    return replace(report, given={"date": day}) if day else report


def _with_members(account: Account, choices: Mapping[str, Any], day: str) -> Account:
    if not choices["members"]:
        return account
    answers = read_answers(choices["answers"]) if choices["answers"] else {}
    answers |= parse_answers(choices["confirm"])
    played = date.fromisoformat(day) if day else account.day
    path = Path(choices["members"])
    listed = _members(str(path), path.stat().st_mtime_ns if path.exists() else 0)
    return with_members(account, Matching(listed, played, answers))


@lru_cache(maxsize=2)
def _members(path: str, changed: int) -> MemberList:  # noqa: ARG001
    """A member list, read once for as many events as it serves until it changes."""
    return read_members(path)


def award(
    event: Report | Field | Sequence[Field],
    rulebook: str | Rulebook,
    given: Mapping[str, object] | None = None,
    *,
    rulebooks: Sequence[str | Path] = (),
    as_usual: bool = False,
) -> Report:
    """The report with what a rulebook awards; ``given`` is what the file does not say, and
    ``as_usual`` confirms that nothing of it is unusual. Where something else decides an award it is
    asked: :class:`honours.Asked` has the questions. Ranking lists are checked and taken as if a
    file had them."""
    book = load(rulebook, rulebooks) if isinstance(rulebook, str) else rulebook
    if not isinstance(event, Report):
        expected = Message("a report, as honours.score returns it, or Fields")
        _require(event, (Field, list, tuple), expected)
        lists = [event] if isinstance(event, Field) else event
        for one in lists:
            _require(one, (Field,), expected)
        keys = frozenset(book.keys)
        event = ranked(account_of([checked_list(one, keys) for one in lists]))
    inputs = {**event.given, **(given or {})}
    if "date" in inputs:
        inputs["date"] = iso_day("date", str(inputs["date"]))
    return inquired(event, book, inputs, as_usual)
