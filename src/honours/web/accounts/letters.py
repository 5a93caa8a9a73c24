"""Letters by the mail server of an installation: ``smtp://user:password@host:587?from=club@…``."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parseaddr
from urllib.parse import parse_qs, unquote, urlsplit

from honours.errors import InputError

_PATIENCE = 20
_PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server that letters are handed to, and the name and sender they are handed in with."""

    host: str
    port: int
    sender: str
    name: str
    password: str
    encrypted: bool

    @classmethod
    def at(cls, address: str) -> MailServer:
        """The server of an address; without ``from`` the letters are from the user."""
        parts = urlsplit(address)
        name, password = unquote(parts.username or ""), unquote(parts.password or "")
        sender = parse_qs(parts.query).get("from", [name])[0]
        if parts.scheme not in _PORTS or not parts.hostname or not is_mail_address(sender):
            raise InputError(
                "HONOURS_MAIL is not the address of a mail server; expected"
                " smtp://user:password@host:587?from=club@example.org"
            )
        port = parts.port or _PORTS[parts.scheme]
        return cls(parts.hostname, port, sender, name, password, parts.scheme == "smtps")

    def send(self, to: str, subject: str, text: str) -> None:
        """Hand a letter in: encrypted wherever the server offers it, and always with a password."""
        import smtplib  # neither is in a browser's Python, where nobody sends letters
        import ssl

        letter = EmailMessage()
        letter["From"], letter["To"] = self.sender, to
        letter["Subject"] = " ".join(subject.split())
        letter.set_content(text)
        secure = ssl.create_default_context()
        if self.encrypted:
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                self.host, self.port, timeout=_PATIENCE, context=secure
            )
        else:
            server = smtplib.SMTP(self.host, self.port, timeout=_PATIENCE)
        with server:
            server.ehlo_or_helo_if_needed()
            if not self.encrypted and (self.name or server.has_extn("starttls")):
                server.starttls(context=secure)
            if self.name:
                server.login(self.name, self.password)
            server.send_message(letter)


def is_mail_address(text: str) -> bool:
    """Return whether a text may be somebody's mail address."""
    name, _, host = text.partition("@")
    return bool(name and host) and parseaddr(text)[1] == text and text.isascii()
