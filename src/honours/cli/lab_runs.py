"""`honours lab score` and `honours lab award`: a whole corpus to Parquet, resumable."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from honours.cli.declared import as_command, option
from honours.cli.lab_answers import COMPILING, lines_aside, on_option, own_rulebooks, progress_line
from honours.cli.messages import say, say_json
from honours.model.message import Message, joined, plural

if TYPE_CHECKING:
    from honours.lab.run import ShardJob

F = TypeVar("F", bound=Callable[..., Any])


def _run_options(function: F) -> F:
    for each in (
        click.option("--json", "as_json", is_flag=True, help="One JSON object."),
        on_option,
        click.option("--workers", default=1, show_default=True, help="Processes on this machine."),
        click.option("--out", required=True, metavar="FOLDER", help="Where the output goes."),
    ):
        function = each(function)
    return function


@as_command("score")
@_run_options
def score(
    out: str,
    workers: int,
    address: str,
    as_json: bool,
    corpus: str,
    profile: str = option("The convention to score by.", default="ebu"),
) -> None:
    """Score every result of a corpus: matchpoints, percentages and places of every entrant.

    \b
    Example:
      honours lab score year --out scores --workers 2
    """
    from honours.lab.run import ShardJob
    from honours.scoring.profiles import profile as known

    known(profile)
    _do(ShardJob("score", corpus, out, profile), profile, workers, address, as_json)


@as_command("award")
@own_rulebooks
@_run_options
def award(
    folders: tuple[str, ...],
    out: str,
    workers: int,
    address: str,
    as_json: bool,
    corpus: str,
    rulebook: str = option(
        "The rulebook to award by, with key=value … if need be.", "ID", required=True
    ),
    changes: tuple[str, ...] = option(
        "Amend a parameter, or give an input for all events that do not tell it; may be repeated.",
        "KEY=VALUE",
        "--set",
    ),
    scored_by: str = option(
        "Score the results by this convention and award by the places that gives; without it, by "
        "those the corpus tells.",
        "PROFILE",
    ),
) -> None:
    """Award every event of a corpus. Started again, it goes on where it stopped.

    \b
    Example:
      honours lab award year --rulebook acbl-sof-2020 --out awards
      honours lab award year --rulebook acbl-sof-2020 --scored-by acbl --out by-acbl
      honours lab award year --rulebook "ebu-clubs scale=A" --out scale-a
    """
    from honours.cli.options import pairs
    from honours.lab.run import ShardJob
    from honours.lab.sides import given_for_all, specified
    from honours.rulebooks import load
    from honours.scoring.profiles import profile

    rulebook_id, *own = rulebook.split()
    changed = pairs([*own, *changes])
    amended = specified(load(rulebook_id, folders), changed)
    if scored_by:
        profile(scored_by)
    job = ShardJob("award", corpus, out, rulebook_id, tuple(changed.items()), folders, scored_by)
    for key, text in given_for_all(amended).items():
        given = Message("{given} for all events that do not say", given=f"{key}={text}")
        say(given, err=True)
    _do(job, amended.hash, workers, address, as_json)


def _do(job: ShardJob, rule_hash: str, workers: int, address: str, as_json: bool) -> None:
    from honours.lab.corpus import Corpus
    from honours.lab.run import run

    corpus = Corpus.open(job.corpus)
    corpus.verify()
    signature = job.signature(corpus.hash, rule_hash)
    progress = progress_line(Message("shards"), COMPILING if job.what == "award" else "")
    outcome = run(job, signature, progress, workers, address)
    data = outcome.data()
    if as_json:
        say_json(data)
    else:
        _tell(job, data)
    for one in data["problems"]:
        stopped = Message("shard {shard}: {problem}", shard=one["shard"], problem=one["problem"])
        say(stopped, err=True)
    if data["problems"]:
        raise SystemExit(1)


def _tell(job: ShardJob, data: dict[str, Any]) -> None:
    parts = [
        Message(
            "{entrants} in {shards}",
            entrants=plural("{count:,} entrant", "{count:,} entrants", count=data["rows"]),
            shards=plural("{count:,} shard", "{count:,} shards", count=data["shards"]),
        )
    ]
    if job.what == "award":
        total = data["total"]
        parts.append(Message("{points:,.2f} points, each entrant's counted once", points=total))
    if data["resumed"]:
        parts.append(Message("{count:,} were there already", count=data["resumed"]))
    say(joined(": ", (job.output, joined(", ", parts))))
    for line in lines_aside(data["set_aside"]):
        say(Message("set aside: {what}", what=line), err=True)
