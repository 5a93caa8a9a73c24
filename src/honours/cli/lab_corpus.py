"""`honours lab generate`, `import`, `check` and `tables`: having a corpus."""

from __future__ import annotations

import json
from pathlib import Path

import click

from honours.cli.lab_answers import progress_line


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
    from honours.errors import InputError
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
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def import_(source: str, folder: str, given: tuple[str, ...], as_json: bool) -> None:
    """Make a corpus in FOLDER from the files of results in SOURCE.

    KEY=VALUE says what the files do not: class=regional, limit=750.

    \b
    Example:
      honours lab import results/ history class=sectional
    """
    from honours.cli.options import pairs
    from honours.formats.detect import read_events
    from honours.lab.importing import import_folder

    corpus, aside = import_folder(Path(source), Path(folder), read_events, pairs(given))
    events = sum(len(shard.ids) for shard in corpus)
    if as_json:
        left = [{"file": path, "why": why} for path, why in aside]
        found = {"corpus": folder, "hash": corpus.hash, "events": events, "set_aside": left}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    click.echo(f"{folder}: {events:,} events")
    for path, why in aside:
        click.echo(f"set aside: {path}: {why}", err=True)


@click.command("check")
@click.argument("folder", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def check(folder: str, as_json: bool) -> None:
    """Read every row group of a corpus and name what is wrong, with file and row group.

    \b
    Example:
      honours lab check year
    """
    from honours.lab.checks import check_files
    from honours.lab.corpus import Corpus

    check_files(Path(folder), thorough=True)
    corpus = Corpus.open(folder)
    bad = [b for shard in corpus for b in shard.bad]
    if as_json:
        aside = [{"event": b.event, "why": b.why} for b in bad]
        found = {"corpus": folder, "hash": corpus.hash, "set_aside": aside}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    click.echo(f"{folder}: {len(corpus.shards)} shards, nothing wrong with the files")
    for one in bad:
        click.echo(f"would be set aside: event {one.event}: {one.why}")


@click.command("tables")
@click.option("--json", "as_json", is_flag=True, help="A list of objects.")
def tables(as_json: bool) -> None:
    """Show the columns of a corpus: what a file of your own must hold.

    \b
    Example:
      honours lab tables --json
    """
    from honours.lab.frame import Frame
    from honours.lab.tables import describe

    rows = describe()
    click.echo(json.dumps(rows, indent=2) if as_json else Frame.of("Tables", rows).text())
