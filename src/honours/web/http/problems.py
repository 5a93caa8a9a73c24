"""Errors on their way to a person (a page) or a program (problem+json, RFC 9457)."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode, urlsplit

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message as Sent
from starlette.types import Scope

from honours.errors import (
    Asked,
    FileProblem,
    FileProblems,
    HonoursError,
    InputError,
    LedgerError,
    MissingInput,
    UnknownName,
    WrongValue,
)
from honours.model.message import Message, mark, word
from honours.model.rights import Action
from honours.pipeline.inquiry import OpenQuestion
from honours.processes.pool import Busy
from honours.reports.provenance import questions_data
from honours.rings import NotInstalled

MEDIA_TYPE = "application/problem+json"
_log = logging.getLogger(__name__)


def own_path(text: str) -> str:
    """An address of this server that somebody was going to; nothing if it may lead elsewhere."""
    own = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text[:2000] if own else ""


class PageError(HonoursError):
    """An error of the pages' own."""


class NotThere(PageError):
    """The address names something that does not exist."""


class NotBegun(NotThere):
    """The address is of something that was not begun yet: the page ``at`` is where one does."""

    def __init__(self, text: str, at: str) -> None:
        self.at = at
        super().__init__(text)


class Forbidden(PageError):
    """Somebody who is signed in may not do this: the right they lack, and where."""

    def __init__(self, action: Action, club: str | None = None) -> None:
        if club is None:
            super().__init__(mark("This takes the right to {action}."), action=action.about)
            return
        where = club[:100] or Message("every club")
        text = mark("This takes the right to {action} at {club}.")
        super().__init__(text, action=action.about, club=where)


class InTheWay(PageError):
    """The request contradicts what is already there; ``faults`` say how, field by field."""

    def __init__(self, text: str, faults: tuple[Fault, ...] = (), **values: object) -> None:
        self.faults = faults
        super().__init__(text, **values)


class OutOfReach(PageError):
    """The accounts cannot be read or written just now, so nothing is begun."""

    def __init__(self, error: Exception | None = None) -> None:
        words = str(error).lower()
        if "disk is full" in words or "no space left" in words:
            super().__init__(
                Message("The disk is full; nothing was done. Make room on the server.")
            )
        else:
            super().__init__(
                Message("The accounts cannot be reached; nothing was done. Try again soon.")
            )


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: where (a field, a line) and what; ``beside`` is how it reads where
    the field of the form itself is, whose name then is ``asked``."""

    field: str
    message: str
    asked: str = ""
    beside: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as RFC 9457 has it; ``errors`` name the offending fields or lines, ``questions``
    say what must be answered first."""

    status: int
    detail: str
    errors: tuple[Fault, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    kind: str = "urn:honours:failure"

    @property
    def title(self) -> str:
        return HTTPStatus(self.status).phrase

    def data(self) -> dict[str, Any]:
        errors = [{"field": fault.field, "message": fault.message} for fault in self.errors]
        data: dict[str, Any] = {
            "type": self.kind,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
        }
        asked = {"questions": questions_data(self.questions)} if self.questions else {}
        return data | ({"errors": errors} if errors else {}) | asked


_KNOWN: dict[type[Exception], tuple[str, int]] = {
    Asked: ("asked", 409),
    MissingInput: ("missing-input", 422),
    UnknownName: ("unknown-name", 422),
    WrongValue: ("wrong-value", 422),
    FileProblem: ("file-problem", 422),
    InputError: ("wrong-input", 422),
    RequestValidationError: ("unlike-the-description", 422),
    NotThere: ("not-there", 404),
    Forbidden: ("forbidden", 403),
    InTheWay: ("in-the-way", 409),
    OutOfReach: ("out-of-reach", 503),
    LedgerError: ("ledger-out-of-reach", 503),
    Busy: ("busy", 503),
    NotInstalled: ("not-installed", 501),
    HTTPException: ("http", 500),
    Exception: ("failure", 500),
}
KINDS = [f"urn:honours:{name}" for name, _ in _KNOWN.values()]
"""What problems are called, for programs that tell them apart."""


def problem_of(error: Exception) -> Problem:
    """An error as a problem, for whoever asked."""
    name, status = next(_KNOWN[one] for one in type(error).__mro__ if one in _KNOWN)
    kind = f"urn:honours:{name}"
    if name == "failure":
        reference = secrets.token_hex(4)
        _log.error("failure %s", reference, exc_info=error)
        template = mark("Something went wrong on our side; in the log it is {reference}.")
        return Problem(status, Message(template, reference=reference), kind=kind)
    if isinstance(error, HTTPException):
        return Problem(error.status_code, word(error.detail), kind=kind)
    if isinstance(error, RequestValidationError):
        faults = [
            Fault(field := _path(one["loc"]), str(one["msg"]), field, unlike(one))
            for one in error.errors()
        ]
        detail = Message("The request is not valid.")
        return Problem(status, detail, tuple(faults), kind=kind)
    assert isinstance(error, HonoursError)
    if isinstance(error, Asked):
        return Problem(status, error.brief, _questioned(error), error.questions, kind)
    return Problem(status, error.message, faults_of(error), kind=kind)


def _path(location: tuple[int | str, ...]) -> str:
    """The field, without where it was sent and without the branch of a type that was tried."""
    passed = ("body", "query", "path", "header", "constrained-str", "constrained-int")
    return ".".join(str(part) for part in location if part not in passed)


def unlike(error: Mapping[str, Any]) -> Message:
    """Return what pydantic found wrong with a value, in words of ours."""
    limits = error.get("ctx", {})
    match error["type"]:
        case "missing" | "string_too_short" | "too_short":
            return Message("This is needed.")
        case "greater_than_equal":
            return Message("must be at least {least}", least=limits["ge"])
        case "less_than_equal":
            return Message("must be at most {most}", most=limits["le"])
        case "string_too_long" | "too_long":
            return Message("longer than {most} characters", most=limits["max_length"])
        case "int_parsing" | "int_type" | "float_parsing" | "float_type":
            return Message("not a number")
        case "literal_error" | "enum":
            known = str(limits["expected"]).replace(" or ", ", ")
            return Message("not one of {known}", known=known)
        case "string_pattern_mismatch":
            return Message("{text!r} is not written correctly", text=str(error["input"])[:60])
    return word(str(error["msg"]))


_KEYS = frozenset({"fact", "option", "entrant", "board"})
"""What is named by a key of a request, and not the value of one."""


def faults_of(error: HonoursError) -> tuple[Fault, ...]:
    """Return where an input is wrong: a line, a missing or unknown name, what is in the way."""
    if isinstance(error, InTheWay):
        return error.faults
    if isinstance(error, FileProblems):
        return tuple(_line(problem) for problem in error.problems)
    if isinstance(error, FileProblem):
        return (_line(error),)
    if isinstance(error, MissingInput):
        return (_missing(error),)
    if isinstance(error, UnknownName):
        beside = _no_such(error) if error.what.isidentifier() else ""
        field = error.name if error.what in _KEYS else error.what
        return (Fault(field if beside else error.name, error.message, error.what, beside),)
    if isinstance(error, WrongValue):
        return (Fault(error.name, error.message, error.name, _wrong(error)),)
    return ()


def _questioned(error: Asked[OpenQuestion]) -> tuple[Fault, ...]:
    """Return the questions as faults of the fields that would answer them in a form."""
    return tuple(
        Fault(question.facts[0], question.text, question.facts[0], question.asked)
        for question in error.questions
        if question.of == "event"
    )


def _missing(error: MissingInput) -> Fault:
    """One of two that are missing is asked for at the first."""
    if error.example:
        beside = Message("This is needed, e.g. {example}.", example=error.example)
    else:
        beside = Message("This is needed.")
    return Fault(error.name, error.message, error.names[0], beside)


def _wrong(error: WrongValue) -> str:
    """Return what is wrong beside a field: what was given, without the name of the field."""
    if error.given == "":
        return error.wrong
    return Message("{given}: {wrong}", given=error.given, wrong=error.wrong)


def _no_such(error: UnknownName) -> Message:
    known = tuple(error.known)
    return Message("{name!r} is not one of them: {known}", name=error.name, known=known)


def _line(problem: FileProblem) -> Fault:
    line = Message("line {line}", line=problem.line) if problem.line else ""
    return Fault(line, problem.what)


def respond(scope: Scope, error: Exception, problem: Problem | None = None) -> Response:
    """The answer to a request that failed: data under /api, a page everywhere else."""
    problem = problem or problem_of(error)
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    in_api = scope["path"].startswith("/api/")
    if problem.status == HTTPStatus.UNAUTHORIZED and not in_api:
        asked = Request(scope).url
        going = asked.path + (f"?{asked.query}" if asked.query else "")
        to = f"?{urlencode({'to': going})}" if scope["method"] == "GET" and going != "/" else ""
        return RedirectResponse(f"/sign-in{to}", HTTPStatus.SEE_OTHER)
    if isinstance(error, NotBegun) and not in_api and scope["method"] == "GET":
        return RedirectResponse(error.at, HTTPStatus.SEE_OTHER)
    if in_api:
        return JSONResponse(problem.data(), problem.status, headers, MEDIA_TYPE)
    from honours.web.templating import render

    page = render(Request(scope), "error.html", code=problem.status, problem=problem)
    page.headers.update(headers)
    return page


def install(app: FastAPI) -> None:
    """Answer every error of the application in this way."""

    async def handle(request: Request, error: Exception) -> Response:
        problem = problem_of(error)
        if not request.url.path.startswith("/api/") and (
            page := await page_again(request, problem)
        ):
            return page
        answer = respond(request.scope, error, problem)
        if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            answer.headers["allow"] = ", ".join(_methods(app, request.url.path))
        return answer

    for kind in (HTTPException, RequestValidationError, HonoursError, Exception):
        app.add_exception_handler(kind, handle)


def _methods(app: FastAPI, path: str) -> list[str]:
    """Every method an address answers to; a router by itself names only one route's."""
    methods: set[str] = set()
    for operations in (m for p, m in app.openapi()["paths"].items() if _matches(p, path)):
        methods |= {method.upper() for method in operations}
    return sorted(methods) or ["GET"]


def _matches(template: str, path: str) -> bool:
    parts, given = template.split("/"), path.split("/")
    same = (t == g or t.startswith("{") for t, g in zip(parts, given, strict=False))
    return len(parts) == len(given) and all(same)


# --- a form that cannot be taken as it is: its page once more, with what is wrong and was typed ---
#
# The page is the one the form was sent from, asked for anew inside the application, so that whoever
# may not see it is refused there too.

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
