"""`honours show`: what a file is and what is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from honours.formats.contents import Contents


@click.command("show")
@click.argument("paths", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="A list of objects, one a file.")
def command(paths: tuple[str, ...], as_json: bool) -> None:
    """Say what a file is and what is in it.

    It is recognised by its content, never by its name.

    A folder stands for the files in it: those that cannot be read are named, with why.

    \b
    Example:
      honours show examples/tuesday-pairs.csv
    """
    from pathlib import Path

    from honours.errors import HonoursError
    from honours.formats.contents import describe

    files = [file for path in paths for file in _files(Path(path))]
    if len(files) == 1 and not Path(paths[0]).is_dir():
        _print([describe(files[0])], as_json)
        return
    found: list[Contents] = []
    failed: list[str] = []
    for file in files:
        try:
            found.append(describe(file))
        except HonoursError as error:
            failed.append(str(error))
    _print(found, as_json)
    _summary(len(found), failed)


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        hidden = (part for part in sorted(path.rglob("*")) if part.is_file())
        yield from (file for file in hidden if not file.name.startswith("."))
    else:
        yield path


def _print(found: list[Contents], as_json: bool) -> None:
    if as_json:
        import json

        click.echo(
            json.dumps([_data(contents) for contents in found], ensure_ascii=False, indent=2)
        )
        return
    for contents in found:
        click.echo(f"{contents.path}: {contents.title}")
        if contents.experimental:
            click.echo(f"  experimental: {contents.experimental}")
        for part in contents.parts:
            for name, told in part:
                click.echo(f"  {name:<14} {told}")


def _data(contents: Contents) -> dict[str, object]:
    return {
        "path": contents.path,
        "kind": contents.kind,
        "title": contents.title,
        "experimental": contents.experimental or None,
        "contents": [[list(line) for line in part] for part in contents.parts],
    }


def _summary(read: int, failed: list[str]) -> None:
    """How it went, on standard error, so that what was found can be piped on."""
    click.echo(f"{read} read, {len(failed)} not", err=True)
    for why in failed:
        click.echo(f"  {why}", err=True)
    if failed:
        raise SystemExit(2)
