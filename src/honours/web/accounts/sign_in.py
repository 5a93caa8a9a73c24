"""Asking for passwords, and limiting how often they may be tried: counted in the audit log, so that
a restart forgets nothing.

An address may try so often a minute. An account whose password was guessed wrong too often waits,
from wherever it is asked, but for the addresses it is used to: nobody can lock another out. Who has
signed in and is asked again is counted apart, without that exception: a browser left open is at an
address that the account is used to. Nor is there one for codes of a second factor: only who knows
the password gets as far as to guess them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException

from honours.model.message import Message
from honours.web.accounts.audit import CODE, CONFIRM, SIGN_IN

if TYPE_CHECKING:
    from honours.web.accounts.store import Accounts
    from honours.web.settings import Settings

_MINUTE, _QUARTER, _DAY, _MONTH = 60, 15 * 60, 86400, 30 * 86400
_DAILY = 3
"""How many times as many codes as in a quarter of an hour may be wrong in a day."""
_LATER = {"retry-after": "60"}
_MUCH_LATER = {"retry-after": str(_QUARTER)}


def sign_in(
    accounts: Accounts,
    settings: Settings,
    name: str,
    password: str,
    code: str,
    address: str,
    browser: str = "",
) -> str | None:
    """A new session's key; nothing if name, password and code do not belong together."""
    name = accounts.spelled(name)  # guesses count, however the name is spelled
    log, named = accounts.audit, name[:100]
    _check(accounts, settings, named, address)
    did = Message(Message("signed in"))
    line = log.begin(named, address, did, SIGN_IN)
    known = accounts.knows(name, password)
    right = known and accounts.has_code(name, code)
    key = accounts.keys.session(name, f"{address} {browser}".strip()) if right else None
    log.complete(line, 303 if key else 403, did)
    if known and not right:
        log.note(named, address, Message("gave a wrong code"), 403, CODE)
    return key


def confirm(accounts: Accounts, settings: Settings, name: str, password: str, address: str) -> bool:
    """Return whether somebody who has signed in knows the password of the account."""
    log = accounts.audit
    _check_address(accounts, settings, address)
    if log.failures(_QUARTER, name, CONFIRM) >= settings.guesses:
        raise _too_many_guesses()
    did = Message(Message("confirmed who they are"))
    line = log.begin(name, address, did, CONFIRM)
    known = accounts.knows(name, password)
    log.complete(line, 303 if known else 403, did)
    return known


def _check(accounts: Accounts, settings: Settings, name: str, address: str) -> None:
    log = accounts.audit
    _check_address(accounts, settings, address)
    for seconds, most in ((_QUARTER, settings.guesses), (_DAY, _DAILY * settings.guesses)):
        if log.failures(seconds, name, CODE) >= most:
            raise _too_many_guesses()
    guessed = log.failures(_QUARTER, name, SIGN_IN) >= settings.guesses
    if guessed and not log.has_signed_in(_MONTH, name, address):
        raise _too_many_guesses()


def _check_address(accounts: Accounts, settings: Settings, address: str) -> None:
    if accounts.audit.attempts(_MINUTE, address) >= settings.sign_ins:
        raise HTTPException(429, Message("Too many attempts; wait a minute."), _LATER)


def _too_many_guesses() -> HTTPException:
    return HTTPException(
        429, Message("Too many wrong passwords; wait a quarter of an hour."), _MUCH_LATER
    )
