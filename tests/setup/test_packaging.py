"""The locks and the wheel."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
PIN = re.compile(r"^([\w.-]+==[^\\]+?) \\$", re.MULTILINE)


def pins(lock: Path) -> set[str]:
    return set(PIN.findall(lock.read_text(encoding="utf-8")))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_host_and_pins_every_file(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert not re.search(r"://|--\S*index|--find-links|--trusted", text)
    required = [line for line in text.splitlines() if re.match(r"[a-z]", line)]
    assert len(required) == len(pins(lock)) > 0
    assert text.count("==") >= len(required) <= text.count("--hash=sha256:")


def test_the_developers_lock_holds_all_of_the_other() -> None:
    dev, run = ({pin.partition(" ;")[0] for pin in pins(lock)} for lock in LOCKS)
    assert run < dev  # a tool may need on every platform what we need on one


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names of the files in the wheel."""
    directory = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(directory)], cwd=ROOT, check=True, capture_output=True)
    (path,) = directory.glob("honours-*.whl")
    with zipfile.ZipFile(path) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_every_file_of_the_package(wheel: set[str]) -> None:
    source = ROOT / "src"
    files = {path for path in (source / "honours").rglob("*") if path.is_file()}
    expected = {str(path.relative_to(source)) for path in files if path.suffix != ".pyc"}
    assert {name for name in wheel if name.startswith("honours/")} == expected


def test_the_wheel_holds_the_licence_and_the_command(wheel: set[str]) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel)
    assert any(name.endswith(".dist-info/entry_points.txt") for name in wheel)
