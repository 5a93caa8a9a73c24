"""The rulebooks that none of the five sources prints: every figure of their evidence, and ours.

Their evidence is real files, programs that were run, printed examples, and cases that we worked out
from a printed formula; each is an example of the rulebook. They are counted apart from the sources.
"""

from __future__ import annotations

import csv
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from honours.conformance.data import load_source, source_ids
from honours.conformance.own_values import Amendments
from honours.conformance.runner import PUBLISHED, WORKED_OUT, ClaimVerdict
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook, lint
from honours.engine.rulebook.examples import Example, examples, figures, run
from honours.model import Entrant
from honours.model.message import Message
from honours.model.verdict import CONTRADICTED, FITTED, REPRODUCED
from honours.pipeline import Report, awarded, ranked, read_accounts
from honours.rulebooks import evidence, ids, load

FURTHER = "further"
"""What asks for all of them."""
Fitted = Mapping[str, str]
"""Inputs that no evidence states and that we had to find, and how."""


def further_ids() -> list[str]:
    """The rulebooks that answer no claim of a source."""
    answering = {
        book
        for source in source_ids()
        for claim in load_source(source).claims
        for book in claim.rulebooks
    }
    return [name for name in ids() if name not in answering]


def further(wanted: str = "", amendments: Amendments | None = None) -> Iterator[ClaimVerdict]:
    """The verdict on every figure of these rulebooks, or of one of them."""
    for name in further_ids():
        if wanted not in ("", FURTHER, name):
            continue
        if changes := dict((amendments or {}).get(name, {})):
            yield from _of_rulebook(load(name).amend(changes), evidence(name))
        else:
            yield from _as_released(name)


@cache
def _as_released(name: str) -> tuple[ClaimVerdict, ...]:
    """Of a rulebook as it is, which is always the same."""
    return tuple(_of_rulebook(load(name), evidence(name)))


def column_differences(
    wanted: str = "", amendments: Amendments | None = None
) -> tuple[int, list[str]]:
    """Return how many examples these rulebooks have, and where columns give another award."""
    many, differing = 0, list[str]()
    for name in further_ids():
        if wanted in ("", FURTHER, name):
            book = load(name).amend(dict((amendments or {}).get(name, {})))
            every = _examples(book, evidence(name))[0]
            many += len(every)
            differing += lint.column_differences(book, every)
    return many, differing


def _examples(book: Rulebook, files: Mapping[str, Path]) -> tuple[list[Example], Fitted]:
    """The examples of a rulebook and of its further evidence, and what had to be found for them."""
    more: dict[str, Any] = {}
    if "evidence.toml" in files:
        more = tomllib.loads(files["evidence.toml"].read_text(encoding="utf-8"))
    fitted: Fitted = more.pop("fitted", {})
    further = examples(replace(book, examples=more)) if more else ()
    return [*examples(book), *further], fitted


def _of_rulebook(book: Rulebook, files: Mapping[str, Path]) -> Iterator[ClaimVerdict]:
    """The examples of a rulebook, and the files of its further evidence."""
    every, found_by_us = _examples(book, files)
    for example in every:
        yield from _judged(book, example, found_by_us)
    if "evidence.csv" in files:
        yield from _paid(book, files["evidence.csv"], found_by_us)
    if "evidence_results.csv" in files:
        yield from _scored(book, files["evidence_results.csv"], files["evidence_paid.csv"])


def _fitted(given: Mapping[str, object], found_by_us: Fitted) -> tuple[str, ...]:
    """Return why figures made from these inputs are fitted: all that was found and is not 0."""
    return tuple(
        why for name, why in found_by_us.items() if str(given.get(name, "0")) not in ("", "0")
    )


def _paid(book: Rulebook, path: Path, found_by_us: Fitted) -> Iterator[ClaimVerdict]:
    """Every award of the events of a table, from what it says of them alone."""
    for account in read_accounts(path):
        report = awarded(ranked(account), book, {}, in_words=False)
        assert report.awards is not None
        for standing in (standing for field in report.lists for standing in field.standings):
            printed = Fraction(str(standing.facts["paid"]))
            inputs = f"score={show(standing.score)}" if standing.score is not None else ""
            fitted = _fitted(standing.facts, found_by_us)
            yield _compared(book, report, standing.entrant, printed, inputs, fitted)


def _scored(book: Rulebook, results: Path, paid: Path) -> Iterator[ClaimVerdict]:
    """Every award of whole events, from the results of their boards."""
    by_event: dict[str, dict[str, dict[str, str]]] = {}
    with paid.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            by_event.setdefault(row["event"], {})[row["pair"]] = row
    for account in read_accounts(results):
        rows = by_event[account.title]
        first = next(iter(rows.values()))
        given = {"scale": first["scale"], "boards": first["boards"], "winners": "1"}
        event = replace(account.event, scoring=first["scoring"])
        report = awarded(ranked(replace(account, content=event)), book, given, in_words=False)
        inputs = ", ".join(f"{key}={value}" for key, value in given.items())
        for entrant in (s.entrant for field in report.lists for s in field.standings):
            printed = Fraction(rows[entrant.id]["paid"])
            yield _compared(book, report, entrant, printed, inputs)


def _compared(
    book: Rulebook,
    report: Report,
    entrant: Entrant,
    printed: Fraction,
    inputs: str,
    fitted: tuple[str, ...] = (),
) -> ClaimVerdict:
    """Compare what an entrant was paid with what we award."""
    assert report.awards is not None
    theirs = show(printed, book.decimals)
    ours = show(report.awards.amount(entrant.id), book.decimals)
    where, why = f"{report.account.title}, {entrant.title}", "; ".join(fitted)
    verdict = _verdict(theirs == ours, fitted)
    return ClaimVerdict(
        book.id,
        where,
        theirs,
        ours,
        verdict,
        why,
        REPRODUCED,
        inputs,
        fitted,
        evidence=PUBLISHED,
    )


def _verdict(agrees: bool, fitted: tuple[str, ...]) -> str:
    if not agrees:
        return CONTRADICTED
    return FITTED if fitted else REPRODUCED


def _judged(book: Rulebook, example: Example, found_by_us: Fitted) -> Iterator[ClaimVerdict]:
    """Each figure of an example; one that the rule cannot give, and that says so, as a whole."""
    inputs = ", ".join(f"{key}={value}" for key, value in example.given.items())
    compared = list(figures(example, run(book, example)))
    if example.printed:
        ours = ", ".join(own for _, _, own in compared)
        compared = [("", example.printed, ours)]
    fitted = () if example.ours else _fitted(example.given, found_by_us)
    reason = example.reason or (
        Message("worked out by us: {working}", working=example.ours)
        if example.ours
        else "; ".join(fitted)
    )
    for what, wanted, ours in compared:
        yield ClaimVerdict(
            book.id,
            ", ".join(part for part in (example.name, what) if part),
            wanted,
            ours,
            _verdict(wanted == ours, fitted),
            reason,
            CONTRADICTED if example.printed else REPRODUCED,
            inputs,
            fitted,
            evidence=WORKED_OUT if example.ours and not example.reason else PUBLISHED,
        )


def known(wanted: str) -> bool:
    return wanted == FURTHER or wanted in further_ids()
