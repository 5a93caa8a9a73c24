"""What CONTRIBUTING asks of every file: laid out by the formatter, and one name for one thing."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[2]
BY_HAND = re.compile(r"#\s*fmt:\s*(skip|off)")


def _files() -> Iterator[tuple[str, str]]:
    for folder in ("src", "tests", "scripts", "benchmarks"):
        for path in sorted((HOUSE / folder).rglob("*.py")):
            yield str(path.relative_to(HOUSE)), path.read_text(encoding="utf-8")


def test_the_formatter_lays_out_everything() -> None:
    assert [name for name, text in _files() if BY_HAND.search(text)] == []


def test_a_name_of_a_class_means_one_thing() -> None:
    defined: dict[str, list[str]] = defaultdict(list)
    for name, text in _files():
        if name.startswith("src/"):
            for node in ast.parse(text).body:
                if isinstance(node, ast.ClassDef):
                    defined[node.name].append(name)
    assert {name: files for name, files in defined.items() if len(files) > 1} == {}


def test_commands_print_in_one_place_which_knows_the_language() -> None:
    own_ways = re.compile(r"click\.s?echo\(|(?<![\w.])print\(")
    printing = [
        name
        for name, text in _files()
        if name.startswith("src/honours/cli/") and own_ways.search(text)
    ]
    assert printing == ["src/honours/cli/lazy.py", "src/honours/cli/messages.py"]
