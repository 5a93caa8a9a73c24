"""Pages of the documentation that are made from the code, so that nothing is told twice.

mkdocs calls these hooks. They make a page for every rulebook and every group of commands, and fill
in facts, questions of the lab, tables of a corpus, public names and calls of the API where a page
has their mark. No page may ask another host for anything.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import honours
from honours.cli import cli
from honours.lab.asking import QuestionField
from honours.lab.questions import QUESTIONS
from honours.lab.tables import describe
from honours.model.facts import Subject
from honours.model.table import Table as Shown
from honours.model.vocabulary import facts_of
from honours.reports.rulebook import rulebook_data, standing_text
from honours.rulebooks import ids, load
from scripts import rule_language

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = {"architecture.md", "lab-data.md"}
ASSETS = ROOT / "src" / "honours" / "reports" / "assets"
# What makes a browser ask for something by itself; a link waits to be followed.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|link(?![^>]*rel="?canonical))\b[^>]*(?:src|href)="?(?:https?:)?//"""
)
Table = list[tuple[str, ...]]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """List the pages that are found by presence, and show the version on every page."""
    assert config.nav is not None
    reference = _section(config.nav, "Reference")
    books = ["index", "gallery", *ids()]
    _section(reference, "Rulebooks").extend(f"rulebooks/{name}.md" for name in books)
    _section(reference, "Commands").extend(
        f"commands/{name}.md" for name in ("index", *command_pages())
    )
    config.copyright = f"Honours {honours.__version__}, MIT licence"
    return config


def _section(nav: list[object], title: str) -> list[object]:
    section = next(item[title] for item in nav if isinstance(item, dict) and title in item)
    assert isinstance(section, list)
    return section


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made."""
    made = {f"rulebooks/{name}.md": rulebook_page(name) for name in ids()}
    made["rulebooks/gallery.md"] = gallery_page()
    made |= {f"commands/{name}.md": text for name, text in command_pages().items()}
    made["reference/rule-language.md"] = f"# The rule language\n\n{rule_language.reference()}\n"
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


def facts() -> str:
    """The one vocabulary: every fact, what it is of, and who may supply it."""
    parts = []
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
        parts += [f"### Of a {about}" if about[0] not in "ae" else f"### Of an {about}"]
        parts.append(_table(header, rows))
    return "\n\n".join(parts)


def questions() -> str:
    """Every question of the lab: its arguments in Python, in the command and in an address."""
    parts = []
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
        header = ("argument", "in the command", "in an address", "meaning", "limits, default")
        examples = "\n".join(declared.examples)
        parts += [f"### {declared.title}", str(declared.about), f"`{door}.{kind}({shown})`"]
        parts += [inspect.getdoc(declared.function) or "", _table(header, rows)]
        parts.append(f"```sh\n{examples}\n```")
    return "\n\n".join(parts)


_TABLES = {
    "events": "One row an event. Needed.",
    "entrants": "One row an entrant of an event, rising by event and entrant. Needed.",
    "players": "One row a player of an entrant, rising by event and entrant. Needed.",
    "results": "One row a result, together by event and board. Needed only to score.",
    "games": "One row a game or match as an entrant sees it, rising by event. Needed only to rate.",
    "scores": "What `honours lab score` writes.",
    "awards": "What `honours lab award` writes; an event that is refused or set aside has 0.",
}
_CORPUS = """\
## Tables of a corpus

A corpus is a folder of Parquet files in shards: `events-00000.parquet`, `entrants-00000.parquet`,
`players-00000.parquet` and, where boards or games of go are known, `results-00000.parquet` and
`games-00000.parquet` hold the same events; then those of `00001`. Every table is sorted by event,
over all shards; an event is in one shard and in one row group; a row group has a million rows at
most, unless a single event has more.

Any program may read such a folder, and write the tables of one: `Corpus.of` in Python takes them,
sets aside events that cannot be, each with its reason in `import-notes.txt`, and makes the folder.
From then on they are trusted: `corpus.json` has the digests of the files, and `honours lab check
FOLDER` names those that are not as they were made, as every long run does first. `members.parquet`
(`player`, `id`), where there is one, has what the members' owner calls them. A column that may be
null may be left out, which says the same as null in every row.
"""


def tables() -> str:
    """The tables of a corpus, one level below the heading they have elsewhere."""
    lines, rows = [_CORPUS], describe()
    for table, about in _TABLES.items():
        lines += [f"### {table}", "", about, "", "| column | type | unit | meaning | null |"]
        lines.append("|---|---|---|---|---|")
        for row in (one for one in rows if one["table"] == table):
            cells = (f"`{row['column']}`", row["type"], row["unit"], row["about"], row["null"])
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def python_reference() -> str:
    """Every public name with its signature and what its docstring says."""
    parts = []
    for name in honours.__all__:
        thing = getattr(honours, name)
        about = (inspect.getdoc(thing) or "").replace("``", "`")
        about = re.sub(r":\w+:`([^`]+)`", r"`\1`", about.partition("\n\n>>>")[0])
        signature = re.sub(r"\bhonours(?:\.\w+)+\.", "", str(inspect.signature(thing)))
        signature = re.sub(r"<factory>", "…", signature).replace(" -> None", "")
        parts += [f"### {name}", f"```text\nhonours.{name}{signature}\n```", about]
    return "\n\n".join(parts)


def _limits(field: QuestionField) -> str:
    ends = f"{field.least:,} to {field.most:,}" if field.type == "whole" else ""
    usual = "" if field.required or not field.default else f"default {field.default}"
    return "; ".join(part for part in (ends, usual) if part)


def rulebooks() -> str:
    """Every rulebook with what it is and how far it can be relied on."""
    books = [load(name) for name in ids()]
    rows: Table = [
        (
            f"[`{book.id}`]({book.id}.md)",
            f"{book.body}: {book.title}",
            f"{book.effective.since or '–'} to {book.effective.until or 'today'}",
            standing_text(book),
            book.effective.looked,
        )
        for book in books
    ]
    return _table(("rulebook", "awards", "holds", "standing", "last looked at"), rows)


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
        "## Inputs\n\n" + _table(("key", "type or words", "per", "about"), inputs),
        "## Numbers\n\n" + _table(("parameter", "value", "clause"), numbers),
    ]
    if variants:
        parts.append("## Variants\n\n" + _table(("variant", "change"), variants))
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


def command_pages() -> dict[str, str]:
    """A page for each group of commands, by its name."""
    return {
        name: "\n\n".join((f"# honours {name}\n\n{_text(group)}", *_described(group, context)))
        for name, group, context in _top()
        if isinstance(group, click.Group)
    }


def commands() -> str:
    """The commands that are in no group."""
    single = (one for one in _top() if not isinstance(one[1], click.Group))
    return "\n\n".join(_command(command, context) for _, command, context in single)


def _top() -> Iterator[tuple[str, click.Command, click.Context]]:
    top = click.Context(cli, info_name="honours")
    for name, command in _commands(cli, top):
        yield name, command, click.Context(command, parent=top, info_name=name)


def _commands(group: click.Group, context: click.Context) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield name, command


def _described(group: click.Group, context: click.Context) -> Iterator[str]:
    for name, command in _commands(group, context):
        inner = click.Context(command, parent=context, info_name=name)
        yield _command(command, inner)
        if isinstance(command, click.Group):
            yield from _described(command, inner)


def _command(command: click.Command, context: click.Context) -> str:
    """A command: its line, its text and its options as a table."""
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    options: Table = [
        record
        for param in command.get_params(context)
        if param.name != "help" and (record := param.get_help_record(context))
    ]
    parts = [f"## {context.command_path}", f"```text\n{usage}\n```", _text(command)]
    if options:
        shown: Table = [(f"`{names}`", about) for names, about in options]
        parts.append(_table(("option", "meaning"), shown))
    return "\n\n".join(parts)


def _text(command: click.Command) -> str:
    """A help text as Markdown: its examples in a block that can be copied."""
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    return re.sub(
        r"^(Examples?[^\n]*:)\n((?:[ ]+[^\n]*\n?)+)",
        lambda found: f"{found[1]}\n\n```sh\n{dedent(found[2]).strip()}\n```\n",
        text,
        flags=re.MULTILINE,
    )


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
    return _table(("call, below `/api/v1`", "purpose"), rows)


def _first_sentence(call: dict[str, str]) -> str:
    return call.get("description", call["summary"]).partition("\n")[0]


MADE: dict[str, Callable[[], str]] = {
    "<!-- made from the application: calls -->": calls_table,
    "<!-- made from the code: rulebooks -->": rulebooks,
    "<!-- made from the code: commands -->": commands,
    "<!-- made from the code: facts -->": facts,
    "<!-- made from the code: questions -->": questions,
    "<!-- made from the code: tables -->": tables,
    "<!-- made from the code: python -->": python_reference,
}
"""What takes the place of a mark on a page."""


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Put what is made where a page asks for it; the search finds tasks before the reference, and
    no evidence."""
    place = page.file.src_uri
    if place.startswith(("evidence/", "changelog")):
        page.meta["search"] = {"exclude": True}
    else:
        page.meta["search"] = {"boost": 0.2 if "/" in place or place in REFERENCE else 4}
    for mark, make in MADE.items():
        if mark in markdown:
            markdown = markdown.replace(mark, make())
    return markdown


def on_post_page(output: str, page: object, config: MkDocsConfig) -> str:  # noqa: ARG001
    """Refuse a page that would have its reader's browser ask another host."""
    if request := FETCHED.search(output):
        raise PluginError(f"{page}: it asks another host: {request[0]}")
    return output
