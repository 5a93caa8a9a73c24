"""Files are written whole or not at all, and never over something else."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from honours import files
from honours.errors import InputError

_FIRST = {
    files.PDF: b"%PDF-1.7 \xff",
    files.XML: b'<?xml version="1.0"?>\n<USEBIO/>',
    files.HTML: b"<!DOCTYPE html><html></html>",
    files.JSON: b'{"a": 1}',
    files.PARQUET: b"PAR1\x00\x01",
    files.BACKUP: b"\x1f\x8b\x08\x00",
    files.TEXT: b"name,number\nAnn,1\n",
}
DATABASE = b"SQLite format 3\x00" + bytes(84)


@pytest.mark.parametrize("kind", _FIRST, ids=lambda kind: kind.name)
def test_a_file_is_known_as_the_kind_it_is_and_as_no_other(kind: files.FileKind) -> None:
    assert [one for one, first in _FIRST.items() if kind.made(first)] == [kind]
    assert not kind.made(DATABASE)
    assert kind.made(b"")


@pytest.mark.parametrize("kind", _FIRST, ids=lambda kind: kind.name)
@pytest.mark.parametrize("replace", [False, True])
def test_a_database_is_never_written_over(
    kind: files.FileKind, replace: bool, tmp_path: Path
) -> None:
    target = tmp_path / "honours.db"
    target.write_bytes(DATABASE)
    with pytest.raises(InputError, match=f"a database, not {kind.name}"):
        files.write_file(target, b"new", kind, replace)
    assert target.read_bytes() == DATABASE


def test_a_file_of_the_same_kind_is_replaced_only_when_asked(tmp_path: Path) -> None:
    target = tmp_path / "list.csv"
    files.write_file(target, b"one", files.TEXT)
    with pytest.raises(InputError, match="already exists; --force"):
        files.write_file(target, b"two", files.TEXT)
    assert target.read_bytes() == b"one"
    files.write_file(target, b"two", files.TEXT, replace=True)
    assert target.read_bytes() == b"two"
    assert list(tmp_path.iterdir()) == [target]


def test_what_a_link_leads_to_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_bytes(b"one")
    link.symlink_to(real)
    files.write_file(link, b"two", files.TEXT, replace=True)
    assert link.is_symlink()
    assert real.read_bytes() == b"two"


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not an ordinary file"):
        files.write_file(tmp_path / "pipe", b"", files.TEXT, replace=True)


def test_a_failed_write_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    target.write_bytes(b"<html>old")

    def write() -> None:
        with files.new_file(target, files.HTML, replace=True) as beside:
            beside.write_bytes(b"<html>half")
            raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="No space left"):
        write()
    assert target.read_bytes() == b"<html>old"
    assert list(tmp_path.iterdir()) == [target]


def test_the_bytes_are_on_the_disk_before_the_name_and_the_name_before_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    flushed, moved = files.flush, Path.replace

    def flush(path: Path) -> None:
        calls.append("flush folder" if path.is_dir() else "flush file")
        flushed(path)

    def replace(path: Path, target: Path) -> Path:
        calls.append("move")
        return moved(path, target)

    monkeypatch.setattr(files, "flush", flush)
    monkeypatch.setattr(Path, "replace", replace)
    files.write_whole(tmp_path / "kept.json", b"{}")
    assert calls == ["flush file", "move", "flush folder"]


def test_a_new_file_has_the_usual_rights_and_a_replaced_one_its_own(
    tmp_path: Path, umask: Callable[[int], int]
) -> None:
    umask(0o027)
    target = tmp_path / "list.csv"
    files.write_file(target, b"one", files.TEXT)
    assert target.stat().st_mode & 0o777 == 0o640
    target.chmod(0o600)
    files.write_file(target, b"two", files.TEXT, replace=True)
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.fixture
def umask() -> Iterator[Callable[[int], int]]:
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


@pytest.mark.parametrize("text", ["a =", "a = " + "9" * 5_000, "a = " + "[" * 5_000])
def test_toml_that_python_itself_refuses_is_no_toml(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        files.toml_of(text)
