"""A form that cannot be taken as it is: its page once more, with what is wrong and what was typed.

The page is the one the form was sent from, asked for anew inside the application, so that whoever
may not see it is refused there too.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.types import Message as Sent
    from starlette.types import Scope

    from honours.web.http.problems import Problem

AGAIN = "again"
"""Where a request keeps what was sent and could not be taken."""
_MENDABLE = frozenset({HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY})
_NOT_OF_A_PAGE = (
    *(b"content-length", b"content-type", b"transfer-encoding", b"referer"),
    b"accept-encoding",  # the answer to the form is compressed, and once is enough
)
_SECRET = "password"
_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class FormAgain:
    """A form to be mended: the address it was sent to, every field as typed, and what is wrong."""

    problem: Problem
    action: str
    typed: tuple[tuple[str, str], ...]

    @property
    def data(self) -> dict[str, Any]:
        """The values that the page's script fills the form in with."""
        return {"action": self.action, "typed": self.typed}


async def page_again(request: Request, problem: Problem) -> Response | None:
    """The page a form was sent from; ``None`` where there was none or nothing can be mended."""
    where = _sent_from(request)
    if where is None or problem.status not in _MENDABLE:
        return None
    sent_to = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    again = FormAgain(problem, sent_to, await _typed(request))
    status, body = await _asked_for(request, where, again)
    if status != HTTPStatus.OK:
        return None
    return Response(body, problem.status, media_type="text/html; charset=utf-8")


def _sent_from(request: Request) -> tuple[str, str] | None:
    """The path and query of the page that a form of ours was on."""
    headers = request.headers
    is_form = headers.get("content-type", "").startswith(
        ("application/x-www-form-urlencoded", "multipart/form-data")
    )
    if request.method != "POST" or not is_form or "hx-request" in headers:
        return None
    try:
        page = urlsplit(headers.get("referer", ""))
    except ValueError:
        return None
    same = page.netloc == headers.get("host", "") and page.path.startswith("/")
    return (page.path, page.query) if same and page.path.isprintable() else None


async def _typed(request: Request) -> tuple[tuple[str, str], ...]:
    """Every field but passwords and files, which a page is never given back."""
    form = await request.form()
    fields = [(key, text) for key, text in form.multi_items() if isinstance(text, str)]
    typed = tuple((key, text) for key, text in fields if _SECRET not in key)
    return typed if sum(len(text) for _, text in typed) <= _LONGEST else ()


async def _asked_for(
    request: Request, where: tuple[str, str], again: FormAgain
) -> tuple[int, bytes]:
    path, query = where
    headers = [one for one in request.scope["headers"] if one[0].lower() not in _NOT_OF_A_PAGE]
    scope: Scope = {
        **request.scope,
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": headers,
        AGAIN: again,
    }
    answer: list[Sent] = []

    async def receive() -> Sent:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Sent) -> None:
        answer.append(message)

    await request.app(scope, receive, send)
    status = int(answer[0]["status"])
    is_page = Headers(raw=answer[0]["headers"]).get("content-type", "").startswith("text/html")
    body = b"".join(one.get("body", b"") for one in answer[1:])
    return (status if is_page else 0), body
