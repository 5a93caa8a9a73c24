"""The lab as the pages use it: corpora in the data folder, and questions asked as jobs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from honours.errors import InputError
from honours.web.amending import amend
from honours.web.problems import NotThere

if TYPE_CHECKING:
    from honours.engine.rulebook import Rulebook
    from honours.lab.compare import Comparison
    from honours.web.desk import Desk
    from honours.web.jobs import Job
    from honours.web.settings import Settings

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}")
LARGEST = 1
"""A generated year is at most the real thing's size; the command line makes larger ones."""


class Laboratory:
    """Corpora by name, and what may be asked of them."""

    def __init__(self, settings: Settings, desk: Desk) -> None:
        self.folder, self.desk = settings.data / "corpora", desk

    def names(self) -> list[str]:
        """The corpora there are."""
        return sorted(path.parent.name for path in self.folder.glob("*/corpus.json"))

    def path(self, name: str) -> Path:
        """Where a corpus is; only a name that is there leads anywhere."""
        if name not in self.names():
            raise NotThere(f"there is no corpus {name[:60]!r}")
        return self.folder / name

    def rulebook(self, text: str) -> Rulebook:
        """``ID``, or ``ID parameter=value …`` for a variant."""
        rulebook_id, *changes = text.split() or [""]
        pairs = dict(change.partition("=")[::2] for change in changes)
        if not all(pairs.values()):
            raise InputError(f"{text!r}: expected an id, then parameter=value")
        return amend(self.desk.rulebook(rulebook_id), "", pairs)

    def check_new(self, name: str, scale: float) -> None:
        """Whether a corpus of this name and size may be made."""
        if not _NAME.fullmatch(name):
            raise InputError(f"name={name[:60]}: letters, digits and hyphens")
        if name in self.names():
            raise InputError(f"name={name}: there is one of that name")
        if not 0 < scale <= LARGEST:
            raise InputError(f"scale={scale}: above 0 and at most {LARGEST}")

    def generate(self, job: Job, name: str, scale: float, seed: int) -> str:
        """Make a synthetic federation-year."""
        from honours.lab.generate.year import Recipe, generate

        recipe = Recipe(seed=seed, scale=scale, boards=False)
        generate(self.folder / name, recipe, job.step)
        return name

    def compare(self, job: Job, name: str, a: Rulebook, b: Rulebook) -> Comparison:
        """What B would pay, compared with A, shard by shard."""
        from honours.lab.compare import Comparison, both
        from honours.lab.corpus import Corpus

        corpus = Corpus.open(self.path(name))
        found = Comparison(corpus, a, b)
        job.step(0, len(corpus.shards))
        for done, number in enumerate(corpus.shards, 1):
            shard = corpus.read(number)
            if len(shard.ids):
                found.add(both(shard, a, b))
            job.step(done, len(corpus.shards))
        return found.close()
