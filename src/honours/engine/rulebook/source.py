"""Where things stand in a rulebook's files, and the words, names and bodies of its rules."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from honours.engine import numbers, rules
from honours.engine.exact import formula
from honours.engine.rules import Rule
from honours.errors import HonoursError, UnknownName
from honours.model.message import Message, joined, mark

# --- where something stands in the files of a rulebook ------------------------------------------


def where(rule: Rule, error: BaseException | None = None) -> str:
    """The file and line of a rule, or the line of its body at which ``error`` was raised."""
    return function_line(rule.function, error)


def function_line(function: Callable[..., Any], error: BaseException | None = None) -> str:
    """The same of any function: ``village_cup/rules.py, line 12``."""
    code = getattr(function, "__wrapped__", function).__code__
    line = code.co_firstlineno
    for frame in traceback.extract_tb(error.__traceback__) if error else ():
        if frame.filename == code.co_filename:
            line = frame.lineno or line
    return at_line(short_path(code.co_filename), line)


def at_line(file: str, line: int | None) -> str:
    """A file and, where it is known, the line in it."""
    return Message("{file}, line {line}", file=file, line=line) if line else file


def short_path(path: str | Path) -> str:
    """A file by its folder and name: the folder is the rulebook."""
    return "/".join(Path(path).parts[-2:])


def error_line(path: str | Path, error: BaseException) -> int | None:
    """The line of a file at which an error was raised while it ran, or was read."""
    if isinstance(error, SyntaxError):
        return error.lineno
    here = Path(path).resolve()
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).resolve() == here]
    return lines[-1] if lines else None


def with_line(rules: Iterable[Rule], error: Exception) -> str:
    """What is wrong, with the line of the rule that could not be worked out."""
    sentence = error.message if isinstance(error, HonoursError) else str(error)
    cause = error.__cause__
    files = {inspect.unwrap(rule.function).__code__.co_filename for rule in rules}
    frames = traceback.extract_tb(cause.__traceback__) if cause else ()
    lines = [at_line(short_path(f.filename), f.lineno) for f in frames if f.filename in files]
    return joined(": ", (lines[-1], sentence)) if lines and lines[-1] not in sentence else sentence


EXAMPLE_LINES = "lines of the examples"
"""Beside the tables of ``examples.toml``: the line of each of them by its name."""


def lines_by_name(text: str) -> dict[str, int]:
    """The line of each table of a TOML file by its name, and by its number: ``[[example]] 2``."""
    lines = list(enumerate(text.splitlines(), 1))
    counts: Counter[str] = Counter()
    numbered: dict[str, int] = {}
    for number, line in lines:
        if header := re.match(r"\s*(\[\[\w+\]\])", line):
            counts[header[1]] += 1
            numbered[f"{header[1]} {counts[header[1]]}"] = number
    named = (
        (number, re.match(r"\s*name\s*=\s*[\"'](.*)[\"']\s*$", line)) for number, line in lines
    )
    return numbered | {match[1]: number for number, match in named if match}


def in_toml(folder: str, text: str, *names: str) -> str:
    """The file and line at which nested names stand: ``village_cup/rulebook.toml, line 12``."""
    line = toml_line(text, *names) if names else None
    return at_line(f"{folder.replace('-', '_')}/rulebook.toml", line)


def toml_line(text: str, *names: str) -> int | None:
    """The line of a TOML file that begins the innermost of nested names: a table's header, a key
    in it, or a key within an inline table on that line."""
    lines = text.splitlines()
    at, known = 0, False
    for depth in range(len(names)):
        line = _line_of(lines, at, names[: depth + 1])
        if line is not None:
            at, known = line, True
    return at + 1 if known else None


def _line_of(lines: list[str], start: int, names: tuple[str, ...]) -> int | None:
    dotted = r"\s*\.\s*".join(rf"[\"']?{re.escape(name)}[\"']?" for name in names)
    last = rf"[\"']?{re.escape(names[-1])}[\"']?"
    header = re.compile(rf"\s*\[+\s*{dotted}\s*[\].]")
    key = re.compile(rf"\s*{last}\s*[=.]|.*[{{,]\s*{last}\s*[=.]")
    headed = [number for number, line in enumerate(lines) if header.match(line)]
    if headed:
        return headed[0]
    for number, line in enumerate(lines[start:], start):
        if len(names) > 1 and number > start and line.lstrip().startswith("["):
            return None
        if key.match(line) and (len(names) > 1 or not line.lstrip().startswith("[")):
            return number
    return None


# --- every key, name and function an author of rules may use, with what it means ----------------

Words = Mapping[str, str]

ANY = "*"
"""A section whose keys are the author's own names."""

TOP: Words = {
    "title": "what the rulebook is called",
    "body": "the federation or club whose rule it is",
    "game": "the game it is for: bridge, go; of a rulebook of any game none",
    "edition": "which edition of the document",
    "revision": "our own number for it, 1 to begin with; a correction is the next one",
    "unit": "what is awarded: points, masterpoints",
    "decimals": "how many decimals an award has",
    "standing": "what the rulebook is: its status, the evidence, what it refuses",
    "derive": "how its words follow from what is known of an event",
    "effective": "from when until when the edition holds",
    "sources": "the documents the rule is taken from",
    "lists": "what becomes of an event with several ranking lists",
    "inputs": "what the rulebook may be told",
    "parameters": "the numbers, words and tables of the rule",
    "choices": "readings the source does not settle",
    "variants": "named sets of amendments",
    "extras": "further quantities shown with an award",
    "figures": "further figures for an entrant or player: a rating, a norm, a title",
    "colours": "the kinds of points an award is made of",
    "ranks": "the ladder of ranks, from the lowest",
    "converts": "points of one kind that count as another's",
    "living": "figures that time and acts make of a member's points",
    "posting": "what the body forbids a ledger to post",
}

SECTIONS: Mapping[str, Words] = {
    "effective": {
        "since": "the first day, as 2019-06-30",
        "until": "the last day",
        "newer": "a sentence about what replaced it",
        "looked": "the day somebody last looked whether it still holds",
    },
    "sources": {
        "title": "the document as one would look for it",
        "about": "what of it is used",
        "url": "where it is published",
    },
    "lists": {
        "lines": "each (every line pays by itself), one (only the whole field's list counts) or "
        "refused",
        "strata": "each, one or refused, as for lines",
        "combine": "best or sum of what the lists pay an entrant",
        "sessions": "each (default), or sum: what sessions pay is added up before it is combined",
        "line_words": "the lists a calculation has where line_when holds",
        "line_when": "the words for which a calculation has several lists",
        "strata_clause": "the clause by which strata are not used",
        "lines_clause": "the clause by which lines are ranked together",
        "session_lines": "what becomes of the lines of a session, where that differs",
        "ties": "place, or score where equal scores are ties whatever broke them",
        "present": "the fact of an entrant that says, with 0, that it was not there",
        "present_clause": "the clause by which it is left out",
        "ties_clause": "the clause by which equal scores are ties",
        "own": "inputs that differ from list to list: an event of several cannot be given one",
        "session_facts": "what is told of a session's list, awarded beside the overall one",
        "from_overall": "quantities a session's list takes from the overall one",
        "section_facts": "what is told of a section's list, awarded beside the overall one",
    },
    "inputs": {
        "about": "what it is, in a few words",
        "type": "number (default), count (whole, not negative), counts (26+20), word, date or rank",
        "per": "field (default), entrant, player or game",
        "words": "what a word may be",
        "first": "what is tried first where nothing is said: a calculation takes it, of an event "
        "it is asked about wherever somebody's award hangs on it",
        "usual": "the same, and the usual answer: one confirmation is given for all of these, "
        "unless title, columns or results speak against it",
        "absent": "what it is where a file could have shown it and does not",
        "holds": "the fact of players of which nobody may hold more: masterpoints, of a limit",
        "least": "the smallest number, 0 unless told: a rating may need a negative one",
        "most": "the largest number",
        "example": "a value to show",
        "must_agree": "whether what is given must be what the rule of the same name gives",
        "several": "the input that takes more than one number: boards_per_session=26,20",
        "named": "words that stand for a number: { none = 0 }",
        "scale": "the scale it must be on, where a file says on which it is: AGA",
    },
    "parameters": {
        "value": 'a whole number, "0.75", "2/3", a word, a number for each of several words '
        "({ club = 1 }), or rows of numbers",
        "clause": "the clause that states it",
        "quote": "the few words that do",
        "about": "what it is, in a few words",
        "words": "what it may be, where it is a word",
    },
    "choices": {
        "reading": "the reading taken",
        "about": "the quantities it bears on: it is shown where one of them was used",
        "parameter": "the parameter that would change it",
    },
    "variants": {
        "about": "what the variant is",
        "set": "its parameters and their values",
    },
    "figures": {
        "about": "what it is, in a few words",
        "quantity": "the rule that gives it, per entrant or player; by default the figure's name",
        "unit": "what it is counted in",
        "decimals": "how many decimals it is shown with",
    },
    "standing": {
        "status": "in force, proposed, superseded, or as a program computes it",
        "evidence": "what it is taken from and checked by",
        "refused": "what it does not award",
        "programs": "programs whose files are awarded by it, as they name themselves",
        "known_by": "facts that only files of its federation have",
        "formats": "kinds of files that only its federation has, as honours show names them",
        "countries": "countries whose players are its members, as programs of go write them",
        "numbers": "a regular expression of its members' numbers, where no other's look so",
    },
    "derive": {
        "is": "the value of the input",
        "from": "or the fact that says it",
        "ask": "or the words in which it is asked for",
        "when": "the facts for which this holds",
        "titled": "words of the title for which it holds",
        "clause": "the clause that says so",
    },
    "posting": {
        "points": "the kinds of points that may be posted",
        "once_a_year": "or the input that only one event of a club may have in a year",
        "words": "its words that count so",
        "alike": "inputs that events must have alike to be counted together",
        "when": "the inputs for which this holds",
        "unless": "inputs of events that are not counted",
        "like": "counted only if there is an event with these inputs and the same of those in same",
        "reason": "why, in a sentence",
        "clause": "the clause that says so",
    },
    "ranks": {
        "name": "the rank",
        "needs": "how many points of each kind of points; total is all kinds together",
        "stars": "a star for every so many points of the total beyond that",
        "clause": "the clause that states it",
        "quote": "the few words that do",
    },
    "converts": {
        "from": "the kind of points that is given up",
        "into": "the kind it counts as",
        "each": "how many make one",
        "clause": "the clause that states it",
        "quote": "the few words that do",
    },
    "living": {
        "name": "what the figure is called",
        "of": "the kinds of points it is made of; total is all of them",
        "keeps": "the part of a sum that the end of a year leaves",
        "settled": "the day of the year it is worked out on, as 12-31; any day unless said",
        "weights": "or what points count by their age in years; older ones nothing",
        "years": "calendar (by their numbers, the default) or rolling (from the day)",
        "resets": "acts that set it to 0",
        "takes": "acts that take points off, and how many",
        "clause": "the clause that states it",
        "quote": "the few words that do",
    },
    "extras": {ANY: "a name for the answer, and the quantities it shows"},
    "colours": {
        "all": "the quantity of a list that names the one colour of all its points; its words are "
        "those of the input of the same name",
        ANY: "a kind of points, and the quantity per entrant that says how many",
    },
}

NAMES: Words = {
    "place": "the place, from 1; of a tie the first of the places it covers",
    "tied": "how many share the place of an entrant",
    "previous": "this same quantity at the place above, in a rule per place with starts",
    "mean_of_x": "the mean of x over what is below: players of an entrant or the field, entrants, "
    "the games of an entrant, paid places; a rule per field goes over all entrants, one per "
    "entrant over its own players and games; without a list everyone's common value",
    "sum_of_x": "the sum of x over them; of an entrant without games 0",
    "count_of_x": "how many there are of them",
    "sum_of_best_x": "the sum of the largest x of them, as many as best= of the rule says: all "
    "where there are fewer, and one at least",
    "rank_of_x": "the rank of an entrant or player by x, the largest first; it may be compared. "
    "Equals have ranks one after the other: who has fewer players first, then as they are listed",
    "covered_x": "the sum of the per-place x over the paid places a tie covers",
    "opponent_x": "in a rule per game, the opponent's x; an input of that name goes first",
}

LEVELS: Words = {
    "field": "one value for a ranking list (default)",
    "place": "one a paid place",
    "entrant": "one an entrant: a pair, a team, a single player",
    "player": "one a player",
    "game": "one a game or match of an entrant; the exact way only",
}

DECORATORS: Mapping[str, Words] = {
    "rule": {
        "clause": "the clause that states it, first and without a name",
        "per": "what it is per",
        "when": 'the words it is for: {"kind": "teams"}, or several: {"kind": ("teams", "swiss")}',
        "defines": "the quantity it defines, where that is not the function's name",
        "rounds": "how it is rounded",
        "starts": "the quantity that is the value at place 1, for a rule with previous",
        "tabulated": "True for a rule that reads a table or sits on boundaries by nature",
        "best": "how many of the largest sum_of_best_x takes: the name of a parameter, an input or "
        "a rule per field",
    },
    "presumes": {
        "clause": "the clause of the presumption, first and without a name",
        "usual": "True where it is the usual answer, among those that one confirmation gives",
        "per": "what it is per",
        "when": "the words it is for",
        "defines": "the input it stands in for, where that is not the function's name",
    },
    "refuses": {
        "message": "why nothing is awarded; may use the arguments in braces",
        "clause": "the clause that says so",
        "per": "field, or player: then only that player gets nothing",
        "when": "the words it is for",
        "asks": "the input that is missing where the function holds",
    },
    "says": {
        "message": "a sentence of an award in short; may use the arguments in braces",
        "clause": "the clause it speaks of",
        "when": "the words it is for",
    },
    "notices": {
        "message": "what the reader must be told; may use the arguments in braces",
        "clause": "the clause that says so",
        "when": "the words it is for",
    },
}

FUNCTIONS = (
    numbers.power,
    numbers.log10,
    numbers.ln,
    numbers.exp,
    numbers.up_to,
    numbers.row_for,
    numbers.interpolated,
    numbers.how_many_counts,
    numbers.each_counted,
)
"""What a rule may call, from ``honours.engine.numbers``."""
BUILTINS: Words = {
    "min": "the smallest of its arguments",
    "max": "the largest of its arguments",
    "abs": "without the sign",
    "str": "a number as the word that names an item of a table",
}
EXPRESSIONS: Words = {
    "+  -  *  /": "arithmetic; a power is power(base, exponent)",
    "<  <=  >  >=  ==  !=": "comparisons; in and is are not for rules",
    "and  or  not": "several comparisons",
    "then if test else otherwise": "one of two values, like if and return",
    "table[word]": "the item of a table of words; a word that it does not have is refused",
    "table.get(word, 0)": "the item, or 0 where the table does not have the word",
    "0  1": "the only numbers of a body; every other is a parameter, with its clause",
}
"""What a body may have beside its arguments and the functions above."""
TYPES: Words = {
    "Number": "a number, from honours.engine.rules",
    "str": "a word",
    "bool": "what @refuses, @notices and @says give",
    "Table": "a parameter of words, { club = 1 }, from honours.engine.rulebook",
    "Rows": "a parameter of rows, [[1, 100], [2, 75]], from honours.engine.rulebook",
}
"""How arguments and results are annotated."""
ROUNDINGS = (rules.nearest, rules.up, rules.down, rules.rounding)

EXAMPLE: Words = {
    "name": "what the case is called",
    "published": "where the source prints it, or",
    "ours": "our own case, with its working",
    "given": "what the rulebook is told",
    "ties": 'the places that are shared: "3-4, 7-9"',
    "set": "amended parameters, if the figure needs them",
    "list": "real standings instead of ties: one table for each entrant, with place, its inputs, a "
    "list of values for what is per player, and games; count makes so many of it, one place "
    "after the other, and { from = 1900, step = -30 } a value that goes on",
    "printed": "what the source prints, where the rule cannot give it",
    "reason": "why it cannot",
    "expect": "what must come out",
}
GAME: Words = {
    "opponent": "the number of the other in the list, from 1",
    ANY: "an input per game",
}
EXPECTED: Words = {
    "awards": "the whole schedule in order; a table by line where there are several lists",
    "at": "single places of it",
    "quantities": "quantities of the field, as they are shown",
    "refusal": "words of the reason for which nothing is awarded",
    "places": "how many places are paid",
    "notice": "words of a notice",
    "withheld": "of each standing the players refused, or all",
    "extras": "the extras",
    "figures": "by figure what each standing has, in order, or single places of it",
    "colours": "by colour what each standing has, in order",
}
GRID: Words = {
    "name": "what the table is called",
    "published": "where it is printed",
    "ours": "or our own",
    "given": "what all cells are told",
    "quantity": "what the cells are",
    "down": "the input that names the rows",
    "across": "the input that names the columns",
    "columns": "its values",
    "rows": "the rows by their value",
}


# --- the nearest right word to one that is not known --------------------------------------------


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


# --- what the body of a rule may be -------------------------------------------------------------

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
    yield from (
        Message(
            "{rule} calls {name}, which only a rule that is tabulated=True may; others call "
            "{functions}",
            rule=at(call),
            name=ast.unparse(call.func),
            functions=tuple(_callable()),
        )
        for call in _uncompilable(rule, statements)
    )


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
