"""A database's address as it may be shown to people: never with a password."""

from __future__ import annotations

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

_SECRET = frozenset({"password", "passfile", "sslpassword", "sslkey", "passwd", "pwd"})


def shown_address(place: str | URL) -> str:
    """A path unchanged; a database URL without its credentials."""
    if isinstance(place, str) and "://" not in place:
        return place
    try:
        url = make_url(place)
    except (ArgumentError, ValueError):
        return str(place).partition("://")[0] + "://…"
    shown = {key: "***" if key.lower() in _SECRET else value for key, value in url.query.items()}
    return url.set(query=shown).render_as_string(hide_password=True)
