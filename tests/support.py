"""What tests ask for: tables of cases, and what may not be there, programs and shared material."""

import os
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from scripts.system import SYSTEM_TOOLS

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden"
"""Figures that federations and programs published, or that programs gave when they were run."""
SHARED = Path(os.environ.get("HONOURS_BESIDE", ROOT / "nothing-beside"))
"""Files of real programs, golden figures and sources that lie beside the repository, where
`./check beside FOLDER` names their folder. `./check` itself looks at nothing out of the house."""

Test = TypeVar("Test", bound=Callable[..., None])


def table(module: str, name: str) -> Any:
    """A table of the TOML file beside a module of tests."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))[name]


def cases(test: Test) -> Test:
    """Run a test with each row of the table that is called as it is, after the first, of names;
    what a short row lacks is None."""
    names, *rows = table(test.__code__.co_filename, test.__name__)
    whole = [row + [None] * (len(names) - len(row)) for row in rows]
    run: Test = pytest.mark.parametrize(names, whole)(test)
    return run


def needs_tool(name: str) -> str:
    """Return the path of a program; without it skip by name, or fail where CI promises it."""
    package = SYSTEM_TOOLS[name]
    program = shutil.which(name)
    if program:
        return program
    reason = f"needs {name} (Debian package {package})"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)


def shared(path: str) -> Path:
    """A path of what lies beside the repository, for the tests in tests/beside."""
    return SHARED / path
