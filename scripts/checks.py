"""Runs the checks one after the other and sums up what they said."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from scripts import system
from scripts.environment import PYTHON, ROOT, ensure
from scripts.junit_report import summarise

DESCRIPTION = """\
Everything a change must pass: formatting, lint, types, import contracts, the documentation and
known vulnerabilities of what is locked (where a database of them can be reached), all of them side
by side; then the tests.
On first use the tools are installed into .venv; system programs that tests use are installed
when you are root and named when you are not."""

MODES = """\
  ./check         everything
  ./check fast    everything but the tests marked slow
  ./check long    the tests marked long, which show once more what others show in short
  ./check browser  the browser edition: made by node and npm, and driven without a network
  ./check windows  a Windows Python under wine: commands, and an evening by its server
  ./check beside FOLDER  the tests that compare with files out of the repository
  ./check fix     format the code, style sheets and scripts, and repair what ruff can repair
  ./check pictures  how pages look, compared with the small pictures in tests/looks
  ./check docs    the documentation alone, into build/docs
  ./check release  sdist and wheel, installed on every Python there is, and the README run there
  ./check proof   that tests reach every branch of scoring, engine and rulebooks
  ./check bench   measure beside pandas, Polars and DuckDB; `./check bench --help` has the sizes"""

_USUAL = "not long and not edition and not windows"
_MARKED = {
    "fast": f"not slow and {_USUAL}",
    "long": "long",
    "browser": "edition",
    "windows": "windows",
}
"""Which tests a mode runs; all others run the usual ones."""
_ELSEWHERE = {"browser": ("tests/edition",), "windows": ("tests/windows",)}
"""Modes that run on another system, and where their tests are."""

MEMORY = Path("/dev/shm")
ROOM = 4 * 2**30
"""Bytes that a run of the tests may take while it lasts."""

BESIDE = "HONOURS_BESIDE"
"""Tells the tests which folder out of the repository they compare with."""

LINT_IMPORTS = "from importlinter.cli import lint_imports_command as main; main()"


@dataclass(frozen=True)
class Step:
    """One check: what it is called and how it is run by the environment's Python."""

    name: str
    arguments: tuple[str, ...]


class Outcome(NamedTuple):
    """Whether a step passed, how long it took, and what it printed where that was kept."""

    passed: bool
    seconds: float
    output: str


LINTING = (
    Step("format", ("-m", "ruff", "format", "--check")),
    Step("lint", ("-m", "ruff", "check")),
    Step("types", ("-m", "mypy")),
    Step("imports", ("-c", LINT_IMPORTS, "--no-logo")),
)
# Strict: a broken link, a missing anchor or a page that asks another host fails it.
DOCUMENTATION = Step("docs", ("-m", "mkdocs", "build", "--strict"))
RELEASE = Step("release", ("-m", "scripts.release"))
PICTURES = Step("pictures", ("-m", "scripts.looks"))
# Side by side with those: one compiles, the other waits for an answer.
AHEAD = (
    Step("compile", ("-m", "scripts.compile_ahead")),
    Step("audit", ("-m", "scripts.audit")),
)
# Nothing is compiled meanwhile, so that the lines of kernels and rules are seen.
PROOF = (
    Step(
        "coverage",
        (
            "-m",
            "coverage",
            "run",
            "-m",
            "pytest",
            "-q",
            "-n",
            "auto",
            "--dist",
            "worksteal",
            "-m",
            "not slow",
            "tests/engine",
            "tests/rulebooks",
            "tests/scoring",
            "tests/conformance/test_agreement.py",
        ),
    ),
    Step("combine", ("-m", "coverage", "combine", "--quiet")),
    Step("every branch", ("-m", "coverage", "report")),
)
FIXING = (
    Step("format", ("-m", "ruff", "format")),
    Step("lint", ("-m", "ruff", "check", "--fix")),
    # A repaired import list may have to be laid out anew.
    Step("format again", ("-m", "ruff", "format", "--quiet")),
    Step("pages", ("-m", "scripts.assets")),
)


def main() -> int:
    """Run what the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="./check",
        description=DESCRIPTION,
        epilog=MODES,
        usage="./check [fast | long | beside FOLDER | browser | windows | fix | docs | proof | …]",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    modes = (
        "fast",
        "long",
        "browser",
        "windows",
        "beside",
        "fix",
        "docs",
        "pictures",
        "release",
        "proof",
        "bench",
    )
    parser.add_argument("mode", nargs="?", choices=modes, help=argparse.SUPPRESS)
    parser.add_argument("folder", nargs="?", type=Path, help=argparse.SUPPRESS)
    measured = sys.argv[1:2] == ["bench"]  # what follows is for the benchmark to read
    arguments = parser.parse_args(sys.argv[1:2] if measured else None)
    mode, folder = arguments.mode, arguments.folder
    if (mode == "beside") != (folder is not None and folder.is_dir()):
        parser.error("./check beside wants the folder to compare with, and nothing else does")
    os.environ.pop(BESIDE, None)
    if folder:
        os.environ[BESIDE] = str(folder.resolve())
    _set_up(mode, tested=mode not in ("fix", "docs", "release", "proof", "bench"))
    os.chdir(ROOT)
    keep_bytecode()
    if measured:
        command = [PYTHON, "-m", "benchmarks", *sys.argv[2:]]
        return subprocess.run(command, check=False).returncode
    if mode == "fix":
        return _finish({step.name: _passes(step) for step in FIXING})
    if mode == "proof":
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        return _finish({step.name: _passes(step) for step in PROOF})
    if mode == "release":
        return _finish({RELEASE.name: _passes(RELEASE)})
    if mode == "pictures":
        return _finish({PICTURES.name: _passes(PICTURES)})
    if mode == "docs":
        return _finish({DOCUMENTATION.name: _passes(DOCUMENTATION)})
    with tempfile.TemporaryDirectory(dir=_memory()) as directory:
        report = Path(directory, "tests.xml")
        _write_below(directory)
        ahead = AHEAD[:1] if mode == "beside" else (*LINTING, DOCUMENTATION, *AHEAD)
        outcomes = {} if mode in _ELSEWHERE else _side_by_side(ahead)
        files = ("tests/beside",) if mode == "beside" else _ELSEWHERE.get(mode, ())
        tests = _tests(report, _MARKED.get(mode, _USUAL), files)
        return _finish({**outcomes, tests.name: _passes(tests)}, summarise(report))


def _set_up(mode: str | None, tested: bool) -> None:
    """Make .venv; where tests are to run, install meanwhile the programs they use."""
    with ThreadPoolExecutor(1) as beside:
        provided = beside.submit(_provide_tools, mode) if tested else None
        ensure("dev")
    if provided is not None:
        provided.result()


def keep_bytecode() -> None:
    """Let Python keep what it compiles, whatever the caller's environment says: tests start
    hundreds of processes, and each would compile all it imports again."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _memory() -> str | None:
    """A folder that is no disk, where there is one with room and programs may be run in it: tests
    wait for what they write to be kept, thousands of times, and nobody wants it afterwards."""
    if not (MEMORY.is_dir() and os.access(MEMORY, os.W_OK)):
        return None
    there = os.statvfs(MEMORY)
    fit = there.f_bavail * there.f_frsize >= ROOM and not there.f_flag & os.ST_NOEXEC
    return str(MEMORY) if fit else None


def _write_below(directory: str) -> None:
    """Let tests write there, and the user too that PostgreSQL runs as."""
    os.chmod(directory, 0o755)
    os.environ["TMPDIR"] = directory


def _tests(report: Path, marked: str, files: tuple[str, ...] = ()) -> Step:
    chosen = ("-m", marked)
    # One more than there are cores: some wait for a browser, a server or a process they killed.
    # With two for every core all takes longer, because each makes its own of what tests share.
    spread: tuple[str, ...] = ("-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal")
    if files in _ELSEWHERE.values():
        spread = ("-n", "0")  # all share what is made once
    shown = ("-q", "-r", "fE", "--durations", "10", "--durations-min", "1")
    kept = f"--junit-xml={report}"
    return Step("tests", ("-m", "pytest", *spread, *shown, *chosen, kept, *files))


def _provide_tools(mode: str | None) -> None:
    """Install the programs that tests use, or say which tests will go without."""
    missing = system.missing_tools(mode)
    if not missing:
        return
    packages = sorted(set(missing.values()))
    line = f"apt-get install -y {' '.join(packages)}"
    if system.is_root() and shutil.which("apt-get"):
        print(f"installing for the tests: {line}", flush=True)
        if problem := system.apt_install(packages):
            print(problem)
    else:
        print(f"tests that use {', '.join(missing)} are skipped until someone runs: sudo {line}")


def _side_by_side(steps: tuple[Step, ...]) -> dict[str, bool]:
    """Run steps all at once, because each keeps one core busy at most; report them one by one."""
    with ThreadPoolExecutor(len(steps)) as pool:
        runs = {step: pool.submit(_run, step, kept=True) for step in steps}
        return {step.name: _reported(step, run.result) for step, run in runs.items()}


def _passes(step: Step) -> bool:
    return _reported(step, lambda: _run(step))


def _reported(step: Step, outcome: Callable[[], Outcome]) -> bool:
    print(f"\n── {step.name} {'─' * (70 - len(step.name))}", flush=True)
    passed, seconds, output = outcome()
    print(f"{output}{step.name}: {'ok' if passed else 'FAILED'}, {seconds:.1f} s", flush=True)
    return passed


def _run(step: Step, kept: bool = False) -> Outcome:
    """Run a step; what it prints is kept for its turn, or shown at once."""
    started = time.monotonic()
    # What mkdocs-material says of its own future is nothing a change could mend.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    if kept and sys.stdout.isatty():
        environment.setdefault("FORCE_COLOR", "1")
    run = subprocess.run(
        [PYTHON, *step.arguments],
        check=False,
        env=environment,
        stdout=subprocess.PIPE if kept else None,
        stderr=subprocess.STDOUT if kept else None,
        encoding="utf-8",
        errors="replace",
    )
    return Outcome(run.returncode == 0, time.monotonic() - started, run.stdout or "")


def _finish(outcomes: dict[str, bool], notes: str = "") -> int:
    print(f"\n── summary {'─' * 63}")
    for name, passed in outcomes.items():
        print(f"{'ok    ' if passed else 'FAILED'}  {name}")
    if notes:
        print(notes)
    return 0 if all(outcomes.values()) else 1
