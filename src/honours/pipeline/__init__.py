"""The one way from a file to an event's awards: read, ruled on, scored and ranked, awarded.

Commands, pages, the API, seasons, the lab and the ledger all come this way, so that they all give
the same answer.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from honours.pipeline.account import Account as Account
    from honours.pipeline.account import accounts as accounts
    from honours.pipeline.account import chosen_event as chosen_event
    from honours.pipeline.account import read_account as read_account
    from honours.pipeline.account import read_accounts as read_accounts
    from honours.pipeline.account import ruled as ruled
    from honours.pipeline.account import with_members as with_members
    from honours.pipeline.go import handicap_note as handicap_note
    from honours.pipeline.inquiry import OpenQuestion as OpenQuestion
    from honours.pipeline.options import SECTIONS as SECTIONS
    from honours.pipeline.report import Report as Report
    from honours.pipeline.report import awarded as awarded
    from honours.pipeline.report import inquired as inquired
    from honours.pipeline.report import ranked as ranked
    from honours.pipeline.report import sections_of as sections_of

_MODULES = ("account", "go", "inquiry", "options", "report")


def __getattr__(name: str) -> Any:
    """Imported on first use: to know the options of a command takes no reader of a file."""
    if not name.startswith("_"):
        for module in _MODULES:
            if hasattr(found := import_module(f"{__name__}.{module}"), name):
                return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
