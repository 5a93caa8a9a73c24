"""What the lab's addresses answer where the lab is not installed: how it is to be had."""

from __future__ import annotations

from starlette.responses import Response

from honours.rings import NotInstalled
from honours.web.http.access import OPEN, guarded_router, may

router = guarded_router()


@router.get("/lab")
@router.get("/lab/{_rest:path}")
@may(OPEN)
def lab(_rest: str = "") -> Response:
    raise NotInstalled("lab")
