"""Commands made from the signatures of their functions.

::

    @as_command("prove")
    def prove(posting: int, file: str = NEW_FILE, remark: str = option("Why.", "TEXT")) -> None: ...

A parameter that says no more than its type is an argument, and so is one whose default is an
:func:`argument`; the default of an option is an :func:`option`, or its annotation says what it is
about, as that of an operation of the ledger does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from inspect import Parameter, signature
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import click

from honours.model.about import About

Function = Callable[..., Any]
_NOTHING: dict[Any, Any] = {str: "", bool: False, tuple: ()}
"""What somebody said who said nothing, by the type of a parameter."""


@dataclass(frozen=True, slots=True)
class Declared:
    """The words of a parameter beside its type, as click takes them."""

    made: type[click.Parameter]
    names: tuple[str, ...]
    settings: dict[str, Any]


def option(help: str = "", metavar: str | None = None, *names: str, **more: Any) -> Any:
    """An option, called as its parameter unless it has other ``names``."""
    return Declared(click.Option, names, {"help": help, "metavar": metavar, **more})


def argument(metavar: str | None = None, **more: Any) -> Any:
    """An argument, shown as ``metavar``."""
    return Declared(click.Argument, (), {"metavar": metavar, **more})


GIVEN = argument("[KEY=VALUE]...")
JSON = option("One JSON object.", None, "--json")


def as_command(
    name: str = "", group: click.Group | None = None
) -> Callable[[Function], click.Command]:
    """The command of a function, in a group or by itself; what its decorators ask for comes behind
    its own parameters."""

    def made(function: Function) -> click.Command:
        command = click.command(name or None)(function)
        asked = {one.name for one in command.params}
        own = [one for one in parameters(function) if one.name not in asked]
        command.params = [*own, *command.params]
        if group is not None:
            group.add_command(command)
        return command

    return made


def parameters(function: Function) -> Iterator[click.Parameter]:
    """Yield what a function asks of a shell; what is of another type than a shell gives is handed
    to it otherwise."""
    hints = get_type_hints(function, include_extras=True)
    for name, one in signature(function).parameters.items():
        hint, said = hints.get(name), one.default
        if get_origin(hint) is Annotated:
            hint, about = get_args(hint)[:2]
            said = _declared(about, one.default)
        if one.kind is not Parameter.VAR_KEYWORD and (
            _is_plain(hint) or isinstance(said, Declared)
        ):
            yield _parameter(name, hint, said)


def _declared(about: About, default: Any) -> Declared:
    asked = {"required": True} if default is Parameter.empty else {"default": default}
    return Declared(click.Option, (), {"help": about.text, "metavar": about.metavar, **asked})


def _is_plain(hint: Any) -> bool:
    return hint in (str, int, float, bool) or NoneType in get_args(hint)


def _parameter(name: str, hint: Any, said: Any) -> click.Parameter:
    several, flag = get_origin(hint) is tuple, hint is bool
    kind = next((one for one in get_args(hint) if one is not NoneType), hint)
    declared: Declared = said if isinstance(said, Declared) else argument()
    settings: dict[str, Any] = {
        "type": None if flag else kind,
        "default": _NOTHING.get(get_origin(hint) or hint),
    }
    if declared.settings.get("required"):
        settings.pop("default")
    if declared.made is click.Argument:
        required = not several and NoneType not in get_args(hint) and said is not None
        settings = {"type": kind, "nargs": -1 if several else 1, "required": required}
        return click.Argument([name], **settings | declared.settings)
    names = declared.names or (f"--{name.strip('_').replace('_', '-')}",)
    settings |= {
        "is_flag": flag,
        "multiple": several,
        "show_default": "default" in declared.settings,
    }
    return click.Option([*names, name], **settings | declared.settings)
