"""Every command has an example in its help, and every example runs as it stands."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests.docs.commands import WRITE, cases, every_command, examples, run, was_asked
from tests.seen import Seen

COMMANDS = dict(every_command())
EXAMPLES = {words: examples(command) for words, command in COMMANDS.items()}
SERVED = "honours serve"
ELSEWHERE = (SERVED, "honours bridgemates", "honours ledger members act")
"""What runs until it is stopped, or needs what the examples have not: tried in other tests."""

# What an example takes for granted. A ledger: the first commands of `honours ledger --help`.
LEDGER = tuple(EXAMPLES["honours ledger"][:3])
TOLD_SO_FAR = {"honours ledger init": 0, "honours ledger members import": 1}
DRAFT = (
    "honours ledger post try/season/saturdays/2017-01-28-saturday-pairs.csv kind=pairs winners=1"
    " --rulebook sbu-clubs-2016 --date 2017-01-28 --draft --as-usual"
)
CHECKPOINT = "honours ledger audit head -o checkpoint.json"
BEFORE = {
    "honours ledger audit witness": (CHECKPOINT, "honours ledger audit key auditor.key"),
    "honours ledger audit follows": (CHECKPOINT, CHECKPOINT.replace("checkpoint", "earlier")),
    "honours ledger audit check-proof": (CHECKPOINT, *EXAMPLES["honours ledger audit prove"]),
    "honours ledger audit verify": (CHECKPOINT,),
    "honours ledger drafts release": (DRAFT,),
    "honours ledger drafts withdraw": (DRAFT,),
    "honours ledger copies restore": ("honours ledger copies backup honours-2017-01-14.backup",),
    "honours ledger returns decide": (
        "honours ledger returns intake try/season/saturdays kind=pairs winners=1 --hold"
        " --as-usual --rulebook sbu-clubs-2016",
    ),
    "honours ledger members unmerge": tuple(EXAMPLES["honours ledger members merge"]),
    "honours ledger returns list": tuple(EXAMPLES["honours ledger returns make"]),
    "honours ledger returns mark": tuple(EXAMPLES["honours ledger returns make"]),
    "honours ledger years reopen": tuple(EXAMPLES["honours ledger years close"]),
    "honours lab compare": ("honours lab import try/history.csv year-2019",),
    "honours lab fit": ("honours lab import try/history.csv year-2019",),
    "honours rule substitute": tuple(EXAMPLES["honours rule name"]),
    "honours rule undo": tuple(EXAMPLES["honours rule phantom"]),
}
# An amended rulebook does not give what the sources print, and that is what it is asked for.
SAYS_NO = {"honours conform aga-category --set aga-category:rating_exponent=2"}


@pytest.mark.parametrize("words", COMMANDS)
def test_the_help_has_an_example(words: str) -> None:
    assert EXAMPLES[words], f"`{words} --help` shows no example"
    assert all(example.startswith("honours ") for example in EXAMPLES[words])


ENDING = {words: lines for words, lines in EXAMPLES.items() if words not in ELSEWHERE}


@pytest.mark.parametrize("words", cases(ENDING))
def test_the_examples_run(
    words: str, scratch: Path, request: pytest.FixtureRequest, seen: Seen
) -> None:
    before = [WRITE] if WRITE not in EXAMPLES[words] else []
    if words.startswith("honours ledger "):
        before += LEDGER[: TOLD_SO_FAR.get(words, len(LEDGER))]
    if words.startswith(("honours lab ", "honours study")) and words != "honours lab generate":
        (scratch / "year").symlink_to(request.getfixturevalue("corpus"))
    for command in (*before, *BEFORE.get(words, ()), *EXAMPLES[words]):
        if was_asked(command, seen):
            continue
        result = run(command)
        assert result.exit_code == (command in SAYS_NO), f"{command}\n{result.output}"
        assert result.output


def test_a_password_is_hashed_with_as_much_work_as_is_asked_for(scratch: Path) -> None:
    """By the command, because the tests of the server make do with less."""
    run(f'{EXAMPLES["honours accounts"][0]} --data "{scratch}"')
    kept = b"".join(path.read_bytes() for path in scratch.glob("accounts.db*"))
    assert b"$argon2id$v=19$m=65536,t=3,p=4$" in kept


def test_a_port_that_is_taken_is_no_riddle(scratch: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run(f"honours serve --no-browser --data {scratch} --port {port}")
    assert result.exit_code == 2
    assert f"port {port} of 127.0.0.1 cannot be used" in result.output


@pytest.mark.parametrize("example", EXAMPLES[SERVED])
def test_a_server_starts_answers_and_stops(example: str, scratch: Path) -> None:
    if "--accounts" in example:
        run(EXAMPLES["honours accounts"][0])
    command = [sys.executable, "-m", *example.split(), "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=scratch) as server:
        assert server.stdout is not None
        match = re.search(r"http://\S+", server.stdout.readline())
        assert match
        address = match[0].replace("0.0.0.0", "127.0.0.1")
        with urllib.request.urlopen(address, timeout=30) as answer:
            assert "Honours" in answer.read().decode()
        server.send_signal(signal.SIGINT)
        assert server.wait(30) == 0
