"""What a worker makes of a file, under the name people know."""

import os
import sys
from contextlib import closing
from pathlib import Path

import pytest

from honours.demo import FILES, file
from honours.errors import FileProblem, FileProblems
from honours.pipeline.report import ranked, require_awardable
from honours.web.app import processes_for
from honours.web.events.reading import look_into, members_of
from honours.web.settings import Settings
from tests.formats.test_detect import MADE
from tests.support import ROOT


def _written(folder: Path, content: bytes | str) -> str:
    path = folder / "results"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def test_an_event_comes_back_under_the_files_own_name(tmp_path: Path) -> None:
    contents = look_into(_written(tmp_path, file(FILES[0]).read_bytes()), "Club night.csv")
    [account] = contents.accounts
    assert account.title == "Club night"
    assert ("event", "Club night") in contents.contents.parts[0]
    sources = {r.source.path for s in account.event.sessions for r in s.results if r.source}
    assert sources == {"Club night.csv"}


@pytest.mark.parametrize(("kind", "title"), [("standings", "r"), ("h9", "r"), ("aga-report", "")])
def test_a_ranking_comes_back_whole(tmp_path: Path, kind: str, title: str) -> None:
    [account] = look_into(_written(tmp_path, MADE[kind]), "r.csv").accounts
    assert account.played is None
    assert account.form.name == kind
    assert title in account.title


def test_every_event_of_a_table_of_several_comes_back(tmp_path: Path) -> None:
    table = "event,pair,place\nMonday,A,1\nMonday,B,2\nTuesday,A,1\n"
    contents = look_into(_written(tmp_path, table), "week.csv")
    assert [one.title for one in contents.accounts] == ["Monday", "Tuesday"]
    assert len(contents.contents.parts) == 2


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"\x00\xff\x00\xff", b"once upon a time"])
def test_what_is_no_event_is_a_problem_of_the_file(tmp_path: Path, content: bytes) -> None:
    with pytest.raises((FileProblem, FileProblems), match=r"odd\.bin"):
        look_into(_written(tmp_path, content), "odd.bin")


def test_a_tournament_under_way_is_shown_after_its_last_whole_round(tmp_path: Path) -> None:
    under_way = MADE["aga-report"].replace("12 13 W", "12 13 ?")
    (account,) = look_into(_written(tmp_path, under_way), "open.txt").accounts
    report = ranked(account)
    assert [s.score for s in report.lists[0].standings] == [1, 1, 0, 0]
    with pytest.raises((FileProblem, FileProblems), match=r"open\.txt: unfinished"):
        require_awardable(account)
    with pytest.raises((FileProblem, FileProblems), match=r"open\.txt"):
        look_into(_written(tmp_path, under_way.replace("11 12 W", "11 12 ?")), "open.txt")


def test_what_is_wrong_in_a_list_of_members_is_told_of_that_list(tmp_path: Path) -> None:
    twice = _written(tmp_path, "number,name\n7,Ann\n7,Bob\n")
    with pytest.raises((FileProblem, FileProblems), match=r"club\.csv, line 3: number 7 again"):
        members_of(twice, "club.csv", ())


def imported_by_reading() -> list[str]:
    """What a process that is to read and rank a file has to import first."""
    before = set(sys.modules)
    [account] = look_into(str(file(FILES[0])), FILES[0]).accounts
    ranked(account)
    return sorted(set(sys.modules) - before)


def test_a_process_has_at_hand_what_reading_and_ranking_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(ROOT / "tests"))))
    with closing(processes_for(Settings(data=tmp_path))) as processes:
        assert processes.do("", imported_by_reading) == []
