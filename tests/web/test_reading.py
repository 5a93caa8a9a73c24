"""Reading in a process of its own: what comes back, and what cannot."""

import os
import pickle
from pathlib import Path

import pytest

from honours.demo import FILES, file
from honours.errors import FileProblem, FileProblems
from honours.web.reading import Found, careful_load, read_file
from honours.web.settings import Limits


def _written(folder: Path, content: bytes) -> Path:
    path = folder / "results"
    path.write_bytes(content)
    return path


def test_an_event_comes_back_under_the_files_own_name(tmp_path: Path) -> None:
    path = _written(tmp_path, file(FILES[0]).read_bytes())
    found = read_file(path, "Club night.csv", Limits())
    [event] = found.events
    assert event.title == "Club night"
    assert ("event", "Club night") in found.parts[0]
    sources = {r.source.path for s in event.sessions for r in s.results if r.source}
    assert sources == {"Club night.csv"}


def test_a_ranking_comes_back_as_lists(tmp_path: Path) -> None:
    path = _written(tmp_path, b"pair,place\nA,1\nB,2\n")
    found = read_file(path, "r.csv", Limits())
    assert (len(found.events), len(found.lists[0].standings)) == (0, 2)


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"\x00\xff\x00\xff", b"once upon a time"])
def test_what_is_no_event_is_a_problem_of_the_file(tmp_path: Path, content: bytes) -> None:
    with pytest.raises((FileProblem, FileProblems), match=r"odd\.bin"):
        read_file(_written(tmp_path, content), "odd.bin", Limits())


class _Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("true",)


@pytest.mark.parametrize("sent", [_Evil(), Path("x"), {"a": _Evil()}])
def test_only_our_own_classes_come_back(sent: object) -> None:
    with pytest.raises(pickle.UnpicklingError, match="is not expected here"):
        careful_load(pickle.dumps(sent))


@pytest.mark.parametrize("name", ["subprocess.run", "read_file", "sys.exit"])
def test_what_our_modules_import_does_not_come_back(name: str) -> None:
    sent = pickle.PROTO + b"\x04" + b"".join(
        pickle.SHORT_BINUNICODE + bytes([len(text)]) + text.encode()
        for text in ("honours.web.reading", name)
    ) + pickle.STACK_GLOBAL + pickle.STOP  # fmt: skip
    with pytest.raises(pickle.UnpicklingError, match="is not expected here"):
        careful_load(sent)


def test_our_own_classes_do_come_back() -> None:
    found = Found("k", "t", ())
    assert careful_load(pickle.dumps(found)) == found
