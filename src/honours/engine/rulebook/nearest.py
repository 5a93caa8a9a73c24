"""The nearest right word to one that is not known."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from honours.engine import rules
from honours.errors import UnknownName
from honours.model.message import Message, mark


def with_nearest(fault: str, name: str, known: Iterable[str]) -> str:
    """What is wrong with a name, and the nearest right word as a question where one is near."""
    close = UnknownName("name", name, sorted(known)).nearest
    if not close:
        return fault
    return Message("{fault}; did you mean {nearest!r}?", fault=fault, nearest=close)


_FOR_AUTHORS = ("honours.engine.rules", "honours.engine.numbers", "honours.engine.rulebook")
"""The modules whose names an author may use."""


_WITHOUT = re.compile(r"(\w+)\(\) missing \d required positional arguments?: (.*)")


def _importable() -> dict[str, str]:
    """What an author may import, and from where."""
    types = dict.fromkeys(("Rows", "Table"), _FOR_AUTHORS[2])
    return types | {
        name: module
        for module in reversed(_FOR_AUTHORS[:2])
        for name, value in vars(sys.modules[module]).items()
        if getattr(value, "__module__", "") == module and name[0] != "_"
    }


def misspelt(error: BaseException, text: str) -> str:
    """A name that a file, or a module of ours, does not have, with the nearest that it has."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return UnknownName("module", error.name, _FOR_AUTHORS).message
    if isinstance(error, TypeError) and (needed := _WITHOUT.match(str(error))):
        missing = mark('@{decorator} needs {what}, e.g. @{decorator}("§1")')
        return Message(missing, decorator=needed[1], what=needed[2])
    if isinstance(error, NameError) and error.name in _importable():
        module = _importable()[error.name]
        template = mark("{name} is not imported: from {module} import {name}")
        return Message(template, name=error.name, module=module)
    if isinstance(error, NameError) and error.name:
        written = sorted({*re.findall(r"\b[A-Za-z]\w*", text)} - {error.name})
        return with_nearest(str(error), error.name, [*written, *vars(rules)])
    match = re.match(r"cannot import name '(\w+)' from '(honours[\w.]*)'", str(error))
    if match is None or not isinstance(error, ImportError):
        return ""
    right = next((m for m in _FOR_AUTHORS if match[1] in vars(sys.modules[m])), "")
    if right:
        template = mark("{name} is in another module: from {module} import {name}")
        return Message(template, name=match[1], module=right)
    own = vars(sys.modules[match[2]]).items()
    known = [n for n, v in own if getattr(v, "__module__", "") == match[2] and n[0] != "_"]
    return str(UnknownName(Message("name of {module}", module=match[2]), match[1], known))
