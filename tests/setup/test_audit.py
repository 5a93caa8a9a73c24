"""The audit fails on a known vulnerability and says plainly when it could not look."""

from __future__ import annotations

import subprocess

import pytest

from scripts import audit


def answering(code: int, said: str) -> object:
    def answer(service: str) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([service], code, "", said)

    return answer


@pytest.mark.parametrize(
    ("code", "said", "exit_code", "told"),
    [
        (0, "", 0, "no known vulnerabilities"),
        (1, "Found 2 known vulnerabilities in 1 package", 1, "Found 2"),
        (1, "ConnectionError: the host is not there", 0, "NOT AUDITED"),
    ],
)
def test_what_an_audit_says(
    code: int,
    said: str,
    exit_code: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(audit, "audit", answering(code, said))
    assert audit.main() == exit_code
    assert told in capsys.readouterr().out
