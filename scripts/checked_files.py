"""The page of what real files published against ours: `python -m scripts.checked_files`.

It reads ``../shared/real``, which is not part of the project, and writes
``docs/evidence/checked-files.md``; run it again when a reader or a profile changed.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError
from honours.formats.go import GoTournament
from honours.model import Event
from honours.pipeline import Account, read_accounts
from honours.pipeline.checking.awards import check_awards, says_awards
from honours.pipeline.checking.figures import FigureCheck
from honours.pipeline.checking.places import check_places
from honours.pipeline.checking.scores import check_scores
from honours.pipeline.published import publishes
from honours.rulebooks import ids, load

ROOT = Path(__file__).resolve().parent.parent
REAL = ROOT.parent / "shared" / "real"
PAGE = ROOT / "docs/evidence/checked-files.md"
NOT_RESULTS = (".json", ".md")
HEAD = """# Real files, checked

What [`--check`](../awards.md#compare-with-published-results) says of the real files we try
everything on: how many published figures there are, how many agree with the best profile, and why
the others differ. Made by `python -m scripts.checked_files`.

## Scores

| file | event | figures | agree | profile | why the others differ |
|---|---|---|---|---|---|
"""
PLACES = """
## Go and lists of standings

A wall list is compared with its own games, the file of a go program with the wall list of the same
name beside it; the profile is what its columns hold, or what the event is placed by.

| file | event | figures | agree | profile | why the others differ |
|---|---|---|---|---|---|
"""
AWARDS = """
## Points awarded

| file | event | pairs | agree | rulebook | why the others differ |
|---|---|---|---|---|---|
"""


def files() -> Iterator[Path]:
    for path in sorted(REAL.rglob("*")):
        if path.is_file() and path.suffix not in NOT_RESULTS:
            yield path


def accounts() -> Iterator[tuple[str, Account]]:
    """Every event of every file; what is not read is left out."""
    for path in files():
        try:
            events = read_accounts(path)
        except HonoursError:
            continue
        for account in events:
            yield str(path.relative_to(REAL)), account


def row(name: str, title: str, checked: FigureCheck) -> str:
    kinds: dict[str, int] = {}
    for difference in checked.differences:
        cause = re.sub(
            r"\[[^\]]*\]", lambda clause: clause[0].replace(":", ","), str(difference.why)
        )
        cause = cause.partition(":")[0].partition(";")[0]
        cause = re.sub(r"\b\d+(?:\.\d+)?=?", "n", cause)
        kinds[cause] = kinds.get(cause, 0) + 1
    why = "; ".join(f"{count} {cause}" for cause, count in kinds.items())
    cells = (f"`{name}`", title, checked.lines, checked.agree, checked.best_profile, why)
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def scores_of(name: str, account: Account) -> Iterator[str]:
    """What was published of the scores of an event of bridge."""
    event = account.content
    if not isinstance(event, Event) or not publishes(event):
        return
    if any(session.results or session.matches for session in event.sessions):
        yield row(name, account.title, check_scores([event]))


def places_of(name: str, account: Account) -> Iterator[str]:
    """What a list published, or the list of a go program's tournament."""
    if not isinstance(account.content, Event):
        beside = REAL / "opengotha-published" / f"{Path(name).stem}.h9"
        against = beside if isinstance(account.content, GoTournament) and beside.exists() else ""
        yield row(name, account.title, check_places(account, against))


def awards_of(name: str, account: Account, books: Sequence[Rulebook]) -> Iterator[str]:
    """What was published of the points of an event of bridge."""
    if says_awards(account):
        yield row(name, account.title, check_awards(account, books, {}))


def main() -> None:
    """Write the page."""
    books = [load(name) for name in ids()]
    scores: list[str] = []
    places: list[str] = []
    awards: list[str] = []
    for name, account in accounts():
        for rows, made in (
            (scores, scores_of(name, account)),
            (places, places_of(name, account)),
            (awards, awards_of(name, account, books)),
        ):
            with suppress(HonoursError):
                rows.extend(made)
    parts = (HEAD, *scores, PLACES, *places, AWARDS, *awards)
    text = "".join(part if part.endswith("|\n") else f"{part}\n" for part in parts)
    PAGE.write_text(text, encoding="utf-8")
    print(f"{PAGE.name}: {len(scores)} events, {len(places)} lists, {len(awards)} with awards")


if __name__ == "__main__":
    main()
