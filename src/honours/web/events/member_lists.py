"""A member list kept beside an event: numbers, holdings and ratings of its players, as a command
is given them with ``--members`` and ``--confirm``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from honours.formats.members import Matching, parse_answers, read_members
from honours.pipeline import Account, Report, ranked, with_members
from honours.web.events.reading import speaking_of
from honours.web.events.store import Upload


@dataclass(frozen=True, slots=True)
class KeptList:
    """A list as somebody sent it, and who they say its players are: name → number."""

    name: str
    text: str
    confirm: Mapping[str, str]

    def as_text(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @property
    def upload(self) -> Upload:
        """The list as a file that came."""
        return Upload(self.name, self.text.encode())


def kept_list(text: str) -> KeptList | None:
    """The list that is kept, if one is."""
    return KeptList(**json.loads(text)) if text else None


def list_of(name: str, text: str, confirm: str) -> KeptList:
    """A list from what a form says; answers are NAME=NUMBER, a line each."""
    lines = [line.strip() for line in confirm.splitlines() if line.strip()]
    return KeptList(name, text, parse_answers(lines))


def with_matched_members(
    account: Account, kept: KeptList, path: str, day: str
) -> tuple[Account, tuple[str, ...]]:
    """The account with its players as the list in a file knows them, and what a person must be
    told."""
    played = date.fromisoformat(day) if day else account.day
    with speaking_of(kept.name):
        matching = Matching(read_members(path), played, kept.confirm)
    with speaking_of(account.called):
        named = with_members(account, matching)
    return named, tuple(matching.report())


def ranked_with(
    account: Account,
    kept: KeptList,
    path: str,
    day: str,
    choices: Mapping[str, Any],
) -> Report:
    """The event ranked, its players as the list in a file knows them."""
    known, remarks = with_matched_members(account, kept, path, day)
    report = ranked(known, choices)
    return replace(report, remarks=(*report.remarks, *remarks))
