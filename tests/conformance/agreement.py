"""Does the scorer agree with the checker on random events? As a command::

    PYTHONPATH=src .venv/bin/python -m tests.conformance.agreement \\
        --events 5000 --compiled 5000 --seed 1

It may be interrupted: what was compared until then is summed up.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from honours.errors import HonoursError
from tests.conformance import checker, convert, generator

if TYPE_CHECKING:
    from collections.abc import Iterator

Event = dict[str, Any]


@dataclass
class Run:
    """What was compared, and the first differences of every event that had any."""

    seed: int
    kinds: Counter[str] = field(default_factory=Counter)
    lines: int = 0
    differing: dict[str, list[str]] = field(default_factory=dict)

    @property
    def events(self) -> int:
        return self.kinds.total()


def differences(event: Event) -> list[str]:
    """Where the two scorers differ on an event, in words; nothing if they agree."""
    theirs = convert.scored(event)
    return list(unlike(checker.check(event), theirs))


def unlike(ours: Any, theirs: Any, where: str = "") -> Iterator[str]:
    """Every figure that is not the same, by its path."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key in sorted({*ours, *theirs}, key=str):
            yield from unlike(ours.get(key, "absent"), theirs.get(key, "absent"), f"{where}/{key}")
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for nth, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from unlike(one, other, f"{where}/{nth}")
    elif ours != theirs:
        yield f"{where}: checker {ours}, scorer {theirs}"


def compare(run: Run, number: int) -> None:
    """Score one more event both ways; a refusal is a difference too."""
    event = generator.generate(run.seed, number)
    run.kinds[event["family"]] += 1
    run.lines += sum(len(session["results"]) for session in event["sessions"])
    try:
        wrong = differences(event)
    except HonoursError as error:
        wrong = [f"refused by the scorer: {error}"]
    if wrong:
        run.differing[event["title"]] = wrong[:5]


def compare_compiled(run: Run, count: int) -> None:
    """The same for the compiled way: ``count`` plain events, shared among the profiles."""
    from tests.conformance import compiled

    for name in compiled.PROFILES:
        events = compiled.events(run.seed, count // len(compiled.PROFILES), name)
        run.kinds[f"compiled, {name}"] += len(events)
        run.lines += sum(len(event["sessions"][0]["results"]) for event in events)
        wrong = compiled.differences(events, name)
        if wrong:
            run.differing[f"compiled, {name}"] = wrong[:5]


def summary(run: Run, seconds: float) -> str:
    """What the run showed, as it goes into the documentation."""
    kinds = "\n".join(f"| {kind} | {count} |" for kind, count in sorted(run.kinds.items()))
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, seed {run.seed}: {run.events} events, {run.lines} lines, "
        f"{len(run.differing)} with a difference, {seconds:.0f} s\n\n"
        f"| kind | events |\n|---|---:|\n{kinds}"
    )


def main() -> int:
    """Compare, with progress on the error stream; the exit code is 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--events", type=int, default=500, help="how many, by the exact way")
    parser.add_argument("--compiled", type=int, default=0, help="how many, by the compiled way")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    run, start = Run(options.seed), time.monotonic()
    try:
        for number in range(options.events):
            compare(run, number)
            if number % 100 == 99:
                print(f"{number + 1} of {options.events}", file=sys.stderr, flush=True)
        if options.compiled:
            compare_compiled(run, options.compiled)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    for title, wrong in list(run.differing.items())[:20]:
        print(title, *wrong, sep="\n    ")
    print(summary(run, time.monotonic() - start))
    return 1 if run.differing else 0


if __name__ == "__main__":
    sys.exit(main())
