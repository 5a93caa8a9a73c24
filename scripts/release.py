"""Build the sdist and from it the wheel, install it on every Python there is, and run the README.

`./check release`. Each Python gets an empty environment: first the bare core, held to its size, in
which every outer command must name the ring it lacks; then all of it, in which every command of the
README runs as it is printed. The newest also installs it with uv and pipx.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "build" / "release"
OLDEST, LATEST_LOOKED_FOR = 11, 30
MOST_MEGABYTES = 40
OUTER = {
    "ledger init": "app",
    "serve --no-browser": "app",
    "lab generate year": "lab",
    "pdf try/tuesday.csv": "documents",
}
"""A command of each outer ring, which the core answers with the line that installs it."""
RINGS = "app,lab,hands"
RULEBOOK = ("--as-usual", "--rulebook", "sbu-clubs-2016")
COMMAND = re.compile(r"^\./honours (.*?)(?:\s+#.*)?$", re.MULTILINE)


def main() -> int:
    """Do it for every Python; return how many failed."""
    wheel = build()
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
    found = list(pythons())
    print(f"Pythons here: {', '.join(version for version, _ in found)}", flush=True)
    failed = 0
    for version, python in found:
        with tempfile.TemporaryDirectory() as folder:
            try:
                try_out(python, wheel, Path(folder))
                if version == found[-1][0]:
                    try_installers(python, wheel, Path(folder))
            except subprocess.CalledProcessError as error:
                failed += 1
                print(f"Python {version}: {shlex.join(map(str, error.cmd))}\n{error.output}")
            except AssertionError as error:
                failed += 1
                print(f"Python {version}: {error}")
            else:
                print(f"Python {version}: installs, and the README runs", flush=True)
    return failed


def build() -> Path:
    """The wheel, made from what the sdist holds and nothing else."""
    shutil.rmtree(TARGET, ignore_errors=True)
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", TARGET, cwd=ROOT)
    [sdist] = TARGET.glob("*.tar.gz")
    with tempfile.TemporaryDirectory() as folder, tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
        [tree] = Path(folder).iterdir()
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", TARGET, cwd=tree)
    [wheel] = TARGET.glob("*.whl")
    return wheel


def pythons() -> Iterator[tuple[str, Path]]:
    """Every Python from the oldest we support: on the path, or kept by pyenv."""
    for minor in range(OLDEST, LATEST_LOOKED_FOR):
        kept = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))
        for one in (shutil.which(f"python3.{minor}"), *kept):
            command = (str(one), "-c", "import sys, venv; print(sys.version_info[1])")
            if one and subprocess.run(command, capture_output=True, check=False).returncode == 0:
                yield f"3.{minor}", Path(one)
                break


def try_out(python: Path, wheel: Path, folder: Path) -> None:
    """Install the core and then the rest, and run what each promises."""
    run(python, "-m", "venv", folder / "venv")
    inside = folder / "venv" / "bin" / "python"
    empty = size(folder / "venv")
    run(inside, "-m", "pip", "install", "-q", wheel)
    added = (size(folder / "venv") - empty) / 1e6
    assert added <= MOST_MEGABYTES, f"the core takes {added:.0f} MB"
    honours = folder / "venv" / "bin" / "honours"
    place = folder / "core"
    place.mkdir()
    run(honours, "demo", "--write", "try", cwd=place)
    run(honours, "award", "try/tuesday.csv", *RULEBOOK, "--explain", "11", cwd=place)
    for command, ring in OUTER.items():
        said = subprocess.run(
            [honours, *command.split()], cwd=place, capture_output=True, text=True, check=False
        )
        assert (said.returncode, f"honours[{ring}]" in said.stderr) == (2, True), said.stderr
    run(inside, "-m", "pip", "install", "-q", f"{wheel}[{RINGS}]")
    place = folder / "all"
    place.mkdir()
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in COMMAND.findall(readme):
        if not line.startswith("serve"):
            run(honours, *shlex.split(line), cwd=place)


def try_installers(python: Path, wheel: Path, folder: Path) -> None:
    """Install the wheel with uv and with pipx, each into a place of its own."""
    run(folder / "venv" / "bin" / "python", "-m", "pip", "install", "-q", "uv", "pipx")
    tools = folder / "venv" / "bin"
    for name, command in (
        ("uv", (tools / "uv", "tool", "install", "--python", python, wheel)),
        ("pipx", (tools / "pipx", "install", "--python", python, wheel)),
    ):
        home = folder / name
        places = {"UV_TOOL_DIR": home, "UV_TOOL_BIN_DIR": home / "bin"}
        places |= {"PIPX_HOME": home, "PIPX_BIN_DIR": home / "bin", "PIPX_MAN_DIR": home / "man"}
        run(*command, environment={key: str(value) for key, value in places.items()})
        run(home / "bin" / "honours", "demo")


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def run(
    *command: str | Path, cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> None:
    """Run a command; one that fails is raised with what it said."""
    subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )


if __name__ == "__main__":
    sys.exit(main())
