"""Questions say while they run what is known by then; stopped, they leave with it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.cli.lab_declared import CommandLibrary
from honours.lab.corpus import Corpus
from honours.lab.history import staging
from honours.lab.questions import Question
from honours.lab.tallies import tally_shard
from tests.lab.histories import history, imported

BOOK = "acbl-sof-2020"
QUESTIONS: Mapping[str, tuple[Mapping[str, str], str]] = {
    "compare": ({"a": "as-paid", "b": BOOK}, "compared with as-paid"),
    "sweep": ({"parameter": f"{BOOK} size_exponent", "values": "1/2"}, "size_exponent=1/2 would"),
    "growth": ({"a": BOOK, "years": "3"}, "In year 2, compared with year 1"),
    "fit": ({"a": "as-paid", "bootstraps": "3"}, "The exponent lies from about"),
    "calibrate": (
        {"a": BOOK, "parameters": "total_coefficient", "total": "as-paid"},
        "nearest so far: total_coefficient=",
    ),
    "study": ({"source": "2011"}, "figures of the source of 2011 agree"),
}


@pytest.fixture(scope="module")
def parted(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A history in several shards."""
    folder = tmp_path_factory.mktemp("parted")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(staging, "A_PIECE", 400)
        rows = ({**row, "Class": "Regional"} for row in history(200))
        return imported(folder, [*rows]).corpus


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honours.lab.corpus.A_PIECE", 1)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_a_question_says_what_is_known_before_it_is_done(parted: Corpus, kind: str) -> None:
    question, expected = QUESTIONS[kind]
    steps: list[tuple[int, int, str]] = []
    fields = {"corpus": str(parted.folder), **question}

    def tell(done: int, of: int, so_far: str = "") -> None:
        steps.append((done, of, str(so_far)))

    Question(kind, tuple(fields.items())).work(CommandLibrary(()))(tell)
    early = [so_far for done, of, so_far in steps if done < of and so_far]
    assert any(expected in so_far for so_far in early)
    assert steps[-1][0] == steps[-1][1]


def test_an_audit_says_what_broke_before_it_is_done() -> None:
    steps: list[tuple[int, int, str]] = []
    question = Question("audit", (("a", "aga-category"),))
    question.work(CommandLibrary(()))(lambda *step: steps.append((*step, "")[:3]))
    assert any("would break 1 of" in str(so_far) for done, of, so_far in steps if done < of)


def test_a_question_that_is_stopped_leaves_what_is_known(
    parted: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = 0

    def stopping(*arguments: object) -> object:
        nonlocal seen
        seen += 1
        if seen == 3:
            raise KeyboardInterrupt
        return tally_shard(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("honours.lab.tallies.tally_shard", stopping)
    stopped = CliRunner().invoke(cli, ["lab", "compare", str(parted.folder), "as-paid", BOOK])
    assert stopped.exit_code == 130
    assert "interrupted after 2 of" in stopped.stderr
    assert "so far: acbl-sof-2020 would pay" in stopped.stderr


def test_a_study_on_a_cluster_is_the_study(parted: Corpus) -> None:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as cluster:
        there = parted.study("2011", "as-paid", on=cluster.scheduler_address)
    assert there.data() == parted.study("2011", "as-paid").data()
