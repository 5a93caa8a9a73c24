"""Compared with real files beside the repository: cli show."""

from tests.cli.test_show import show
from tests.support import cases, shared


@cases
def test_real_files(name: str, words: list[str]) -> None:
    result = show(str(shared(f"real/{name}")))
    assert result.exit_code == 0
    for word in words:
        assert word in result.output
