"""What tests ask for that may not be there: programs of the system, and the shared material."""

import os
import shutil
from pathlib import Path

import pytest

from scripts.system import SYSTEM_TOOLS

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests/golden"
"""Figures that federations and programs published, or that programs gave when they were run."""
SHARED = Path(os.environ.get("HONOURS_BESIDE", ROOT / "nothing-beside"))
"""Files of real programs, golden figures and sources that lie beside the repository, where
`./check beside FOLDER` names their folder. `./check` itself looks at nothing out of the house."""


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
