"""What a village adds to Honours, by the entry points in its pyproject.toml."""

from pathlib import Path

from honours.files import TEXT
from honours.formats.format import Format, WrittenFile, lines
from honours.formats.members import MemberLine, MemberList
from honours.formats.reading import read_text
from honours.formats.table_standings import StandingsFile, parse_standings
from honours.pipeline import Report
from honours.reports.sending import Receiver

RULEBOOKS = Path(__file__).with_name("honours_village_rulebooks")


def read_sheet(path: str | Path) -> StandingsFile:
    """The hall's score sheet: ``VILLAGE SHEET`` above, then a pair and its score a line."""
    rows = read_text(path).splitlines()[1:]
    return parse_standings("pair;score\n" + "\n".join(";".join(row.split()) for row in rows), path)


def read_roll(path: str | Path) -> MemberList:
    """The village roll: ``VILLAGE ROLL`` above, then a number and a name a line."""
    people = (row.split(maxsplit=1) for row in read_text(path).splitlines()[1:])
    return MemberList(str(path), {n: (MemberLine(n, name),) for n, name in people})


def write_notice(report: Report, _: object) -> WrittenFile:
    """The winners, for the door of the hall."""
    first = report.lists[0].standings[0]
    return WrittenFile(f"Won by {first.entrant.title}\n".encode(), ())


SHEET = Format(
    "village-sheet", "village score sheet", lines(lambda s: s[0] == "VILLAGE SHEET"), read_sheet
)
ROLL = Format("village-roll", "village roll", lines(lambda s: s[0] == "VILLAGE ROLL"), read_roll)
NOTICE = Receiver("notice", "the door of the hall", "", TEXT, lambda *_: iter(()), write_notice)
