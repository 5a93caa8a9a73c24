"""The rulebooks Honours knows: one folder each. Presence is registration.

A released rulebook never changes. Its folder is revision 1; a correction is a whole rulebook in a
folder ``r2`` beside its files, the next one in ``r3``. The newest is what an id means;
``sbu-clubs-2016@1`` means that revision and no other.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path

from honours.engine.rulebook import Rulebook, hash_with
from honours.engine.rulebook.load import load as load_folder
from honours.engine.rulebook.load import text_hash, texts_of
from honours.errors import InputError, RulebookError, UnknownName
from honours.model.message import Message
from honours.rings import added
from honours.rulebooks.trust import check_trusted

_LOGGER = logging.getLogger(__name__)
EVIDENCE = ("evidence.toml", "evidence.csv", "evidence_results.csv", "evidence_paid.csv")
_HERE = f"{resources.files(__name__)}{os.sep}"
Revisions = dict[int, Traversable]
"""The folders of one rulebook by revision, the oldest first."""


def ids(more: Iterable[str | Path] = ()) -> tuple[str, ...]:
    """The ids of the bundled rulebooks and of those in the folders ``more``."""
    folders = (*added("rulebooks"), *more)
    return tuple(
        dict.fromkeys([*_bundled(), *(i for folder in folders for i in rulebook_folders(folder))])
    )


def revisions(rulebook_id: str, more: Iterable[str | Path] = ()) -> tuple[int, ...]:
    """The revisions of a rulebook that are at hand, the oldest first."""
    return tuple(_folders_of(rulebook_id, tuple(more)))


def load(rulebook_id: str, more: Iterable[str | Path] = ()) -> Rulebook:
    """The newest revision of the rulebook called ``rulebook_id``, or with ``@N`` revision N; a
    user's own folder goes before a bundled one, and that is logged once."""
    name, at, wanted = rulebook_id.partition("@")
    folders = _folders_of(name, tuple(more))
    if at and wanted not in map(str, folders):
        raise UnknownName(
            Message("revision of {rulebook}", rulebook=name), wanted, map(str, folders)
        )
    revision = int(wanted) if at else max(folders)
    folder = folders[revision]
    if name in _bundled() and not _is_bundled(folder):
        _say_whose_it_is(name, str(folder))
    return _load(name, revision, folder)


def evidence(rulebook_id: str) -> dict[str, Path]:
    """A bundled rulebook's files of further evidence by name: ``evidence.toml``, more examples and
    which inputs were ``fitted``; ``evidence.csv``, standings that say what was ``paid``;
    ``evidence_results.csv``, results of whole events, and ``evidence_paid.csv``, what they paid."""
    folders = _bundled_revisions(rulebook_id)
    files = {file.name: file for file in folders[max(folders)].iterdir()}
    return {name: Path(str(files[name])) for name in EVIDENCE if name in files}


def with_hash(
    wanted: str, amended: Mapping[str, str], more: Iterable[str | Path] = ()
) -> Rulebook | None:
    """The rulebook of this hash once amended, whatever its id, a bundled one first. Of those with
    another hash nothing is run."""
    for name, revision, folder in _every_revision(more):
        if hash_with(_text_hash(folder), amended) == wanted:
            return _load(name, revision, folder).amend(amended)
    return None


def is_published(rulebook_id: str, wanted: str, amended: Mapping[str, str]) -> bool:
    """Whether a bundled rulebook of this id, in any revision, has this hash once amended."""
    return rulebook_id in _bundled() and any(
        hash_with(_text_hash(folder), amended) == wanted
        for folder in _bundled_revisions(rulebook_id).values()
    )


def text_hashes(more: Iterable[str | Path] = ()) -> Iterator[tuple[str, str]]:
    """The id and the digest of the files of every rulebook at hand, of which nothing is run."""
    for name, _, folder in _every_revision(more):
        yield name, _text_hash(folder)


def is_bundled(rulebook_id: str) -> bool:
    """Whether a rulebook of this id comes with Honours."""
    return rulebook_id in _bundled()


def _every_revision(more: Iterable[str | Path]) -> Iterator[tuple[str, int, Traversable]]:
    bundled = [(name, _bundled_revisions(name)) for name in _bundled()]
    own = [(n, _revisions(path)) for folder in more for n, path in rulebook_folders(folder).items()]
    for name, folders in (*bundled, *own):
        yield from ((name, revision, folders[revision]) for revision in reversed(folders))


def _text_hash(folder: Traversable) -> str:
    """The digest of a folder's files; of one that cannot be read, none."""
    if _is_bundled(folder):
        return _bundled_text_hash(str(folder))
    try:
        return text_hash(texts_of(folder))
    except RulebookError:
        return ""


@cache
def _bundled_text_hash(folder: str) -> str:
    return text_hash(texts_of(Path(folder)))


@cache
def _say_whose_it_is(rulebook_id: str, folder: str) -> None:
    """Say once that a folder of the user's own is taken before the bundled rulebook."""
    text = Message(
        "{rulebook} is taken from {folder}, not the rulebook of that id that comes with Honours",
        rulebook=rulebook_id,
        folder=folder,
    )
    _LOGGER.warning(text)


def _folders_of(rulebook_id: str, more: Sequence[str | Path]) -> Revisions:
    for folder in (*more, *added("rulebooks")):
        own = rulebook_folders(folder)
        if rulebook_id in own:
            return _revisions(own[rulebook_id])
    if rulebook_id in _bundled():
        return _bundled_revisions(rulebook_id)
    raise UnknownName("rulebook", rulebook_id, ids(more))


@cache
def _bundled() -> tuple[str, ...]:
    folders = resources.files(__name__).iterdir()
    return tuple(sorted(f.name.replace("_", "-") for f in folders if _is_rulebook(f)))


@cache
def _bundled_revisions(rulebook_id: str) -> Revisions:
    return _revisions(resources.files(__name__) / _folder_name(rulebook_id))


def folders_in(folder: str | Path) -> Iterator[Path]:
    """Every folder of a rulebook, in any revision, that is used when a folder is named."""
    for path in rulebook_folders(folder).values():
        yield from (Path(str(inner)) for inner in _revisions(path).values())


def rulebook_folders(folder: str | Path) -> dict[str, Path]:
    """The rulebooks in a user's folder: the folder itself, or each folder in it."""
    base = Path(folder)
    if not base.is_dir():
        raise InputError("{folder}: no such folder of rulebooks", folder=folder)
    candidates = [base] if _is_rulebook(base) else sorted(p for p in base.iterdir() if p.is_dir())
    books = {p.name.replace("_", "-"): p for p in candidates if _is_rulebook(p)}
    if not books:
        raise InputError(
            "{folder}: holds no rulebook (a folder with a rulebook.toml)", folder=folder
        )
    return books


def _is_rulebook(folder: Traversable) -> bool:
    return (folder / "rulebook.toml").is_file()


def _folder_name(rulebook_id: str) -> str:
    return rulebook_id.replace("-", "_")


def _revisions(folder: Traversable) -> Revisions:
    """The folder itself is the first revision; ``r2``, ``r3`` … in it are the later ones."""
    later = {
        int(named[1]): inner
        for inner in folder.iterdir()
        if (named := re.fullmatch(r"r([2-9]|[1-9]\d+)", inner.name)) and _is_rulebook(inner)
    }
    return {_stated(folder): folder, **dict(sorted(later.items()))}


def _stated(folder: Traversable) -> int:
    """The revision a folder says it is, without reading all of it."""
    text = (folder / "rulebook.toml").read_bytes().decode("utf-8", "replace")
    match = re.search(r"^revision\s*=\s*(\d+)\s*$", text, re.MULTILINE)
    return int(match[1]) if match else 1


def _load(rulebook_id: str, revision: int, folder: Traversable) -> Rulebook:
    """Load a folder; one called ``r3`` must say that it is revision 3."""
    if _is_bundled(folder):
        return _load_bundled(rulebook_id, revision)
    texts = texts_of(folder)
    if not any(Path(str(folder)).is_relative_to(one) for one in added("rulebooks")):
        check_trusted(folder, texts)  # an installed package runs its own code already
    book = load_folder(folder, rulebook_id=rulebook_id, texts=texts, editions=load)
    if book.revision != revision:
        raise RulebookError(
            "{rulebook_id}: {name}/rulebook.toml says revision = {revision}; a folder "
            "{name} holds revision {wanted}",
            rulebook_id=rulebook_id,
            name=folder.name,
            revision=book.revision,
            wanted=revision,
        )
    return book


def _is_bundled(folder: Traversable) -> bool:
    return str(folder).startswith(_HERE)


@cache
def _load_bundled(rulebook_id: str, revision: int) -> Rulebook:
    folder = _bundled_revisions(rulebook_id)[revision]
    inner = f".{folder.name}" if folder.name != _folder_name(rulebook_id) else ""
    rules = import_module(f"{__name__}.{_folder_name(rulebook_id)}{inner}.rules")
    return load_folder(folder, rules, rulebook_id, editions=load)
