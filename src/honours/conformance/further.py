"""The rulebooks that none of the five sources prints: every figure of their evidence, and ours.

Their evidence is real files, programs that were run, printed examples, and cases that we worked out
from a printed formula; each is an example of the rulebook. They are counted apart from the sources.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from honours.conformance.data import load_source, source_ids
from honours.conformance.runner import CONTRADICTED, REPRODUCED, Verdict
from honours.conformance.values import Amendments
from honours.engine.numbers import show
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.examples import Example, examples, figures, run
from honours.pipeline import awarded, ranked, read_accounts
from honours.rulebooks import evidence, ids, load

FURTHER = "further"
"""What asks for all of them."""
COLUMNS = ("published", "worked out", CONTRADICTED, "total")
_OURS = "worked out by us: "


def further_ids() -> list[str]:
    """The rulebooks that answer no claim of a source."""
    answering = {
        book
        for source in source_ids()
        for claim in load_source(source).claims
        for book in claim.rulebooks
    }
    return [name for name in ids() if name not in answering]


def further(wanted: str = "", amendments: Amendments | None = None) -> Iterator[Verdict]:
    """The verdict on every figure of these rulebooks, or of one of them."""
    for name in further_ids():
        if wanted in ("", FURTHER, name):
            book = load(name).amend(dict((amendments or {}).get(name, {})))
            files = evidence(name)
            for example in (*examples(book), *_more_examples(book, files)):
                yield from _judged(book, example)
            if "evidence.csv" in files:
                yield from _paid(book, files["evidence.csv"])


def _more_examples(book: Rulebook, files: Mapping[str, Path]) -> Iterator[Example]:
    """Examples that are too many or too large for every check of the rulebook."""
    if "evidence.toml" in files:
        text = files["evidence.toml"].read_text(encoding="utf-8")
        yield from examples(replace(book, examples=tomllib.loads(text)))


def _paid(book: Rulebook, path: Path) -> Iterator[Verdict]:
    """Every award of the events of a table, from what it says of them alone."""
    for account in read_accounts(path):
        report = awarded(ranked(account), book, {})
        assert report.awards is not None
        for standing in (standing for field in report.lists for standing in field.standings):
            entrant = standing.entrant
            printed = show(Fraction(str(standing.facts["paid"])), book.decimals)
            ours = show(report.awards.amount(entrant.id), book.decimals)
            verdict = REPRODUCED if printed == ours else CONTRADICTED
            where = f"{account.title}, {entrant.title}"
            inputs = f"score={show(standing.score)}" if standing.score is not None else ""
            yield Verdict(book.id, where, printed, ours, verdict, "", REPRODUCED, inputs)


def _judged(book: Rulebook, example: Example) -> Iterator[Verdict]:
    """Each figure of an example; one that the rule cannot give, and that says so, as a whole."""
    inputs = ", ".join(f"{key}={value}" for key, value in example.given.items())
    compared = list(figures(example, run(book, example)))
    if example.printed:
        ours = ", ".join(own for _, _, own in compared)
        compared = [("", example.printed, ours)]
    reason = example.reason or (_OURS + example.ours if example.ours else "")
    for what, wanted, ours in compared:
        yield Verdict(
            book.id,
            ", ".join(part for part in (example.name, what) if part),
            wanted,
            ours,
            REPRODUCED if wanted == ours else CONTRADICTED,
            reason,
            CONTRADICTED if example.printed else REPRODUCED,
            inputs,
        )


def counts(verdicts: Sequence[Verdict]) -> dict[str, dict[str, int]]:
    """How many figures of each rulebook were published and how many are our own working; what is
    contradicted is neither."""
    table: dict[str, dict[str, int]] = {}
    for verdict in verdicts:
        row = table.setdefault(verdict.source, dict.fromkeys(COLUMNS, 0))
        own = verdict.reason.startswith(_OURS)
        kind = COLUMNS[own] if verdict.verdict == REPRODUCED else CONTRADICTED
        row[kind] += 1
        row["total"] += 1
    everything = {name: sum(row[name] for row in table.values()) for name in COLUMNS}
    return {**table, "all": everything}


def title(book: str) -> str:
    """A rulebook with its standing."""
    loaded = load(book)
    return f"{loaded.body}: {loaded.title} ({loaded.standing.status})"


def known(wanted: str) -> bool:
    return wanted == FURTHER or wanted in further_ids()
