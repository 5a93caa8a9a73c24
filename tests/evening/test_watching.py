"""A file that grows: read when it has settled, sent to a server, shown with points."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from honours.cli import cli
from honours.errors import InputError
from honours.evening.watching import send, versions

HEAD = "title Tuesday\nboard 1\n1 2 4S N =\n"


def test_a_file_is_given_whenever_it_is_another(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.txt"
    path.write_text(HEAD)
    seen = versions(path, 0)
    assert next(seen).decode() == HEAD
    path.write_text(HEAD + "3 4 pass\n")
    assert next(seen).decode().endswith("3 4 pass\n")


def test_a_lone_board_waits_for_another_table(tmp_path: Path) -> None:
    path = tmp_path / "tuesday.txt"
    path.write_text(HEAD)
    run = CliRunner().invoke(cli, ["watch", str(path), "--times", "1"])
    assert run.exit_code == 2
    assert "no board was played at two tables yet" in run.output
    path.write_text(HEAD + "3 4 pass\nboard 2\n1 2 pass\n")
    shown = CliRunner().invoke(cli, ["watch", str(path), "--times", "1"])
    assert shown.exit_code == 0, shown.output
    assert "100.00" in shown.output


@pytest.mark.parametrize("server", ["ftp://x", "http://127.0.0.1:9"])
def test_a_server_that_is_none_is_told(server: str) -> None:
    with pytest.raises(InputError, match=r"not an address|does not answer"):
        send(server, "0" * 12, "a.txt", b"x")
