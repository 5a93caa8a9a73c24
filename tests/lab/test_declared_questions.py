"""Every question is declared once, and what is declared can be asked."""

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.cli.lab_declared import CommandLibrary
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, MissingInput, UnknownName
from honours.lab.asking import declare
from honours.lab.corpus import Corpus
from honours.lab.questions import QUESTIONS, Question, read_question
from honours.lab.result import Answer, Progress, unwatched
from honours.lab.simulate import Contest
from honours.rulebooks import load

BOOK = "acbl-sof-2020"
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

    def event(self, corpus: Corpus, text: str) -> int:
        return corpus.number_of(text)


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
    assert answered.statements[0]
    assert all(len(frame) for frame in answered.frames[:1])
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


def test_a_question_that_is_only_declared_is_a_command_too() -> None:
    def sizes(name: str, years: int = 2, progress: Progress = unwatched) -> Answer:
        progress(1, 1)
        return Answer("Sizes", [f"{name} {years + 1}"], [], {})

    texts = {"tab": "Sizes", "title": "How large fields are", "about": "How many?", "counted": "x"}
    asked_for = {"type": "text", "label": "name"}, {"type": "whole", "label": "years"}
    declare(
        sizes,
        {**texts, "examples": [], "fields": dict(zip(("name", "years"), asked_for, strict=True))},
    )
    try:
        listed = CliRunner().invoke(cli, ["lab", "--help"])
        assert "How large fields are." in listed.output
        answered = CliRunner().invoke(cli, ["lab", "sizes", "year", "--years", "3"])
        assert (answered.exit_code, answered.output.strip()) == (0, "year 4")
        assert "Years." in CliRunner().invoke(cli, ["lab", "sizes", "--help"]).output
        asked = read_question("sizes", {"name": "year"})
        assert asked.work(CommandLibrary())(unwatched).statements == ["year 3"]
    finally:
        del QUESTIONS["sizes"]
    assert sizes("here") == sizes("here", 2)


def test_a_method_of_a_corpus_is_the_question() -> None:
    for kind, declared in QUESTIONS.items():
        assert getattr(Corpus, kind) is declared.function


def test_any_number_of_rulebooks_and_events_may_be_said() -> None:
    books = {"a": "acbl-sof-2011", "c": "acbl-sof-2020", "c_with": "award_unit=1", "holding": "5"}
    events = "one: entrants=9 holding=9; late: entrants=8 holding=7 sessions=1 lists=2"
    asked = read_question("simulate", books | {"events": f"{events} kind=teams limit=750"})
    read = asked.arguments(CommandLibrary())
    assert [book.amended for book in read["rulebooks"]] == [{}, {"award_unit": "1"}]
    late = Contest("late", 8, 7, kind="teams", sessions=1, lists=2, facts={"limit": "750"})
    assert read["contests"] == [Contest("one", 9, 9), late]
    fields = [one.key for field in asked.declared.fields for one in field.inputs(dict(asked.said))]
    assert "d" in fields  # one more is asked for
    assert "e" not in fields
    with pytest.raises(InputError, match="at most 20 at once"):
        read_question("simulate", {"a": "acbl-sof-2011", "events": ";".join(["x"] * 21)})
    for wrong, why in (
        ("x: entrants=9 holding=9 lists=0", "lists=0: expected a whole number from 1"),
        ("x: entrants=9", "expected 'name: entrants=40 holding=3000"),
    ):
        with pytest.raises(InputError, match=why):
            read_question("simulate", books | {"events": wrong}).arguments(CommandLibrary())


def test_one_event_and_groups_are_asked_as_words_of_an_address(corpus: Corpus) -> None:
    pair = {"corpus": str(corpus.folder), "a": "acbl-sof-2011", "b": BOOK}
    one = read_question("compare", pair | {"event": "3"}).work(CommandLibrary())(unwatched)
    assert "The largest award of event 3 would be" in one.statement
    assert [why.name for why in one.explanations] == ["Event 3"]
    assert one.frames[0].rows[-1]["place"] == "Total"
    with pytest.raises(UnknownName, match="unknown group 'colour'"):
        corpus.compare("acbl-sof-2011", BOOK, by=["colour"])
    grouped = corpus.compare("acbl-sof-2011", BOOK, by=["kind", "sessions"])
    assert grouped.frames[0].name == "By kind and sessions"
    assert "By kind and sessions" in grouped.data()["tables"]
