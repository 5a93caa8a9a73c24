"""A link to a new password by mail, handed to a stand-in for a mail server."""

import re
import socket
import threading
from collections.abc import Iterator
from email import message_from_bytes, policy
from pathlib import Path
from queue import Queue

import httpx
import pytest

from honours.errors import InputError
from honours.web.accounts.letters import MailServer
from honours.web.accounts.store import Accounts
from honours.web.settings import Settings
from tests.web.server import serving

PASSWORD = "correct horse battery"


@pytest.fixture
def mail_server() -> Iterator[tuple[str, Queue[bytes]]]:
    """The address of a server that takes every letter, and the letters."""
    letters: Queue[bytes] = Queue()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                talking, _ = listening.accept()
            except OSError:
                return
            with talking, talking.makefile("rwb", buffering=0) as lines:
                lines.write(b"220 ready\r\n")
                for line in iter(lines.readline, b""):
                    word = line[:4].upper().strip()
                    if word == b"DATA":
                        lines.write(b"354 go on\r\n")
                        letters.put(b"".join(iter(lines.readline, b".\r\n")))
                    lines.write(b"221 bye\r\n" if word == b"QUIT" else b"250 ok\r\n")
                    if word == b"QUIT":
                        break

    threading.Thread(target=serve, daemon=True).start()
    yield f"smtp://127.0.0.1:{listening.getsockname()[1]}?from=club@example.org", letters
    listening.close()


def test_a_forgotten_password_is_set_anew_by_a_letter(
    tmp_path: Path, mail_server: tuple[str, Queue[bytes]]
) -> None:
    where, letters = mail_server
    settings = Settings(data=tmp_path, accounts=True, mail=where)
    accounts = Accounts(settings.accounts_at)
    accounts.set("Ann", "scorer", PASSWORD)
    accounts.set("Bob", "scorer", PASSWORD)
    accounts.close()
    with serving(settings) as address, httpx.Client(base_url=address, timeout=60) as client:
        client.post("/sign-in", data={"name": "Ann", "password": PASSWORD})
        wrong = {"password": PASSWORD, "mail": "nowhere"}
        assert client.post("/account/mail", data=wrong).status_code == 422
        client.post("/account/mail", data={**wrong, "mail": "ann@example.org"})
        client.post("/sign-out")
        asked = [client.post("/forgotten", data={"name": one}) for one in ("ann", "Bob", "nobody")]
        assert [one.status_code for one in asked] == [200] * 3
        assert len({re.sub(r"\w{20,}", "", one.text) for one in asked}) == 1
        letter = message_from_bytes(letters.get(timeout=60), policy=policy.default)
        assert (letter["To"], letter["From"]) == ("ann@example.org", "club@example.org")
        body = letter.get_body()
        assert body is not None
        link = re.findall(r"/new-password/\S+", body.get_content())[0]
        new = "another long password"
        client.post(link, data={"new_password": new, "password_again": new})
        signed = client.post("/sign-in", data={"name": "Ann", "password": new})
        assert signed.status_code == 303
        assert client.get(link).status_code == 404
    assert letters.empty()


def test_what_is_no_mail_server_is_said_before_anything_is_served() -> None:
    for wrong in ("mail.example.org", "smtp://host?from=nobody", "http://a@b.org@host"):
        with pytest.raises(InputError, match="HONOURS_MAIL"):
            MailServer.at(wrong)
