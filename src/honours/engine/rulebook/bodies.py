"""What the body of a rule may be: ``if`` and ``return`` over its arguments and known functions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from honours.engine.exact import formula
from honours.engine.rulebook.source_lines import short_path
from honours.engine.rulebook.vocabulary import BUILTINS, FUNCTIONS
from honours.engine.rules import Rule
from honours.errors import HonoursError, UnknownName

_STATEMENTS = (ast.If, ast.Return)
_EXPRESSIONS: dict[type[ast.AST], str] = {
    ast.ListComp: "a comprehension",
    ast.SetComp: "a comprehension",
    ast.DictComp: "a comprehension",
    ast.GeneratorExp: "a comprehension",
    ast.Lambda: "a lambda",
    ast.NamedExpr: "a name given a value",
    ast.JoinedStr: "a formatted text",
    ast.Await: "an await",
    ast.Yield: "a yield",
    ast.Pow: "**: powers are power(x, exponent)",
    ast.FloorDiv: "//: a rule declares its rounding",
    ast.Mod: "%: a rule declares its rounding",
}
_NAMES = {
    "Assign": "a name given a value",
    "AugAssign": "a name given a value",
    "AnnAssign": "a name given a value",
    "For": "a loop",
    "While": "a loop",
    "Expr": "an expression nothing is done with",
}
_INSTEAD = {
    "a comprehension": "sums over players, entrants and games are arguments, e.g. sum_of_x",
    "a loop": "sums over players, entrants and games are arguments, e.g. sum_of_x",
    "a name given a value": "give the value a rule of its own",
}


def unreadable(rule: Rule) -> Iterator[str]:
    """What in a rule's body cannot be run or told, each with its file, line and a way out."""
    try:
        statements = formula.body(rule.function)
    except (HonoursError, OSError, TypeError, SyntaxError):
        return  # no plain function: where it is run says so

    def at(node: ast.AST) -> str:
        return f"{node_line(rule, node)}: rule {rule.function.__name__}"

    for statement in _statements(statements):
        if not isinstance(statement, _STATEMENTS):
            kind = type(statement).__name__
            what = _NAMES.get(kind, f"a statement {kind}")
            yield f"{at(statement)} has {what}, and may have only if and return{_instead(what)}"
    for node in (n for statement in statements for n in ast.walk(statement)):
        if isinstance(node, ast.operator):
            continue  # it has no line: what it stands in has one
        what = _EXPRESSIONS.get(type(node.op if isinstance(node, ast.BinOp) else node), "")
        if what:
            yield f"{at(node)} has {what}, which a rule may not have{_instead(what)}"
        elif isinstance(node, ast.Name) and not _known(rule, node.id, statements):
            yield f"{at(node)} {_unknown(rule, node.id)}"


def node_line(rule: Rule, node: ast.AST) -> str:
    """The file and line of something in a rule's body."""
    code = getattr(rule.function, "__wrapped__", rule.function).__code__
    line = code.co_firstlineno + getattr(node, "lineno", 1) - 1
    return f"{short_path(code.co_filename)}, line {line}"


def unknown_name(rule: Rule, name: str) -> str:
    """That a body speaks of something that is none of its arguments, and the nearest that is."""
    return f"rule {rule.function.__name__} {_unknown(rule, name)}"


def _unknown(rule: Rule, name: str) -> str:
    return f"speaks of {UnknownName('name', name, _names(rule))}"


def _instead(what: str) -> str:
    return f": {_INSTEAD[what]}" if what in _INSTEAD else ""


def _statements(statements: tuple[ast.stmt, ...] | list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        yield statement
        if isinstance(statement, ast.If):
            yield from _statements([*statement.body, *statement.orelse])


def _names(rule: Rule) -> list[str]:
    return [*rule.arguments, *(f.__name__ for f in FUNCTIONS), *BUILTINS]


def _known(rule: Rule, name: str, statements: tuple[ast.stmt, ...]) -> bool:
    """Whether a name is an argument or something of the file or of Python; what a comprehension or
    an assignment names is that statement's fault."""
    if name in rule.arguments or name in rule.function.__globals__ or hasattr(builtins, name):
        return True
    nodes = (n for statement in statements for n in ast.walk(statement))
    return any(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in nodes
    )
