"""What the body of a rule may be: ``if`` and ``return`` over its arguments and known functions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import TypeVar

from honours.engine.exact import formula
from honours.engine.rulebook.source_lines import at_line, short_path
from honours.engine.rulebook.vocabulary import BUILTINS, FUNCTIONS
from honours.engine.rules import Rule
from honours.errors import HonoursError, UnknownName
from honours.model.message import Message

_STATEMENTS = (ast.If, ast.Return)
_EXPRESSIONS: dict[type[ast.AST], str] = {
    ast.ListComp: Message("a comprehension"),
    ast.SetComp: Message("a comprehension"),
    ast.DictComp: Message("a comprehension"),
    ast.GeneratorExp: Message("a comprehension"),
    ast.Lambda: Message("a lambda"),
    ast.NamedExpr: Message("a name given a value"),
    ast.JoinedStr: Message("a formatted text"),
    ast.Await: Message("an await"),
    ast.Yield: Message("a yield"),
    ast.Pow: "**",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_NAMES = {
    "Assign": Message("a name given a value"),
    "AugAssign": Message("a name given a value"),
    "AnnAssign": Message("a name given a value"),
    "For": Message("a loop"),
    "While": Message("a loop"),
    "Expr": Message("an expression nothing is done with"),
}
_INSTEAD = {
    "a comprehension": Message(
        "sums over players, entrants and games are arguments, e.g. sum_of_x"
    ),
    "a loop": Message("sums over players, entrants and games are arguments, e.g. sum_of_x"),
    "a name given a value": Message("give the value a rule of its own"),
    "**": Message("powers are power(x, exponent)"),
    "//": Message("a rule declares its rounding"),
    "%": Message("a rule declares its rounding"),
    "in": Message("compare with == and or"),
    "not in": Message("compare with != and and"),
    "is": Message("compare with =="),
    "is not": Message("compare with !="),
}


def unreadable(rule: Rule) -> Iterator[str]:
    """What in a rule's body cannot be run or told, each with its file, line and a way out."""
    try:
        statements = formula.body(rule.function)
    except (HonoursError, OSError, TypeError, SyntaxError):
        return  # no plain function: where it is run says so

    def at(node: ast.AST) -> Message:
        name = rule.function.__name__
        return Message("{place}: rule {rule}", place=node_line(rule, node), rule=name)

    for statement in _statements(statements):
        if not isinstance(statement, _STATEMENTS):
            kind = type(statement).__name__
            what = _NAMES.get(kind) or Message("a statement {kind}", kind=kind)
            fault = Message(
                "{rule} has {what}, and may have only if and return", rule=at(statement), what=what
            )
            yield _instead(fault, what)
    for node in (n for statement in statements for n in ast.walk(statement)):
        if isinstance(node, ast.operator | ast.cmpop):
            continue  # it has no line: what it stands in has one
        odd = _odd(node)
        if odd:
            fault = Message("{rule} has {what}, which a rule may not have", rule=at(node), what=odd)
            yield _instead(fault, odd)
        elif isinstance(node, ast.Attribute) and node.attr != "get":
            yield Message(
                "{rule} has .{name}, which a rule may not have", rule=at(node), name=node.attr
            )
        elif isinstance(node, ast.Name) and not _known(rule, node.id, statements):
            yield _unknown(at(node), rule, node.id)
    yield from (_uncompiled(at(call), call) for call in _uncompilable(rule, statements))


def _odd(node: ast.AST) -> str | None:
    """What a rule may not have, if this is such."""
    if isinstance(node, ast.Compare):
        return next((_EXPRESSIONS[type(op)] for op in node.ops if type(op) in _EXPRESSIONS), None)
    return _EXPRESSIONS.get(type(node.op if isinstance(node, ast.BinOp) else node))


def _uncompilable(rule: Rule, statements: tuple[ast.stmt, ...]) -> Iterator[ast.Call]:
    """Calls of functions that only the exact way can run, such as the author's own."""
    if rule.tabulated:
        return
    for node in (n for statement in statements for n in ast.walk(statement)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name not in _callable() and _known(rule, name, statements):
                yield node


def _uncompiled(named: Message, call: ast.Call) -> Message:
    return Message(
        "{rule} calls {name}, which only a rule that is tabulated=True may; others call "
        "{functions}",
        rule=named,
        name=ast.unparse(call.func),
        functions=tuple(_callable()),
    )


_Node = TypeVar("_Node", bound=ast.AST)


def nodes_of(rule: Rule, kind: type[_Node]) -> Iterator[_Node]:
    """Everything of a kind in a rule's body; nothing of a body that cannot be read."""
    try:
        statements = formula.body(rule.function)
    except (HonoursError, OSError, TypeError, SyntaxError):
        return
    nodes = (node for statement in statements for node in ast.walk(statement))
    yield from (node for node in nodes if isinstance(node, kind))


def node_line(rule: Rule, node: ast.AST) -> str:
    """The file and line of something in a rule's body."""
    code = getattr(rule.function, "__wrapped__", rule.function).__code__
    line = code.co_firstlineno + getattr(node, "lineno", 1) - 1
    return at_line(short_path(code.co_filename), line)


def unknown_name(rule: Rule, name: str) -> str:
    """Says that a body uses a name that is not one of its arguments, and which argument is
    nearest."""
    return _unknown(Message("rule {rule}", rule=rule.function.__name__), rule, name)


def _unknown(named: Message, rule: Rule, name: str) -> Message:
    unknown = UnknownName("name", name, _names(rule))
    return Message("{rule} speaks of {unknown}", rule=named, unknown=unknown)


def _instead(fault: Message, what: str) -> Message:
    if what not in _INSTEAD:
        return fault
    return Message("{fault}: {instead}", fault=fault, instead=_INSTEAD[what])


def _statements(statements: tuple[ast.stmt, ...] | list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        yield statement
        if isinstance(statement, ast.If):
            yield from _statements([*statement.body, *statement.orelse])


def _names(rule: Rule) -> list[str]:
    return [*rule.arguments, *_callable()]


def _callable() -> list[str]:
    return [*(f.__name__ for f in FUNCTIONS), *BUILTINS]


def _known(rule: Rule, name: str, statements: tuple[ast.stmt, ...]) -> bool:
    """Whether a name is an argument or something of the file or of Python; what a comprehension or
    an assignment names is that statement's fault."""
    if name in rule.arguments or name in BUILTINS:
        return True
    if name in rule.function.__globals__ or hasattr(builtins, name):
        return not _foreign(rule.function.__globals__.get(name, getattr(builtins, name, None)))
    nodes = (n for statement in statements for n in ast.walk(statement))
    return any(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes
    )


def _foreign(thing: object) -> bool:
    """Whether it is a function or class that is neither the author's own nor one for rules: a
    function of Python, or of another library, gives floats or rounds by itself."""
    home = str(getattr(thing, "__module__", "") or "")
    return callable(thing) and not home.startswith(("honours", "__main__"))
