"""A cap over the club's year: what players were awarded before is put in by the ledger or the
season, kept with the record, and derived again."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner

import honours
from honours.cli import cli
from honours.engine.rulebook import Rulebook
from honours.errors import InputError, RulebookError
from honours.ledger import members, release, stored_explanations, submissions
from honours.ledger.balances import summed
from honours.ledger.consequences import resting_on_record
from honours.ledger.events import EventToPost, live_events
from honours.ledger.intake import IncomingEvent, IntakeTerms, take_in
from honours.ledger.post import ALREADY, DIFFERS, POSTED, PostingOutcome, post, reverse
from honours.ledger.season import season_awards as seasonal
from honours.ledger.season.plan import read_season
from honours.ledger.store import Ledger, create_ledger
from honours.ledger.submission_file import usebio
from honours.ledger.verify import verify
from honours.model import Player
from honours.model.facts import Origin
from honours.pipeline import read_accounts
from tests.engine.books import write_book
from tests.engine.test_sayable import CAPPED_RULES
from tests.ledger.material import pair, ranked

TOML = """
[inputs.earned]
about = "what a player was awarded this year before"
per = "player"
default = 0
awarded_in = "year"
[inputs.entrants]
about = "how many"
type = "count"
[inputs.competition]
about = "what it is"
type = "word"
words = ["session"]
default = "session"
[inputs.kind]
about = "what plays"
type = "word"
words = ["pairs"]
default = "pairs"
[parameters]
most = { value = 100, clause = "§1" }
first = { value = 80, clause = "§1" }
unit = { value = "0.01", clause = "§1" }
"""
RULES = CAPPED_RULES
DAYS = ("2026-02-01", "2026-05-01", "2026-09-01", "2027-01-10")
FOLDER = "capped"


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    return write_book(tmp_path / "books" / FOLDER, TOML, RULES)


def night(book: Rulebook, day: str, order: tuple[int, ...] = (1, 2, 3)) -> EventToPost:
    return EventToPost(f"Night of {day}", (ranked([*order]),), book, {}, day, "Club")


def paid(outcome: PostingOutcome) -> list[str]:
    """What the players of the first, second and third pair get."""
    assert outcome.prepared
    shown = outcome.prepared.payment.usual.shown
    return [shown(line.amount) for line in outcome.lines][::2]


def test_the_third_event_of_a_year_is_capped_and_the_next_years_is_not(
    ledger: Ledger, book: Rulebook, tmp_path: Path
) -> None:
    outcomes = [post(ledger, night(book, day), "w", another=True) for day in DAYS]
    assert [one.status for one in outcomes] == [POSTED] * 4
    assert [paid(one) for one in outcomes] == [
        ["80.00", "40.00", "26.67"],
        ["20.00", "40.00", "26.67"],
        ["20.00", "26.67"],  # the first pair has 100 already, the second 80
        ["80.00", "40.00", "26.67"],
    ]
    assert any("derived from the ledger" in str(remark) for remark in outcomes[2].remarks)
    again = post(ledger, night(book, DAYS[2]), "w")
    assert (again.status, again.difference) == (ALREADY, ())
    with ledger.reading() as connection:
        third = live_events(connection)[2]
    [earned] = [
        one for one in stored_explanations.made_from(third.explanation) if one.name == "earned"
    ]
    assert (earned.origin, earned.source) == (Origin.DERIVED, "the ledger")
    verified = verify(ledger, [tmp_path / "books"])
    assert verified.sound
    assert set(verified.counts) == {"same"}


def test_what_was_awarded_before_may_be_less_than_nothing(ledger: Ledger, tmp_path: Path) -> None:
    """Where a rule takes points away, the next event begins with a debt."""
    rules = RULES.replace("return max(min(won, most - earned), 0)", "return won - most + earned")
    toml = TOML.replace('awarded_in = "year"', 'awarded_in = "ever"')
    book = write_book(tmp_path / "books" / FOLDER, toml, rules)
    first, second = (post(ledger, night(book, day), "w", another=True) for day in DAYS[:2])
    assert paid(first) == ["-20.00", "-60.00", "-73.33"]
    assert paid(second) == ["-40.00", "-120.00", "-146.66"]
    [remark] = [str(one) for one in second.remarks if "derived from the ledger" in str(one)]
    assert f"awarded by capped up to {DAYS[1]}" in remark
    assert verify(ledger, [tmp_path / "books"]).sound


def test_a_correction_says_which_later_awards_rest_on_it(
    file_ledger: Ledger, book: Rulebook, tmp_path: Path
) -> None:
    for day in DAYS:
        post(file_ledger, night(book, day), "w", another=True)
    with file_ledger.reading() as connection:
        named = [str(note) for note in resting_on_record(connection, 2)]
    assert [text.partition(",")[0] for text in named] == [f"Night of {DAYS[2]} of {DAYS[2]}"]
    other = night(book, DAYS[0], (3, 2, 1))
    assert post(file_ledger, other, "w").status == DIFFERS
    corrected = post(file_ledger, other, "w", correct=True, why="scored again")
    later = [str(one) for one in corrected.remarks if "post it again" in str(one)]
    assert [text.partition(",")[0] for text in later] == [
        f"Night of {day} of {day}" for day in DAYS[1:3]
    ]
    second = post(file_ledger, night(book, DAYS[1]), "w")
    assert second.status == DIFFERS
    assert any("earned 80 in the ledger, 26.67 now" in str(line) for line in second.difference)
    post(file_ledger, night(book, DAYS[1]), "w", correct=True, why="the first was corrected")
    third = post(file_ledger, night(book, DAYS[2]), "w", correct=True, why="so were these")
    assert paid(third) == ["20.00"]  # the first and the third pair have 100, the second 80
    assert verify(file_ledger, [tmp_path / "books"]).sound


def test_an_event_posted_late_says_so_too(file_ledger: Ledger, book: Rulebook) -> None:
    post(file_ledger, night(book, DAYS[1]), "w")
    late = post(file_ledger, night(book, DAYS[0]), "w", another=True)
    assert paid(late)[0] == "80.00"
    assert any("record 1" in str(remark) for remark in late.remarks)


def test_two_events_of_a_day_count_in_the_order_they_were_first_posted(
    file_ledger: Ledger, book: Rulebook
) -> None:
    morning = night(book, DAYS[0])
    evening = replace(night(book, DAYS[0]), title="Evening")
    post(file_ledger, morning, "w")
    assert paid(post(file_ledger, evening, "w", another=True))[0] == "20.00"
    assert post(file_ledger, morning, "w").status == ALREADY
    other = replace(morning, lists=(ranked([1, 3, 2]),))
    assert paid(post(file_ledger, other, "w", correct=True, why="two places"))[0] == "80.00"
    assert post(file_ledger, other, "w").status == ALREADY
    difference = [str(line) for line in post(file_ledger, evening, "w").difference]
    assert not any(line.startswith("Ann 1 ") for line in difference)  # it still comes second


def test_the_year_is_the_clubs_and_what_was_taken_back_does_not_count(
    file_ledger: Ledger, book: Rulebook
) -> None:
    for day in DAYS[:2]:
        post(file_ledger, night(book, day), "w", another=True)
    of_autumn = replace(night(book, DAYS[2]), year_begins="09-01")
    assert paid(post(file_ledger, of_autumn, "w", dry_run=True, another=True))[0] == "80.00"
    reverse(file_ledger, 1, "w", "void")
    assert paid(post(file_ledger, night(book, DAYS[2]), "w", another=True))[0] == "80.00"


@pytest.mark.parametrize(
    ("period", "second", "rests"),
    [("day", "80.00", []), ("month", "80.00", []), ("ever", "20.00", [*DAYS[1:]])],
)
def test_a_cap_may_be_over_another_period(
    file_ledger: Ledger, tmp_path: Path, period: str, second: str, rests: list[str]
) -> None:
    toml = TOML.replace('awarded_in = "year"', f'awarded_in = "{period}"')
    book = write_book(tmp_path / "books" / FOLDER, toml, RULES)
    outcomes = [post(file_ledger, night(book, day), "w", another=True) for day in DAYS]
    assert paid(outcomes[1])[0] == second
    evening = replace(night(book, DAYS[0]), title="Evening")
    assert paid(post(file_ledger, evening, "w", another=True))[0] == "20.00"
    with file_ledger.reading() as connection:
        named = [str(note).partition(",")[0] for note in resting_on_record(connection, 1)]
    assert [text for text in named if "Evening" not in text] == [
        f"Night of {day} of {day}" for day in rests
    ]
    assert verify(file_ledger, [tmp_path / "books"]).sound


def test_points_of_somebody_who_was_merged_count(file_ledger: Ledger, book: Rulebook) -> None:
    guest: dict[int, tuple[Player, ...]] = {1: (Player("Anna One", "900"), Player("Bob 1", "101b"))}
    first = replace(night(book, DAYS[0]), lists=(ranked([1, 2, 3], guest),))
    post(file_ledger, first, "w")
    post(file_ledger, night(book, DAYS[1], (2, 3, 1)), "w")
    with file_ledger.writing(False, "w") as connection:
        one, other = (members.find(connection, number).id for number in ("900", "101a"))
        members.merge(connection, one, other, "w", "the same")
    third = post(file_ledger, night(book, DAYS[2]), "w", another=True)
    assert not [line for line in third.lines if line.member == other]  # 80 and 26.67 before


def test_what_a_list_or_a_person_says_counts(file_ledger: Ledger, book: Rulebook) -> None:
    post(file_ledger, night(book, DAYS[0]), "w")
    own = {1: tuple(replace(player, facts={"earned": Fraction(95)}) for player in pair(1))}
    written = replace(night(book, DAYS[1]), lists=(ranked([1, 2, 3], own),))
    assert paid(post(file_ledger, written, "w", another=True, dry_run=True)) == [
        "5.00",
        "40.00",
        "26.67",
    ]
    given = replace(night(book, DAYS[1]), given={"earned": "99"})
    assert set(paid(post(file_ledger, given, "w", another=True, dry_run=True))) == {"1.00"}


def test_a_draft_is_released_by_what_the_ledger_has_then(
    file_ledger: Ledger, book: Rulebook, tmp_path: Path
) -> None:
    held = release.draft(file_ledger, night(book, DAYS[1]), "w")
    assert paid(held)[0] == "80.00"
    post(file_ledger, night(book, DAYS[0]), "w", another=True)
    done = release.release(file_ledger, 1, "w", [tmp_path / "books"], another=True)
    assert paid(done)[0] == "20.00"
    assert any("when this was drafted" in str(remark) for remark in done.remarks)


def test_a_return_with_capped_points_is_what_the_federations_ledger_makes_of_it(
    file_ledger: Ledger, book: Rulebook, tmp_path: Path
) -> None:
    for day, order in zip(DAYS, [(1, 2, 3), (1, 3, 2), (2, 1, 3)], strict=False):
        post(file_ledger, night(book, day, order), "w")
    made = submissions.submit(file_ledger, DAYS[0], DAYS[2], "w")
    file = tmp_path / "return.xml"
    with file_ledger.reading() as connection:
        file.write_bytes(usebio(connection, made.id))
    federation = create_ledger(str(tmp_path / "federation.db"))
    events = [IncomingEvent(file.name, "digest", account) for account in read_accounts(file)]
    terms = IntakeTerms(folders=(tmp_path / "books",))
    receipts = take_in(federation, events, terms, "w")
    assert [(one.status, str(one.said)) for one in receipts] == [(POSTED, "")] * 3
    with federation.reading() as ours, file_ledger.reading() as theirs:
        assert sorted(summed(ours).values()) == sorted(summed(theirs).values())
    other = create_ledger(str(tmp_path / "other.db"))
    post(other, replace(night(book, "2026-01-05", (1, 3, 2)), club="Another"), "w")
    first = take_in(other, events, terms, "w")[0]
    assert first.status == release.HELD
    assert "80.00 in the return, 20.00 by capped" in str(first.said)


# --- from files -------------------------------------------------------------------------------


def files(folder: Path) -> list[Path]:
    paths = [folder / f"{day}.csv" for day in DAYS]
    for path in paths:
        rows = [f"{n},{n},Ann {n},10{n}a,Bob {n},10{n}b" for n in (1, 2, 3)]
        header = "place,number,name1,number1,name2,number2"
        path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return paths


def season_file(folder: Path) -> Path:
    parts = [
        f'[[competition]]\ntitle = "Night {n}"\nkind = "pairs"\ntype = "session"\n'
        f'file = "{path.name}"\ndate = "{path.stem}"\n'
        for n, path in enumerate(files(folder), 1)
    ]
    file = folder / "season.toml"
    file.write_text(f'club = "Club"\nrulebook = "{FOLDER}"\n' + "\n".join(parts), "utf-8")
    return file


def run(*arguments: str) -> str:
    done = CliRunner(env={"HONOURS_TRUST": "1"}).invoke(cli, [*map(str, arguments)])
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize("with_ledger", [False, True])
def test_a_season_caps_as_the_ledger_does(tmp_path: Path, with_ledger: bool) -> None:
    file, books = season_file(tmp_path), str(tmp_path / "books")
    ledger = ["--ledger", str(tmp_path / "l.db"), "--post", "--by", "w"] if with_ledger else []
    if with_ledger:
        run("ledger", "init", "--ledger", str(tmp_path / "l.db"))
    awards = []
    for n in range(1, 5):
        asked = ["--competition", f"Night {n}", "--rulebooks", books, "--json", *ledger]
        awarded, *_ = json.loads(run("season", "award", str(file), *asked))
        awards.append([row["award"] for row in awarded["lists"][0]["schedule"]])
        [earned] = [one for one in awarded["facts"] if one["name"] == "earned"]
        source = "the ledger" if with_ledger else "the season"
        assert (earned["origin"], earned["source"]) == ("derived", source)
    assert awards == [
        ["80.00", "40.00", "26.67"],
        ["20.00", "40.00", "26.67"],
        ["0.00", "20.00", "26.67"],
        ["80.00", "40.00", "26.67"],
    ]


@pytest.mark.usefixtures("book")
def test_an_award_without_a_ledger_says_what_it_assumes(tmp_path: Path) -> None:
    path = files(tmp_path)[0]
    report = honours.award(
        honours.score(honours.read(path)), FOLDER, rulebooks=[tmp_path / "books"]
    )
    assert report.awards
    [earned] = [one for one in report.awards.lists[0].known if one.name == "earned"]
    assert (earned.origin, str(earned.value)) == (Origin.ASSUMED, "0")
    assumed = "what a player was awarded this year before: assumed, as nothing is known of it"
    assert assumed in honours.explain(report.awards.lists[0].schedule[0])


@pytest.mark.usefixtures("book")
def test_a_calculation_says_what_it_assumes_and_what_was_given(tmp_path: Path) -> None:
    asked = ("calc", FOLDER, "entrants=2", "--explain", "--rulebooks", str(tmp_path / "books"))
    alone = run(*asked)
    assert "Assumed, nothing else being known: earned 0" in alone
    assert "before: assumed, as nothing is known of it" in alone
    given = run(*asked, "earned=30+30,0+0")
    assert "Told: earned of 4 players" in given
    assert "earned = 30   what a player was awarded this year before (what was given)" in given


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"year"', '"week"', "unknown awarded_in 'week'"),
        ("default = 0\nawarded_in", "awarded_in", "with a default"),
        ('per = "player"', 'per = "entrant"', "number per player"),
    ],
)
def test_what_an_author_may_get_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(RulebookError, match=message) as error:
        write_book(tmp_path / FOLDER, TOML.replace(old, new), RULES)
    assert "capped/rulebook.toml, line 1" in str(error.value)


@pytest.mark.usefixtures("book")
def test_an_event_of_a_season_needs_its_day(tmp_path: Path) -> None:
    file = season_file(tmp_path)
    (tmp_path / f"{DAYS[0]}.csv").rename(tmp_path / "first.csv")
    text = file.read_text("utf-8").replace(f"{DAYS[0]}.csv", "first.csv")
    file.write_text(text.replace(f'date = "{DAYS[0]}"\n', ""), "utf-8")
    season = read_season(file)
    book = seasonal.rulebook_of(season, [tmp_path / "books"])
    with pytest.raises(InputError, match="Night 1: no day is known of it"):
        seasonal.award(season, season.competition("Night 2"), book)


LISTS = '[lists]\nlines = "each"\nstrata = "each"\ncombine = "sum"\nstrata_clause = "§2"\n'


def test_lists_of_an_event_that_add_up_share_the_cap(file_ledger: Ledger, tmp_path: Path) -> None:
    book = write_book(tmp_path / "books" / FOLDER, LISTS + TOML, RULES)
    field = ranked([1, 2, 3])
    strata = zip(field.standings, "ABC", strict=True)
    own = tuple(replace(one, facts={**one.facts, "stratum": name}) for one, name in strata)
    event = replace(night(book, DAYS[0]), lists=(replace(field, standings=own),))
    first = post(file_ledger, event, "w")
    # 40 and 80 are due to the second, 26.67, 40 and 80 to the third: no more than 100 each
    assert paid(first) == ["80.00", "100.00", "100.00"]
    assert first.prepared
    [*_, last] = first.prepared.awards.lists
    assert "(the ledger, and the lists of the event before)" in honours.explain(last.schedule[0])
    later = replace(event, day=DAYS[1], title="Later")
    assert paid(post(file_ledger, later, "w", another=True)) == ["20.00"]
    assert verify(file_ledger, [tmp_path / "books"]).sound
