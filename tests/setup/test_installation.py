"""Making an environment where Python came without its venv module."""

import shutil

import pytest

from scripts import installation, system


@pytest.fixture
def bare_debian(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A Python without venv until apt-get brings it; the list is what was installed."""
    installed: list[str] = []

    def apt_install(packages: list[str]) -> str:
        installed.extend(packages)
        return ""

    monkeypatch.setattr(installation, "_has_venv_module", lambda: "python3-venv" in installed)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(system, "apt_install", apt_install)
    return installed


def test_root_gets_the_venv_module_installed(
    bare_debian: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "is_root", lambda: True)
    installation._require_venv_module()
    assert bare_debian == ["python3-venv"]


def test_others_are_told_the_line_to_run(
    bare_debian: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "is_root", lambda: False)
    with pytest.raises(installation.SetUpError, match="\n  sudo apt-get install -y python3-venv\n"):
        installation._require_venv_module()
    assert bare_debian == []


def test_without_apt_the_message_names_the_python(
    bare_debian: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(installation.SetUpError, match=installation.BASE_PYTHON):
        installation._require_venv_module()
    assert bare_debian == []
