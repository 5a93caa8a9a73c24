"""Reading a rulebook from its folder: ``rulebook.toml``, ``rules.py``, ``examples.toml``, README.

A rule too long for one file goes on in ``rules_*.py``.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import linecache
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, get_args

from honours.engine.known_facts import Derivation, read_derivations
from honours.engine.numbers import exact
from honours.engine.posting import PostingRule, read_posting_rules
from honours.engine.ranks import LivingPoints, Rank, read_living, read_ranks
from honours.engine.rulebook import (
    COMMON_INPUTS,
    STATUSES,
    TYPES,
    BookStanding,
    EffectiveDates,
    FigureRule,
    Input,
    ListPolicy,
    Parameter,
    ParameterValue,
    Reading,
    Rulebook,
    Unsaid,
    Variant,
)
from honours.engine.rulebook.source import (
    ANY,
    EXAMPLE_LINES,
    SECTIONS,
    TOP,
    at_line,
    error_line,
    in_toml,
    lines_by_name,
    misspelt,
    toml_line,
    with_nearest,
)
from honours.engine.rules import Rule
from honours.errors import HonoursError, InputError, RulebookError, UnknownName, message_of
from honours.files import toml_of
from honours.model import Choice, Citation
from honours.model.message import Message

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


# --- reading a rulebook from its folder ---------------------------------------------------------

EXAMPLE_SECTIONS = ("example", "grid")
FILES = ("rulebook.toml", "rules.py", "examples.toml", "README.md")
INPUT_LEVELS = ("field", "entrant", "player", "game")
LIST_WORDS = {
    "lines": ("each", "one", "refused"),
    "strata": ("each", "one", "refused"),
    "combine": ("best", "sum"),
    "sessions": ("each", "sum"),
}
T = TypeVar("T")


class _Fault(RulebookError):
    """What is wrong in ``rulebook.toml``, the nested names under which it stands there, and the
    key there that is wrong itself."""

    def __init__(self, names: tuple[str, ...], what: str, key: str = "") -> None:
        self.names, self.what, self.key = names, what, key
        super().__init__(": ".join(filter(None, (".".join(names), what))))


def texts_of(folder: Traversable) -> dict[str, str]:
    """The files of a rulebook by their names, read and nothing run."""
    return {name: _text(folder, name) for name in (*FILES, *parts_of(folder))}


def text_hash(texts: Mapping[str, str]) -> str:
    """A digest of every character of a rulebook's files."""
    return hashlib.sha256("\0".join(texts.values()).encode()).hexdigest()


def load(
    folder: Traversable,
    module: ModuleType | None = None,
    rulebook_id: str = "",
    texts: Mapping[str, str] | None = None,
) -> Rulebook:
    """Read the rulebook in ``folder``, whose name is its id unless another is given; ``module`` is
    its ``rules`` where already importable, ``texts`` are its files where already read.

    Of a folder outside the package this runs the Python in those texts, and no other.
    """
    texts = texts_of(folder) if texts is None else texts
    table = _toml(folder, "rulebook.toml", texts["rulebook.toml"])
    examples = _examples(folder, texts["examples.toml"])
    declared = rules_in(folder, module, texts)
    name = rulebook_id or folder.name.replace("_", "-")
    try:
        with _blaming():
            return _rulebook(name, table, examples, declared, texts)
    except _Fault as fault:
        names = [*fault.names, *filter(None, [fault.key])]
        at = in_toml(folder.name, texts["rulebook.toml"], *names)
        raise RulebookError("{at}: {fault}", at=at, fault=fault) from fault


def _examples(folder: Traversable, text: str) -> dict[str, Any]:
    """The tables of ``examples.toml``, and the line of each by its name."""
    tables = _toml(folder, "examples.toml", text)
    for section in tables:
        if section not in EXAMPLE_SECTIONS:
            at = at_line(f"{folder.name}/examples.toml", toml_line(text, section))
            raise RulebookError(
                "{at}: {problem}",
                at=at,
                problem=UnknownName("section", section, EXAMPLE_SECTIONS),
            )
    lines = lines_by_name(text)
    return {**tables, EXAMPLE_LINES: lines} if lines else tables


@contextmanager
def _blaming(*names: str) -> Iterator[None]:
    """Adds the place in the author's table to whatever is wrong there."""
    try:
        yield
    except _Fault as inner:
        raise _Fault((*names, *inner.names), inner.what, inner.key) from inner
    except KeyError as missing:
        raise _Fault(names, Message("{name} is missing", name=str(missing))) from missing
    except (RulebookError, InputError, TypeError, ValueError, AttributeError) as wrong:
        raise _Fault(names, message_of(wrong)) from wrong


def _each(section: str, table: Mapping[str, Any], read: Callable[[str, Any], T]) -> dict[str, T]:
    """Every item of a section of ``rulebook.toml``, read."""
    items: dict[str, T] = {}
    with _blaming(section):
        for name, declared in table.items():
            with _blaming(name):
                if not isinstance(declared, Mapping):
                    raise TypeError("expected a table")
                check_keys(declared, SECTIONS[section])
                items[name] = read(name, declared)
    return items


def check_keys(declared: Mapping[str, Any], known: Mapping[str, str], what: str = "key") -> None:
    """Refuse a key that is misspelt rather than pass over it."""
    for key in declared:
        if key not in known and ANY not in known:
            raise _Fault((), str(UnknownName(what, key, known)), key)


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


def _rulebook(
    rulebook_id: str,
    table: dict[str, Any],
    examples: dict[str, Any],
    declared: tuple[Rule, ...],
    texts: Mapping[str, str],
) -> Rulebook:
    check_keys(table, TOP, "section or key")
    effective = _section(table, "effective")
    inputs = _inputs(table["inputs"])
    return Rulebook(
        id=rulebook_id,
        title=table["title"],
        body=table["body"],
        game=str(table.get("game", "")),
        edition=table["edition"],
        revision=_whole(table, "revision"),
        unit=table["unit"],
        decimals=_whole(table, "decimals"),
        effective=EffectiveDates(**{key: str(day) for key, day in effective.items()}),
        lists=_lists(_section(table, "lists")),
        sources=_each("sources", table["sources"], lambda _, source: str(source["title"])),
        parameters=_each("parameters", table.get("parameters", {}), _parameter),
        inputs=inputs,
        rules=declared,
        readings=tuple(_each("choices", table.get("choices", {}), _reading).values()),
        variants=_each("variants", table.get("variants", {}), _variant),
        readme=texts["README.md"],
        text_hash=text_hash(texts),
        examples=examples,
        extras=_texts(table, "extras", list),
        ranks=_ranks(table),
        living=_living(table.get("living", ())),
        figures=tuple(_each("figures", table.get("figures", {}), _figure).values()),
        colours=_texts(table, "colours", str),
        standing=_standing(table),
        derivations=_derivations(table.get("derive", {}), inputs),
        posting=_posting(table.get("posting", ()), inputs),
        toml=texts["rulebook.toml"],
    )


def _derivations(table: Mapping[str, Any], inputs: Mapping[str, Input]) -> tuple[Derivation, ...]:
    lines: list[Derivation] = []
    for name, declared in table.items():
        with _blaming("derive", name):
            lines += read_derivations({name: declared}, inputs)
    return tuple(lines)


def _posting(tables: Sequence[Any], inputs: Mapping[str, Input]) -> tuple[PostingRule, ...]:
    with _blaming("posting"):
        return read_posting_rules(tables, inputs)


def _section(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    section: dict[str, Any] = table.get(name, {})
    with _blaming(name):
        check_keys(section, SECTIONS[name])
    return section


def _ranks(book: Mapping[str, Any]) -> tuple[Rank, ...]:
    ranks, converts = book.get("ranks", ()), book.get("converts", ())
    with _blaming("converts"):
        for table in converts:
            check_keys(table, SECTIONS["converts"])
        read_ranks((), converts)
    with _blaming("ranks"):
        for table in ranks:
            check_keys(table, SECTIONS["ranks"])
        return read_ranks(ranks, converts)


def _living(tables: Sequence[Mapping[str, Any]]) -> tuple[LivingPoints, ...]:
    with _blaming("living"):
        for table in tables:
            check_keys(table, SECTIONS["living"])
        return read_living(tables)


def _figure(name: str, table: Mapping[str, Any]) -> FigureRule:
    places = _whole(table, "decimals") if "decimals" in table else None
    quantity = table.get("quantity", name)
    return FigureRule(name, table["about"], quantity, table.get("unit", ""), places)


def _standing(table: Mapping[str, Any]) -> BookStanding:
    """What the rulebook says of itself; without a word, whether it still holds by its dates."""
    declared = table.get("standing")
    if declared is None:
        ended = "until" in table.get("effective", {})
        return BookStanding("superseded" if ended else "in force")
    with _blaming("standing"):
        check_keys(declared, SECTIONS["standing"])
        _one_of("status", declared["status"], STATUSES)
        names = ("programs", "known_by", "formats", "countries")
        lists = {name: tuple(declared.get(name, ())) for name in names}
        return BookStanding(**{**declared, **lists})


def _whole(table: Mapping[str, Any], key: str) -> int:
    value = table[key]
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        what = Message("{key} = {value!r}: expected a whole number", key=key, value=str(value))
        raise _Fault((), what, key)
    return value


def _lists(table: dict[str, Any]) -> ListPolicy:
    with _blaming("lists"):
        for key, words in LIST_WORDS.items():
            with _blaming(key):
                _one_of(key, table.get(key, words[0]), words)
    known: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in table.items()}
    return ListPolicy(**known)


def _parameter(name: str, table: dict[str, Any]) -> Parameter:
    words = tuple(table.get("words", ()))
    value = table["value"]
    if words:
        _one_of("value", str(value), words)
    return Parameter(
        name=name,
        value=str(value) if words else _parameter_value(value),
        citation=Citation(table["clause"], table.get("quote", "")),
        about=table.get("about", ""),
        words=words,
    )


def _parameter_value(value: Any) -> ParameterValue:
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(tuple(exact(item) for item in row) for row in value)
    try:
        return exact(value)
    except InputError as error:
        raise RulebookError(
            "{error}; a word needs words, with all it may be", error=error
        ) from error


def _texts(table: Mapping[str, Any], section: str, kind: type) -> dict[str, Any]:
    """A section of names, each with a text or a list of texts."""
    declared = _section(table, section)
    expected = Message("a text") if kind is str else Message('a list, as ["award"]')
    with _blaming(section):
        for name in declared:
            _is(declared, name, kind, None, expected)
    return {name: tuple(one) if kind is list else one for name, one in declared.items()}


def _inputs(table: dict[str, Any]) -> dict[str, Input]:
    own = _each("inputs", table, _input)
    return own | {i.name: i for i in COMMON_INPUTS if i.name not in own}


def _input(name: str, table: dict[str, Any]) -> Input:
    return Input(
        name=name,
        about=table["about"],
        type=_one_of("type", table.get("type", "number"), TYPES),
        per=_one_of("per", table.get("per", "field"), INPUT_LEVELS),
        words=tuple(_is(table, "words", list, [], Message('a list, as ["pairs", "teams"]'))),
        default=_unsaid(table)[1],
        unsaid=_unsaid(table)[0],
        holds=table.get("holds", ""),
        least=_bound(table, "least"),
        most=_bound(table, "most"),
        example=str(table.get("example", "")),
        must_agree=_is(table, "must_agree", bool, False, Message("true or false")),
        several=table.get("several", ""),
        named={word: exact(number) for word, number in table.get("named", {}).items()},
        scale=table.get("scale", ""),
    )


def _unsaid(table: Mapping[str, Any]) -> tuple[Unsaid, str | None]:
    """What holds where nothing is said, and in which sense."""
    said: list[Unsaid] = [key for key in get_args(Unsaid) if key in table]
    if len(said) > 1:
        raise _Fault((), Message("expected one of {keys}", keys=tuple(said)), said[1])
    return (said[0], str(table[said[0]])) if said else ("first", None)


def _is(table: Mapping[str, Any], key: str, kind: type, default: Any, expected: str) -> Any:
    value = table.get(key, default)
    if not isinstance(value, kind):
        what = Message(
            "{key} = {value!r}: expected {expected}", key=key, value=str(value), expected=expected
        )
        raise _Fault((), what, key)
    return value


def _one_of(what: str, word: Any, words: Sequence[Any]) -> Any:
    if word not in words:
        raise UnknownName(what, str(word), words)
    return word


def _bound(table: dict[str, Any], key: str) -> Fraction | None:
    return exact(table[key]) if key in table else None


def _reading(name: str, table: dict[str, Any]) -> Reading:
    about = tuple(table["about"])
    return Reading(Choice(name, table["reading"], table.get("parameter", "")), about)


def _variant(name: str, table: dict[str, Any]) -> Variant:
    return Variant(name, table["about"], {k: str(v) for k, v in table["set"].items()})


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
"""
_RULES = '''"""{title}: the rule, in the order of its document."""

from honours.engine.rules import nearest, refuses, rule, up


@refuses("{{entrants}} entered, at least {{least_entrants}} needed", "§1")
def too_few(entrants, least_entrants):
    return entrants < least_entrants


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
