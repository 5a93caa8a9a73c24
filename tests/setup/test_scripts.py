"""./honours and ./check in a copy of the checkout, started as a newcomer starts them."""

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from honours import __version__
from scripts import environment, installation
from tests.support import ROOT

COPIED = ("honours", "check", "scripts", "requirements", "src")
VERSION = f"honours {__version__}\n"
FIRST_USE = "honours: first use, setting up .venv (only this once)"


class Checkout:
    """A copy of what the scripts need: no environment, and a space in its path."""

    def __init__(self, directory: Path) -> None:
        self.root = directory / "a checkout"
        self.venv = self.root / ".venv"
        self.stamp = self.venv / "installed" / "core.lock"
        home, programs = directory / "home", directory / "bin"
        for new in (self.root, home, programs):
            new.mkdir()
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, self.root / name)
        # The interpreter itself: version managers put in its place a script that needs its HOME.
        (programs / "python3").symlink_to(Path(sys.executable).resolve())
        pip_settings = {k: v for k, v in os.environ.items() if k.startswith(("PIP_", "SSL_"))}
        path = f"{programs}:/usr/bin:/bin"
        self.environment = {**pip_settings, "HOME": str(home), "PATH": path}

    def ask_for_click_alone(self) -> None:
        """Shorten the lock to what `honours --version` needs, so that set-up takes seconds."""
        lock = self.root / "requirements" / "core.lock"
        _, _, rest = lock.read_text(encoding="utf-8").partition("click==")
        lock.write_text("click==" + rest.partition("    # via")[0] + "\n", encoding="utf-8")

    def start(self, *command: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(self.root / command[0]), *command[1:]],
            env={**self.environment, **variables},
            cwd=self.environment["HOME"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *command: str, **variables: str) -> tuple[int, str, str]:
        with self.start(*command, **variables) as process:
            out, err = process.communicate()
        return process.returncode, out, err

    def is_ready(self) -> bool:
        script = "from scripts.environment import is_ready; raise SystemExit(not is_ready('core'))"
        return (
            subprocess.run([sys.executable, "-c", script], cwd=self.root, check=False).returncode
            == 0
        )


def test_a_lock_holds_those_of_the_rings_within_it() -> None:
    locked = {
        name: {re.sub(r" ; .*(?= \\)", "", one) for one in installation._locked(name)}
        for name in environment.LOCKS
    }
    for name, within in environment.LOCKS.items():
        for inner in within:
            assert locked[inner]
            assert locked[inner] <= locked[name]  # whatever platform a package is for


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture
def light_checkout(checkout: Checkout) -> Checkout:
    checkout.ask_for_click_alone()
    return checkout


@pytest.mark.slow
@pytest.mark.parametrize("every_package", [False, pytest.param(True, marks=pytest.mark.long)])
def test_first_start_sets_up_and_the_second_is_at_once(
    checkout: Checkout, every_package: bool
) -> None:
    if not every_package:
        checkout.ask_for_click_alone()
    beside_the_results = Path(checkout.environment["HOME"], "click.py")
    beside_the_results.write_text("raise SystemExit('not the library')", encoding="utf-8")
    code, out, err = checkout.run("honours", "--version")
    assert (code, out) == (0, VERSION), err
    assert err.startswith(FIRST_USE)
    assert "ready after" in err

    broken_pip = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    assert checkout.run("honours", "--version", **broken_pip) == (0, VERSION, "")


@pytest.mark.slow
def test_an_interrupted_set_up_is_redone(light_checkout: Checkout) -> None:
    interrupted = light_checkout.start("honours", "--version")
    while not (light_checkout.venv / "bin" / "python").exists():
        assert interrupted.poll() is None
        time.sleep(0.01)
    os.killpg(interrupted.pid, signal.SIGKILL)
    interrupted.communicate()
    assert not light_checkout.stamp.exists()

    code, out, err = light_checkout.run("honours", "--version")
    assert (code, out) == (0, VERSION), err
    assert "an earlier set-up was not finished" in err


@pytest.mark.slow
def test_two_first_starts_at_once_make_one_environment(light_checkout: Checkout) -> None:
    both = [light_checkout.start("honours", "--version") for _ in range(2)]
    outputs = [process.communicate() for process in both]
    assert [out for out, _ in outputs] == [VERSION] * 2
    errors = "".join(err for _, err in outputs)
    assert errors.count("making an environment") == 1
    assert "waiting for another set-up" in errors


def test_a_changed_lock_and_a_lost_python_are_noticed(checkout: Checkout) -> None:
    lock, python = checkout.root / "requirements" / "core.lock", checkout.venv / "bin" / "python"
    for path in (checkout.stamp, python):
        path.parent.mkdir(parents=True)
    shutil.copy(lock, checkout.stamp)
    python.symlink_to(Path(sys.executable).resolve())
    assert checkout.is_ready()

    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert not checkout.is_ready()

    python.unlink()
    python.symlink_to(Path(sys.executable).resolve())
    lock.write_bytes(lock.read_bytes() + b"# changed")
    assert not checkout.is_ready()


@pytest.mark.slow
def test_without_network_what_worked_still_works(light_checkout: Checkout) -> None:
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1"}
    offline |= {"PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": "", "PIP_NO_CACHE_DIR": "1"}
    code, _, err = light_checkout.run("honours", "--version", **offline)
    assert code == 2
    assert "pip could not reach the package index" in err
    assert not light_checkout.stamp.exists()

    light_checkout.run("honours", "--version")
    code, _, err = light_checkout.run("check", **offline)
    assert code == 2
    assert "adding the developers' tools" in err
    assert light_checkout.run("honours", "--version") == (0, VERSION, "")


@pytest.mark.parametrize(
    "name", ["check", "scripts/start.py", "scripts/__init__.py", "scripts/environment.py"]
)
def test_an_old_python_can_read_as_far_as_the_message(name: str) -> None:
    ast.parse((ROOT / name).read_text(encoding="utf-8"), feature_version=(3, 6))


def test_an_old_python_is_told_what_is_needed() -> None:
    script = (
        "import sys; sys.version_info = (3, 9); from scripts.environment import *; require_python()"
    )
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert "needs Python 3.11 or later" in run.stderr


def test_help_of_check_needs_no_environment(checkout: Checkout) -> None:
    code, out, err = checkout.run("check", "--help")
    assert (code, err) == (0, "")
    assert "./check fast" in out
    assert not checkout.venv.exists()
