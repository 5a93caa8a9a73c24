"""Where the environment is and whether it is complete.

It keeps to the syntax of old Pythons, so that they can say they are too old.
"""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
VENV = os.path.join(ROOT, ".venv")
WINDOWS = os.name == "nt"
PROGRAMS = os.path.join(VENV, "Scripts" if WINDOWS else "bin")
PYTHON = os.path.join(PROGRAMS, "python.exe" if WINDOWS else "python")
RINGS = {
    "core": (),
    "documents": ("core",),
    "app": ("core", "documents"),
    "lab": ("core",),
    "distributed": ("core", "lab"),
    "hands": ("core",),
}
"""What ./honours can set up, and the rings that each is around."""
LOCKS = {**RINGS, "dev": tuple(RINGS)}


def lock_file(name: str) -> str:
    """Return the lock called `name`: of a ring, or dev, which holds all of them and the tools."""
    return os.path.join(ROOT, "requirements", name + ".lock")


def stamp_file(name: str) -> str:
    """Return the copy of the lock that is written once all of it is installed."""
    return os.path.join(VENV, "installed", name + ".lock")


def is_ready(name: str) -> bool:
    """Say whether .venv holds exactly what the lock asks for and its Python is still there."""
    try:
        with open(lock_file(name), "rb") as lock, open(stamp_file(name), "rb") as stamp:
            return lock.read() == stamp.read() and os.access(PYTHON, os.X_OK)
    except OSError:
        return False


def require_python() -> None:
    """Leave with a message if this Python is too old."""
    if sys.version_info < (3, 11):  # noqa: UP036
        version = f"{sys.executable} is {sys.version_info[0]}.{sys.version_info[1]}"
        sys.stderr.write(
            f"honours needs Python 3.11 or later, and {version}; start it with a later\n"
        )
        sys.stderr.write("one, for example: PYTHON=python3.11 ./honours, or python3.11 ./check\n")
        sys.exit(2)


def ensure(name: str) -> None:
    """Make .venv from the lock unless it is ready."""
    if is_ready(name):
        return
    require_python()
    from scripts import installation

    installation.install(name)


def become_honours() -> None:
    """Replace this process by the command line, in the directory the user is in, as ./honours does
    where all is installed."""
    command = [PYTHON, "-I", "-m", "honours", *sys.argv[1:]]
    if WINDOWS:  # where a process cannot become another
        import subprocess

        sys.exit(subprocess.call(command))
    os.execv(PYTHON, command)
