"""The operations of the ledger as routes of the API and forms of pages."""

from __future__ import annotations

from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, Field, create_model
from starlette.requests import Request

from honours.ledger.operations import Acting, Operation, Recorded, perform
from honours.ledger.release import Draft
from honours.ledger.requests import KeyAlreadyUsed
from honours.model.about import About
from honours.model.member import Member
from honours.model.rights import Action
from honours.web.http.access import Find, own_key, who_of
from honours.web.http.api import Id, Key, StrictRequest
from honours.web.http.operations import Operations
from honours.web.http.problems import InTheWay
from honours.web.ledger.api_models import By, DraftAnswer, Number, RecordedAnswer
from honours.web.ledger.service import ledger_service, one_member

_ANSWERS: dict[Any, type[BaseModel]] = {Recorded: RecordedAnswer, Draft: DraftAnswer}


def acting(request: Request, by: str) -> Acting:
    """Return who does something to the ledger of this application, with the ledger."""
    service = ledger_service(request)
    return Acting(service.ledger, who_of(request, by), folders=service.settings.rulebooks)


def add_operation(
    operations: Operations,
    operation: Operation,
    address: str,
    action: Action,
    find: Find,
    did: str,
    **more: Any,
) -> None:
    """Make the route and the form of an operation: what the address does not name, as ``draft_id``,
    is in the request."""
    hints = get_type_hints(operation, include_extras=True)
    people = [name for name, kind in hints.items() if kind is Member]
    asked: dict[str, Any] = {
        name: _field(hints[name], one.default)
        for name, one in signature(operation).parameters.items()
        if name != "at" and f"{{{name}_id}}" not in address
    }
    title = operation.__name__.title().replace("_", "")
    model: Any = create_model(
        f"{title}Request", __base__=StrictRequest, __doc__=operation.__doc__, by=(By, ""), **asked
    )
    answer = _ANSWERS[hints["return"]]

    def endpoint(request: Request, asked: Any, idempotency_key: str = "", **named: int) -> Any:
        find(request)  # which may be nobody's and not there
        at = acting(request, asked.by)
        values = asked.model_dump(exclude={"by"})
        values |= {name.removesuffix("_id"): number for name, number in named.items()}
        with at.ledger.reading() as connection:
            values |= {name: one_member(connection, values[name]) for name in people}
        try:
            done = perform(operation, at, own_key(request, idempotency_key), **values)
        except KeyAlreadyUsed as error:
            raise InTheWay(error.message) from error
        return answer(**done.data)

    named = [f"{name}_id" for name in hints if f"{{{name}_id}}" in address]
    types = {"request": Request, **dict.fromkeys(named, Id), "asked": model}
    types |= {"idempotency_key": Key, "return": answer}
    endpoint.__annotations__, endpoint.__name__ = types, operation.__name__
    endpoint.__doc__ = operation.__doc__
    endpoint.__signature__ = Signature(  # type: ignore[attr-defined]
        [
            Parameter(
                name,
                Parameter.KEYWORD_ONLY,
                annotation=kind,
                default="" if kind is Key else Parameter.empty,
            )
            for name, kind in types.items()
            if name != "return"
        ],
        return_annotation=answer,
    )
    operations(address, action, find, did, **more)(endpoint)


def _field(hint: Any, default: Any) -> tuple[Any, Any]:
    """Return what an operation asks as a field of its request."""
    if hint is Member:
        return Number, ...
    about = next((one.text for one in get_args(hint)[1:] if isinstance(one, About)), "")
    plain = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if default is Parameter.empty:
        return plain, Field(min_length=1, max_length=500, description=about)
    return plain, Field(default, max_length=500, description=about)
