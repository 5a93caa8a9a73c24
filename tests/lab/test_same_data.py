"""The data of an answer are the same from Python, by a question as pages and the API ask it, and by
the command."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.cli.lab_questions import CommandLibrary
from honours.lab.corpus import Corpus
from honours.lab.frame import json_text
from honours.lab.history.take import take
from honours.lab.questions import QUESTIONS, Question
from honours.lab.simulate import Contest
from tests.lab.histories import history
from tests.lab.test_history import write_csv

BOOK, OTHER, FOLDER = "acbl-sof-2020", "acbl-sof-2011", "{corpus}"
Said = tuple[Mapping[str, str], tuple[str, ...], Callable[[Corpus], Any]]
ASKED: dict[str, Said] = {
    "compare": (
        {"corpus": FOLDER, "a": "as-paid", "b": BOOK},
        ("lab", "compare", FOLDER, "as-paid", BOOK),
        lambda corpus: corpus.compare("as-paid", BOOK),
    ),
    "sweep": (
        {"corpus": FOLDER, "parameter": f"{BOOK} first_exponent", "values": "0.6 0.7"},
        ("lab", "sweep", FOLDER, BOOK, "first_exponent", "0.6", "0.7"),
        lambda corpus: corpus.sweep(BOOK, "first_exponent", ["0.6", "0.7"]),
    ),
    "calibrate": (
        {"corpus": FOLDER, "a": BOOK, "parameters": "total_coefficient", "total": "as-paid"},
        ("lab", "calibrate", FOLDER, BOOK, "total_coefficient", "--total", "as-paid"),
        lambda corpus: corpus.calibrate(BOOK, ["total_coefficient"], "as-paid"),
    ),
    "growth": (
        {"corpus": FOLDER, "a": BOOK, "b": OTHER, "years": "2"},
        ("lab", "growth", FOLDER, BOOK, OTHER, "--years", "2"),
        lambda corpus: corpus.growth([BOOK, OTHER], 2),
    ),
    "fit": (
        {"corpus": FOLDER, "a": "as-paid", "bootstraps": "2", "floor": "300"},
        ("lab", "fit", FOLDER, "as-paid", "--bootstraps", "2", "--floor", "300"),
        lambda corpus: corpus.fit("as-paid", bootstraps=2, floor=300.0),
    ),
    "study": (
        {"corpus": FOLDER, "source": "2011"},
        ("study", FOLDER, "--source", "2011"),
        lambda corpus: corpus.study("2011"),
    ),
    "audit": (
        {"a": "vbl-2017", "corpus": FOLDER},
        ("lab", "audit", "vbl-2017", "--corpus", FOLDER),
        lambda corpus: corpus.audit("vbl-2017"),
    ),
    "simulate": (
        {"a": BOOK, "holding": "600", "name1": "up", "entrants1": "12", "held1": "3000"},
        ("lab", "simulate", BOOK, "--holding", "600", "--event", "up: entrants=12 holding=3000"),
        lambda corpus: corpus.simulate([BOOK], [Contest("up", 12, 3000)], 600),
    ),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("told")
    return take([str(write_csv(folder / "a.csv", history(24)))], folder / "corpus").corpus


@pytest.mark.parametrize("kind", QUESTIONS)
def test_the_data_of_an_answer_are_the_same_wherever_it_is_asked(told: Corpus, kind: str) -> None:
    fields, command, ask = ASKED[kind]
    folder = str(told.folder)
    said = {key: text.replace(FOLDER, folder) for key, text in fields.items()}
    by_question = Question(kind, tuple(said.items())).work(CommandLibrary(()))(lambda *_: None)
    words = [text.replace(FOLDER, folder) for text in command]
    by_command = CliRunner().invoke(cli, [*words, "--json"])
    assert by_command.exit_code == 0, by_command.output
    data = json.loads(by_command.stdout)
    assert json.loads(json_text(dict(by_question.data()))) == data
    assert json.loads(json_text(ask(told).data())) == data
    assert data["synthetic"] is (kind == "simulate")
    assert data["provenance"]
