"""What deploy/ tells a container and systemd to run does run, and says that it is well."""

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import ROOT

DEPLOY = ROOT / "deploy"


def _listed(keyword: str) -> list[str]:
    """The last command of that name in the container file."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    found: list[str] = json.loads(re.findall(rf"{keyword}\b.*?(\[.*\])", text)[-1])
    return found


def _unit() -> list[str]:
    text = (DEPLOY / "honours.service").read_text(encoding="utf-8")
    return shlex.split(re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)[0])[1:]


def _compose() -> list[str]:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    found = re.findall(r"^    command: (\[.*\])$", text, re.MULTILINE)[0]
    words: list[str] = json.loads(re.sub(r"\$\{HONOURS_HOST[^}]*\}", "results.example.org", found))
    return words


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [_listed("\nCMD"), _compose(), _unit()], ids=["CMD", "compose", "unit"]
)
def test_the_command_serves_and_the_health_check_agrees(words: list[str], tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    own = {"/data": str(tmp_path), "/var/lib/honours": str(tmp_path), "0.0.0.0": "127.0.0.1"}
    arguments = [own.get(word, word) for word in words] + ["--port", port]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    _, _, code = _listed("HEALTHCHECK")
    health = [sys.executable, "-c", code.replace("8737", port)]
    with subprocess.Popen([sys.executable, "-m", "honours", *arguments], env=environment) as server:
        try:
            for _ in range(120):
                if subprocess.run(health, capture_output=True, check=False).returncode == 0:
                    break
                assert server.poll() is None
                time.sleep(0.5)
            else:
                pytest.fail("it never was well")
        finally:
            server.terminate()


def test_the_unit_is_one(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if not program:
        pytest.skip("needs systemd-analyze")
    text = (DEPLOY / "honours.service").read_text(encoding="utf-8")
    copy = tmp_path / "honours.service"
    copy.write_text(text.replace("/opt/honours/bin/honours", "/bin/true"), encoding="utf-8")
    done = subprocess.run([program, "verify", copy], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
