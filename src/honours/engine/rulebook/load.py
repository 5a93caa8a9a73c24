"""Reading a rulebook from its folder: ``rulebook.toml``, ``rules.py``, ``examples.toml``, README.

A rule too long for one file goes on in ``rules_*.py``.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import inspect
import linecache
import re
import sys
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Formatter
from types import ModuleType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from honours.engine.known_facts import Derivation
from honours.engine.numbers import exact
from honours.engine.ranks import Conversion
from honours.engine.rulebook import COMMON_INPUTS, FigureRule, Input, Parameter, Rulebook, Unsaid
from honours.engine.rulebook.source import (
    ANY,
    EXAMPLE,
    EXAMPLE_LINES,
    FUNCTIONS,
    GRID,
    SECTIONS,
    TOP,
    at_line,
    callable_names,
    error_line,
    in_toml,
    lines_by_name,
    misspelt,
    toml_line,
    with_nearest,
)
from honours.engine.rules import Level, Rule, public
from honours.errors import HonoursError, InputError, RulebookError, UnknownName, message_of
from honours.files import toml_of
from honours.model import Citation
from honours.model.message import Message, mark, word

# --- the rules of a folder ----------------------------------------------------------------------


def rules_in(
    folder: Traversable, module: ModuleType | None, texts: Mapping[str, str]
) -> tuple[Rule, ...]:
    """All rules of a folder with these texts; ``module`` is its ``rules`` where already
    importable."""
    first = module or _module(folder, "rules.py", texts)
    parts = sorted(name for name in texts if name.startswith("rules_"))
    modules = [first, *(_part(folder, module, part, texts) for part in parts)]
    return tuple(rule for each in modules for rule in _rules(folder, each))


def parts_of(folder: Traversable) -> list[str]:
    names = (file.name for file in folder.iterdir())
    return sorted(n for n in names if n.startswith("rules_") and n.endswith(".py"))


def _part(
    folder: Traversable, module: ModuleType | None, part: str, texts: Mapping[str, str]
) -> ModuleType:
    if module is None:
        return _module(folder, part, texts)
    return importlib.import_module(f"{module.__package__}.{part.removesuffix('.py')}")


def _module(folder: Traversable, file: str, texts: Mapping[str, str]) -> ModuleType:
    """The rules of a folder outside the package, under a name of their own. The text itself is
    run: an import might take compiled code that lies beside it."""
    path = Path(str(folder)) / file
    name = f"honours_rulebook_{folder.name}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None:
        raise RulebookError("{name}: {file} cannot be imported", name=folder.name, file=file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    text = texts[file]
    linecache.cache[str(path)] = len(text), None, text.splitlines(keepends=True), str(path)
    try:
        exec(compile(text, path, "exec", dont_inherit=True), vars(module))
    except HonoursError as error:
        raise RulebookError(
            "{at}: {error}", at=_at(folder, file, path, error), error=error
        ) from error
    except (Exception, SystemExit) as error:  # whatever its author wrote there
        why = misspelt(error, text) or f"{type(error).__name__}: {error}"
        raise RulebookError(
            "{at}: cannot be imported: {why}", at=_at(folder, file, path, error), why=why
        ) from error
    return module


def _at(folder: Traversable, file: str, path: Path, error: BaseException) -> str:
    return at_line(f"{folder.name}/{file}", error_line(path, error))


def _rules(folder: Traversable, module: ModuleType) -> tuple[Rule, ...]:
    """The declared rules in the order of the file."""
    declared = [f for f in vars(module).values() if isinstance(getattr(f, "__rule__", None), Rule)]
    file = f"{folder.name}/{Path(str(module.__file__)).name}"
    for each in declared:
        if not inspect.isfunction(inspect.unwrap(each)) or inspect.iscoroutinefunction(each):
            raise RulebookError(
                "{at}: {name} is no plain function, and only a plain function can be a rule",
                at=at_line(file, _line(each)),
                name=each.__name__,
            )
    declared.sort(key=lambda function: inspect.unwrap(function).__code__.co_firstlineno)
    return tuple(function.__rule__ for function in declared)


def _line(thing: object) -> int | None:
    try:
        return inspect.getsourcelines(thing)[1]  # type: ignore[arg-type]
    except (OSError, TypeError):
        return None


# --- the tables of rulebook.toml, each read as the dataclass it states ----------------------------

T = TypeVar("T")


class _Fault(RulebookError):
    """A fault in ``rulebook.toml``, the nested names under which it stands there, and the key there
    that is wrong itself."""

    def __init__(self, names: tuple[str, ...], what: str, key: str = "") -> None:
        self.names, self.what, self.key = names, what, key
        super().__init__(": ".join(filter(None, (".".join(names), what))))


@contextmanager
def _blaming(*names: str, key: str = "") -> Iterator[None]:
    """Adds the place in the author's table to whatever is wrong there."""
    try:
        yield
    except _Fault as inner:
        raise _Fault((*names, *inner.names), inner.what, inner.key or key) from inner
    except KeyError as missing:
        raise _Fault(names, Message("{name} is missing", name=str(missing)), key) from missing
    except (RulebookError, InputError, TypeError, ValueError, AttributeError) as wrong:
        raise _Fault(names, message_of(wrong), key) from wrong


@contextmanager
def told_with(where: str) -> Iterator[None]:
    """Puts a place before whatever is said to be wrong."""
    try:
        with _blaming():
            yield
    except _Fault as fault:
        raise RulebookError("{where}: {fault}", where=where, fault=fault) from fault


_KEYS = {**SECTIONS, "example": EXAMPLE, "grid": GRID}


@cache
def _types(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def stated(kind: type[T], table: Any, section: str, **known: Any) -> T:
    """The dataclass that a table of a section states: every key read by the type of its field,
    beside what is ``known`` already."""
    check_keys(table, _KEYS.get(section, TOP))
    values, types = dict(known), _types(kind)  # type: ignore[arg-type]
    for declared in fields(kind):  # type: ignore[arg-type]
        name, key = declared.name, declared.metadata.get("key", declared.name)
        if name in known:
            continue
        if name == "citation":
            values[name] = Citation(table["clause"], table.get("quote", ""))
        elif key in table:
            values[name] = _item(types[name], key, table[key])
        elif declared.default is MISSING and declared.default_factory is MISSING:
            raise KeyError(key)
    return kind(**values)


def _value(kind: Any, key: str, value: Any) -> Any:
    """Return the value under a key, as the type of its field."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        return _value(inner[0], key, value)
    if origin is Literal:
        return one_of(key, value, inner)
    if origin is tuple and isinstance(value, Mapping):
        return tuple(_named(inner[0], key, value).values())
    if origin is tuple:
        return tuple(_value(inner[0], key, one) for one in _listed(value))
    if origin is Mapping and _is_table(inner[1]):
        return _named(inner[1], key, value)
    if origin is Mapping:
        table = _checked(key, value, Mapping)
        with _blaming(key):
            return {name: _item(inner[1], name, one) for name, one in table.items()}
    if _is_table(kind):
        with _blaming(key):
            return stated(kind, _checked(key, value, Mapping), key)
    if kind is Any:
        return value
    return exact(value) if kind is Fraction else _checked(key, value, kind)


def _is_table(kind: Any) -> bool:
    return is_dataclass(kind)


def _item(kind: Any, key: str, value: Any) -> Any:
    with _blaming(key=key):
        return _value(kind, key, value)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


_EXPECTED = {
    int: mark("a whole number"),
    bool: mark("true or false"),
    str: mark("a text"),
    Mapping: mark("a table"),
}


def _checked(key: str, value: Any, kind: Any) -> Any:
    """A whole number, a truth, a table or a text; numbers and days are texts too."""
    fits = isinstance(value, (str, int, Decimal, date) if kind is str else kind)
    if not fits or (isinstance(value, bool) and kind is not bool) or (kind is int and value < 0):
        raise RulebookError(
            "{key} = {value!r}: expected {expected}",
            key=key,
            value=str(value),
            expected=word(_EXPECTED[kind]),
        )
    return str(value) if kind is str else value


def _named(kind: type[T], section: str, table: Any) -> dict[str, T]:
    """Every item of a section by its name."""
    read: Callable[..., T] = _READERS.get(kind, stated)
    items: dict[str, T] = {}
    with _blaming(section):
        for name, declared in _checked(section, table, Mapping).items():
            with _blaming(name):
                if not isinstance(declared, Mapping):
                    raise RulebookError("expected a table")
                items[name] = read(kind, declared, section, name=name)
    return items


def check_keys(declared: Mapping[str, Any], known: Mapping[str, str]) -> None:
    """Refuse a key that is misspelt rather than pass over it."""
    for key in declared:
        if key not in known and ANY not in known:
            what = "section or key" if known is TOP else "key"
            raise _Fault((), str(UnknownName(what, key, known)), key)


def one_of(what: str, word: Any, words: Collection[Any]) -> Any:
    if word not in words:
        raise UnknownName(what, str(word), words)
    return word


def _input(kind: type[Input], table: Any, section: str, name: str) -> Input:
    said: list[Unsaid] = [key for key in get_args(Unsaid) if key in table]
    if len(said) > 1:
        raise _Fault((), Message("expected one of {keys}", keys=tuple(said)), said[1])
    unsaid = {"unsaid": said[0], "default": str(table[said[0]])} if said else {}
    return stated(kind, table, section, name=name, **unsaid)


def _parameter(kind: type[Parameter], table: Any, section: str, name: str) -> Parameter:
    read = stated(kind, table, section, name=name, value=Fraction(0))
    value = table["value"]
    if read.words:
        return replace(read, value=one_of("value", str(value), read.words))
    if isinstance(value, dict):
        return replace(read, value={key: exact(item) for key, item in value.items()})
    if isinstance(value, list):
        return replace(read, value=tuple(tuple(map(exact, row)) for row in value))
    try:
        return replace(read, value=exact(value))
    except InputError as error:
        raise RulebookError(
            "{error}; a word needs words, with all it may be", error=error
        ) from error


def _figure(kind: type[FigureRule], table: Any, section: str, name: str) -> FigureRule:
    return stated(kind, {"quantity": name, **table}, section, name=name)


_READERS: Mapping[type, Callable[..., Any]] = {
    Input: _input,
    Parameter: _parameter,
    FigureRule: _figure,
}
"""The few tables that say more than their fields do."""


# --- reading a rulebook from its folder ---------------------------------------------------------

EXAMPLE_SECTIONS = ("example", "grid")
FILES = ("rulebook.toml", "rules.py", "examples.toml", "README.md")
Editions = Callable[[str], Rulebook]
"""Loads a rulebook by its id."""


def texts_of(folder: Traversable) -> dict[str, str]:
    """The files of a rulebook by their names, read and nothing run."""
    return {name: _text(folder, name) for name in (*FILES, *parts_of(folder))}


def text_hash(texts: Mapping[str, str]) -> str:
    """A digest of every character of a rulebook's files, those of an edition it keeps rules of
    included: ``[keeps]`` states the digest of these."""
    return hashlib.sha256("\0".join(texts.values()).encode()).hexdigest()


def load(
    folder: Traversable,
    module: ModuleType | None = None,
    rulebook_id: str = "",
    texts: Mapping[str, str] | None = None,
    editions: Editions | None = None,
) -> Rulebook:
    """Read the rulebook in ``folder``, whose name is its id unless another is given; ``module`` is
    its ``rules`` where already importable, ``texts`` are its files where already read, and
    ``editions`` loads the one whose rules it keeps.

    Of a folder outside the package this runs the Python in those texts, and no other.
    """
    texts = texts_of(folder) if texts is None else texts
    table = _toml(folder, "rulebook.toml", texts["rulebook.toml"])
    examples = _examples(folder, texts["examples.toml"])
    rules = rules_in(folder, module, texts)
    name = rulebook_id or folder.name.replace("_", "-")
    try:
        with _blaming():
            verdicts = _verdicts(folder, table, texts["rulebook.toml"])
            return _rulebook(name, table, examples, (*rules, *verdicts), texts, editions)
    except _Fault as fault:
        names = [*fault.names, *filter(None, [fault.key])]
        at = in_toml(folder.name, texts["rulebook.toml"], *names)
        raise RulebookError("{at}: {fault}", at=at, fault=fault) from fault


def _rulebook(
    rulebook_id: str,
    table: dict[str, Any],
    examples: dict[str, Any],
    rules: tuple[Rule, ...],
    texts: Mapping[str, str],
    editions: Editions | None,
) -> Rulebook:
    check_keys(table, TOP)
    sources = _named(_Source, "sources", table["sources"])
    converts: tuple[Conversion, ...] = _value(
        tuple[Conversion, ...], "converts", table.get("converts", [])
    )
    ended = "until" in table.get("effective", {})
    default = {"status": "superseded" if ended else "in force"}
    whole = {"effective": {}, "lists": {}, "parameters": {}, "standing": default} | table
    book = stated(
        Rulebook,
        whole,
        "",
        id=rulebook_id,
        sources={name: source.title for name, source in sources.items()},
        rules=rules,
        derivations=_derivations(table.get("derive", {}), table["inputs"]),
        readme=texts["README.md"],
        text_hash=text_hash(texts),
        examples=examples,
        toml=texts["rulebook.toml"],
    )
    ranks = tuple(replace(rank, conversions=converts) for rank in book.ranks)
    common = {i.name: i for i in COMMON_INPUTS if i.name not in book.inputs}
    book = replace(book, ranks=ranks, inputs={**book.inputs, **common})
    return _with_kept(book, table["keeps"], editions) if "keeps" in table else book


_VERDICTS: Mapping[str, tuple[str, Level]] = {
    "refuses": ("refusal", "field"),
    "notices": ("notice", "field"),
    "says": ("sentence", "entrant"),
}
"""The sections of verdicts, the kind of each, and what it is per unless it says."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A message that is said where a comparison of its words and figures holds."""

    name: str
    message: str
    clause: str
    condition: str = field(default="True", metadata={"key": "if"})
    when: Mapping[str, tuple[str, ...]] | None = None
    per: Literal["", "field", "player"] = ""
    asks: str = ""

    def __post_init__(self) -> None:
        if not self.message.strip() or not self.clause.strip():
            raise RulebookError("expected a message, and the clause that says so")

    def function(self, file: str, line: int) -> Callable[..., Any]:
        """The comparison, as a function of the names in it and in the message."""
        told = [name for _, name, _, _ in Formatter().parse(self.message) if name is not None]
        try:
            compared = ast.parse(f"({self.condition})", mode="eval").body
            used = [node.id for node in ast.walk(compared) if isinstance(node, ast.Name)]
            names = [n for n in dict.fromkeys((*told, *used)) if n not in callable_names()]
            lines = ["\n" * (line - 1), "lambda ", ", ".join(names), ": (", self.condition, ")"]
            made: Any = eval(
                compile("".join(lines), file, "eval"), {f.__name__: f for f in FUNCTIONS}
            )
        except SyntaxError as error:
            raise RulebookError("cannot be compared: {error}", error=error.msg) from error
        made.__name__, made.__body__ = self.name, (ast.Return(compared),)
        function: Callable[..., Any] = made
        return function


def _verdicts(folder: Traversable, table: Mapping[str, Any], text: str) -> Iterator[Rule]:
    """The refusals, notices and sentences of ``rulebook.toml``."""
    file = str(Path(str(folder)) / "rulebook.toml")
    lines, header = {}, ""
    for number, line in enumerate(text.splitlines(), 1):
        header = line.strip("[] ") if line.startswith("[") else header
        if line.startswith(("[", "if ")):
            lines[header] = number  # of the comparison, where there is one
    for section, (kind, per) in _VERDICTS.items():
        for name, one in _named(_Verdict, section, table.get(section, {})).items():
            with _blaming(section, name):
                function = one.function(file, lines.get(f"{section}.{name}", 1))
            level: Level = one.per or per
            yield Rule(
                name,
                function,
                one.clause,
                kind,
                level,
                one.when,
                message=one.message,
                asks=one.asks,
            )


def _derivations(table: Mapping[str, Any], inputs: Iterable[str]) -> tuple[Derivation, ...]:
    """The lines of ``[derive]``, each for an input."""
    lines: list[Derivation] = []
    for name, declared in table.items():
        with _blaming("derive", name):
            keys = {public(key): key for key in inputs}
            key = keys[one_of("input in [derive]", name, keys)]
            lines += [stated(Derivation, line, "derive", input=key) for line in _listed(declared)]
    return tuple(lines)


def _with_kept(book: Rulebook, table: Any, editions: Editions | None) -> Rulebook:
    """The rulebook with the rules it keeps of another edition, and with the inputs, numbers and
    readings that rules ask for and it does not state itself."""
    with _blaming("keeps"):
        keeps = stated(_Keeps, table, "keeps")
        if editions is None:
            raise RulebookError("nothing is known here of other editions")
        other = editions(keeps.edition)
        if other.text_hash != keeps.digest:
            raise RulebookError(
                "{edition} has the digest {digest}", edition=keeps.edition, digest=other.text_hash
            )
        functions = {rule.function.__name__: rule for rule in other.rules}
        what = Message("rule of {edition}", edition=keeps.edition)
        kept = [functions[one_of(what, name, functions)] for name in keeps.rules]
    kept = [replace(rule, clause=f"{keeps.cited}{rule.clause}") for rule in kept]
    sentences = [rule for rule in kept if rule.kind == "sentence"]
    others = [rule for rule in kept if rule.kind != "sentence"]
    rules = (*others, *book.rules, *sentences)
    own = {*book.inputs, *book.parameters, *(rule.name for rule in book.rules)}
    asked = {name for rule in rules for name in rule.names} - own
    inputs = {name: one for name, one in other.inputs.items() if name in asked}
    numbers = {
        name: replace(p, citation=replace(p.citation, clause=f"{keeps.cited}{p.citation.clause}"))
        for name, p in other.parameters.items()
        if name in asked
    }
    known = {*inputs, *numbers, *(rule.name for rule in kept)}
    readings = {r.name: r for r in other.readings if r.about and known.issuperset(r.about)}
    return replace(
        book,
        rules=rules,
        inputs=inputs | {**book.inputs},
        parameters=numbers | {**book.parameters},
        readings=tuple((readings | {r.name: r for r in book.readings}).values()),
    )


@dataclass(frozen=True, slots=True)
class _Source:
    """A document that a rulebook is taken from."""

    name: str
    title: str
    about: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class _Keeps:
    """The parts a rulebook keeps of another edition: the functions of its rules, the digest of its
    files, and what goes before the clauses they cite."""

    edition: str
    digest: str
    rules: tuple[str, ...]
    cited: str = ""


def _examples(folder: Traversable, text: str) -> dict[str, Any]:
    """The tables of ``examples.toml``, and the line of each by its name."""
    tables = _toml(folder, "examples.toml", text)
    for section in tables:
        if section not in EXAMPLE_SECTIONS:
            at = at_line(f"{folder.name}/examples.toml", toml_line(text, section))
            problem = UnknownName("section", section, EXAMPLE_SECTIONS)
            raise RulebookError("{at}: {problem}", at=at, problem=problem)
    lines = lines_by_name(text)
    return {**tables, EXAMPLE_LINES: lines} if lines else tables


def _text(folder: Traversable, name: str) -> str:
    file = folder / name
    if not file.is_file():
        others = [one.name for one in folder.iterdir() if one.name not in FILES]
        missing = with_nearest(Message("the file is missing"), name, others)
        raise RulebookError("{at}: {problem}", at=_line_of(folder, name, 1), problem=missing)
    try:
        return file.read_text(encoding="utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        data = file.read_bytes()
        at = _line_of(folder, name, data.count(b"\n", 0, error.start) + 1)
        raise RulebookError(
            "{at}: the file is not in UTF-8 (a byte {byte}): save it as UTF-8",
            at=at,
            byte=f"0x{data[error.start]:02x}",
        ) from error


def _line_of(folder: Traversable, name: str, line: int) -> str:
    return at_line(f"{folder.name}/{name}", line)


def _toml(folder: Traversable, name: str, text: str) -> dict[str, Any]:
    try:
        return toml_of(text, Decimal)
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).rpartition(" (at ")
        numbered = re.match(r"line (\d+), column", place)
        line = int(numbered[1]) if numbered else len(text.splitlines())  # at the end of it
        at = _line_of(folder, name, line)
        raise RulebookError("{at}: {problem}", at=at, problem=what or place) from error


# --- the files a new rulebook begins with -------------------------------------------------------

_TOML = """title = "{title}"
body = "Whose rule it is"
edition = "{year}"
revision = 1
unit = "points"
decimals = 2

[sources.rules]
title = "The document the rule is taken from"

[inputs.entrants]
about = "how many entered"
type = "count"
most = 10000
example = "12"

[parameters]
least_entrants = {{ value = 4, clause = "§1", quote = "at least four" }}
points_each = {{ value = "0.10", clause = "§2", quote = "a tenth of a point for each entrant" }}
share = {{ value = "1/2", clause = "§3", quote = "half of the place above" }}
paid_share = {{ value = "1/3", clause = "§3", quote = "the upper third" }}
whole = {{ value = 1, clause = "§3", quote = "rounded up" }}
cent = {{ value = "0.01", clause = "§4", quote = "to the nearest hundredth" }}

[refuses.too_few]
message = "{{entrants}} entered, at least {{least_entrants}} needed"
clause = "§1"
if = "entrants < least_entrants"
"""
_RULES = '''"""{title}: the rule, in the order of its document."""

from honours.engine.rules import nearest, rule, up


@rule("§2", rounds=nearest("cent"))
def first_place(entrants, points_each):
    """What first place is worth."""
    return entrants * points_each


@rule("§3", rounds=up("whole"))
def places(entrants, paid_share):
    """How many places are paid."""
    return entrants * paid_share


@rule("§3", per="place", starts="first_place")
def points(previous, share):
    """What a place is worth."""
    return previous * share


@rule("§4", per="entrant", rounds=nearest("cent"))
def award(covered_points, tied):
    """What each gets; those who tie share the places they cover."""
    return covered_points / tied
'''
_EXAMPLES = """[[example]]
name = "twelve entrants"
ours = "12 × 0.10 = 1.20, then half of the place above"
given = { entrants = 12 }
expect.awards = ["1.20", "0.60", "0.30", "0.15"]

[[example]]
name = "a tie for second"
ours = "(0.60 + 0.30) / 2"
given = { entrants = 12 }
ties = "2-3"
expect.awards = ["1.20", "0.45", "0.45", "0.15"]

[[example]]
name = "three entrants"
ours = "one too few"
given = { entrants = 3 }
expect.refusal = "at least 4 needed"
"""
_README = """# {title}

What it covers, what it refuses, and where you had to choose: write it here. These files are a
beginning that holds together; `docs/write-a-rulebook.md` says what else a rule may say.
"""


def starting_files(rulebook_id: str, year: int) -> dict[str, str]:
    """The texts of a new rulebook's folder, by file."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rulebook_id):
        raise InputError(
            "{rulebook_id!r}: an id has small letters, digits and hyphens: village-cup",
            rulebook_id=rulebook_id,
        )
    title = rulebook_id.replace("-", " ").capitalize()
    return {
        "rulebook.toml": _TOML.format(title=title, year=year),
        "rules.py": _RULES.format(title=title),
        "examples.toml": _EXAMPLES,
        "README.md": _README.format(title=title),
    }
