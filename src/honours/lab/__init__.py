"""The lab: what a change of the rules would do to a whole federation's history.

The door for a notebook::

    from honours.lab import Corpus
    corpus = Corpus.open("year")
    corpus.compare("acbl-general", "acbl-sof-2020").by("size")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from honours.rings import require

if TYPE_CHECKING:
    from honours.lab.compare import Comparison as Comparison
    from honours.lab.corpus import Corpus as Corpus

require("numpy", "pyarrow")

_PUBLIC = {"Comparison": "honours.lab.compare", "Corpus": "honours.lab.corpus"}

__all__ = ["Comparison", "Corpus"]


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'honours.lab' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), name)
