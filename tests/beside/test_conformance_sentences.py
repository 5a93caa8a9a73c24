"""Compared with real files beside the repository: conformance sentences."""

from __future__ import annotations

import re

import pytest

from honours.conformance import sentences
from honours.conformance.data import load_source
from honours.conformance.sentences import SourceSentence
from tests.conformance.test_sentences import EVERY
from tests.support import shared

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
