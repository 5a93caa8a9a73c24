"""The audit fails on a known vulnerability and says plainly when it could not look."""

from __future__ import annotations

import subprocess

import pytest

from scripts import audit
from tests.support import cases


def answering(code: int, output: str) -> object:
    def answer(service: str) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess([service], code, "", output)

    return answer


@cases
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
