"""Pages of the documentation that are made from what they speak of, so that nothing is told twice.

mkdocs calls these hooks: a page for every rulebook from its own README and declarations, one of all
commands from their help texts, the questions of the lab from their signatures, the calls of the
API, the changelog and how to contribute from the root of the checkout; decisions are listed by
their presence. Last, no page may ask another host for anything.
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

from honours.cli import cli
from honours.lab.question_fields import QuestionField
from honours.lab.questions import QUESTIONS
from honours.model.facts import Subject
from honours.model.table import Table as Shown
from honours.model.vocabulary import facts_of
from honours.reports.rulebook import rulebook_data, standing_text
from honours.rulebooks import ids, load

ROOT = Path(__file__).resolve().parent.parent
ASSETS = ROOT / "src" / "honours" / "reports" / "assets"
# What makes a browser ask for something by itself; a link waits to be followed.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|link(?![^>]*rel="?canonical))\b[^>]*(?:src|href)="?(?:https?:)?//"""
)
CALLS = "<!-- made from the application: calls -->"
Table = list[tuple[str, ...]]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the pages that are found by presence."""
    assert config.nav is not None
    books = _section(config.nav, "Rulebooks")
    books.append({"Side by side": "rulebooks/gallery.md"})
    books.extend({name: f"rulebooks/{name}.md"} for name in ids())
    made = _section(_section(config.nav, "How it is made"), "Decisions")
    folder = Path(config.docs_dir, "decisions")
    names = sorted(path.name for path in folder.glob("*.md") if path.name != "index.md")
    made.extend(f"decisions/{name}" for name in names)
    return config


def _section(nav: list[object], title: str) -> list[object]:
    section = next(item[title] for item in nav if isinstance(item, dict) and title in item)
    assert isinstance(section, list)
    return section


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    made = {f"rulebooks/{name}.md": rulebook_page(name) for name in ids()}
    made["rulebooks/gallery.md"] = gallery_page()
    made["commands.md"] = commands_page()
    made["facts.md"] = facts_page()
    made["questions.md"] = questions_page()
    for name in ("CHANGELOG", "CONTRIBUTING"):
        text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        made[f"{name.lower()}.md"] = text.replace("](docs/", "](")
    made["stylesheets/tokens.css"] = tokens()
    faces = {f"stylesheets/{path.name}": path.read_bytes() for path in ASSETS.glob("*.woff2")}
    for path, content in (made | faces).items():
        files.append(File.generated(config, path, content=content))
    return files


def tokens() -> str:
    """The design of the app, for the light and the dark scheme a reader chooses here."""
    sheet = (ASSETS / "tokens.css").read_text(encoding="utf-8")
    return f"{sheet}[data-md-color-scheme=default] {{ color-scheme: light; }}\n"


def facts_page() -> str:
    """The one vocabulary: every fact, what it is of, and who may supply it."""
    parts = [
        "# Facts",
        "Everything that can be known of an event has one name, whether it is a column of a file, "
        "`key=value`, a field of the API or an input of a rulebook. A rulebook may ask for more; "
        "what it declares can be given in the same ways. Every answer says of each fact whether "
        "it was derived, told or assumed, from where, and whether it was used.",
    ]
    for about in Subject:
        rows: Table = [
            (
                f"`{fact.name}`",
                fact.meaning,
                ", ".join(fact.words) or fact.type,
                fact.unit,
                ", ".join(fact.suppliers),
                ", ".join(fact.spellings),
            )
            for fact in facts_of(about)
        ]
        header = ("fact", "meaning", "type", "unit", "supplied by", "other headers")
        parts += [f"## Of a {about}" if about[0] not in "ae" else f"## Of an {about}"]
        parts.append(_table(header, rows))
    return "\n\n".join(parts) + "\n"


def questions_page() -> str:
    """Every question of the lab: what it asks, as an argument, in a command and in an address."""
    parts = [
        "# Questions of the lab",
        "Each is one function, which is a method of `honours.lab.Corpus`. A page under `/lab/` "
        "asks it, a command does, and `POST /api/v1/jobs` with `what` and, in `said`, the words "
        "of the address. A rulebook has a word more, `a_with`, for other numbers than published; "
        "several are `a`, `b`, `c` …, and events one might enter are numbered.",
    ]
    for kind, declared in QUESTIONS.items():
        arguments, first = inspect.signature(declared.function).parameters, declared.arguments
        shown = ", ".join(
            one.name if one.default is one.empty else f"{one.name}={one.default!r}"
            for one in arguments.values()
            if one.name not in ("corpus", "progress")
        )
        door = "Corpus" if declared.fields[0].type != "corpus" else "corpus"
        rows: Table = [
            (
                f"`{field.name}`",
                f"`{field.option.upper()}`" if field in first else f"`--{field.option}`",
                ", ".join(f"`{k}`" for one in field.inputs({}) or (field,) for k in one.keys({})),
                field.help,
                _limits(field),
            )
            for field in declared.fields
        ]
        header = ("argument", "in the command", "in an address", "what it is", "from, to, unless")
        examples = "\n".join(declared.examples)
        parts += [f"## {declared.title}", str(declared.about), f"`{door}.{kind}({shown})`"]
        parts += [inspect.getdoc(declared.function) or "", _table(header, rows)]
        parts.append(f"```sh\n{examples}\n```")
    return "\n\n".join(parts) + "\n"


def _limits(field: QuestionField) -> str:
    ends = f"{field.least:,} to {field.most:,}" if field.type == "whole" else ""
    usual = "" if field.required or not field.default else f"unless said: {field.default}"
    return "; ".join(part for part in (ends, usual) if part)


def rulebook_page(name: str) -> str:
    """A rulebook: its README, what it asks, its numbers with their clauses, its variants."""
    book = load(name)
    data = rulebook_data(book)
    inputs: Table = [
        (f"`{i['key']}`", ", ".join(i["words"]) or i["type"], i["per"], i["about"])
        for i in data["inputs"]
    ]
    numbers: Table = [
        (f"`{p.name}`", shown["value"], str(p.citation))
        for p, shown in zip(book.parameters.values(), data["parameters"], strict=True)
    ]
    variants: Table = [(f"`{v['name']}`", v["about"]) for v in data["variants"]]
    head, _, rest = book.readme.partition("\n")
    about = f"`{name}`, revision {book.revision}: {book.body}, {book.edition}."
    about += f"\n\n{standing_text(book)}"
    parts = [
        f"{head}\n\n{about}\n{rest.rstrip()}",
        "## What it asks\n\n" + _table(("key", "what it holds", "per", "about"), inputs),
        "## Its numbers\n\n" + _table(("parameter", "value", "clause"), numbers),
    ]
    if variants:
        parts.append("## Variants\n\n" + _table(("variant", "what it changes"), variants))
    return "\n\n".join(parts) + "\n"


def gallery_page() -> str:
    """All rulebooks side by side."""
    from honours.reports.gallery import gallery

    parts = gallery([load(name) for name in ids()])
    texts = [f"## {part.title}\n\n{part.about}\n\n{_drawn(part.table)}" for part in parts]
    start = "# Rulebooks side by side\n\nMade from the rulebooks themselves."
    return "\n\n".join((start, *texts)) + "\n"


def _drawn(shown: Shown) -> str:
    heads = tuple(column.title for column in shown.columns)
    return _table(heads, [tuple(cell.text for cell in row) for row in shown.rows])


def _table(heads: tuple[str, ...], rows: Table) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in line) + " |"
        for line in lines
    )


def commands_page() -> str:
    """Every command as its `--help` tells it."""
    start = (
        "# Commands\n\nWhat `--help` says of each. The examples run as they stand beside the folder"
        " that `honours demo --write try` makes, and a test runs them all.\n"
    )
    return start + "".join(_command("honours", cli, None))


def _command(name: str, command: click.Command, parent: click.Context | None) -> Iterator[str]:
    context = click.Context(command, parent=parent, info_name=name, max_content_width=88)
    context.terminal_width = 88
    level = "##" if parent is None or parent.parent is None else "###"
    yield f"\n{level} {context.command_path}\n\n```text\n{command.get_help(context)}\n```\n"
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            subcommand = command.get_command(context, inner)
            assert subcommand is not None
            yield from _command(inner, subcommand, context)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Put the calls of the API where a page asks for them."""
    return markdown.replace(CALLS, calls_table()) if CALLS in markdown else markdown


def calls_table() -> str:
    """Every call of the API, as the application declares it."""
    from honours.web.app import unguarded
    from honours.web.settings import Settings

    with TemporaryDirectory() as folder:
        paths = unguarded(Settings(data=Path(folder))).openapi()["paths"]
    rows: Table = [
        (f"`{method.upper()} {path.removeprefix('/api/v1')}`", _first_sentence(call))
        for path, methods in paths.items()
        for method, call in methods.items()
    ]
    return _table(("call, below `/api/v1`", "what it does"), rows)


def _first_sentence(call: dict[str, str]) -> str:
    return call.get("description", call["summary"]).partition("\n")[0]


def on_post_page(output: str, page: object, config: MkDocsConfig) -> str:  # noqa: ARG001
    """Refuse a page that would have its reader's browser ask another host."""
    if request := FETCHED.search(output):
        raise PluginError(f"{page}: it asks another host: {request[0]}")
    return output
