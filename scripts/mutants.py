"""Mutation testing of scoring, engine and rulebooks, in a copy of the tree.

mutmut makes the mutants, the types set aside those that they catch, and the tests run on the others
(``scripts/mutant_run.py``). mutmut leaves decorated functions alone, and every rule is one: those
are changed here by its own operators, one whole file at a time.

    python -m scripts.mutants engine
    python -m scripts.mutants scoring --compiled --every 10
    python -m scripts.mutants scoring --every 3
    python -m scripts.mutants rulebooks
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from scripts.environment import ROOT

Test = Callable[[], int]
"""Gives 0 where it finds nothing wrong."""

PACKAGES = ("engine", "scoring", "rulebooks")
PYTEST = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not slow")
LONGEST = 300
"""Seconds after which a mutant has been found out by going on for ever."""
KILLED, SURVIVED, BY_TYPES, UNTESTED = "killed", "survived", "caught by types", "no test"
COMPILED = {
    "engine": (),
    "scoring": ("kernel", "columns", "chunks", "lanes"),
    "rulebooks": (),
}
"""The modules of the compiled way, which are mutated by themselves."""
TESTS = {
    "engine": ("tests/engine",),
    "scoring": ("tests/scoring", "tests/conformance/test_agreement.py"),
}


@dataclass
class Tally:
    """What became of the mutants, and which of them are left."""

    counts: Counter[str] = field(default_factory=Counter)
    left: list[str] = field(default_factory=list)

    def add(self, verdict: str, what: str) -> None:
        self.counts[verdict] += 1
        if verdict in (SURVIVED, UNTESTED):
            self.left.append(f"{verdict}: {what}")

    def __str__(self) -> str:
        counts = ", ".join(f"{many} {verdict}" for verdict, many in self.counts.most_common())
        return "\n".join([*self.left, counts])


def main() -> int:
    shown = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("mutants", description=__doc__, formatter_class=shown)
    parser.add_argument("package", choices=PACKAGES)
    parser.add_argument("--every", type=int, default=1, help="only every nth mutant")
    parser.add_argument("--only", default="", help="files whose path holds this")
    parser.add_argument("--decorated", action="store_true", help="only decorated functions")
    parser.add_argument("--compiled", action="store_true", help="the compiled way, not the exact")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _copy(Path(folder, "tree"))
        os.chdir(Path(folder, "tree"))
        os.environ |= {"NUMBA_DISABLE_JIT": "1", "MYPYPATH": "src", "XDG_CACHE_HOME": folder}
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        files = _files(chosen.package, chosen.only, chosen.compiled)
        tally = Tally()
        if chosen.package != "rulebooks" and not chosen.decorated:
            _plain_functions(chosen.package, files, chosen.every, tally)
            print(tally, flush=True)
        _whole_files(chosen.package, files, chosen.every, tally)
        print(tally)
    return 0


def _copy(to: Path) -> None:
    """What git knows of the tree; the shared material stays beside the copy that tests run in."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        source, target = Path(ROOT, name), to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.exists():
            shutil.copy(source, target, follow_symlinks=False)
    shared = Path(ROOT).parent / "shared"
    if shared.exists():
        to.with_name("shared").symlink_to(shared)
        (to / "shared").symlink_to(shared)


def _files(package: str, only: str, compiled: bool) -> list[Path]:
    files = sorted(Path("src/honours", package).rglob("*.py"))
    ways = (file for file in files if (file.stem in COMPILED[package]) == compiled)
    return [file for file in ways if only in str(file)]


# --- plain functions: mutmut ----------------------------------------------------------------------


class Made(Exception):
    """The mutants are made, and the types have been asked."""


def _plain_functions(package: str, files: list[Path], every: int, tally: Tally) -> None:
    """mutmut makes the mutants; a mutant that no test reaches may be one that the types catch."""
    import mutmut.__main__ as mutmut
    from mutmut.configuration import config

    config().only_mutate = [str(file) for file in files]
    caught: dict[str, Any] = {}

    def by_types() -> dict[str, Any]:
        caught.update(_caught_by_types(config().type_check_command))
        raise Made

    # mutmut's own filter reads the files again for every error: an hour for what takes a second.
    vars(mutmut)["filter_mutants_with_type_checker"] = by_types
    with contextlib.suppress(Made):
        mutmut._run((), os.cpu_count())
    tally.counts[BY_TYPES] += len(caught)
    open_ = {name: meta for name, meta in _made() if name not in caught}
    Path("names").write_text("\n".join(list(open_)[::every]), encoding="utf-8")
    command = ["-m", "scripts.mutant_run", "../names", "../verdicts", *TESTS[package]]
    subprocess.run([sys.executable, *command], cwd="mutants", check=True)
    for line in Path("verdicts").read_text(encoding="utf-8").splitlines():
        name, verdict, _ = line.split("\t")
        tally.add(verdict, f"{name}\n{_difference(name, open_[name])}" if verdict != KILLED else "")


def _made() -> Iterator[tuple[str, Path]]:
    """Every mutant that mutmut made, and the file that says so."""
    for path in sorted(Path("mutants").rglob("*.meta")):
        for name in json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"]:
            yield name, path


def _difference(name: str, meta: Path) -> str:
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    source = meta.relative_to("mutants").with_suffix("")
    lines = str(get_diff_for_mutant(name, path=source)).splitlines()
    return "\n".join(line for line in lines[2:] if line[:1] in ("+", "-"))


def _caught_by_types(command: list[str]) -> dict[str, Any]:
    """The mutants that mypy finds something wrong in."""
    from mutmut.mutation.file_mutation import FailedTypeCheckMutant, MutatedMethodLocation
    from mutmut.type_checking import TypeCheckingError
    from mutmut.utils.format_utils import get_mutant_name

    checked = subprocess.run(command, capture_output=True, text=True, cwd="mutants", check=False)
    caught: dict[str, Any] = {}
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for line in checked.stdout.splitlines():
        error = json.loads(line)
        file, at = Path(error["file"]), error["line"]
        if str(file) not in spans:
            spans[str(file)] = list(_mutants_in(Path("mutants") / file))
        for first, last, name in spans[str(file)]:
            if first <= at <= last and error["severity"] == "error":
                full = get_mutant_name(file, name)
                where = MutatedMethodLocation(file, name, first, last)
                wrong = TypeCheckingError(file, at, error["message"])
                caught[full] = FailedTypeCheckMutant(where, full, wrong)
    return caught


def _mutants_in(path: Path) -> Iterator[tuple[int, int, str]]:
    node: Any
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = node.name if isinstance(node, ast.FunctionDef) else ""
        if "__mutmut_" in name and not name.endswith("_orig"):
            yield node.lineno, node.end_lineno, name


# --- decorated functions: whole files -------------------------------------------------------------


def _whole_files(package: str, files: list[Path], every: int, tally: Tally) -> None:
    _load_beforehand(package)
    nth = 0
    for path in files:
        tests = _tests_of(package, path)
        original = path.read_text(encoding="utf-8")
        if _verdict(tests) != SURVIVED:
            sys.exit(f"{path}: its tests fail without any mutant; mend that first")
        for name, old, new, text in _changed(path, original, package == "rulebooks"):
            nth += 1
            if nth % every:
                continue
            path.write_text(text, encoding="utf-8")
            verdict = _verdict(tests)
            tally.add(verdict, f"{path}, {name}\n- {old}\n+ {new}")
            print(nth, verdict, path, name, flush=True)
        path.write_text(original, encoding="utf-8")


def _load_beforehand(package: str) -> None:
    """What no mutant changes, so that a fork need not load it again."""
    sys.path[:0] = [str(Path.cwd() / "src"), str(Path.cwd())]
    for module in ("pytest", "numpy", "numba", "honours.model"):
        import_module(module)
    if package != "engine":
        import_module("honours.engine.rulebook.lint")


def _tests_of(package: str, path: Path) -> list[Test]:
    """The fastest first, so that most mutants never meet the others."""
    if package != "rulebooks":
        return [partial(_pytest, *TESTS[package])]
    folder = path.parent.name
    if folder == "rulebooks":
        return [partial(_pytest, "tests/engine/test_rulebook.py")]
    own = Path(f"tests/rulebooks/test_{folder}.py")
    more = [partial(_pytest, str(own))] if own.exists() else []
    return [partial(_examples, folder.replace("_", "-")), *more]


def _changed(path: Path, code: str, every_function: bool) -> Iterator[tuple[str, str, str, str]]:
    """Each mutant of a decorated function: its name, what was there and is now, the whole file."""
    import libcst
    from libcst.metadata import MetadataWrapper
    from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
    from mutmut.mutation.mutators import mutation_operators
    from mutmut.mutation.pragma_handling import get_ignored_lines

    class Decorated(MutationVisitor):
        def _skip_node_and_children(self, node: libcst.CSTNode) -> bool:
            if isinstance(node, libcst.FunctionDef):
                return False
            return isinstance(node, libcst.Decorator) or super()._skip_node_and_children(node)

    whole = MetadataWrapper(libcst.parse_module(code))
    ignored = get_ignored_lines(str(path), code, whole, None)
    visitor = Decorated(mutation_operators, ignored, None)
    module = whole.visit(visitor)
    for mutation in visitor.mutations:
        function = mutation.contained_by_top_level_function
        if isinstance(function, libcst.FunctionDef) and (function.decorators or every_function):
            old, new = mutation.original_node, mutation.mutated_node
            changed: Any = deep_replace(module, old, new)
            texts = (module.code_for_node(node).strip() for node in (old, new))
            yield function.name.value, *texts, changed.code


def _verdict(tests: list[Test]) -> str:
    """Whether the tests find something wrong in the tree as it is now."""
    for test in tests:
        child = os.fork()
        if child == 0:
            _run_and_leave(test)
        until = time.monotonic() + LONGEST
        done, code = os.waitpid(child, os.WNOHANG)
        while not done:
            time.sleep(0.01)
            if time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
            done, code = os.waitpid(child, os.WNOHANG)
        if code != 0:
            return KILLED
    return SURVIVED


def _run_and_leave(test: Test) -> None:
    sys.dont_write_bytecode = True
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    try:
        os._exit(test())
    finally:  # whatever happens, never go on as a second parent
        os._exit(1)


def _pytest(*chosen: str) -> int:
    import pytest

    return int(pytest.main([*PYTEST, *chosen]))


def _examples(rulebook: str) -> int:
    """The examples as their test runs them, up to the first that fails."""
    from honours.engine.rulebook.examples import differences, examples, run
    from honours.rulebooks import load

    book = load(rulebook)
    return int(any(differences(example, run(book, example)) for example in examples(book)))


if __name__ == "__main__":
    sys.exit(main())
