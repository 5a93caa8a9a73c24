"""Brings the catalogues of texts up to date: `python -m scripts.catalogue`.

A text to translate is a template of a message anywhere in the house (``Message``, ``plural``,
``mark``), a text of a page's template, or a text of a rulebook. New ones are added untranslated and
those nobody says any more are dropped; a text that was changed keeps its translation, marked fuzzy,
until a person has looked at it. A language may be unfinished: ``python -m scripts.catalogue CODE``
begins one, and ``build/messages.pot`` has every text for whoever translates elsewhere.

A language is a folder with a file for each room; texts of several rooms are in ``common.po``.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from honours.language import DEFAULT, LANGUAGES
from honours.model.facts import Subject, label_of, label_of_word
from honours.model.message import in_context
from honours.model.vocabulary import VOCABULARY

ROOT = Path(__file__).resolve().parent.parent
HOUSE = ROOT / "src" / "honours"
FOLDER = HOUSE / "language"
POT = ROOT / "build" / "messages.pot"
FIRST = datetime(2026, 11, 18, tzinfo=UTC)
"""The date of every file, so that only texts make a difference in one."""
PAGES = {"**.html": {"silent": "false", "trimmed": "true"}}
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2)}
MAKERS = {
    "Message": slice(0, 1),
    "mark": slice(0, 1),
    "plural": slice(0, 2),
    "UnknownName": slice(0, 1),
    "Format": slice(1, 2),
    "headed": slice(0, 1),
    "titled": slice(0, 1),
    "HonoursError": slice(0, 1),
    "InputError": slice(0, 1),
    "ConnectorError": slice(0, 1),
    "LedgerError": slice(0, 1),
    "RulebookError": slice(0, 1),
    "FileProblem": slice(1, 3),
    "MissingInput": slice(1, 3),
    "WrongValue": slice(2, 3),
    "problems.add": slice(0, 3, 2),
}
"""What makes a text to translate of its arguments, and of which; a template is written out."""
NAMED = ("found", "expected", "about", "needed_for")
"""The arguments by name that are texts to translate, of what is made from several."""

ABOUTS = ("about", "message", "reading", "ask", "reason", "evidence", "refused", "newer")
"""The keys of a rulebook whose texts are ours."""
QUESTION_TEXTS = ("tab", "title", "about", "counted", "label", "nothing", "others")
"""The keys of a question of the lab whose texts a person reads."""
_FIELDS, _HAS_WORDS = re.compile(r"\{[^}]*\}"), re.compile(r"[^\W\d_]|:")
"""A template of places alone is the same in all languages; a colon takes a space in some."""

Text = str | tuple[str, ...]


def texts() -> Iterator[tuple[str, Text]]:
    """Every text to translate, with the file it is in."""
    yield from rulebook_texts()
    yield from fact_labels()
    yield from author_faults()
    yield from ruling_texts()
    yield from option_texts()
    yield from lab_questions()
    yield from ledger_lists()
    yield from page_words()
    for path in sorted(HOUSE.rglob("*.py")):
        for text in texts_of(path.read_text(encoding="utf-8"), str(path.relative_to(HOUSE))):
            yield str(path.relative_to(HOUSE)), text
    for file, _, text, _, _ in extract_from_dir(
        str(HOUSE), [("**.html", "jinja2")], PAGES, KEYWORDS, directory_filter=lambda _: True
    ):
        yield file, text


def rulebook_texts() -> Iterator[tuple[str, Text]]:
    """What rulebooks say of inputs, numbers, readings and rules: ours, unlike what they quote."""
    for path in sorted(HOUSE.glob("rulebooks/**/rulebook.toml")):
        declared = tomllib.loads(path.read_text(encoding="utf-8"))
        for text in (*_abouts(declared), *_names(declared)):
            yield str(path.relative_to(HOUSE)), text
    for path in sorted(HOUSE.glob("rulebooks/**/rules*.py")):
        for text in _of_rules(ast.parse(path.read_text(encoding="utf-8"))):
            yield str(path.relative_to(HOUSE)), text


def _names(declared: dict[str, Any]) -> Iterator[str]:
    """What inputs, their words and numbers of a rulebook are called where people read it."""
    inputs = declared.get("inputs", {})
    yield from map(label_of, (*inputs, *declared.get("parameters", {})))
    for one in inputs.values():
        yield from (label_of_word(word) for word in one.get("words", ()) if word.islower())


def fact_labels() -> Iterator[tuple[str, Text]]:
    """What facts of an event are called; criteria of go have the same letters everywhere."""
    for fact in VOCABULARY.values():
        if fact.of is not Subject.PUBLISHED and fact.name.islower():
            yield "model/vocabulary.py", label_of(fact.name)


def author_faults() -> Iterator[tuple[str, Text]]:
    """What is said of mistakes in a rulebook."""
    path = HOUSE / "engine/rulebook/faults.toml"
    tables = tomllib.loads(path.read_text(encoding="utf-8"))
    texts = [*tables["faults"].values(), *tables["why"].values()]
    for text in (*texts, *(one for pair in tables["forbidden"].values() for one in pair)):
        if _HAS_WORDS.search(_FIELDS.sub("", text)):
            yield str(path.relative_to(HOUSE)), text


def ruling_texts() -> Iterator[tuple[str, Text]]:
    """What forms and commands say of the kinds of ruling."""
    declared = _declared("formats/rulings.toml")
    kinds = declared["kinds"].values()
    fields = [declared["fields"], *(kind.get("fields", {}) for kind in kinds)]
    for one in (*kinds, *(field for own in fields for field in own.values())):
        yield from (
            ("formats/rulings.toml", one[k]) for k in ("title", "label", "about") if k in one
        )


def option_texts() -> Iterator[tuple[str, Text]]:
    """What forms and commands say of the options of scoring, awarding and posting."""
    declared = _declared("pipeline/options.toml")
    for one in (option for table in declared.values() for option in table.values()):
        texts = (one[key] for key in ("help", "label", "unsaid") if key in one)
        words = (word for word in one.get("words", ()) if word.isalpha())
        yield from (("pipeline/options.toml", text) for text in (*texts, *words))


def lab_questions() -> Iterator[tuple[str, Text]]:
    """What the questions of the lab are called and ask for, and columns of their answers."""
    tables = _declared("lab/questions.toml")
    columns = _declared("lab/columns.toml")["columns"]
    yield from (("lab/columns.toml", name) for name in columns if _HAS_WORDS.search(name))
    fields = [tables.pop("shared"), *(one["fields"] for one in tables.values())]
    asked = [one for own in fields for one in own.values() if isinstance(one, dict)]
    for one in (*tables.values(), *asked):
        yield from (("lab/questions.toml", one[key]) for key in QUESTION_TEXTS if key in one)


def ledger_lists() -> Iterator[tuple[str, Text]]:
    """What the lists of the ledger are called and ask for."""
    declared = _declared("ledger/lists.toml")
    yield from (("ledger/lists.toml", one["title"]) for one in declared["lists"].values())
    for one in declared["asks"].values():
        yield from (("ledger/lists.toml", one[key]) for key in ("label", "about"))


def page_words() -> Iterator[tuple[str, Text]]:
    """Words that reach a page as codes, or stand beside one."""
    declared = _declared("web/words.toml")
    pairs = (word for what in ("help", "colours") for _, word in declared[what])
    yield from (("web/words.toml", word) for word in (*declared["words"], *pairs))


def _declared(file: str) -> dict[str, Any]:
    return tomllib.loads((HOUSE / file).read_text(encoding="utf-8"))


def _of_rules(module: ast.Module) -> Iterator[str]:
    """What each rule and what it reads are called, and what it says it is: explanations do too."""
    for node in module.body:
        if not isinstance(node, ast.FunctionDef) or not node.decorator_list:
            continue
        yield from map(label_of, (node.name, *(argument.arg for argument in node.args.args)))
        if about := ast.get_docstring(node):
            yield " ".join(about.split("\n\n")[0].split())


def _abouts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ABOUTS and isinstance(item, str) and _HAS_WORDS.search(item):
                yield item
            else:
                yield from _abouts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _abouts(item)


def texts_of(source: str, file: str = "") -> Iterator[Text]:
    """The templates that a module writes out; one that is not written out is a mistake."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        if name == "add" and ast.unparse(call.func).endswith("problems.add"):
            name = "problems.add"
        if name not in MAKERS or not call.args:
            continue
        written = [_written(arg, file) for arg in call.args[MAKERS[name]]]
        if name == "plural":
            yield from zip(*written, strict=True)
            continue
        if MAKERS[name] != slice(0, 1):
            written += [_written(one.value, file) for one in call.keywords if one.arg in NAMED]
        for texts_written in written:
            yield from texts_written


def _written(node: ast.expr, file: str) -> list[str]:
    """The text of an argument; both texts where one of two is chosen, none for a name."""
    match node:
        case ast.Constant(value=str(text)):
            return [text] if _HAS_WORDS.search(_FIELDS.sub("", text)) else []
        case ast.Call(func=ast.Name(id="in_context"), args=[context, template]):
            [meaning], texts_written = _written(context, file), _written(template, file)
            return [in_context(meaning, text) for text in texts_written]
        case ast.IfExp(body=body, orelse=other):
            return [*_written(body, file), *_written(other, file)]
        case ast.JoinedStr() | ast.BinOp():
            raise SystemExit(f"{file}, line {node.lineno}: write the template out, with its values")
    return []


def template() -> Catalog:
    """Every text, untranslated."""
    files_of: dict[Text, set[str]] = {}
    for file, text in texts():
        files_of.setdefault(text, set()).add(file)
    catalog = Catalog(project="Honours", charset="utf-8")
    for text, files in files_of.items():
        context, _, plain = text.rpartition("\x04") if isinstance(text, str) else ("", "", text)
        catalog.add(plain, locations=[(file, 0) for file in sorted(files)], context=context or None)
    return catalog


def main() -> None:
    """Bring every catalogue up to date."""
    every = template()
    POT.parent.mkdir(exist_ok=True)
    with POT.open("wb") as file:
        write_po(file, every, width=100, sort_output=True)
    for language in sorted({*LANGUAGES, *sys.argv[1:]} - {DEFAULT}):
        folder = FOLDER / language
        folder.mkdir(exist_ok=True)
        catalog = read(folder)
        catalog.update(every, update_creation_date=False)
        write(catalog, folder)
        print(f"{language}: {len(untranslated(catalog))} to translate")


def read(folder: Path) -> Catalog:
    """All that a language has, from the files of its rooms."""
    whole = Catalog(locale=folder.name, charset="utf-8")
    for path in sorted(folder.glob("*.po")):
        with path.open("rb") as file:
            for one in read_po(file, locale=folder.name):
                if one.id:
                    whole.add(one.id, one.string, flags=one.flags, context=one.context)
    return whole


def write(catalog: Catalog, folder: Path) -> None:
    """Each text into the file of its room; those of several rooms into one they share."""
    rooms: dict[str, Catalog] = {}
    for one in catalog:
        if one.id:
            found = {file.partition("/")[0] for file, _ in one.locations}
            room = found.pop() if len(found) == 1 else "common"
            into = rooms.setdefault(room.removesuffix(".py"), _empty(folder.name))
            into.add(one.id, one.string, flags=one.flags, context=one.context)
    for path in folder.glob("*.po"):
        path.unlink()
    for room, of_room in rooms.items():
        with (folder / f"{room}.po").open("wb") as file:
            write_po(file, of_room, width=100, sort_output=True)


def _empty(language: str) -> Catalog:
    catalog = Catalog(locale=language, charset="utf-8", fuzzy=False)
    catalog.header_comment = f"# Honours in {catalog.locale.english_name}."
    catalog.last_translator = catalog.language_team = "Honours contributors"
    catalog.msgid_bugs_address = catalog.version = ""
    catalog.project = "Honours"
    catalog.creation_date = catalog.revision_date = FIRST
    return catalog


def untranslated(catalog: Catalog) -> list[Message]:
    """The texts that still have no translation, or one that nobody has looked at."""
    return [m for m in catalog if m.id and (m.fuzzy or not _is_whole(m.string))]


def _is_whole(translation: object) -> bool:
    if isinstance(translation, tuple | list):
        return all(translation)
    return bool(translation)


if __name__ == "__main__":
    main()
