"""The bare core, from its wheel in an empty environment, and what it says of the rest."""

import json
import subprocess
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest

from honours.rings import RINGS
from tests.support import ROOT

MOST_MEGABYTES = 40
OUTER = {
    "documents": (
        ["pdf", "try/tuesday.csv"],
        ["show", "old.xls"],
        [
            "award",
            "near.csv",
            "--as-usual",
            "--rulebook",
            "sbu-clubs-2016",
            "--members",
            "members.csv",
        ],
    ),
    "app": (
        ["ledger", "init"],
        ["ledger", "statement", "Ann Black"],
        ["season", "season.toml"],
        ["serve"],
        ["accounts", "list"],
        ["browser", "out"],
        ["movement", "--pairs", "18", "--boards", "24"],
    ),
    "lab": (["lab", "--help"], ["lab", "generate", "year"], ["study", "--help"]),
}


def test_each_ring_is_an_extra_and_nothing_of_it_is_in_the_core() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(RINGS) < set(project["optional-dependencies"])
    assert sorted(one.partition(">")[0] for one in project["dependencies"]) == ["click", "jinja2"]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment that has the wheel and what it requires, and nothing else:
    pip installs the wheel, the rest is copied from the tests' own environment."""
    folder = tmp_path_factory.mktemp("bare")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    subprocess.run([*build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("honours-*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv" / "bin" / "python"
    (site,) = (folder / "venv" / "lib").glob("python*/site-packages")
    for name in ("click", "jinja2", "markupsafe"):
        for file in distribution(name).files or ():
            if ".." not in file.parts:
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                (site / file).write_bytes(Path(str(file.locate())).read_bytes())
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-q", "--no-index", "--no-deps", str(wheel)], check=True)
    subprocess.run([*pip, "check"], check=True)
    return folder


def run(bare: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(bare / "venv" / "bin" / "honours"), *words]
    environment = {"HOME": str(bare), "PATH": "/usr/bin:/bin"}
    return subprocess.run(
        command, cwd=bare, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def files(bare: Path) -> Path:
    assert run(bare, "demo", "--write", "try").returncode == 0
    (bare / "old.xls").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (bare / "season.toml").write_text("", encoding="utf-8")
    (bare / "near.csv").write_text("place,name\n1,Ann Blak\n2,Bob Green\n", encoding="utf-8")
    (bare / "members.csv").write_text("number,name\n1,Ann Black\n2,Bob Green\n", encoding="utf-8")
    return bare


@pytest.mark.slow
def test_the_bare_core_is_small_and_scores_awards_and_explains(files: Path) -> None:
    for words, expected in (
        (["--version"], "honours "),
        (["demo"], "Why"),
        (["score", "try/tuesday.csv"], "%"),
        (
            [
                "award",
                "try/tuesday.csv",
                "--as-usual",
                "--rulebook",
                "sbu-clubs-2016",
                "--explain",
                "11",
            ],
            "Table 2",
        ),
        (["calc", "sbu-clubs-2016", "kind=pairs", "winners=1", "pairs=18", "--explain"], "36"),
        (["rulebook", "check", "aga-category"], "0 faults"),
        (["--language", "fr", "rulebooks"], "sbu-clubs-2016"),
        (["site", "try/tuesday.csv", "pages"], ""),
        (["convert", "try/tuesday.csv", "tuesday.xml"], ""),
        (["conform", "aga"], "reproduced"),
    ):
        done = run(files, *words)
        assert done.returncode == 0, (words, done.stderr)
        assert expected in done.stdout, words
    (site,) = (files / "venv" / "lib").glob("python*/site-packages")
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file())
    assert size < MOST_MEGABYTES << 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ring", "words"),
    [(ring, words) for ring, every in OUTER.items() for words in every],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_every_outer_command_answers_with_the_line_that_installs_it(
    files: Path, ring: str, words: list[str]
) -> None:
    done = run(files, *words)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert f'pip install "honours[{ring}]"' in done.stderr


@pytest.mark.slow
def test_python_says_it_too(files: Path) -> None:
    code = """
import json, honours
said = []
every = lambda: honours.post, lambda: honours.read("old.xls"), lambda: __import__("honours.lab")
for work in every:
    try:
        work()
    except honours.HonoursError as error:
        said.append(error.ring)
print(json.dumps(said))
"""
    python = str(files / "venv" / "bin" / "python")
    done = subprocess.run(
        [python, "-c", code], cwd=files, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == ["app", "documents", "lab"]
