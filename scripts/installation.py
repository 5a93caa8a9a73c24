"""Makes .venv from a lock.

The stamp that calls an environment complete is removed first and written last, so an interrupted
set-up is redone. Everything happens under a file lock that pip inherits: a second start waits, even
for the pip of a first one that was killed.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from scripts import system
from scripts.environment import (
    LOCKS,
    PROGRAMS,
    PYTHON,
    ROOT,
    VENV,
    WINDOWS,
    is_ready,
    lock_file,
    stamp_file,
)

# The interpreter itself rather than the link to it: when the system moves on to another Python,
# the environment must be seen to be broken, not start with that one and find nothing installed.
BASE_PYTHON = os.path.realpath(sys.executable)

# What pip prints
INSTALLING = "Installing collected packages:"
NO_NETWORK_SIGNS = (
    "Retrying (",
    "ConnectionError",
    "Max retries exceeded",
    "Network is unreachable",
)


class SetUpError(Exception):
    """The environment cannot be made; the message says what failed and what to do."""


class NothingInstalledError(SetUpError):
    """pip gave up before it touched the environment."""


def install(name: str) -> None:
    """Make .venv from the lock called `name`, or leave with a message and exit code 2."""
    try:
        with _only_one_at_a_time() as lock_descriptor:
            if not is_ready(name):
                _make(name, lock_descriptor)
    except (SetUpError, OSError) as error:
        _say(f"honours could not be set up: {error}")
        sys.exit(2)
    except KeyboardInterrupt:
        _say("\nhonours: set-up interrupted; the next start begins it again")
        sys.exit(130)


@contextmanager
def _only_one_at_a_time() -> Iterator[int]:
    with Path(ROOT, ".venv.lock").open("w") as file:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                _say("honours: waiting for another set-up of .venv to finish")
                fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def _make(name: str, lock_descriptor: int) -> None:
    started = time.monotonic()
    there = {each for each in LOCKS if Path(stamp_file(each)).exists()}
    adding = is_ready("core") and all(is_ready(each) for each in there)
    contents = {each: Path(lock_file(each)).read_bytes() for each in (*LOCKS[name], name)}
    _say(f"honours: {_reason(name, adding, bool(there))}")
    # While something is added, what was there is in doubt: an interrupted set-up is redone.
    kept = {each: Path(stamp_file(each)).read_bytes() for each in there if adding}
    for each in there:
        Path(stamp_file(each)).unlink()
    if not adding:
        _make_empty_environment()
    try:
        known = {one for each in kept for one in _locked(each)}
        _run_pip(name, [one for one in _locked(name) if one not in known], lock_descriptor)
    except NothingInstalledError:
        _write_stamps(kept)
        raise
    # What was read before pip started: a lock edited meanwhile must not pass for installed.
    _write_stamps(kept | contents)
    _say(f"  ready after {time.monotonic() - started:.0f} s")


def _reason(name: str, adding: bool, stamped: bool) -> str:
    if adding and name == "dev":
        return "adding the developers' tools to .venv"
    if adding:
        return f"adding {name} to .venv"
    if stamped:
        return "the requirements or the Python have changed, making .venv again"
    if Path(VENV).exists():
        return "an earlier set-up was not finished, making .venv again"
    return "first use, setting up .venv (only this once)"


def _make_empty_environment() -> None:
    _require_venv_module()
    version = ".".join(map(str, sys.version_info[:3]))
    _say(f"  making an environment with Python {version}")
    command = [BASE_PYTHON, "-I", "-m", "venv", "--clear", VENV]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise SetUpError(f"{' '.join(command)} failed:\n{_tail(made.stdout + made.stderr)}")
    # The checkout is found from site-packages by a relative path, so both may be moved together.
    (site_packages,) = Path(VENV).glob("[Ll]ib/**/site-packages")
    source = os.path.relpath(Path(ROOT, "src"), site_packages)
    (site_packages / "honours.pth").write_text(f"{source}\n", encoding="utf-8")
    if WINDOWS:
        Path(PROGRAMS, "honours.cmd").write_text('@"%~dp0..\\..\\honours.cmd" %*\r\n', "ascii")
    else:
        Path(PROGRAMS, "honours").symlink_to(Path("..", "..", "honours"))


def _require_venv_module() -> None:
    """Install what Debian leaves out of its Python, or tell the user the line that does."""
    if _has_venv_module():
        return
    if not shutil.which("apt-get"):
        raise SetUpError(f"{BASE_PYTHON} lacks its venv and ensurepip modules; install them")
    if not system.is_root():
        line = "sudo apt-get install -y python3-venv"
        raise SetUpError(
            f"Python's venv module is missing. Run this, then start again:\n\n  {line}\n"
        )
    _say("  installing python3-venv with apt-get")
    problem = system.apt_install(["python3-venv"])
    if problem or not _has_venv_module():
        raise SetUpError(f"`apt-get install -y python3-venv` did not help:\n{problem}")


def _has_venv_module() -> bool:
    command = [BASE_PYTHON, "-I", "-c", "import venv, ensurepip; ensurepip.version()"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _locked(name: str) -> list[str]:
    """The requirements of a lock, each with its hashes."""
    text = Path(lock_file(name)).read_text(encoding="utf-8")
    return re.findall(r"^\S+==.*(?:\n {4}--hash.*)*", text, re.MULTILINE)


def _run_pip(name: str, to_fetch: list[str], lock_descriptor: int) -> None:
    """Fetch what is needed, as many packages at a time as there are cores, and install it."""
    _say("  fetching the packages")
    folder = Path(VENV, "fetched")
    folder.mkdir()
    try:
        lists = _shared_out(to_fetch, folder)
        download = ["download", "--dest", str(folder), "--requirement"]
        with ThreadPoolExecutor(len(lists) or 1) as pool:
            done = pool.map(lambda own: _pip([*download, str(own)], lock_descriptor), lists)
            for _ in done:
                pass
        # What is imported is compiled then; most of what is installed never is.
        fetched = ["--no-compile", "--no-index", "--find-links", str(folder)]
        _pip(["install", *fetched, "--requirement", lock_file(name)], lock_descriptor)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _shared_out(requirements: list[str], folder: Path) -> list[Path]:
    """Write lists for pip that have about as many of the requirements each."""
    lists = []
    for first in range(min(os.cpu_count() or 1, len(requirements))):
        share = requirements[first :: os.cpu_count() or 1]
        lists.append(folder / f"{first}.txt")
        lists[-1].write_text("\n".join(share) + "\n", encoding="utf-8")
    return lists


def _pip(arguments: list[str], lock_descriptor: int) -> None:
    """Run pip, and say how far it is."""
    command, *rest = arguments
    options = ["--require-hashes", "--no-deps", "--only-binary=:all:", "--no-input"]
    quiet = ["--progress-bar=off", "--disable-pip-version-check"]
    pip = subprocess.Popen(
        [PYTHON, "-I", "-m", "pip", command, *options, *quiet, *rest],
        env={**os.environ, "PIP_USER": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        pass_fds=() if WINDOWS else [lock_descriptor],
    )
    output = []
    assert pip.stdout is not None
    for line in pip.stdout:
        output.append(line)
        _show_progress(line)
    if pip.wait():
        raise _pip_failure("".join(output))


def _show_progress(line: str) -> None:
    """Turn pip's lines into ours: one that is overwritten on a terminal, two elsewhere."""
    first, _, rest = line.strip().partition(" ")
    if first == "Collecting" and sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K  fetching {rest.split(' ')[0]}")
        sys.stderr.flush()
    elif line.startswith(INSTALLING):
        start = "\r\x1b[K" if sys.stderr.isatty() else ""
        _say(f"{start}  installing {len(line.split(','))} packages")


def _pip_failure(output: str) -> SetUpError:
    failure = SetUpError if INSTALLING in output else NothingInstalledError
    if any(sign in output for sign in NO_NETWORK_SIGNS):
        problem = "pip could not reach the package index. Is there a network?"
    else:
        problem = "pip could not install the packages."
    return failure(f"{problem} It said:\n{_tail(output)}")


def _tail(output: str) -> str:
    return "\n".join(f"  {line}" for line in output.strip().splitlines()[-8:])


def _write_stamps(contents: dict[str, bytes]) -> None:
    for name, content in contents.items():
        stamp = Path(stamp_file(name))
        stamp.parent.mkdir(exist_ok=True)
        partial = stamp.with_suffix(".partial")
        partial.write_bytes(content)
        partial.replace(stamp)


def _say(text: str) -> None:
    """Speak on stderr: stdout belongs to the command that is about to run."""
    print(text, file=sys.stderr, flush=True)
