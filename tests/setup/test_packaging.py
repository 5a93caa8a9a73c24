"""The locks and the wheel."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import honours
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


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked as pip unpacks it."""
    directory = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(directory)], cwd=ROOT, check=True, capture_output=True)
    (path,) = directory.glob("honours-*.whl")
    with zipfile.ZipFile(path) as archive:
        archive.extractall(directory / "installed")
    return directory / "installed"


@pytest.fixture(scope="module")
def wheel(installed: Path) -> set[str]:
    """The names of the files in the wheel."""
    return {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}


def test_the_wheel_holds_every_file_of_the_package(wheel: set[str]) -> None:
    source = ROOT / "src"
    files = {path for path in (source / "honours").rglob("*") if path.is_file()}
    expected = {str(path.relative_to(source)) for path in files if path.suffix != ".pyc"}
    assert {name for name in wheel if name.startswith("honours/")} == expected


def test_the_wheel_holds_the_licence_and_the_command(wheel: set[str]) -> None:
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in wheel)
    assert any(name.endswith(".dist-info/entry_points.txt") for name in wheel)


def test_those_who_cite_it_are_told_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\nversion: {honours.__version__}\n" in citation
    assert f"\n## {honours.__version__} " in changes


def run_installed(installed: Path, code: str, folder: Path) -> str:
    """Run Python that finds the unpacked wheel before the checkout, outside the tree."""
    first = f"import sys; sys.path.insert(0, {str(installed)!r}); import honours\n"
    there = f"assert honours.__file__.startswith({str(installed)!r})\n"
    command = [sys.executable, "-I", "-c", first + there + code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_demo_runs_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    main = "from honours.cli import cli\ncli({}, standalone_mode=False)"
    assert "Why" in run_installed(installed, main.format(["demo"]), tmp_path)
    run_installed(installed, main.format(["demo", "--write", "try"]), tmp_path)
    output = run_installed(
        installed, main.format(["rulebooks", "--rulebooks", "try/rulebooks"]), tmp_path
    )
    assert "village-cup" in output


def test_the_pages_are_served_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = """
from pathlib import Path
from re import findall
from starlette.testclient import TestClient
from honours.web.app import create_app
from honours.web.settings import Settings
with TestClient(create_app(Settings(data=Path("events"))), "http://localhost") as client:
    home = client.get("/")
    assert home.status_code == 200
    for asset in findall('(?:src|href)="(/static/[^"]+)"', home.text):
        assert client.get(asset).status_code == 200, asset
        print(asset)
"""
    assert "/static/" in run_installed(installed, code, tmp_path)
