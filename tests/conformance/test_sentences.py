"""Every sentence of the sources has an answer, and every answer names something that is there."""

from __future__ import annotations

import ast
import re

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.conformance import sentences
from honours.conformance.data import Claim, load_source
from honours.conformance.report import sentences_page
from honours.conformance.runner import run
from honours.conformance.sentences import IMPLEMENTED, NOT_OURS, REFUSED, SourceSentence
from honours.engine.rulebook import Rulebook
from honours.engine.rulebook.examples import Example, examples
from honours.engine.rulebook.examples import run as run_example
from honours.model.verdict import CONTRADICTED, NOT_CHECKABLE
from honours.rulebooks import load
from tests.support import ROOT

EVERY = sentences.sentences()


def functions(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("source", sentences.source_ids())
def test_what_shows_that_it_is_implemented_is_there(source: str) -> None:
    book = str(sentences._table(source)["rulebook"])
    known = {f"example: {e.name}" for e in examples(load(book))} if book else set()
    known |= {f"printed figure: {claim.where}" for claim in load_source(source).claims}
    for one in sentences.sentences(source):
        if one.verdict == IMPLEMENTED and one.by.startswith("test: "):
            file, _, name = one.by.removeprefix("test: ").partition("::")
            assert name in functions(file), one
        elif one.verdict == IMPLEMENTED:
            assert one.by in known, one


@pytest.mark.parametrize("source", sentences.source_ids())
def test_no_figure_that_shows_it_is_contradicted(source: str) -> None:
    start = "printed figure: "
    named = {s.by.removeprefix(start) for s in sentences.sentences(source) if start in s.by}
    claims = [claim for claim in load_source(source).claims if claim.where in named]
    shown = {verdict.where: verdict.verdict for verdict in run(claims)}
    assert set(shown) == named
    assert not {CONTRADICTED, NOT_CHECKABLE} & set(shown.values())


@pytest.mark.parametrize("source", sentences.source_ids())
def test_what_obeys_a_sentence_and_what_breaks_it_come_out_differently(source: str) -> None:
    rulebook = str(sentences._table(source)["rulebook"])
    book = load(rulebook) if rulebook else None
    cases = {example.name: example for example in examples(book)} if book else {}
    claims = {claim.where: claim for claim in load_source(source).claims}
    alike = []
    for one in sentences.sentences(source):
        if one.verdict == NOT_OURS:
            assert not one.breaks, one
        elif one.by.startswith("test: "):
            assert one.obeys, one
            assert one.breaks, one
        elif one.obeys == "figure":
            claim = claims[one.by.removeprefix("printed figure: ")]
            [right] = run([claim])
            alike += [] if right.as_stated and right.ours != _broken(claim, one.breaks) else [one]
        else:
            assert book is not None
            alike += [] if _told_apart(book, cases, one) else [one]
    assert alike == []


def _broken(claim: Claim, breaks: str) -> str:
    """What a figure is by another number, or what somebody would have it be."""
    how, _, what = breaks.partition(" ")
    if how == "paid":
        return re.sub(r"\d+(\.\d+)?", what, next(run([claim])).ours)
    book, parameter, value = re.split("[:=]", what)
    return next(run([claim], {book: {parameter: value}})).ours


def _told_apart(book: Rulebook, cases: dict[str, Example], one: SourceSentence) -> bool:
    """Whether the event that obeys is paid, and the one that breaks refused or paid otherwise."""
    right, (how, _, what) = _paid(book, cases[one.obeys]), one.breaks.partition(" ")
    refused = any(NOBODY in figure for figure in right.values())
    if how == "event":
        return not refused and any(NOBODY in f for f in _paid(book, cases[what]).values())
    if how == "set":
        return right != _paid(book.amend(dict([what.split("=")])), cases[one.obeys])
    claimed = dict(pair.split("=") for pair in what.split())
    return any(right.get(place, "0") != figure for place, figure in claimed.items())


NOBODY = "nobody: "


def _paid(book: Rulebook, example: Example) -> dict[str, str]:
    """What is paid at each place of each list (``3``, ``EW3``), or why nothing is."""
    paid = {}
    for awards in run_example(book, example):
        if awards.refusal:
            paid[awards.field.line] = f"{NOBODY}{awards.refusal.reason}"
        for item in awards.schedule:
            refusals = [item.refusal, *(refusal for _, refusal in item.withheld)]
            why = "".join(f"; {NOBODY}{refusal.reason}" for refusal in refusals if refusal)
            paid[f"{awards.field.line}{item.standing.place}"] = f"{item.shown}{why}"
    return paid


def test_a_refusal_is_what_the_rulebook_says() -> None:
    refused = [one for one in EVERY if one.verdict == REFUSED]
    assert refused
    for one in refused:
        book = load(str(sentences._table(one.source)["rulebook"]))
        [rule] = [r for r in book.rules if r.function.__name__ == one.rule]
        assert rule.kind == "refusal"
        start = rule.message.partition("{")[0]
        assert one.by.startswith(start)
        assert not set("{}") & set(one.by)


def test_what_is_not_ours_says_whose_it_is() -> None:
    assert all(len(one.by) > 5 for one in EVERY if one.verdict == NOT_OURS)


def test_there_are_about_as_many_as_the_sources_have() -> None:
    assert len(EVERY) >= 190
    assert len({(one.source, one.where, one.words) for one in EVERY}) == len(EVERY)


def test_the_command_prints_them() -> None:
    result = CliRunner().invoke(cli, ["conform", "aga", "--rules"])
    assert result.exit_code == 0
    assert "regardless of the tiebreaks used in the tournament" in result.output
    assert "refused: a mean rating of … is below 1.1" in result.output


def test_the_page_is_what_the_command_writes() -> None:
    page = (ROOT / "docs/evidence/sentences.md").read_text(encoding="utf-8")
    assert page == sentences_page(EVERY), (
        "honours conform --rules --markdown > docs/evidence/sentences.md"
    )
