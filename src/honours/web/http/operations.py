"""Operations, each declared once: a route for programs, and the form of a page that does the same.

::

    operations = Operations("accounts")

    @operations("PUT /accounts/{name}", ADMINISTER, asked_within, mark("changed account {name}"),
                form="/accounts", then="/accounts")
    def give_role(office: Office, name: Name, asked: RoleRequest) -> AccountAnswer: ...

A form sends the fields of the request and whatever of the address its own does not name; who may,
what the audit log says and what is wrong with a field are the same on both.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from fastapi import Depends
from pydantic import BaseModel, TypeAdapter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from honours.model.message import Message, fields
from honours.model.rights import Action
from honours.web.http.access import Find, anywhere, guarded_router, may, note
from honours.web.http.forms import form_texts, sent_as, unlike_description

F = TypeVar("F", bound=Callable[..., Any])
Then = str | Callable[[Request, Any], Response]
"""Where a form goes on: an address, with values of the answer and of the request in it, or the page
that shows the answer."""


class Operations:
    """The operations of a room: ``api`` and ``pages`` are their routers."""

    def __init__(self, tag: str, prefix: str = "") -> None:
        self.api, self.pages = guarded_router(prefix=prefix, tags=[tag]), guarded_router()

    def __call__(
        self,
        address: str,
        action: Action,
        find: Find = anywhere,
        did: str = "",
        *,
        form: str = "",
        then: Then = "",
        **route: Any,
    ) -> Callable[[F], F]:
        """Declare an operation: its method and address for programs, and where a form of it is sent
        and goes on."""
        method, _, path = address.partition(" ")

        def declared(function: F) -> F:
            allowed = may(action, find, did)
            self.api.api_route(path, methods=[method], **route)(allowed(function))
            if form:
                page = _form_of(function, form, then, did)
                self.pages.post(form, name=f"{function.__name__}_by_form")(allowed(page))
            return function

        return declared


def _form_of(function: Callable[..., Any], path: str, then: Then, did: str) -> Callable[..., Any]:
    """The function as a form asks for it."""
    hints = get_type_hints(function, include_extras=True)
    declared = signature(function).parameters
    sent = {
        name: _reader(name, hint, declared[name].default)
        for name, hint in hints.items()
        if name != "return" and _is_sent(name, hint, path)
    }

    def page(request: Request, **given: Any) -> Response:
        values = {**request.path_params, **{name: given[name] for name in sent}}
        for value in [one for one in values.values() if isinstance(one, BaseModel)]:
            values |= value.model_dump()
        if did:
            note(request, Message(did, **{name: str(values[name]) for name in fields(did)}))
        answer = function(**({"request": request} if "request" in hints else {}), **given)
        if isinstance(answer, Response):
            return answer
        if not isinstance(then, str):
            return then(request, answer)
        told = answer.model_dump() if isinstance(answer, BaseModel) else {}
        return RedirectResponse(then.format(**{**values, **told}), 303)

    parameters = [Parameter("request", Parameter.KEYWORD_ONLY, annotation=Request)]
    parameters += [
        one.replace(
            annotation=sent.get(one.name, hints[one.name]),
            default=Parameter.empty if one.name in sent else one.default,
            kind=Parameter.KEYWORD_ONLY,
        )
        for one in declared.values()
        if hints[one.name] is not Request and not _is_optional(hints[one.name])
    ]
    page.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    page.__name__, page.__doc__ = function.__name__, function.__doc__
    return page


def _is_sent(name: str, hint: Any, path: str) -> bool:
    """Return whether a form sends it: a request's model, or a value its address does not name."""
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if isinstance(plain, type) and issubclass(plain, BaseModel):
        return True
    return plain in (str, int, bool) and f"{{{name}}}" not in path and not _is_handed(hint)


def _is_optional(hint: Any) -> bool:
    """Return whether it is a request only a program makes: a form leaves it to its default."""
    return get_origin(hint) is not Annotated and any(
        isinstance(one, type) and issubclass(one, BaseModel) for one in get_args(hint)
    )


def _is_handed(hint: Any) -> bool:
    """Return whether it comes from elsewhere: a dependency, a header."""
    return any(type(one).__name__ in ("Depends", "Header") for one in get_args(hint)[1:])


def _reader(name: str, hint: Any, default: Any) -> Any:
    """Reads a value, or a request's model, from the fields of a form."""
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if isinstance(plain, type) and issubclass(plain, BaseModel):
        return Annotated[plain, sent_as(plain)]

    async def read(request: Request) -> Any:
        text = ((await form_texts(request)).get(name) or [""])[-1]
        if not text and default is not Parameter.empty:
            return default
        with unlike_description(name):
            return TypeAdapter(hint).validate_python(text, strict=False)

    return Annotated[Any, Depends(read)]
