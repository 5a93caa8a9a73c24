"""No room says something to a person as an f-string: what is said is a template with values."""

import ast
import re
from collections.abc import Iterator

from scripts.catalogue import HOUSE
from tests.support import cases

SENTENCE = re.compile(r"[a-z]{2,}[,.:;]? | [a-z]{2,}")
"""A word with something before or after it: what a person might be meant to read."""
FOR_PROGRAMS = re.compile(
    r"SELECT |INSERT |UPDATE |ALTER |CREATE |SET |select |limit \d|filename=|boundary=|Bearer "
    r"|_timeout|content-disposition|base64|\bdef |--\w|httpx\.|^file:|^id: "
)
"""SQL, headers, addresses, code and commands that a reader copies."""
PROGRAMMERS = (
    *("AttributeError", "AssertionError", "TypeError", "ValueError", "UnpicklingError"),
    "DamagedDatabase",
)
"""What is raised to whoever writes the code, or never leaves the room that raises it."""
ARGUMENTS = ("Thread", "digest", "state", "removeprefix", "Player", "Entrant", "Column", "replace")
"""Calls whose text is a name or a key, not speech."""
OTHER_LANGUAGES = (
    ("rulebooks/", "clauses are the source's"),
    ("web/ledger/season", "a season's plan is TOML"),
    ("lab/history/plan.py", "a plan of an import is TOML"),
    ("lab/history/sources.py", "a column without a header"),
    ("lab/history/staging.py", "SQL"),
    ("formats/go_write.py", "a file of the AGA"),
    ("formats/usebio.py", "XML"),
    ("formats/macmahon.py", "a program's own name"),
    ("formats/acbl.py", "columns of a page, and a remark beside a result"),
    ("formats/acblscore.py", "a program's own name"),
    ("formats/table_write.py", "columns of a file"),
    ("formats/table_write.py", "columns of a file"),
    ("formats/go.py", "the key of something remembered"),
    (
        "conformance/report.py",
        "what obeys a sentence of a source and what breaks it, as it is kept",
    ),
    ("cli/rule.py", "an example of a command"),
    ("cli/ledger_operations.py", "an example of a command"),
    ("scoring/victory_points.py", "the place in a file"),
    ("scoring/why.py", "what one may ask for, as one types it"),
    ("reports/convert.py", "how a file names a rulebook"),
    ("ledger/qualify.py", "a register is TOML"),
    ("ledger/release.py", "kept in the ledger as it was said"),
    ("ledger/submissions.py", "a file for a receiver"),
    ("ledger/season/standings.py", "a key"),
    ("web/evening/", "who did something, as the journal keeps it, and what a form takes"),
    ("web/site/developers.py", "a command"),
)
"""Where a text is not ours to translate, and why."""


def sentences(source: str) -> Iterator[tuple[int, str]]:
    """The f-strings of a module that read as words to a person, with their lines."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.JoinedStr):
            continue
        written = "".join(
            str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values
        )
        if not SENTENCE.search(written) or FOR_PROGRAMS.search(written):
            continue
        if not _is_for_programmers(node, parents):
            yield node.lineno, ast.unparse(node)


def _is_for_programmers(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    while node in parents and not isinstance(node, ast.stmt):
        node = parents[node]
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in PROGRAMMERS or name in ARGUMENTS:
                return True
    return False


def test_what_is_said_is_a_template() -> None:
    wrong: list[str] = []
    passed_over: set[str] = set()
    for path in sorted(HOUSE.rglob("*.py")):
        name = str(path.relative_to(HOUSE))
        texts = list(sentences(path.read_text(encoding="utf-8")))
        exempt = {part for part, _ in OTHER_LANGUAGES if name.startswith(part)}
        if texts and exempt:
            passed_over |= exempt
        elif texts:
            wrong += [f"{name}:{line} {text}" for line, text in texts]
    assert wrong == [], "make it a Message, with its values"
    assert {part for part, _ in OTHER_LANGUAGES} - passed_over == set(), "nothing to pass over"


@cases
def test_a_sentence_is_seen(source: str, seen: bool) -> None:
    assert bool(list(sentences(source))) is seen
