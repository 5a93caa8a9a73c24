"""Compiles what several tests, each in a process of its own, would compile at the same time: the
kernels, and the tests themselves, whose assertions pytest rewrites.

`./check` has it done while it lints; what is compiled is kept where every process looks for it.
"""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from honours.errors import InputError
from honours.lab.generate.year import Recipe, generate
from honours.lab.left_out import award_table
from honours.lab.run import ShardJob, run
from honours.rulebooks import ids


def main() -> None:
    """Collect the tests; score a small year, and award it by every rulebook."""
    collecting = [sys.executable, "-m", "pytest", "--collect-only", "-q"]
    subprocess.run(collecting, check=False, stdout=subprocess.DEVNULL)  # the tests will say why
    with TemporaryDirectory() as folder:
        corpus = generate(Path(folder, "year"), Recipe(seed=3, scale=0.01))
        job = ShardJob("score", str(corpus.folder), str(Path(folder, "scores")), "ebu")
        run(job, job.signature(corpus.hash, "ebu"))
        for rulebook in ids():
            with suppress(InputError):  # one that a corpus does not carry enough for says so
                award_table(corpus, rulebook)


if __name__ == "__main__":
    main()
