"""Schemathesis against the API: whatever is asked, the answer is as described and no failure.

Server and schemathesis are processes of their own: hypothesis moves the recursion limit, which
CPython 3.11 does not forgive while another thread compiles something.
`HONOURS_API_EXAMPLES=100 pytest tests/web/test_schema.py` asks thousands.
"""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from scripts.served import served
from tests.web.server import example_event

EXAMPLES = os.environ.get("HONOURS_API_EXAMPLES", "")
SEED = "20261116"
# In a few seconds: one of everything and what follows from it; no long work is begun.
SHORT = (
    "--max-examples=1",
    "--phases=examples,fuzzing,stateful",
    "--exclude-operation-id=start_job",
)
LONG = (f"--max-examples={EXAMPLES}",)
# What a rulebook refuses (an unknown word, a missing input) no schema can say beforehand.
UNSAYABLE = "positive_data_acceptance"
# Called as a function: the environment's own scripts are not on every PATH.
SCHEMATHESIS = "import sys; from schemathesis.cli import schemathesis; sys.exit(schemathesis())"


@pytest.mark.slow
def test_every_answer_is_as_described(tmp_path: Path) -> None:
    with served(tmp_path / "data") as server:
        with httpx.Client(base_url=server.address, timeout=60) as client:
            example_event(client)
        command = [sys.executable, "-c", SCHEMATHESIS, "run", "--no-color", "--seed", SEED]
        command += [*(LONG if EXAMPLES else SHORT), "--exclude-checks", UNSAYABLE]
        command += ["--suppress-health-check", "all", "--continue-on-failure"]
        described = f"{server.address}/api/v1/openapi.json"
        asked = subprocess.run(
            [*command, described], cwd=tmp_path, capture_output=True, text=True, check=False
        )
    assert asked.returncode == 0, asked.stdout[-20_000:] + asked.stderr[-5_000:]
