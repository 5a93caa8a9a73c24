"""A released rulebook stays as it is, byte for byte; a correction stands beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from honours.errors import RulebookError, UnknownName
from honours.rulebooks import ids, load, revisions, with_hash
from tests.engine.books import HEAD, RULES_HEAD

RELEASED: dict[str, str] = {}
"""The digests that ledgers hold, as ``"sbu-clubs-2016@1": "…"``: every rulebook has its line when
1.0.0 is released, and a new revision is released with a line of its own."""


def changed(released: Mapping[str, str]) -> list[str]:
    """The revisions that are not what was released."""
    return [name for name, digest in released.items() if load(name).hash != digest]


def test_a_released_revision_is_what_it_was() -> None:
    assert changed(RELEASED) == []
    first = load("sbu-clubs-2016@1")
    assert changed({"sbu-clubs-2016@1": first.hash, "aga-category@1": first.hash}) == [
        "aga-category@1"
    ]


def test_an_id_means_the_newest_revision() -> None:
    for rulebook_id in ids():
        assert load(rulebook_id).revision == max(revisions(rulebook_id))
        assert load(f"{rulebook_id}@1").revision == 1


def test_every_revision_is_found_by_its_hash() -> None:
    for book in (load(f"{name}@{n}") for name in ids() for n in revisions(name)):
        found = with_hash(book.hash, {})
        assert found is not None
        assert (found.id, found.revision) == (book.id, book.revision)


def test_a_revision_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownName, match=r"^unknown revision of aga-category '99'\. Known: 1"):
        load("aga-category@99")


INPUTS = """
[inputs.pairs]
about = "pairs"
"""
RULES = '''
@rule("§1", per="entrant")
def award(pairs):
    """How much."""
    return pairs
'''


def write(folder: Path, revision: int) -> None:
    folder.mkdir(parents=True)
    texts = {
        "rulebook.toml": HEAD.replace("revision = 1", f"revision = {revision}") + INPUTS,
        "rules.py": RULES_HEAD + RULES,
        "examples.toml": "",
        "README.md": f"Revision {revision}.",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def test_ones_own_rulebook_has_revisions_too(tmp_path: Path) -> None:
    own = [tmp_path]
    write(tmp_path / "made_up", 1)
    write(tmp_path / "made_up" / "r2", 2)
    assert revisions("made-up", own) == (1, 2)
    assert [load(name, own).revision for name in ("made-up", "made-up@1", "made-up@2")] == [2, 1, 2]
    found = with_hash(load("made-up@1", own).hash, {}, own)
    assert found is not None
    assert found.revision == 1


def test_a_folder_that_says_another_revision_than_its_name_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "made_up", 1)
    write(tmp_path / "made_up" / "r2", 1)
    with pytest.raises(RulebookError, match=r"r2/rulebook\.toml says revision = 1; a folder r2"):
        load("made-up", [tmp_path])
