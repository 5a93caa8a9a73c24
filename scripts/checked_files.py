"""The page of what real files published against ours: `python -m scripts.checked_files`.

It reads ``../shared/real``, which is not part of the project, and writes ``docs/checked-files.md``;
run it again when a reader or a profile changed.
"""

from collections.abc import Iterator
from pathlib import Path

from honours.errors import HonoursError
from honours.model import Event
from honours.pipeline import Account, read_accounts
from honours.pipeline.checking import Checked, check_awards, check_scores
from honours.pipeline.checking.scores import publishes
from honours.rulebooks import ids, load

ROOT = Path(__file__).resolve().parent.parent
REAL = ROOT.parent / "shared" / "real"
PAGE = ROOT / "docs" / "checked-files.md"
NOT_RESULTS = (".json", ".md")
HEAD = """# Real files, checked

What [`--check`](checking.md) says of the real files we try everything on: how many published
figures there are, how many agree with the best profile, and why the others differ. Made by
`python -m scripts.checked_files`.

## Scores

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
    """Every event of bridge that publishes something; what is not read is left out."""
    for path in files():
        try:
            found = read_accounts(path)
        except HonoursError:
            continue
        for account in found:
            if isinstance(account.content, Event):
                yield str(path.relative_to(REAL)), account


def row(name: str, title: str, checked: Checked) -> str:
    kinds: dict[str, int] = {}
    for difference in checked.differences:
        cause = str(difference.why).partition(":")[0].partition(";")[0][:60]
        kinds[cause] = kinds.get(cause, 0) + 1
    why = "; ".join(f"{count} {cause}" for cause, count in kinds.items())
    cells = (f"`{name}`", title, checked.lines, checked.agree, checked.best_profile, why)
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def main() -> None:
    """Write the page."""
    books = [load(name) for name in ids()]
    scores, awards = [], []
    for name, account in accounts():
        event = account.content
        if not isinstance(event, Event):
            continue
        played = any(session.results or session.matches for session in event.sessions)
        if played and publishes(event):
            try:
                scores.append(row(name, account.title, check_scores([event])))
            except HonoursError:
                continue
        if any("masterpoints" in e.published for e in event.entrants):
            try:
                awards.append(row(name, account.title, check_awards(account, books, {})))
            except HonoursError:
                continue
    text = HEAD + "\n".join(scores) + "\n" + AWARDS + "\n".join(awards) + "\n"
    PAGE.write_text(text, encoding="utf-8")
    print(f"{PAGE.name}: {len(scores)} events with scores, {len(awards)} with awards")


if __name__ == "__main__":
    main()
