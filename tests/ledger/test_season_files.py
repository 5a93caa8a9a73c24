"""Season files: what is wrong in one, seasons from a text alone, and which competition is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.errors import FileProblem, InputError
from honours.ledger.post import post
from honours.ledger.season import awards as seasonal
from honours.ledger.season.plan import read_season, season_of
from honours.ledger.store import Ledger
from tests.ledger.material import event
from tests.ledger.test_season_rules import (
    DAYS,
    HEAD,
    award,
    competition,
    events,
    table,
    write,
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title =", "not TOML"),
        (HEAD + 'title = "x"\n', "'kind' is missing"),
        (HEAD + 'title = "x"\nkind = "trios"\n', "unknown kind 'trios'"),
        (HEAD + 'title = "x"\nkind = "pairs"\nbets = 12\n', "did you mean 'best'"),
        (HEAD + 'title = "x"\nkind = "pairs"\nevents = { folder = "none" }\n', "no such folder"),
        (HEAD.replace("2016-09-01", '"soon"') + 'title = "x"\nkind = "pairs"\n', "isoformat"),
        (HEAD + competition("x", events="") * 2, "two competitions are called 'x'"),
        ('title = "x"\nkind = "pairs"\n', "'rulebook' is missing"),
        (HEAD + 'competition = "x"\n', r"expected \[\[competition"),
        (HEAD + 'title = "x"\nkind = "pairs"\nevents = "x"\n', "the events of x: 'x', expected"),
        (HEAD + 'title = "x"\nkind = "pairs"\nbest = "many"\n', "best = 'many': expected a whole"),
        (HEAD + 'title = 5\nkind = "pairs"\n', "title = 5: expected some words"),
        (HEAD + 'title = "x"\nkind = "pairs"\nfinal = {file = "f", boards = -1}\n', "boards = -1"),
    ],
)
def test_wrong_season_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileProblem, match=message):
        read_season(write(tmp_path, text, head=""))


def test_a_season_from_a_text_alone_counts_the_ledger(ledger: Ledger) -> None:
    for n, day in enumerate(DAYS[:3]):
        order = [1, 2, 3, 4, 5, 6][n:] + [1, 2, 3, 4, 5, 6][:n]
        post(ledger, event(f"Tuesday {n}", day, order), "Eve")
    season = season_of(HEAD + competition(events='{ ledger = "tuesday*" }', best="3"))
    table = seasonal.standings(season, season.competition(), ledger)
    assert [r.players[0].number for r in table.rows][:2] == ["103a", "102a"]


@pytest.mark.parametrize(
    "keys",
    [
        {"events": '{ folder = "/etc" }'},
        {"events": '{ files = ["/etc/passwd"] }'},
        {"file": '"/etc/passwd"'},
        {"final": '{ file = "/etc/passwd", boards = 2 }'},
    ],
)
def test_a_season_from_a_text_alone_reads_no_files(keys: dict[str, str]) -> None:
    with pytest.raises(FileProblem, match="only events of the ledger can count here"):
        season_of(HEAD + competition(**keys))


def test_types_are_the_rulebooks_words(tmp_path: Path) -> None:
    events(tmp_path / "events")
    with pytest.raises(InputError, match="did you mean 'aggregate'"):
        award(write(tmp_path, competition(type='"agregate"')))
    with pytest.raises(InputError, match="knows no competitions"):
        award(write(tmp_path, competition(), head=HEAD.replace("sbu-clubs-2016", "aga-category")))


def test_which_competition(tmp_path: Path) -> None:
    events(tmp_path / "events")
    season = read_season(write(tmp_path, competition("A"), competition("B")))
    with pytest.raises(InputError, match="say which of A, B"):
        season.competition()
    with pytest.raises(InputError, match="unknown competition 'C'"):
        season.competition("C")


def test_rulings_beside_a_file_of_the_folder_are_no_event(tmp_path: Path) -> None:
    events(tmp_path / "events")
    file = write(tmp_path, competition())
    before = table(file)
    (tmp_path / "events" / f"{DAYS[0]}.csv.rulings.toml").write_text("", encoding="utf-8")
    assert table(file) == before
