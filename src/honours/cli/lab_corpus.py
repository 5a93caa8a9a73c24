"""`honours lab generate`, `import`, `check` and `tables`: having a corpus."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from honours.cli.declared import JSON, argument, as_command, option
from honours.cli.lab_answers import progress_line
from honours.cli.messages import chosen_language, say, say_json
from honours.cli.scoring_options import declared
from honours.errors import InputError
from honours.model.message import Message, plural
from honours.pipeline.options import OF_EACH, options_changed

if TYPE_CHECKING:
    from honours.lab.history.importing import ImportResult


@as_command("generate")
def generate(
    folder: str,
    seed: int = option("The same seed makes the same files.", default=1),
    scale: float = option("1 is a whole federation-year.", default=1.0),
    no_boards: bool = option("Standings only, without the boards' results."),
    history: str | None = option(
        "A season of club games like this history instead.", "CORPUS", "--fit"
    ),
    as_json: bool = JSON,
) -> None:
    """Make a synthetic federation-year, calibrated to what the sources publish.

    \b
    Examples:
      honours lab generate year --scale 0.1 --seed 7
      honours lab generate like --fit year
    """
    from honours.lab.corpus import Corpus
    from honours.lab.generate.year import Recipe, generate_like
    from honours.lab.generate.year import generate as make
    from honours.lab.result import Frame

    if not 0 < scale <= 1000:
        raise InputError("--scale {scale}: must be above 0 and at most 1000", scale=scale)
    recipe = Recipe(seed=seed, scale=scale, boards=not no_boards)
    if history:
        corpus = generate_like(Path(folder), Corpus.open(history), seed)
    else:
        corpus = make(Path(folder), recipe, progress_line(Message("events")))
    figures = corpus.figures
    if as_json:
        data = {"corpus": folder, "hash": corpus.hash, "figures": figures}
        say_json(data)
    else:
        title = Message("{folder}: how closely it matches the published figures", folder=folder)
        say(Frame.of(title, figures).text(chosen_language()))


@as_command("import")
@declared(OF_EACH)
def import_(
    sources: tuple[str, ...] = argument("SOURCE... FOLDER [KEY=VALUE]...", required=True),
    plan: str | None = option("What the columns of tables mean, as --draft writes it.", "FILE"),
    draft: str | None = option("Write a first draft of the plan, and import nothing.", "FILE"),
    query: str = option("What to read from a database.", "SQL"),
    as_json: bool = JSON,
    **choices: Any,
) -> None:
    """Make a corpus in FOLDER from what a federation has.

    SOURCE is a folder of files of results and standings, or tables of events, entrants or players
    in any order: CSV, Parquet, a workbook, a SQLite or DuckDB file, or a PostgreSQL address with
    --query. Points that were paid are brought along, to compare with as `as-paid`.

    KEY=VALUE says what the sources do not: class=regional, limit=750, section_kind=open, with
    paid=hundredths in what files write what they paid; Fin=place says what a column of a table
    means, missing.holding=median what a hole counts as. Interrupted among files of events, it goes
    on from there when the same command is given again.

    \b
    Examples:
      honours lab import try/season/saturdays history class=sectional
      honours lab import try/history.csv year-2019
      honours lab import try/history.csv --draft plan.toml
    """
    from honours.cli.lazy import INTERRUPTED
    from honours.cli.options import pairs
    from honours.lab.history.importing import ImportRequest, bring

    paths, given = _options_and_files(sources)
    if draft:
        _draft(paths, query, Path(draft))
        return
    if len(paths) < 2:
        raise InputError("import: expected the files to read, then the folder for the new corpus")
    *read, folder = paths
    wanted = ImportRequest(
        read, pairs(given), options_changed(OF_EACH, choices), Path(plan) if plan else None, query
    )
    try:
        brought = bring(wanted, Path(folder), progress_line(Message("import")))
    except KeyboardInterrupt:
        say(Message("interrupted: nothing was kept; the same command starts over"), err=True)
        raise SystemExit(INTERRUPTED) from None
    _tell_import(brought, folder, as_json)
    if brought.stopped:
        interrupted = Message(
            "interrupted: the corpus holds {part}; the same command continues from here",
            part=brought.stopped,
        )
        say(interrupted, err=True)
        raise SystemExit(INTERRUPTED)


def _tell_import(brought: ImportResult, folder: str, as_json: bool) -> None:
    if as_json:
        say_json(brought.data())
        return
    for note in brought.notes():
        say(note, err=True)
    members = len(brought.corpus.member_ids())
    entrants = brought.corpus.count("entrants")
    counts = Message(
        "{folder}: {events}, {entrants}, {members}",
        folder=folder,
        events=plural("{count:,} event", "{count:,} events", count=brought.events),
        entrants=plural("{count:,} entrant", "{count:,} entrants", count=entrants),
        members=plural(
            "{count:,} member with an id", "{count:,} members with an id", count=members
        ),
    )
    plan = Path(folder) / "import.toml"
    columns = Message("{counts}; columns as in {file}", counts=counts, file=plan)
    say(columns if brought.plan else counts)


def _options_and_files(words: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Paths and addresses, and KEY=VALUE."""
    given = [w for w in words if re.match(r"[^/\\:]+=", w) and not Path(w).exists()]
    return [w for w in words if w not in given], given


def _draft(paths: list[str], query: str, target: Path) -> None:
    from honours.lab.history.importing import drafted_plan

    if target.exists():
        raise InputError("{target} already exists; choose another name", target=target)
    target.write_text(drafted_plan(paths, query), encoding="utf-8")
    drafted_at = Message(
        "{file}: how the columns were understood; correct it, then import with --plan", file=target
    )
    say(drafted_at)


@as_command("check")
def check(folder: str, as_json: bool = JSON) -> None:
    """Read every file of a corpus and name those that are not as they were made.

    \b
    Example:
      honours lab check year
    """
    from honours.lab.corpus import Corpus

    corpus = Corpus.open(folder)
    corpus.verify()
    if as_json:
        say_json({"corpus": folder, "hash": corpus.hash, "shards": len(corpus.shards)})
        return
    shards = plural("{count:,} shard", "{count:,} shards", count=len(corpus.shards))
    sound = Message(
        "{folder}: {shards}, nothing wrong with the files", folder=folder, shards=shards
    )
    say(sound)


@as_command("rated")
def rated(
    corpus: str,
    folder: str,
    holdings: bool = option("Draw ratings to what holdings suggest."),
    as_json: bool = JSON,
) -> None:
    """Copy a corpus to FOLDER with a rating of every player.

    It is the rating by results that was known before the event, 50 being average; a rulebook of
    your own asks for it as `skill`.

    \b
    Example:
      honours lab rated year year-rated
    """
    from honours.lab.corpus import Corpus

    made = Corpus.open(corpus).rated(folder, holdings)
    if as_json:
        say_json({"corpus": folder, "hash": made.hash, "players": made.count("players")})
        return
    rows = plural("{count:,} row", "{count:,} rows", count=made.count("players"))
    say(Message("{folder}: {rows} of players with a rating", folder=folder, rows=rows))


@as_command("tables")
def tables(as_json: bool = option("A list of objects.", None, "--json")) -> None:
    """Show the columns of a corpus: what a file of your own must hold and may hold.

    \b
    Example:
      honours lab tables --json
    """
    from honours.lab.result import Frame
    from honours.lab.tables import describe

    rows = describe()
    if as_json:
        say_json(rows)
    else:
        say(Frame.of(Message("Tables"), rows).text(chosen_language()))
