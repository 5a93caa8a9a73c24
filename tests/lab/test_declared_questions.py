"""Every question is declared once, and what is declared can be asked."""

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, MissingInput, UnknownName
from honours.lab.corpus import Corpus
from honours.lab.questions import (
    QUESTIONS,
    Answered,
    Question,
    QuestionField,
    QuestionKind,
    read_question,
)
from honours.lab.report import Answer
from honours.model.message import Message
from honours.rulebooks import load

QUICK = {"compare", "sweep", "growth", "fit"}


class Library:
    """One corpus, and the bundled rulebooks."""

    on = ""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def corpus(self, name: str) -> Corpus:
        assert name == "year"
        return self._corpus

    def rulebook(self, text: str) -> Rulebook:
        book, *changes = text.split()
        return load(book).amend(dict(change.split("=") for change in changes))


def suggested(kind: str, **more: str) -> Question:
    """What the form of a question says before anybody has said anything."""
    fields = QUESTIONS[kind].suggested | {"corpus": "year"} | more
    return read_question(kind, fields)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_form_says_enough_before_anybody_has(kind: str) -> None:
    question = suggested(kind)
    assert question.complete
    assert question.path.startswith(f"/lab/{kind}?")


@pytest.mark.parametrize("kind", sorted(QUICK))
def test_what_is_declared_is_answered(kind: str, corpus: Corpus) -> None:
    more = {"fit": {"bootstraps": "2"}, "growth": {"years": "2"}}.get(kind, {})
    steps: list[tuple[int, int]] = []
    answered = suggested(kind, **more).work(Library(corpus))(lambda *step: steps.append(step))
    assert answered.report.statements[0]
    assert all(len(frame) for frame in answered.report.frames[:1])
    assert answered.data()["provenance"]
    assert steps


def test_a_number_is_within_what_its_field_declares(corpus: Corpus) -> None:
    with pytest.raises(InputError, match="years=1: expected a whole number from 2 to 100"):
        suggested("growth", years="1").work(Library(corpus))


def test_what_must_be_said_is_named(corpus: Corpus) -> None:
    with pytest.raises(MissingInput, match="missing 'total'"):
        suggested("calibrate", total="").work(Library(corpus))
    with pytest.raises(MissingInput, match="missing 'corpus'"):
        read_question("compare", {"a": "acbl-sof-2011"}).work(Library(corpus))


def test_what_nobody_asks_is_refused() -> None:
    with pytest.raises(UnknownName, match="unknown question 'why'"):
        read_question("why", {})
    with pytest.raises(InputError, match="at most 20 at once"):
        suggested("sweep", values=" ".join(map(str, range(21))))


def test_a_question_that_is_only_declared_is_a_command_too(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = QuestionKind(
        "sizes",
        Message("Sizes"),
        Message("How large fields are"),
        Message("How many entrants are there?"),
        (
            QuestionField("corpus", Message("corpus"), "corpus", True),
            QuestionField("years", Message("years")),
        ),
        lambda question, _: (
            lambda _progress: Answered(
                {},
                Answer("Sizes", [f"{question.get('corpus')} {question.get('years')}"], [], {}),
                {},
            )
        ),
    )
    monkeypatch.setitem(QUESTIONS, "sizes", declared)
    listed = CliRunner().invoke(cli, ["lab", "--help"])
    assert "How large fields are." in listed.output
    answered = CliRunner().invoke(cli, ["lab", "sizes", "year", "--years", "3"])
    assert (answered.exit_code, answered.output.strip()) == (0, "year 3")
    assert "honours lab sizes year" in CliRunner().invoke(cli, ["lab", "sizes", "--help"]).output
