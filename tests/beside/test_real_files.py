"""Every real file is read, ranked and checked against the figures printed in it as it always was.

`test_real_files.toml` says of each file its kind, what it holds, how many of its published figures
are ours, and a digest of everything read and ranked, so that no value changes unseen. Rewrite it,
and look at the difference, with `./check beside FOLDER` in mind:

    HONOURS_BESIDE=../shared python -m tests.beside.test_real_files
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from honours.errors import HonoursError
from honours.formats.detect import experimental, read
from honours.formats.format import Content
from honours.formats.go import GoTournament
from honours.formats.json_data import to_plain
from honours.pipeline import ranked, read_accounts
from honours.pipeline.checking.scores import check_scores
from tests.support import SHARED, cases, shared, table


def held(content: Content) -> str:
    """How much a file holds."""
    if isinstance(content, GoTournament):
        return (
            f"{len(content.players)} players, {len(content.games)} games, {len(content.byes)} byes"
        )
    if not isinstance(content, tuple):
        return ""
    sessions = [session for event in content for session in event.sessions]
    many = {
        "events": len(content),
        "entrants": sum(len(event.entrants) for event in content),
        "results": sum(len(session.results) for session in sessions),
        "matches": sum(len(session.matches) for session in sessions),
        "hands": sum(len(session.boards) for session in sessions),
    }
    return ", ".join(f"{number} {name}" for name, number in many.items() if number)


def digest(value: object) -> str:
    text = json.dumps(to_plain(value), sort_keys=True, default=str)
    return sha256(text.replace(str(SHARED), "").encode()).hexdigest()[:16]


def told(path: Path) -> Iterator[str]:
    """What a row of the table says of a file after its name; a refusal ends it."""
    try:
        form, content = read(path)
        yield f"{form.name} (experimental)" if experimental(form, content) else form.name
        yield f"{held(content)} {digest(content)}"
        reports = [ranked(account) for account in read_accounts(path)]
        lists = tuple(field for report in reports for field in report.lists)
        places = sum(len(field.standings) for field in lists)
        yield f"{places} places in {len(lists)} lists {digest(lists)}"
        if isinstance(content, tuple):
            checked = check_scores(content)
            odd = sum("not explained" in difference.why for difference in checked.differences)
            yield (
                f"{checked.agree} of {checked.lines} figures by {checked.best_profile}, "
                f"{odd} others not explained"
            )
    except HonoursError as error:
        yield str(error).replace(str(path), "").splitlines()[0]


def names() -> list[str]:
    files = sorted(path for path in shared("real").rglob("*") if path.is_file())
    wanted = [path for path in files if path.suffix not in (".md", ".json")]
    return [path.relative_to(shared("real")).as_posix() for path in wanted]


def holding(what: str) -> list[str]:
    """The files that hold this, after the table."""
    rows = table(__file__, test_a_file_tells_what_it_told.__name__)[1:]
    return [name for name, (_, *held) in rows if what in " ".join(held)]


@cases
def test_a_file_tells_what_it_told(name: str, expected: list[str]) -> None:
    assert list(told(shared(f"real/{name}"))) == expected


def test_every_file_is_in_the_table() -> None:
    assert holding("") == names()


if __name__ == "__main__":
    lines = [["name", "expected"], *([name, [*told(shared(f"real/{name}"))]] for name in names())]
    text = "".join(f"    {json.dumps(line, ensure_ascii=False)},\n" for line in lines)
    made = f"{test_a_file_tells_what_it_told.__name__} = [\n{text}]\n"
    Path(__file__).with_suffix(".toml").write_text(made, "utf-8")
