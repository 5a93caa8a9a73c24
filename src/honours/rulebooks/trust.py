"""Rulebooks of others whose Python may run: confirmed once, by their content.

A rulebook's ``rules.py`` is a program. Outside the package one is run only if the digest of its
files was confirmed; another text under the same path is another program, and asked about again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path

from honours.engine.rulebook import hash_with
from honours.engine.rulebook.load import text_hash, texts_of
from honours.errors import InputError
from honours.model.message import by_option
from honours.places import own_folder

EVERYTHING = "HONOURS_TRUST"
"""An environment variable: set, every rulebook is trusted and none is remembered."""


def file_of_trust() -> Path:
    """The file that remembers digests, one to a line."""
    return own_folder("config") / "trusted-rulebooks"


def hash_of(folder: Traversable) -> str:
    """The hash of the rulebook in a folder, of which nothing is run."""
    return hash_with(text_hash(texts_of(folder)), {})


def is_trusted(digest: str) -> bool:
    """Whether the rulebook with this hash may run."""
    if os.environ.get(EVERYTHING):
        return True
    file = file_of_trust()
    return file.is_file() and digest in file.read_text("utf-8").split()


def trust(digest: str) -> None:
    """Remember that the rulebook with this hash may run."""
    if is_trusted(digest):
        return
    file = file_of_trust()
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(f"{digest}\n")


def check_trusted(folder: Traversable, texts: Mapping[str, str]) -> None:
    """Refuse to run texts that nobody confirmed."""
    digest = hash_with(text_hash(texts), {})
    if not is_trusted(digest):
        raise InputError(
            "{folder}: a rulebook is a program, and this one is not trusted yet (its content has "
            "the hash {digest}). Look at its rules.py; if you would run them, add {remedy} (once "
            "is enough)",
            folder=folder,
            digest=digest,
            remedy=by_option("trust"),
        )
