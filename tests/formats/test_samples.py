"""Every sample of a file is read as it says, or refused in the words it says.

Each file of `samples` is of one kind, and has a sample for each thing that programs and people do
differently. What is read of a sample is told whole, as JSON: rewrite that, and look at the
difference, with

    python -m tests.formats.test_samples
"""

from __future__ import annotations

import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest

from honours.errors import HonoursError
from honours.formats.detect import read
from honours.formats.go import GoTournament, rank
from honours.formats.json_data import to_plain
from tests.support import ROOT

FILES = sorted((ROOT / "tests/formats/samples").glob("*.toml"))


def samples(file: Path) -> list[dict[str, str]]:
    many: list[dict[str, str]] = tomllib.loads(file.read_text("utf-8"))["sample"]
    return many


def sample(kind: str, name: str) -> str:
    """The text of a sample."""
    many = samples(ROOT / f"tests/formats/samples/{kind}.toml")
    return next(one["text"] for one in many if one["name"] == name)


def told(one: dict[str, str], path: Path) -> str:
    """All that is read of a sample, with the lines it stands on."""
    path.write_text(one["text"], one.get("encoding", "utf-8"), newline="")
    answer: dict[str, Any]
    try:
        form, content = read(path)
        answer = {"format": form.name, "content": to_plain(content)}
        if isinstance(content, tuple):
            sessions = [session for event in content for session in event.sessions]
            answer["lines"] = [r.source and r.source.line for s in sessions for r in s.results]
        if isinstance(content, GoTournament) and not any(content.missing()):
            answer["places"] = [
                (s.place, s.entrant.id, str(s.score)) for s in rank(content).standings
            ]
    except HonoursError as error:
        answer = {"refused": str(error).splitlines()}
    plain = json.dumps(answer, ensure_ascii=False, default=str)
    return plain.replace(str(path), "FILE").replace("}, {", "},\n{")


EVERY = {f"{file.stem}: {one['name']}": one for file in FILES for one in samples(file)}


@pytest.mark.parametrize("name", EVERY)
def test_a_sample_is_read_as_it_says(name: str, tmp_path: Path) -> None:
    assert told(EVERY[name], tmp_path / "x") == EVERY[name]["told"].strip()


def _quoted(text: str) -> str:
    plain = text.replace("\n", "").isprintable() and "''" not in text
    return f"'''\n{text}'''" if plain else json.dumps(text)


def _rewrite(file: Path, folder: Path) -> None:
    parts = [
        "[[sample]]\n"
        + "".join(f'{key} = "{one[key]}"\n' for key in ("name", "encoding") if key in one)
        + f"text = {_quoted(one['text'])}\ntold = '''\n{told(one, folder / 'x')}\n'''\n"
        for one in samples(file)
    ]
    file.write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        for each in FILES:
            _rewrite(each, Path(made))
