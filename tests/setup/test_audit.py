"""The audit fails on a known vulnerability and says plainly when it could not look."""

from __future__ import annotations

import subprocess

import pytest

from scripts import audit


def answering(code: int, output: str) -> object:
    def answer(service: str) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([service], code, "", output)

    return answer


@pytest.mark.parametrize(
    ("code", "output", "exit_code", "message"),
    [
        (0, "", 0, "no known vulnerabilities"),
        (1, "Found 2 known vulnerabilities in 1 package", 1, "Found 2"),
        (1, "ConnectionError: the host is not there", 0, "NOT AUDITED"),
    ],
)
def test_what_an_audit_says(
    code: int,
    output: str,
    exit_code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(audit, "audit", answering(code, output))
    assert audit.main() == exit_code
    assert message in capsys.readouterr().out
