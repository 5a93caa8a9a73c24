"""The addresses that this edition does not have: they answer how it is to be had."""

from __future__ import annotations

from starlette.responses import Response

from honours.model.rights import OPEN
from honours.rings import TAB, NotInstalled
from honours.web import LAB
from honours.web.http.access import guarded_router, may

router = guarded_router()


@may(OPEN)
def lab(_rest: str = "") -> Response:
    raise NotInstalled("lab")


@may(OPEN)
def app(_rest: str = "") -> Response:
    raise NotInstalled("app")


_ABSENT = {
    **({} if LAB else {"/lab": lab}),
    **(dict.fromkeys(("/evenings", "/accounts", "/account", "/developers"), app) if TAB else {}),
}
for _path, _answer in _ABSENT.items():
    router.add_api_route(_path, _answer)
    router.add_api_route(_path + "/{_rest:path}", _answer)
