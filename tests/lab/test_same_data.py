"""The data of an answer are the same from Python, over HTTP and by the command."""

from __future__ import annotations

import json
import shlex
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
from tests.support import table
from tests.web.server import client_of

BOOK, OTHER = "acbl-sof-2020", "acbl-sof-2011"
IN_PYTHON: dict[str, Callable[[Corpus], Any]] = {
    "compare": lambda corpus: corpus.compare("as-paid", BOOK),
    "sweep": lambda corpus: corpus.sweep(BOOK, "first_exponent", ["0.6", "0.7"]),
    "calibrate": lambda corpus: corpus.calibrate(BOOK, ["total_coefficient"], "as-paid"),
    "growth": lambda corpus: corpus.growth([BOOK, OTHER], 2),
    "fit": lambda corpus: corpus.fit("as-paid", bootstraps=2, floor=300.0),
    "study": lambda corpus: corpus.study("2011"),
    "audit": lambda corpus: corpus.audit("vbl-2017"),
    "predict": lambda corpus: corpus.predict(["MP^0.4", "holdings+rating", load(BOOK)]),
    "rate": lambda corpus: corpus.rate(holdings=True),
    "fair": lambda corpus: corpus.fair([BOOK, OTHER]),
    "placement": lambda corpus: corpus.placement(),
    "gaming": lambda corpus: corpus.gaming([BOOK], runs=1000),
    "simulate": lambda corpus: corpus.simulate([BOOK], [Contest("up", 12, 3000)], 600),
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
    asked = table(__file__, "ASKED")[kind]
    said = {key: text.replace("{corpus}", "told") for key, text in asked["said"].items()}
    words = shlex.split(asked["command"].format(corpus=told.folder))
    by_command = CliRunner().invoke(cli, [*words, "--json"])
    assert by_command.exit_code == 0, by_command.output
    data = json.loads(by_command.stdout)
    assert data.pop("format") == 1
    assert _answered(client, kind, said) == data
    assert json.loads(json_text(IN_PYTHON[kind](told).data())) == data
    assert data["synthetic"] is (kind == "simulate")
    assert data["provenance"]
