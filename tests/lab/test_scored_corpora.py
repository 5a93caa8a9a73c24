"""Places and awards by the scores that the results of a corpus give."""

from __future__ import annotations
