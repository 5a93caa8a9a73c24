"""Going through the sources: each printed figure, ours beside it, and the verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from honours.conformance.data import Claim, load_source, source_ids
from honours.conformance.own_values import Amendments, OwnValues, evaluate
from honours.engine.numbers import exact, round_to, show
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.lint import both_ways
from honours.errors import HonoursError, RulebookError, UnknownName
from honours.model import Field
from honours.model.message import Message, joined, word
from honours.model.verdict import (
    AGREEING,
    CONSISTENT,
    CONTRADICTED,
    FITTED,
    NOT_CHECKABLE,
    PARAMETER,
    REPRODUCED,
    VERDICTS,
)

PUBLISHED, WORKED_OUT = "published", "worked out"
_OF_EVIDENCE = (PUBLISHED, FITTED, WORKED_OUT, CONTRADICTED)
_FINAL = frozenset({"at", "total", "places", "extra", "parameter", "points", "ew"})
_FIGURE = re.compile(r"[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Our verdict on one printed figure; ``stated`` is what its file says we say, and ``needs`` is
    the data it would take, where that is all the reason there is.

    A figure that agrees is *reproduced* where a rule made it from what is printed, *consistent*
    where it is only near or within a bound, *fitted* where it was made from an input we had to
    find, a *parameter* where it is only quoted.
    """

    source: str
    where: str
    printed: str
    ours: str
    verdict: str
    reason: str
    stated: str
    inputs: str = ""
    fitted: tuple[str, ...] = ()
    needs: str = ""
    evidence: str = ""
    """Of a rulebook that no source prints: ``published``, or ``worked out`` by ourselves."""

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds that figures of its sort are counted as."""
        return _OF_EVIDENCE if self.evidence else VERDICTS

    @property
    def kind(self) -> str:
        return self.evidence if self.evidence and self.verdict == REPRODUCED else self.verdict

    @property
    def as_stated(self) -> bool:
        return self.stated == (REPRODUCED if self.verdict in AGREEING else self.verdict)

    def as_dict(self) -> dict[str, object]:
        keys = ("source", "where", "printed", "ours", "verdict", "reason", "inputs")
        return {**{key: getattr(self, key) for key in keys}, "fitted": list(self.fitted)}


def chosen_claims(wanted: str = "") -> list[Claim]:
    """All claims, or those of a source, or those that a rulebook of this id answers."""
    every = [claim for source in source_ids() for claim in load_source(source).claims]
    if not wanted:
        return every
    if wanted in source_ids():
        return list(load_source(wanted).claims)
    matching = [claim for claim in every if wanted in claim.rulebooks]
    if not matching:
        answering = {book for claim in every for book in claim.rulebooks}
        raise UnknownName("source or rulebook", wanted, [*source_ids(), *sorted(answering)])
    return matching


def run(claims: Iterable[Claim], amendments: Amendments | None = None) -> Iterator[ClaimVerdict]:
    """The verdict on each of the claims, under amendments if any are given."""
    ours = OwnValues(amendments)
    for claim in claims:
        yield judge(claim, ours)


def column_differences(
    claims: Iterable[Claim], amendments: Amendments | None = None
) -> tuple[int, list[str]]:
    """Return how many ranking lists the figures come from, and where columns give another award
    than the exact way that the verdicts are of."""
    ours = OwnValues(amendments)
    for claim in claims:
        if not claim.needs:
            judge(claim, ours)
    by_book: dict[str, tuple[Rulebook, list[tuple[str, Field]]]] = {}
    for working in ours.awarded():
        book, facts = working.rulebook, working.field.facts
        name = ", ".join((book.id, *(f"{key}={value}" for key, value in facts.items())))
        by_book.setdefault(book.hash, (book, []))[1].append((name, working.field))
    many = sum(len(named) for _, named in by_book.values())
    return many, [f for book, named in by_book.values() for f in both_ways(book, named)]


def judge(claim: Claim, ours: OwnValues) -> ClaimVerdict:
    """Work out what is ours and compare it with what is printed."""
    if claim.needs:
        needs = Message("needs {what}", what=claim.needs)
        reason = joined("; ", filter(None, (claim.reason, needs)))
        return _verdict(claim, "", NOT_CHECKABLE, reason)
    agrees, shown = _worked_out(claim, claim.let, ours)
    verdict = _agreeing(claim) if agrees else CONTRADICTED
    reasons = [claim.reason, *claim.fitted, _under_a_variant(claim, ours)]
    if agrees is not (claim.verdict == REPRODUCED):
        reasons.insert(0, Message("stated as {verdict}", verdict=word(claim.verdict)))
    return _verdict(claim, shown, verdict, joined("; ", filter(None, reasons)))


def _worked_out(claim: Claim, let: Mapping[str, Any], ours: OwnValues) -> tuple[bool, str]:
    try:
        names = {name: ours.taken(value) for name, value in let.items()}
        value = evaluate(claim.ours, names)
    except (HonoursError, LookupError, StopIteration) as error:
        raise RulebookError(
            "{source}, {where}: {error!r}", source=claim.source, where=claim.where, error=error
        ) from error
    return _holds(value, names) if claim.truth else _compared(claim, value)


def _agreeing(claim: Claim) -> str:
    if claim.only_quotes:
        return PARAMETER
    if claim.is_loose:
        return CONSISTENT
    return FITTED if claim.fitted else REPRODUCED


def _under_a_variant(claim: Claim, ours: OwnValues) -> str:
    if not claim.variant:
        return ""
    agrees, shown = _worked_out(claim, claim.variant, ours)
    amended = {
        k: v
        for c in claim.variant.values()
        if isinstance(c, Mapping)
        for k, v in c.get("set", {}).items()
    }
    changes = ", ".join(f"{name}={value}" for name, value in amended.items())
    if agrees:
        return Message("with {changes} it gives the printed figure", changes=changes)
    return Message("with {changes} it is {ours}", changes=changes, ours=shown)


def _verdict(claim: Claim, ours: str, verdict: str, reason: str) -> ClaimVerdict:
    return ClaimVerdict(
        claim.source,
        claim.where,
        claim.printed,
        ours,
        verdict,
        reason,
        claim.verdict,
        _inputs(claim),
        claim.fitted,
        "" if claim.reason else claim.needs,
    )


def _inputs(claim: Claim) -> str:
    """Return the inputs of the calculations as text; equal inputs are told once."""
    names_by_inputs: dict[str, list[str]] = {}
    for name, value in claim.let.items():
        if isinstance(value, Mapping):
            names_by_inputs.setdefault(_given(value), []).append(name)
    if len(names_by_inputs) == 1:
        return next(iter(names_by_inputs))
    return "; ".join(
        f"{', '.join(names)}: {given}" for given, names in names_by_inputs.items() if given
    )


def _given(calculation: Mapping[str, Any]) -> str:
    shown = {**calculation.get("given", {}), **calculation.get("set", {})}
    shown |= {key: calculation[key] for key in ("line", "ties") if calculation.get(key)}
    parts = [f"{name}={value}" for name, value in shown.items()]
    board = calculation.get("board", {})
    parts += [f"{name}={value}" for name, value in board.items()]
    if "list" in calculation or "ranking" in calculation:
        parts.append(Message("a list of entrants"))
    return ", ".join(parts)


def _holds(value: Fraction, names: Mapping[str, Fraction]) -> tuple[bool, str]:
    """A comparison, with the values that were compared beside it."""
    compared = ", ".join(f"{name} = {_brief(x)}" for name, x in names.items())
    return bool(value), f"{'true' if value else 'false'} ({compared})"


def _compared(claim: Claim, ours: Fraction) -> tuple[bool, str]:
    text = claim.value or claim.printed
    if re.fullmatch(r"\d+/\d+", text):
        return ours == exact(text), str(ours)
    printed, decimals = figure(text)
    return _agrees(claim, ours, printed, decimals), _shown(claim, ours, decimals)


def figure(text: str) -> tuple[Fraction, int]:
    """The number a text prints and its decimals: ``"2,158"`` is 2158 with none."""
    match = next(m for m in _FIGURE.finditer(text) if any(c.isdigit() for c in m[0]))
    digits = match[0].replace(",", "").replace("−", "-")
    return exact(digits), len(digits.partition(".")[2])


def _agrees(claim: Claim, ours: Fraction, printed: Fraction, decimals: int) -> bool:
    if claim.relation:
        return _stands(ours, claim.relation, printed)
    if claim.within:
        return abs(ours - printed) <= exact(claim.within)
    if _is_final(claim):
        return ours == printed
    return round_to(ours, "nearest", Fraction(1, 10**decimals)) == printed


def _is_final(claim: Claim) -> bool:
    """Return whether a rulebook or the scorer prints ours as it is, so that nothing may differ."""
    alone = claim.let.get(claim.ours)
    return isinstance(alone, Mapping) and str(alone["take"]).partition(":")[0] in _FINAL


def _stands(ours: Fraction, relation: str, printed: Fraction) -> bool:
    return {
        "<": ours < printed,
        "<=": ours <= printed,
        ">": ours > printed,
        ">=": ours >= printed,
    }[relation]


def _shown(claim: Claim, ours: Fraction, decimals: int) -> str:
    """Ours as printed; with two more decimals where it is only near, or finer than printed."""
    unit = Fraction(1, 10**decimals)
    loose = claim.within or claim.relation or claim.verdict == CONTRADICTED
    if not loose and not (_is_final(claim) and round_to(ours, "down", unit) != ours):
        return show(ours, decimals)
    exactly = show(ours)
    return exactly if len(exactly) <= decimals + 6 else show(ours, decimals + 2)


def _brief(x: Fraction) -> str:
    exactly = show(x)
    return exactly if len(exactly) <= len("1234.56") else show(x, 2)
