"""Results as an e-mail: a message that a mail program opens, ready to be addressed and sent."""

from __future__ import annotations

from email.message import EmailMessage
from email.policy import SMTP
from functools import partial

from starlette.requests import Request

from honours.language import words
from honours.model.message import Message
from honours.web.events.documents import letter_parts
from honours.web.events.service import EventService, OpenEvent
from honours.web.published import service


def letter(request: Request, opened: OpenEvent, address: str) -> bytes:
    """The standings as text and as a PDF, with the public address if there is one; without those
    who opted out, because whom it reaches nobody knows."""
    events: EventService = request.app.state.events
    choices, awarding = service.as_published(events, opened)
    shown = service.shown_to(request, opened.kept.club)
    work = partial(letter_parts, opened.account, choices.values, awarding, shown)
    key = (*service.state("letter", opened, shown), choices)
    parts = events.worked(key, opened.kept.name, work)
    title, text, pdf = parts
    message = EmailMessage(policy=SMTP)
    message["Subject"] = words(Message("Results: {title}", title=title), shown.language).replace(
        "\n", " "
    )
    message["X-Unsent"] = "1"  # opened as a draft
    link = f"\n\n{address}" if address else ""
    message.set_content(f"{title}\n\n{text}{link}\n")
    message.add_attachment(pdf, maintype="application", subtype="pdf", filename="results.pdf")
    return message.as_bytes()
