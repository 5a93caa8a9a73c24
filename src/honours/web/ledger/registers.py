"""The registers of invitational tournaments in a data folder, each the file that
``honours ledger lists qualify`` takes."""

from __future__ import annotations

import logging
import re
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request

from honours.errors import InputError
from honours.files import make_folder, write_whole
from honours.ledger.qualify import Register, read_register, register_text
from honours.model.message import mark
from honours.web.http.problems import NotThere
from honours.web.settings import Settings

_ID = re.compile(r"[0-9a-f]{12}")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StoredRegister:
    """A register and its id."""

    id: str
    register: Register


class Registers:
    """The registers of this application."""

    def __init__(self, settings: Settings) -> None:
        self.folder = settings.data / "registers"

    def all(self) -> list[StoredRegister]:
        """Every register, the latest period first."""
        stored = [self._whole(path) for path in sorted(self.folder.glob("*.toml"))]
        whole = [one for one in stored if one is not None]
        return sorted(whole, key=lambda one: (one.register.until, one.register.title), reverse=True)

    def get(self, register_id: str) -> StoredRegister:
        """The register of this id."""
        path = self._path(register_id)
        stored = self._whole(path) if path.exists() else None
        if stored is None:
            raise NotThere(mark("there is no register {name}"), name=register_id)
        return stored

    def add(self, register: Register) -> StoredRegister:
        """Keep a register; the same again, by a second click, is the one that is there."""
        same = next((one for one in self.all() if one.register == register), None)
        return same or self._write(StoredRegister(secrets.token_hex(6), register))

    def change(self, register_id: str, register: Register) -> StoredRegister:
        """Another register in the place of one."""
        self.get(register_id)
        return self._write(StoredRegister(register_id, register))

    def remove(self, register_id: str) -> None:
        """Take a register away; the ledger stays as it is."""
        self.get(register_id)
        self._path(register_id).unlink()

    def _path(self, register_id: str) -> Path:
        if not _ID.fullmatch(register_id):
            raise NotThere(mark("there is no register {name}"), name=register_id[:40])
        return self.folder / f"{register_id}.toml"

    def _whole(self, path: Path) -> StoredRegister | None:
        """A register; one that somebody damaged is set aside and takes no page down."""
        try:
            return StoredRegister(path.stem, read_register(path))
        except InputError as error:
            aside = path.with_suffix(".toml.damaged")
            with suppress(OSError):
                path.rename(aside)
                _log.warning("%s was set aside as %s: %s", path, aside, error)
            return None

    def _write(self, stored: StoredRegister) -> StoredRegister:
        make_folder(self.folder)
        write_whole(self._path(stored.id), register_text(stored.register).encode())
        return stored


def registers_of(request: Request) -> Registers:
    """The registers of this application."""
    registers: Registers = request.app.state.registers
    return registers
