"""Writes the browser edition: a folder of files that any web space can hand out.

It is made of Honours and the packages it stands on as they are installed here, and of a few parts
that are compiled for browsers (``parts.toml``). Two runs give the same bytes: entries are sorted
and undated.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib import resources
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from honours import __version__
from honours.errors import InputError
from honours.files import new_folder

_FIRST = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Part:
    """A file that is fetched, and known by its hash."""

    name: str
    version: str
    file: str
    sha256: str
    later: str = ""


_PARTS = tomllib.loads((resources.files(__package__) / "parts.toml").read_text(encoding="utf-8"))
_PYODIDE: Mapping[str, str] = _PARTS["pyodide"]
_WHEELS = tuple(Part(**one) for one in _PARTS["wheels"])
_CONTENTS: Mapping[str, Any] = _PARTS["contents"]


def fetch_parts(folder: Path) -> None:
    """Have npm and pip fetch into a folder what is not there yet; each file has to be as named."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / _PYODIDE["file"]).exists():
        _run("npm", "pack", "--silent", f"pyodide@{_PYODIDE['version']}", cwd=folder)
    _check(folder / _PYODIDE["file"], _PYODIDE["sha256"])
    for wheel in _WHEELS:
        if not (folder / wheel.file).exists():
            _run(
                *(sys.executable, "-m", "pip", "download", "-q", "--no-deps"),
                *("--only-binary", ":all:", "--disable-pip-version-check"),
                *("--platform", _PYODIDE["platform"], "--python-version", _PYODIDE["python"]),
                *("--implementation", "cp", "--abi", "cp314", "--abi", "abi3"),
                f"{wheel.name}=={wheel.version}",
                cwd=folder,
            )
        _check(folder / wheel.file, wheel.sha256)


def _run(program: str, *arguments: str, cwd: Path) -> None:
    try:
        subprocess.run([program, *arguments], cwd=cwd, check=True, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise InputError(
            "{program} is not installed: the browser edition is made with node and npm",
            program=program,
        ) from error
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout).strip().splitlines()
        raise InputError(
            "{program} failed: {said}", program=program, said="\n".join(said[-5:])
        ) from error


def _check(file: Path, sha256: str) -> None:
    if not file.exists() or hashlib.sha256(file.read_bytes()).hexdigest() != sha256:
        raise InputError("{file} is not the file that parts.toml names", file=file)


def write_edition(target: Path, parts: Path) -> int:
    """Write the edition to a new folder; returns how many bytes a visitor fetches at first."""
    fetch_parts(parts)
    with new_folder(target) as out, tempfile.TemporaryDirectory() as scratch:
        beside = Path(scratch)
        with tarfile.open(parts / _PYODIDE["file"]) as archive:
            archive.extractall(beside, filter="data")
        _place_pyodide(beside / "package", out / "pyodide")
        entries = dict(_entries(parts))
        for name, data in entries.items():
            for folder, place in _CONTENTS["static"].items():
                if name.startswith(folder):
                    _write(out / place / name.removeprefix(folder), data)
        _write(out / "app.tar.gz", _packed(_compiled(entries, beside, *_CONTENTS["sources"])))
        for wheel in _WHEELS:
            if wheel.later:
                shutil.copyfile(parts / wheel.file, out / wheel.later)
        _write(out / "licences.txt", _licences(parts).encode())
        for path in _host().iterdir():
            if path.suffix != ".mjs":
                text = path.read_text(encoding="utf-8").replace("{{POLICY}}", _CONTENTS["policy"])
                _write(out / path.name, text.encode())
        return _list_files(out, {wheel.name: wheel.later for wheel in _WHEELS if wheel.later})


def _host() -> Path:
    return Path(__file__).parent / "host"


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _like(name: str, patterns: str) -> bool:
    """Return whether a file is like one of the patterns that parts.toml has under a key."""
    return any(fnmatch(name, one) for one in _CONTENTS[patterns])


def _entries(parts: Path) -> Iterator[tuple[str, bytes]]:
    """Every file of every package, by its name below site-packages."""
    ours = Path(str(resources.files("honours")))
    for path in ours.rglob("*"):
        name = f"honours/{path.relative_to(ours).as_posix()}"
        if path.is_file() and not _like(name, "left_out"):
            yield name, path.read_bytes()
    for package in _CONTENTS["packages"]:
        for file in _installed(package).files or ():
            if ".." not in file.parts and not _like(str(file), "left_out"):
                yield str(file), Path(str(file.locate())).read_bytes()
    for wheel in _WHEELS:
        if not wheel.later:
            with zipfile.ZipFile(parts / wheel.file) as archive:
                for name in archive.namelist():
                    if not name.endswith(("/", "/RECORD", "/WHEEL")):
                        yield name, archive.read(name)


def _installed(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError as error:
        raise InputError(
            "{name} is not installed, and is part of the edition", name=name
        ) from error


def _compiled(entries: Mapping[str, bytes], beside: Path, *sources: str) -> dict[str, bytes]:
    """The entries with their modules compiled by the Python that will run them."""
    archive = beside / "modules.zip"
    with zipfile.ZipFile(archive, "w") as made:
        for name in sorted(entries):
            made.writestr(zipfile.ZipInfo(name, _FIRST), entries[name])
    compiler = str(_host() / "compile.mjs")
    documented = ",".join(_CONTENTS["documented"])
    _run("node", compiler, str(beside / "package"), str(archive), documented, *sources, cwd=beside)
    with zipfile.ZipFile(archive) as made:
        return {name: made.read(name) for name in made.namelist()}


def _packed(entries: Mapping[str, bytes]) -> bytes:
    """One archive, compressed as a whole: half as large again, were each file by itself."""
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name in sorted(entries):
            entry = tarfile.TarInfo(name)
            entry.size = len(entries[name])
            archive.addfile(entry, io.BytesIO(entries[name]))
    return gzip.compress(tar.getvalue(), 9, mtime=0)


def _place_pyodide(package: Path, out: Path) -> None:
    """Its files, with no packages of its own and the standard library compiled."""
    for name in _CONTENTS["of_pyodide"]:
        _write(out / name, (package / name).read_bytes())
    lock = json.loads((package / "pyodide-lock.json").read_text(encoding="utf-8"))
    _write(out / "pyodide-lock.json", json.dumps({**lock, "packages": {}}).encode())
    library = out / "python_stdlib.zip"
    with zipfile.ZipFile(library) as archive:
        entries = {
            name: archive.read(name)
            for name in archive.namelist()
            if not name.endswith("/") and not _like(name, "standard_left_out")
        }
    compiled = _compiled(entries, package.parent)
    with zipfile.ZipFile(library, "w") as archive:
        for name in sorted(compiled):
            entry = zipfile.ZipInfo(name, _FIRST)
            archive.writestr(entry, compiled[name], zipfile.ZIP_DEFLATED, 9)


def _licences(parts: Path) -> str:
    """Of everything in the folder: name, version, licence, and its text where it comes with one."""
    own = Path(str(resources.files("honours"))).parents[1] / "LICENSE"
    texts = [" ".join(("Honours", __version__, "MIT"))]
    texts += [own.read_text(encoding="utf-8")] if own.exists() else []
    texts.append(
        " ".join(("Pyodide", _PYODIDE["version"], _PYODIDE["licence"], _PYODIDE["source"]))
    )
    texts.append(" ".join(("Python", _PYODIDE["python"], "PSF-2.0")))
    for name in _CONTENTS["packages"]:
        found = _installed(name)
        told = found.metadata.json
        licence = told.get("license_expression") or told.get("license") or "as follows"
        texts.append(" ".join((name, found.version, str(licence).splitlines()[0])))
        for file in found.files or ():
            if "dist-info" in str(file) and "LICEN" in file.name.upper():
                texts.append(Path(str(file.locate())).read_text(encoding="utf-8"))
    for wheel in _WHEELS:
        texts.append(f"{wheel.name} {wheel.version}")
        with zipfile.ZipFile(parts / wheel.file) as archive:
            texts += [
                archive.read(name).decode()
                for name in sorted(archive.namelist())
                if "dist-info" in name and "LICEN" in name.rpartition("/")[2].upper()
            ]
    return "\n\n".join(texts) + "\n"


def _list_files(out: Path, later: Mapping[str, str]) -> int:
    """Say in files.js which files there are, and which edition they make."""
    unlisted = {"sw.js", *later.values()}
    names = sorted(p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file())
    sizes = {name: (out / name).stat().st_size for name in names if name not in unlisted}
    digest = hashlib.sha256()
    for name in names:
        digest.update(name.encode() + hashlib.sha256((out / name).read_bytes()).digest())
    edition = {
        "version": f"{__version__} {digest.hexdigest()[:16]}",
        "policy": _CONTENTS["policy"],
        # Of the worker alone: typst's library makes functions of text when it is loaded.
        "engine_policy": _CONTENTS["policy"].replace("'wasm-unsafe-eval'", "'unsafe-eval'"),
        "files": {**sizes, "files.js": 0},
        "later": later,
    }
    _write(out / "files.js", f"self.EDITION = {json.dumps(edition)};\n".encode())
    return sum(sizes.values())
