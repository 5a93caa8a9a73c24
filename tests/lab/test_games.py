"""Games of go in a corpus: ratings, declared ranks and handicap as the files have them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pytest

from honours.engine.numbers import SCALE
from honours.errors import HonoursError
from honours.lab.corpus import Corpus
from honours.lab.history.importing import ImportRequest, bring
from honours.lab.shard_awards import award_shard
from honours.lab.sides import specified
from honours.pipeline import Report, awarded, ranked, read_accounts
from honours.pipeline.report import require_awardable
from honours.rulebooks import load
from tests.lab.conftest import small_tables
from tests.lab.histories import lab
from tests.support import ROOT, cases

FILES = [ROOT / "examples" / "go-open.txt"]
SIDES: tuple[tuple[str, dict[str, str]], ...] = (("egf-2021", {"class": "B"}), ("aga-category", {}))


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Every file that is there, as a corpus."""
    folder = tmp_path_factory.mktemp("go") / "corpus"
    return bring(ImportRequest(list(map(str, FILES)), {"section_kind": "open"}), folder).corpus


def _reports() -> Iterator[Report]:
    for path in FILES:
        for account in read_accounts(path):
            require_awardable(account)
            yield ranked(account)


def _by_file(report: Report, rulebook: str, given: dict[str, str]) -> list[Fraction] | None:
    """What `honours award` gives everybody; None where it cannot."""
    book = load(rulebook)
    known = {**given, **({"section_kind": "open"} if book.takes("section_kind") else {})}
    try:
        awards = awarded(report, book, known).awards
    except HonoursError:
        return None
    assert awards is not None
    standings = sorted(report.lists[0].standings, key=lambda s: s.place)
    return [awards.amount(s.entrant.id) for s in standings]


@pytest.mark.parametrize(("rulebook", "given"), SIDES, ids=str)
def test_a_corpus_awards_games_as_each_file_is_awarded(
    history: Corpus, rulebook: str, given: dict[str, str]
) -> None:
    (shard,) = history
    paid = award_shard(specified(load(rulebook), given), shard)
    aside = {bad.event: bad.why for bad in paid.bad}
    reports = list(_reports())
    assert len(shard.ids) == len(reports)
    moved = 0
    for event, report in enumerate(reports):
        first, last = shard.entrant_offsets[event : event + 2]
        expected = _by_file(report, rulebook, given)
        assert (expected is None) == (event in aside), (report.account.path, aside.get(event))
        if expected is not None:
            amounts = [Fraction(int(n), SCALE) for n in paid.amounts[first:last]]
            assert amounts == expected, report.account.path
            moved += any(amounts)
    assert moved or rulebook != "egf-2021"


def test_games_are_explained_as_in_a_file(history: Corpus) -> None:
    why = history.explain("egf-2021 class=B", 0, 0)
    assert "new rating − gor" in why
    assert "opponent" in why


def test_a_corpus_without_games_says_so_and_still_opens(tmp_path: Path) -> None:
    tables = _three_players()
    del tables["games"]
    corpus = Corpus.of(tmp_path / "corpus", unit="corpus", **tables)
    compared = lab("compare", corpus.folder, "egf-2021 class=A", "egf-2021 class=B")
    assert compared.exit_code == 0, compared.output
    assert "counts the games of each player, and the corpus does not tell them" in compared.output


def test_tables_in_memory_may_have_games(tmp_path: Path) -> None:
    corpus = Corpus.of(tmp_path / "corpus", unit="corpus", **_three_players())
    amounts = corpus.award("egf-2021 class=A")["amount"].to_pylist()
    even = 93_060  # 2100 beats 2100: 2109.306, as printed
    assert amounts[0] == even
    assert amounts[2] == 0  # played nobody
    assert corpus.award("egf-2021 class=B")["amount"].to_pylist()[0] < even


def _three_players(idle: int = 1) -> dict[str, pa.Table]:
    """Two equal players and a game between them; others, a third only, who played none."""
    many = 2 + idle
    entrants = [*range(many)]
    return {
        "events": pa.table({"event": [0], "section_kind": ["open"]}),
        "entrants": pa.table(
            {
                "event": [0] * many,
                "entrant": entrants,
                "place": [1 + k for k in entrants],
                "tied": [1] * many,
            }
        ),
        "players": pa.table(
            {
                "event": [0] * many,
                "entrant": entrants,
                "player": [7 + k for k in entrants],
                "gor": [2_100_000, None, *[1_900_000] * idle],
                "grade": [0, 0, *[-2] * idle],
            }
        ),
        "games": pa.table(
            {"event": [0, 0], "entrant": [1, 0], "opponent": [0, 1], "result": [0, 2]}
        ),
    }


@cases
def test_every_question_takes_a_history_of_games(tmp_path: Path, question: list[str]) -> None:
    folder = Corpus.of(tmp_path / "corpus", unit="corpus", **_three_players(idle=8)).folder
    kind, *words, expected = question
    book = "egf-2021 class=A"
    arguments = (book, "--corpus", folder) if kind == "audit" else (folder, book, *words)
    answered = lab(kind, *arguments)
    assert answered.exit_code == 0, answered.output
    assert expected in answered.output


@pytest.mark.parametrize("question", ["growth", "fit"])
def test_ratings_are_no_holdings(tmp_path: Path, question: str) -> None:
    folder = Corpus.of(tmp_path / "corpus", unit="corpus", **_three_players(idle=8)).folder
    refused = lab(question, folder, "egf-2021 class=A")
    assert refused.exit_code == 2
    assert "changes ratings" in refused.output


def test_an_afternoon_of_games_cannot_be_made_up() -> None:
    event = ("--holding", "600", "--event", "up: entrants=40 holding=3000")
    refused = lab("simulate", "egf-2021 class=A", *event)
    assert refused.exit_code == 2
    assert "counts games, not places" in refused.output


def test_an_event_of_another_game_is_not_awarded(history: Corpus, tmp_path: Path) -> None:
    with pytest.raises(HonoursError, match="an event of go, and sbu-clubs-2016 is for"):
        history.explain("sbu-clubs-2016", 0, 0)
    pairs = Corpus.of(tmp_path / "pairs", unit="corpus", **small_tables(1, 3))
    with pytest.raises(HonoursError, match="an event of bridge, and egf-2021 is for go"):
        pairs.explain("egf-2021", int(pairs.table("events")["event"][0].as_py()), 0)
