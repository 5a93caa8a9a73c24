"""A small corpus that all tests of the lab share, and one made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from honours.lab.corpus import Corpus
from honours.lab.generate.year import Recipe, generate


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """A hundredth of a federation-year."""
    return generate(tmp_path_factory.mktemp("corpus") / "year", Recipe(seed=3, scale=0.01))


@pytest.fixture
def copy(corpus: Corpus, tmp_path: Path) -> Path:
    """The files of the small corpus, to be spoilt."""
    for path in corpus.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path
