"""The data of an answer are the same from Python, over HTTP and by the command."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.lab.corpus import Corpus
from honours.lab.questions import QUESTIONS
from honours.lab.result import json_text
from honours.lab.simulate import Contest
from honours.rulebooks import load
from honours.web.settings import Settings
from tests.lab.histories import history, import_tables, write_csv
from tests.web.server import client_of

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
    "predict": (
        {"corpus": FOLDER, "strengths": f"MP^0.4; holdings+rating; {BOOK}"},
        ("lab", "predict", FOLDER, "MP^0.4", "holdings+rating", BOOK),
        lambda corpus: corpus.predict(["MP^0.4", "holdings+rating", load(BOOK)]),
    ),
    "rate": (
        {"corpus": FOLDER, "holdings": "on"},
        ("lab", "rate", FOLDER, "--holdings"),
        lambda corpus: corpus.rate(holdings=True),
    ),
    "fair": (
        {"corpus": FOLDER, "a": BOOK, "b": OTHER},
        ("lab", "fair", FOLDER, BOOK, OTHER),
        lambda corpus: corpus.fair([BOOK, OTHER]),
    ),
    "placement": (
        {"corpus": FOLDER},
        ("lab", "placement", FOLDER),
        lambda corpus: corpus.placement(),
    ),
    "gaming": (
        {"corpus": FOLDER, "a": BOOK, "runs": "1000"},
        ("lab", "gaming", BOOK, "--corpus", FOLDER, "--runs", "1000"),
        lambda corpus: corpus.gaming([BOOK], runs=1000),
    ),
    "simulate": (
        {"a": BOOK, "holding": "600", "events": "up: entrants=12 holding=3000"},
        ("lab", "simulate", BOOK, "--holding", "600", "--event", "up: entrants=12 holding=3000"),
        lambda corpus: corpus.simulate([BOOK], [Contest("up", 12, 3000)], 600),
    ),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server, with a corpus."""
    folder = tmp_path_factory.mktemp("data")
    import_tables([str(write_csv(folder / "a.csv", history(24)))], folder / "corpora" / "told")
    return folder


@pytest.fixture(scope="module")
def told(data: Path) -> Corpus:
    return Corpus.open(data / "corpora" / "told")


@pytest.fixture(scope="module")
def client(data: Path) -> Iterator[httpx.Client]:
    with client_of(Settings(data=data)) as opened:
        yield opened


def _answered(client: httpx.Client, kind: str, said: Mapping[str, str]) -> Any:
    """What the API answers."""
    started = client.post("/api/v1/jobs", json={"what": kind, "said": said})
    assert started.status_code == 202, started.text
    while (job := client.get(started.headers["location"]).json())["state"] == "running":
        time.sleep(0.1)
    assert job["state"] == "done", job
    [answer] = job["result"]
    return answer


@pytest.mark.parametrize("kind", QUESTIONS)
def test_the_data_of_an_answer_are_the_same_wherever_it_is_asked(
    told: Corpus, client: httpx.Client, kind: str
) -> None:
    fields, command, ask = ASKED[kind]
    said = {key: text.replace(FOLDER, "told") for key, text in fields.items()}
    words = [text.replace(FOLDER, str(told.folder)) for text in command]
    by_command = CliRunner().invoke(cli, [*words, "--json"])
    assert by_command.exit_code == 0, by_command.output
    data = json.loads(by_command.stdout)
    assert data.pop("format") == 1
    assert _answered(client, kind, said) == data
    assert json.loads(json_text(ask(told).data())) == data
    assert data["synthetic"] is (kind == "simulate")
    assert data["provenance"]
