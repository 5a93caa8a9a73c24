"""Verdicts on a figure of ours beside a printed one: the words of `conform` and `study`."""

from __future__ import annotations

from honours.model.message import Message

REPRODUCED = Message("reproduced")
CONSISTENT = Message("consistent")
FITTED = Message("fitted")
PARAMETER = Message("parameter")
CONTRADICTED = Message("contradicted")
NOT_CHECKABLE = Message("not checkable")

VERDICTS = (REPRODUCED, CONSISTENT, FITTED, PARAMETER, CONTRADICTED, NOT_CHECKABLE)
AGREEING = frozenset({REPRODUCED, CONSISTENT, FITTED, PARAMETER})
