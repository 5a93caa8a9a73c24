"""Players who want a public page of their own: nobody has one unasked, and who has one may give it
up again. ``players.json`` of the data folder; the ledger is not concerned."""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from sqlalchemy import Connection

from honours.files import make_folder, write_whole
from honours.formats.entrants import sought
from honours.ledger import members
from honours.model import Player
from honours.model.member import Member


@dataclass(frozen=True, slots=True)
class PublicPageWish:
    """That a member wants a page: its address, since when, and who wrote the wish down."""

    address: str
    since: str
    by: str


class PublicPlayers:
    """The members who want a public page."""

    def __init__(self, data: Path) -> None:
        self._path = data / "players.json"
        self._lock = threading.Lock()

    def all(self) -> dict[int, PublicPageWish]:
        """Every wish, by member."""
        try:
            known = json.loads(self._path.read_text(encoding="utf-8"))
            return {int(member): PublicPageWish(**wish) for member, wish in known.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}

    def wants(self, member: int, since: str, by: str) -> None:
        """A member wants a page."""
        with self._lock:
            known = self.all()
            if member not in known:
                self._keep({**known, member: PublicPageWish(secrets.token_urlsafe(9), since, by)})

    def gives_up(self, member: int) -> None:
        """A member wants no page any more; its address is never given again."""
        with self._lock:
            self._keep({one: wish for one, wish in self.all().items() if one != member})

    def member_at(self, address: str) -> int:
        """Whose page is at an address; nobody's, 0."""
        wishes = self.all().items()
        same = (m for m, one in wishes if secrets.compare_digest(one.address, address))
        return next(same, 0) if address.isascii() else 0

    def _keep(self, wishes: Mapping[int, PublicPageWish]) -> None:
        make_folder(self._path.parent)
        known = {str(member): asdict(wish) for member, wish in wishes.items()}
        write_whole(self._path, json.dumps(known, ensure_ascii=False).encode())


@dataclass(frozen=True, slots=True)
class PlayerPages:
    """The addresses of players' pages, by number and by name: of a name only where nobody else in
    the ledger has it."""

    numbers: tuple[tuple[str, str], ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    def page_of(self, player: Player) -> str:
        """Where a player's page is; nowhere for most."""
        if player.number:
            return dict(self.numbers).get(player.number, "")
        return dict(self.names).get(sought(player.name), "")


def pages_of(connection: Connection, wishes: Mapping[int, PublicPageWish]) -> PlayerPages:
    """Where the pages are of those who want one and may have it."""
    known = members.get(connection, wishes)
    shown = {one: wishes[one.id].address for one in known.values() if may_have(one)}
    namesakes = members.by_names(connection, [one.name for one in shown])
    alone = [one for one in shown if len(namesakes.get(sought(one.name), ())) == 1]
    return PlayerPages(
        tuple(_addresses((one.number, shown[one]) for one in shown if one.number)),
        tuple(_addresses((sought(one.name), shown[one]) for one in alone)),
    )


def _addresses(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(key, f"/players/{address}") for key, address in pairs]


def may_have(member: Member) -> bool:
    """Who does not want to be published has no page, nor who was forgotten."""
    return member.name != members.ERASED and not member.opted_out
