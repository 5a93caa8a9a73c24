"""A long USEBIO file takes the room of its records."""

import os
import subprocess
import sys

from tests.support import ROOT


def test_peak_memory_is_within_three_times_the_file() -> None:
    """In a process of its own, so that what other tests took is not counted."""
    paths = f"{ROOT / 'src'}{os.pathsep}{ROOT}"
    run = subprocess.run(
        [sys.executable, "-m", "scripts.usebio_memory", "3"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "times the file" in run.stdout
