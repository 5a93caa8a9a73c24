"""A server of several clubs: who has which role where, and how each of them asks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from honours.web.accounts.store import Accounts
from honours.web.settings import Settings

PASSWORD = "correct horse battery"
GRANTS = (
    ("ann", "scorer", "Aberdeen"),
    ("sec", "secretary", "Aberdeen"),
    ("pat", "scorer", "Perth"),
    ("two", "scorer", "Aberdeen"),
    ("two", "scorer", "Perth"),
    ("mix", "scorer", "Aberdeen"),
    ("mix", "viewer", "Perth"),
    ("eva", "viewer", ""),
    ("per", "secretary", "Perth"),
    ("duo", "secretary", "Aberdeen"),
    ("duo", "secretary", "Perth"),
    ("adm", "administrator", "Aberdeen"),
    ("all", "administrator", ""),
)


def tokens_at(settings: Settings) -> dict[str, str]:
    """Everybody with their roles, and a token of each."""
    accounts = Accounts(settings.accounts_at)
    for name, role, club in GRANTS:
        accounts.set(name, role, PASSWORD, club)
    tokens = {name: accounts.token(name) for name in dict.fromkeys(name for name, *_ in GRANTS)}
    accounts.close()
    return tokens


@contextmanager
def signed(address: str, token: str) -> Iterator[httpx.Client]:
    """Somebody who asks with their token."""
    headers = {"authorization": f"Bearer {token}"}
    with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
        yield client
