"""Every sentence of the sources has an answer, and every answer names something that is there."""

from __future__ import annotations

import ast
import re

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.conformance import sentences
from honours.conformance.data import load_source
from honours.conformance.runner import CONTRADICTED, NOT_CHECKABLE, run
from honours.conformance.sentences import IMPLEMENTED, NOT_OURS, REFUSED, SourceSentence
from honours.engine.rulebook.examples import examples
from honours.rulebooks import load
from tests.support import ROOT, shared

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


_BINDING = re.compile(r"\b(shall|must|cannot|allowed|authorised|permissible)\b", re.IGNORECASE)
_HEADS = ("the following must be borne in mind", "strength of field measure cannot be")
"""What leads to sentences that bind, or says only what a measure is not good for."""


@pytest.mark.parametrize("source", sentences.source_ids())
def test_no_sentence_that_binds_is_missing(source: str) -> None:
    text = shared(f"sources/{load_source(source).file}").read_text(encoding="utf-8")
    parts = [
        [_words(part) for part in one.words.split("…") if len(_words(part).split()) > 1]
        for one in sentences.sentences(source)
    ]
    for sentence in re.split(r"(?<=[.;:!?])\s+|\n", text):
        binding = _BINDING.search(sentence) and not any(head in sentence for head in _HEADS)
        if binding and not sentence.startswith("|"):
            words = _words(sentence)
            assert any(part in words for row in parts for part in row), sentence


def test_every_point_of_the_methodology_of_2020_is_answered() -> None:
    text = shared(f"sources/{load_source('acbl-2020').file}").read_text(encoding="utf-8")
    after = text.partition("\nMethodology\n")[2]
    points = [line for line in after.splitlines() if line.startswith("·")]
    parts = [
        [_words(part) for part in one.words.split("…")]
        for one in sentences.sentences("acbl-2020")
        if one.where == "Methodology"
    ]
    assert len(points) > 12
    for point in points:
        words = _words(point)
        assert any(all(part in words for part in row) for row in parts), point


def _words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", re.sub(r"</?u>", "", text).lower()))


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


def _plain(text: str) -> str:
    """Words as they are compared: no signs of typesetting, no quotation marks, one space."""
    return " ".join(re.sub(r"[*_<>$\\\\“”\"’‘'\\[\\]{}\xa0]|</?u>", " ", text).lower().split())


@pytest.mark.parametrize("one", [s for s in EVERY if s.source in ("sbu", "aga", "ebu")])
def test_the_words_stand_in_the_source(one: SourceSentence) -> None:
    text = _plain(shared(f"sources/{load_source(one.source).file}").read_text(encoding="utf-8"))
    for part in re.split("…", one.words):
        words = re.findall(r"[a-z]{3,}", _plain(part))
        count = sum(word in text for word in words)
        assert count >= len(words) - 1, part


def test_the_command_prints_them() -> None:
    result = CliRunner().invoke(cli, ["conform", "aga", "--rules"])
    assert result.exit_code == 0
    assert "regardless of the tiebreaks used in the tournament" in result.output
    assert "refused: a mean rating of … is below 1.1" in result.output


def test_the_page_is_what_the_command_writes() -> None:
    page = (ROOT / "docs" / "sentences.md").read_text(encoding="utf-8")
    assert page == sentences.markdown(EVERY), (
        "honours conform --rules --markdown > docs/sentences.md"
    )
