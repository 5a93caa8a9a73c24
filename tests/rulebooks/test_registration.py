"""A rulebook is its folder: nothing of the seven that no source prints stands anywhere else."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

import honours
from honours import clock
from honours.cli import cli
from honours.conformance.further_rulebooks import further_ids
from honours.rulebooks import ids, load

PACKAGE = Path(honours.__file__).parent
EXAMPLES = ("cli", "demo")
"""Where a rulebook may be named in an example of a command."""


def test_no_other_room_knows_one_of_them_by_name() -> None:
    names = {form for name in further_ids() for form in (name, name.replace("-", "_"))}
    assert len(names) == 22
    knowing = [
        f"{path.relative_to(PACKAGE)}: {name}"
        for path in PACKAGE.rglob("*")
        if path.suffix in (".py", ".html", ".js", ".toml")
        and path.relative_to(PACKAGE).parts[0] not in ("rulebooks", *EXAMPLES)
        and path != PACKAGE / "ledger" / "lists.toml"  # each list has an example of its command
        for name in names
        if name in path.read_text(encoding="utf-8")
    ]
    assert knowing == []


def test_every_rulebook_says_since_when_it_holds_and_when_somebody_last_looked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    listed = json.loads(CliRunner().invoke(cli, ["rulebooks", "--json"]).output)["items"]
    assert {one["id"] for one in listed} == set(ids())
    assert all(one["body"] and one["edition"] and one["backed_by"] for one in listed)
    assert all(one["looked"] and not one["stale"] for one in listed)
    looked = load("nz-bridge").effective.looked
    monkeypatch.setattr(clock, "ahead", timedelta(days=400))
    later = json.loads(CliRunner().invoke(cli, ["rulebooks", "--json"]).output)["items"]
    assert all(one["stale"] for one in later)
    for command in (["rulebooks"], ["rulebooks", "--in-force"], ["rulebook", "show", "nz-bridge"]):
        assert f"Last looked at on {looked}" in CliRunner().invoke(cli, command).output
