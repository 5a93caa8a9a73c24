"""What Honours verifies in a database and one file of Python in an export: the same verdicts on the
same forgeries."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, delete, insert, select, text, update

from honours.cli import cli
from honours.engine.rulebook import Rulebook
from honours.ledger.canonical import text_of
from honours.ledger.checkpoint import (
    Checkpoint,
    checkpoint,
    countersigned,
    new_key,
    read_checkpoint,
)
from honours.ledger.copies import export
from honours.ledger.post import post
from honours.ledger.schema import balances as balances_table
from honours.ledger.schema import (
    changes,
    kinds,
    members,
    people,
    postings,
    records,
    rulebooks,
    totals,
)
from honours.ledger.sealing import salt, sealed
from honours.ledger.store import Ledger
from honours.ledger.verify import verify
from honours.rulebooks import load
from scripts import verify_ledger
from tests.ledger.material import CUP, event
from tests.ledger.tables import fill_as_before
from tests.ledger.test_forgeries import FORGERIES, Forgery, _have_a_last_night, forge
from tests.support import ROOT

SCRIPT = ROOT / "scripts" / "verify_ledger.py"


@pytest.fixture(scope="module")
def published() -> dict[str, set[str]]:
    listed = CliRunner().invoke(cli, ["rulebooks", "--hashes"])
    return verify_ledger.read_published(listed.output)


@pytest.fixture
def kept(file_ledger: Ledger) -> Checkpoint:
    fill_as_before(file_ledger, _have_a_last_night)
    with file_ledger.reading() as connection:
        return checkpoint(connection)


def both(
    ledger: Ledger, folder: Path, published: dict[str, set[str]], line: str = ""
) -> tuple[str, str]:
    """The verdicts of Honours and of the file."""
    ours = verify(ledger, head=read_checkpoint(line) if line else None).verdict
    export(ledger, folder / "out", "json")
    return ours, verify_ledger.verify(folder / "out", line, published).verdict


# --- somebody who makes everything fit -----------------------------------------------------------


def another_amount(connection: Connection) -> None:
    connection.execute(update(postings).where(postings.c.id == 1).values(amount=999))


def another_order(connection: Connection) -> None:
    """Two nights as if each had been played on the day of the other."""
    one, other = connection.execute(
        select(records).where(records.c.action == "award").limit(2)
    ).all()
    for number, day in ((one.id, other.day), (other.id, one.day)):
        connection.execute(update(records).where(records.c.id == number).values(day=day))


def for_another(connection: Connection) -> None:
    """A posting of one member as if it were another's."""
    one = connection.scalar(select(postings.c.id).where(postings.c.record == 2).limit(1))
    connection.execute(update(postings).where(postings.c.id == one).values(member=6))


def another_hour(connection: Connection) -> None:
    late = {"at": "2031-01-01T00:00:00+00:00"}
    connection.execute(update(records).where(records.c.id == 2).values(late))


def another_file(connection: Connection) -> None:
    connection.execute(update(records).where(records.c.id == 2).values(source="other.csv"))


def another_reason(connection: Connection) -> None:
    undone = records.c.action == "reversal"
    connection.execute(update(records).where(undone).values(why="it was void"))


INFORMED: list[Forgery] = [
    *FORGERIES,
    another_amount,
    another_order,
    for_another,
    another_hour,
    another_file,
    another_reason,
]


@pytest.mark.parametrize("forgery", INFORMED, ids=lambda one: one.__name__)
def test_with_a_checkpoint_both_find_every_informed_forgery(
    file_ledger: Ledger,
    kept: Checkpoint,
    forgery: Forgery,
    tmp_path: Path,
    published: dict[str, set[str]],
) -> None:
    forge(file_ledger, forgery)
    assert both(file_ledger, tmp_path, published, kept.line) == ("altered", "altered")
    assert verify_ledger.verify(tmp_path / "out", kept.head, published).verdict == "altered"


# --- without a checkpoint ------------------------------------------------------------------------


def half_a_reversal(connection: Connection) -> None:
    """A record taken back that goes on counting as standing."""
    undone = records.c.action == "reversal"
    connection.execute(update(records).where(undone).values(reverses=None))


def a_name_again(connection: Connection) -> None:
    """Who was erased, under a new name."""
    gone = connection.scalar(select(members.c.id).where(~members.c.id.in_(select(people.c.member))))
    one = connection.execute(select(people).limit(1)).mappings().one()
    row = {**one, "member": gone, "number": None, "name": "Mallory", "sought": "mallory"}
    connection.execute(insert(people).values(sealed({**row, "salt": salt()})))


def a_name_less(connection: Connection) -> None:
    connection.execute(delete(people).where(people.c.member == 5))


def a_gift(connection: Connection) -> None:
    """Points by a record that is not an award."""
    connection.execute(update(records).where(records.c.id == 2).values(action="gift"))


def an_opening_of_more(connection: Connection) -> None:
    facts = text_of({"balances": [[1, 1, 5]]})
    values = {"action": "opening", "facts": facts, "rulebook": None}
    connection.execute(update(records).where(records.c.id == 2).values(values))


def less_taken_back(connection: Connection) -> None:
    """A reversal that leaves somebody a point."""
    undone = select(records.c.id).where(records.c.action == "reversal").scalar_subquery()
    one = connection.scalar(select(postings.c.id).where(postings.c.record == undone).limit(1))
    more = {"amount": postings.c.amount + 1}
    connection.execute(update(postings).where(postings.c.id == one).values(more))


FITTING: list[Forgery] = [
    half_a_reversal,
    a_name_again,
    a_name_less,
    a_gift,
    an_opening_of_more,
    less_taken_back,
]


@pytest.mark.parametrize("forgery", FITTING, ids=lambda one: one.__name__)
def test_what_does_not_go_together_is_found_without_one(
    file_ledger: Ledger,
    kept: Checkpoint,
    forgery: Forgery,
    tmp_path: Path,
    published: dict[str, set[str]],
) -> None:
    forge(file_ledger, forgery)
    assert both(file_ledger, tmp_path, published) == ("altered", "altered")
    assert kept.size


def a_stray(connection: Connection) -> None:
    last = connection.execute(select(postings).order_by(postings.c.id.desc())).mappings().first()
    assert last is not None
    connection.execute(insert(postings).values({**last, "id": last["id"] + 1}))


def a_link_less(connection: Connection) -> None:
    connection.execute(delete(changes).where(changes.c.id == 2))


def a_record_less(connection: Connection) -> None:
    connection.execute(text("PRAGMA defer_foreign_keys = ON"))
    connection.execute(delete(postings).where(postings.c.record == 2))
    connection.execute(delete(records).where(records.c.id == 2))


def a_better_balance(connection: Connection) -> None:
    connection.execute(update(balances_table).values(amount=balances_table.c.amount + 1))


def a_better_total(connection: Connection) -> None:
    connection.execute(update(totals).values(total=totals.c.total + 1))


def a_place_less(connection: Connection) -> None:
    connection.execute(delete(totals).where(totals.c.member == 3))


def another_unit(connection: Connection) -> None:
    connection.execute(update(kinds).values(decimals=2))


def a_longer_chain(connection: Connection) -> None:
    connection.execute(text("UPDATE chain SET postings = postings + 1"))


def a_member_more(connection: Connection) -> None:
    connection.execute(text("INSERT INTO members (id) VALUES (999)"))


def an_earlier_head(connection: Connection) -> None:
    """The chain as if it had ended a record earlier."""
    _, before = connection.scalars(select(records.c.hash).order_by(records.c.id.desc()).limit(2))
    connection.execute(text("UPDATE chain SET head = :head"), {"head": before})


def another_hand(connection: Connection) -> None:
    """A change of the members as if somebody else had made it."""
    connection.execute(update(changes).where(changes.c.id == 1).values(who="Mallory"))


def another_salt(connection: Connection) -> None:
    connection.execute(update(people).where(people.c.member == 1).values(salt="00"))


def a_row_more_told(connection: Connection) -> None:
    connection.execute(text("UPDATE tallies SET rows = rows + 1 WHERE name = 'people'"))


def a_shifted_place(connection: Connection) -> None:
    shifted = {"first_posting": records.c.first_posting + 1}
    connection.execute(update(records).where(records.c.id == 2).values(shifted))


CLUMSY: list[Forgery] = [
    another_amount,
    for_another,
    an_earlier_head,
    another_hand,
    another_salt,
    a_row_more_told,
    a_shifted_place,
    a_stray,
    a_link_less,
    a_record_less,
    a_better_balance,
    a_better_total,
    a_place_less,
    another_unit,
    a_longer_chain,
    a_member_more,
]


@pytest.mark.parametrize("forgery", CLUMSY, ids=lambda one: one.__name__)
def test_what_is_changed_behind_its_back_is_found_by_both(
    file_ledger: Ledger,
    kept: Checkpoint,
    forgery: Forgery,
    tmp_path: Path,
    published: dict[str, set[str]],
) -> None:
    forge(file_ledger, forgery, rewrite=False)
    assert both(file_ledger, tmp_path, published) == ("altered", "altered")
    assert kept.size


# --- nothing altered -----------------------------------------------------------------------------


def test_a_sound_ledger_and_one_that_has_grown(
    file_ledger: Ledger, kept: Checkpoint, tmp_path: Path, published: dict[str, set[str]]
) -> None:
    assert both(file_ledger, tmp_path, published, kept.line) == ("sound", "sound")
    post(file_ledger, event("After", "2018-02-01", [4, 3, 1, 2, 5, 6]), "Eve")
    shutil.rmtree(tmp_path / "out")
    assert both(file_ledger, tmp_path, published, kept.line) == ("sound", "sound")
    other = re.sub(r"[0-9a-f]{64}$", "0" * 64, kept.line)  # the right head, and another root
    shutil.rmtree(tmp_path / "out")
    assert both(file_ledger, tmp_path, published, other) == ("altered", "altered")


def doctored(folder: Path) -> Rulebook:
    """Another text under a bundled id."""
    bundled = Path(str(resources.files("honours.rulebooks") / "sbu_clubs_2016"))
    left_out = shutil.ignore_patterns("r[0-9]*", "__*")
    shutil.copytree(bundled, folder / "sbu_clubs_2016", ignore=left_out)
    with (folder / "sbu_clubs_2016" / "README.md").open("a") as readme:
        readme.write("Another text.\n")
    return load("sbu-clubs-2016", [folder])


def another_name(connection: Connection) -> None:
    """An award as if it had been made under another rulebook that is published too."""
    connection.execute(update(rulebooks).values(rulebook="acbl-general"))


@pytest.mark.parametrize("how", ["not at hand", "doctored", "called another"])
def test_what_no_published_rulebook_explains(
    file_ledger: Ledger, how: str, tmp_path: Path, published: dict[str, set[str]]
) -> None:
    made = event()
    if how == "not at hand":
        made = replace(made, rulebook=CUP, given={})
    if how == "doctored":
        made = replace(made, rulebook=doctored(tmp_path))
    post(file_ledger, made, "Eve")
    if how == "called another":
        forge(file_ledger, another_name)
    assert both(file_ledger, tmp_path, published) == ("unexplained", "unexplained")


def test_as_an_auditor_runs_it(file_ledger: Ledger, kept: Checkpoint, tmp_path: Path) -> None:
    """By itself, with nothing of Honours in sight."""
    key = new_key(tmp_path / "auditor.key")
    line = countersigned(kept, str(tmp_path / "auditor.key")).signed_line
    export(file_ledger, tmp_path / "out", "json")
    listed = CliRunner().invoke(cli, ["rulebooks", "--hashes"]).output
    (tmp_path / "published.txt").write_text(listed, encoding="utf-8")
    alone = shutil.copy(SCRIPT, tmp_path / "verify_ledger.py")
    command = [sys.executable, "-I", str(alone), "out", "--published", "published.txt"]
    signed = [*command, "--head", line, "--signed-by"]
    for arguments, code in (
        ([*signed, key], 0),
        ([*signed, "0" * 64], 1),
        ([*command[:4]], 3),
        ([*command, "--head", kept.line], 0),
    ):
        done = subprocess.run(arguments, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == code, (arguments, done.stdout, done.stderr)
    assert "import honours" not in SCRIPT.read_text(encoding="utf-8")
    assert "from honours" not in SCRIPT.read_text(encoding="utf-8")
