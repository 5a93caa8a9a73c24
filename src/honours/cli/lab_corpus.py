"""`honours lab generate`, `import`, `check` and `tables`: having a corpus."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from honours.cli.lab_answers import progress_line
from honours.cli.scoring_options import declared
from honours.errors import InputError, how_many
from honours.pipeline.options import OF_EACH, said_of

if TYPE_CHECKING:
    from honours.lab.corpus import Corpus
    from honours.lab.importing import Importer


@click.command("generate")
@click.argument("folder", type=click.Path())
@click.option("--seed", default=1, show_default=True, help="The same seed makes the same files.")
@click.option("--scale", default=1.0, show_default=True, help="1 is a whole federation-year.")
@click.option("--no-boards", is_flag=True, help="Standings only, without the boards' results.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def generate(folder: str, seed: int, scale: float, no_boards: bool, as_json: bool) -> None:
    """Make a synthetic federation-year, calibrated to what the sources publish.

    \b
    Example:
      honours lab generate year --scale 0.1 --seed 7
    """
    from honours.lab.frame import Frame
    from honours.lab.generate.year import Recipe
    from honours.lab.generate.year import generate as make

    if not 0 < scale <= 1000:
        raise InputError(f"--scale {scale}: must be above 0 and at most 1000")
    recipe = Recipe(seed=seed, scale=scale, boards=not no_boards)
    corpus = make(Path(folder), recipe, progress_line("events"))
    figures = corpus.manifest["figures"]
    if as_json:
        found = {"corpus": folder, "hash": corpus.hash, "figures": figures}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        click.echo(Frame.of(f"{folder}: how well it meets the sources", figures).text())


@click.command("import")
@click.argument("source", type=click.Path(exists=True, file_okay=False))
@click.argument("folder", type=click.Path())
@click.argument("given", nargs=-1, metavar="[KEY=VALUE]...")
@declared(OF_EACH)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def import_(
    source: str, folder: str, given: tuple[str, ...], as_json: bool, **choices: Any
) -> None:
    """Make a corpus in FOLDER from the files of results and standings in SOURCE.

    KEY=VALUE says what the files do not: class=regional, limit=750, section=open. Interrupted, it
    keeps what it has read so far.

    \b
    Example:
      honours lab import try/season/saturdays history class=sectional
    """
    from honours.cli.folders import INTERRUPTED, each, files_of
    from honours.cli.options import pairs
    from honours.lab.importing import Importer

    importer = Importer(Path(folder), pairs(given), said_of(OF_EACH, choices))
    outcomes = each(files_of([source]), importer.add)
    tried = len(outcomes.done) + len(outcomes.failed)
    stopped = f"{tried} of {outcomes.total} files" if outcomes.interrupted else ""
    aside = [*outcomes.failed, *map(str, importer.aside)]
    for told in aside:
        click.echo(f"set aside: {told}", err=True)
    corpus = importer.finish(Path(source).name, stopped)
    _tell_import(corpus, importer, aside, as_json)
    if stopped:
        click.echo(f"interrupted: the corpus holds {stopped}", err=True)
        raise SystemExit(INTERRUPTED)


def _tell_import(corpus: Corpus, importer: Importer, aside: list[str], as_json: bool) -> None:
    without = [str(one) for one in importer.without_boards]
    if as_json:
        found = {
            "corpus": str(corpus.folder),
            "hash": corpus.hash,
            "events": importer.events,
            "set_aside": aside,
            "without_boards": without,
        }
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    click.echo(f"{corpus.folder}: {importer.events:,} events")
    for told in without:
        click.echo(f"its boards are left out: {told}", err=True)


@click.command("check")
@click.argument("folder", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def check(folder: str, as_json: bool) -> None:
    """Read every row group of a corpus and name what is wrong, with file and row group.

    \b
    Example:
      honours lab check year
    """
    from honours.cli.lab_answers import told_aside
    from honours.lab.checks import read_through
    from honours.lab.corpus import Corpus

    corpus = Corpus.open(folder)
    problems = [str(p) for p in read_through(corpus.files())]
    bad = [b for shard in corpus for b in shard.bad]
    aside = [{"event": b.event, "why": str(b)} for b in bad]
    if as_json:
        found = {"corpus": folder, "hash": corpus.hash, "problems": problems, "set_aside": aside}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        for line in problems:
            click.echo(line, err=True)
        for line in told_aside(aside):
            click.echo(f"would be set aside: {line}")
        if not problems and not bad:
            shards = how_many(len(corpus.shards), "shard")
            click.echo(f"{folder}: {shards}, nothing wrong with the files")
    if problems or bad:
        raise SystemExit(1)


@click.command("tables")
@click.option("--markdown", is_flag=True, help="As docs/corpus-tables.md has them.")
@click.option("--json", "as_json", is_flag=True, help="A list of objects.")
def tables(markdown: bool, as_json: bool) -> None:
    """Show the columns of a corpus: what a file of your own must hold and may hold.

    \b
    Example:
      honours lab tables --json
    """
    from honours.lab.frame import Frame
    from honours.lab.tables import as_markdown, describe

    if markdown:
        click.echo(as_markdown(), nl=False)
        return
    rows = describe()
    click.echo(json.dumps(rows, indent=2) if as_json else Frame.of("Tables", rows).text())
