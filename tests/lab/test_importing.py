"""Real files in a corpus: the lab scores and awards them as `honours score` and `award` do."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from honours.engine.rulebook import Rulebook
from honours.errors import HonoursError, InputError
from honours.formats.detect import files_of
from honours.formats.members import Matching, read_members
from honours.lab.corpus import Corpus
from honours.lab.history import staging
from honours.lab.history.event_files import placed_entrants
from honours.lab.history.importing import ImportRequest, apart, bring, histories
from honours.lab.run import ShardJob, output_file, run
from honours.lab.sides import specified
from honours.model import Field, Standing
from honours.pipeline import Report, awarded, ranked, read_accounts, with_members
from honours.pipeline.options import chosen_options
from honours.pipeline.report import require_awardable, require_no_doubts
from honours.rulebooks import ids, load
from tests.lab.histories import lab
from tests.lab.imported import amounts_of, in_order
from tests.support import ROOT, cases

GIVEN = {"class": "regional", "section_kind": "open", "sessions": "2"}
ASKED = {
    "ebu-clubs": {"scale": "A"},
    "abf-sessions": {"event_grade": "red"},
    "sbu-clubs-2024": {"scale": "district"},
    "ifpa-wppr": {"qualifying_games": "20", "final_games": "5"},
}
"""What rulebooks ask and a corpus has no column for: given with the rulebook, for all events."""
MADE = {
    "stratified.csv": """pair,score,stratum,player1,masterpoints1,player2,masterpoints2
1,61.5,A,Ann,2400.25,Ben,1800
2,58,C,Cid,120,Dot,80.5
3,58,B,Eve,700,Fay,650
4,52,A,Gus,3100,Hal,40
5,49,C,Ida,10,Jan,0
6,47,B,Kim,900,Lou,1100
7,44,C,Meg,30,Ned,55
8,41,A,Oli,5000,Pam,2
""",
    "mitchell.csv": """board,ns,ew,score
1,1,11,420
1,2,12,450
1,3,13,-50
1,4,14,420
2,1,12,-100
2,2,13,110
2,3,14,110
2,4,11,-620
3,1,13,50
3,2,14,-600
3,3,11,100
3,4,12,100
""",
    "pinball.csv": """place,player1,ifpa_rating,ifpa_rank,is_rated
1,Ann,1700.25,20,1
2,Bob,1650,50,1
3,Cid,1600,90,1
4,Dot,1500,400,0
5,Eve,1400,900,1
""",
    "half-known.csv": """pair,score,player1,masterpoints1,player2,masterpoints2
1,60,Ann,2400,Ben,1800
2,55,Cid,,Dot,80
3,50,Eve,700,Fay,650
""",
}


@pytest.fixture(scope="module", params=["examples", "made"])
def imported(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Corpus, list[Report]]:
    folder = tmp_path_factory.mktemp("imported")
    made = request.param == "made"
    return import_folder(_made(folder / "made") if made else ROOT / "examples", folder)


def import_folder(source: Path, folder: Path) -> tuple[Corpus, list[Report]]:
    """A folder as a corpus, and in the same order every event of it as `honours award` sees it, but
    for what a corpus does not keep."""
    files = files_of([str(source)])
    tables = histories(files)
    events = [path for path in files if path not in tables]
    made = lab("import", *events, folder / "corpus", *(f"{k}={v}" for k, v in GIVEN.items()))
    assert made.exit_code == 0, made.output
    reports = [r for p in events for r in _reports(p)]
    return Corpus.open(folder / "corpus"), list(map(_as_carried, _once(reports)))


def _once(reports: list[Report]) -> Iterator[Report]:
    """Every event once, whichever files tell it."""
    seen: list[tuple[object, object]] = []
    for report in reports:
        people = {
            (f.line, s.place, *sorted(p.number or p.name for p in s.entrant.players))
            for f in report.lists
            for s in f.standings
        }
        named = all(any(who[2:]) for who in people)
        day = report.account.day
        same = [d for who, d in seen if who == people and (None in (d, day) or d == day)]
        if named and same:
            continue
        seen.append((people, day))
        yield report


def _made(folder: Path) -> Path:
    folder.mkdir()
    for name, text in MADE.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def _reports(path: Path) -> Iterator[Report]:
    try:
        accounts = read_accounts(path)
    except HonoursError:
        return
    for account in accounts:
        try:
            require_awardable(account)
            require_no_doubts(account)
            report = ranked(account)
            # A corpus has the order that results make, and nobody to ask about another.
            report = replace(report, choices={**report.choices, "order": "scored"})
        except HonoursError:
            continue
        # One without anybody in its highest stratum has limits that a corpus does not keep.
        for own in apart(report):
            if all(map(_is_kept, own.lists)) and _limits_are_kept(own):
                yield own


def _is_kept(field: Field) -> bool:
    return field.line in ("", "NS", "EW") and not field.group and _is_whole(field)


def _limits_are_kept(report: Report) -> bool:
    try:
        placed_entrants(report)
    except InputError:
        return False
    return True


def _is_whole(field: Field) -> bool:
    """Whether nobody is missing: a page of one board has places of some of the field alone."""
    places = [s.place for s in field.standings]
    return all(sum(other < place for other in places) == place - 1 for place in places)


_CARRIED = ("masterpoints", "rating", "rating_scale", "eligible")
"""What a corpus keeps of a player."""


def _as_carried(report: Report) -> Report:
    """The event without what a corpus does not keep: the deals of each session where all have as
    many, and of players what no rulebook asks."""
    lists = []
    for f in report.lists:
        alike = ("boards_of_sessions",) if "boards_per_session" in f.facts else ()
        facts = {k: v for k, v in f.facts.items() if k not in alike}
        standings = tuple(_plain_players(s) for s in f.standings)
        lists.append(replace(f, facts=facts, standings=standings))
    return replace(report, lists=tuple(lists))


def _plain_players(standing: Standing) -> Standing:
    players = tuple(
        replace(p, facts={k: v for k, v in p.facts.items() if k in _CARRIED})
        for p in standing.entrant.players
    )
    return replace(standing, entrant=replace(standing.entrant, players=players))


def _one_event(book: Rulebook, report: Report, more: Mapping[str, str]) -> list[Fraction] | None:
    """What `honours award` gives the event; None where it cannot."""
    given = {k: v for k, v in GIVEN.items() if k in book.keys} | dict(more)
    try:
        awards = awarded(report, book, given, in_words=False).awards
    except HonoursError:
        return None
    assert awards is not None
    return [awards.amount(s.entrant.id) for s in in_order(report)]


@pytest.mark.parametrize(
    ("rulebook", "more"), [*((name, {}) for name in ids()), *ASKED.items()], ids=str
)
def test_a_corpus_awards_what_each_file_is_awarded(
    imported: tuple[Corpus, list[Report]], rulebook: str, more: dict[str, str]
) -> None:
    corpus, reports = imported
    book = load(rulebook)
    amounts, aside = amounts_of(corpus, specified(book, more))
    assert len(amounts) == len(reports)
    accounts = [report.account for report in reports]
    for event, report in enumerate(reports):
        if sum(one is report.account for one in accounts) > 1:
            continue  # flights or sections ranked apart: a corpus has each as an event of its own
        expected = _one_event(book, report, more)
        assert (expected is None) == (event in aside), (report.account.title, aside.get(event))
        if expected is not None:
            assert amounts[event] == expected, report.account.title


def test_a_corpus_scores_what_each_file_is_scored(
    imported: tuple[Corpus, list[Report]], tmp_path: Path
) -> None:
    corpus, reports = imported
    if not corpus.count("results"):
        pytest.skip("no file of these has boards")
    job = ShardJob("score", str(corpus.folder), str(tmp_path / "scores"), "ebu")
    assert not run(job, job.signature(corpus.hash, "ebu")).problems
    scored = pq.read_table(output_file(job, 0)).to_pylist()
    for event in {row["event"] for row in scored}:
        rows = {row["entrant"]: row for row in scored if row["event"] == event}
        report = reports[event]
        by_ebu = ranked(report.account, chosen_options({"profile": "ebu"}))
        places = {s.entrant.id: s for s in in_order(by_ebu)}
        standings = [places[s.entrant.id] for s in in_order(report)]
        assert sorted(rows) == list(range(len(standings)))
        for k, standing in enumerate(standings):
            assert (rows[k]["place"], rows[k]["tied"]) == (standing.place, standing.tied)
            assert standing.score is not None
            assert rows[k]["percentage"] == int(100 * standing.score + Fraction(1, 2))


def test_two_lines_are_ranked_and_awarded_apart(tmp_path: Path) -> None:
    _made(tmp_path / "made")
    made = bring(ImportRequest([tmp_path / "made" / "mitchell.csv"]), tmp_path / "corpus")
    table = made.corpus.table("entrants").to_pydict()
    assert table["line"] == [1] * 4 + [2] * 4
    assert table["place"].count(1) == 2


def test_sessions_ranked_apart_are_events_only_if_the_file_says_so(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    for name, header in (
        ("sessions.csv", "pair,score,session"),
        ("events.csv", "pair,score,event"),
    ):
        rows = (f"{pair},{60 - pair},{evening}" for evening in ("I", "II") for pair in range(8))
        text = "\n".join([header, *rows])
        (tmp_path / "made" / name).write_text(text, encoding="utf-8")
    run = lab("import", tmp_path / "made", tmp_path / "corpus")
    assert run.exit_code == 0, run.output
    assert "name each session in a column `event`" in run.stderr
    titles = Corpus.open(tmp_path / "corpus").table("events")["title"].to_pylist()
    assert titles == ["I", "II"]


def test_ratings_come_from_a_member_list(tmp_path: Path) -> None:
    source = tmp_path / "go"
    source.mkdir()
    for name in ("go-open.txt",):
        (source / name).write_bytes((ROOT / "examples" / name).read_bytes())
    members = ROOT / "examples" / "go-members.csv"
    made = lab("import", source, tmp_path / "corpus", "section_kind=open", "--members", members)
    assert made.exit_code == 0, made.output
    book = load("aga-category")
    [amounts], aside = amounts_of(Corpus.open(tmp_path / "corpus"), book)
    assert not aside
    [account] = read_accounts(source / "go-open.txt")
    known = with_members(account, Matching(read_members(members), account.day))
    report = ranked(known)
    assert amounts == _one_event(book, report, {})
    assert any(amounts)


def test_what_cannot_be_read_is_named_and_the_rest_goes_on(tmp_path: Path) -> None:
    source = _made(tmp_path / "made")
    (source / "notes.txt").write_text("Tea at four.", encoding="utf-8")
    run = lab("import", source, tmp_path / "corpus", "--json")
    assert run.exit_code == 0, run.output
    data = json.loads(run.stdout)
    assert data["events"] == len(MADE)
    assert [line for line in data["set_aside"] if "notes.txt" in line]
    assert "1 file of no kind we know, passed over: notes.txt" in data["notes"]


def test_a_go_section_is_never_guessed(tmp_path: Path) -> None:
    source = tmp_path / "go"
    source.mkdir()
    (source / "go-open.txt").write_bytes((ROOT / "examples" / "go-open.txt").read_bytes())
    corpus = tmp_path / "corpus"
    assert lab("import", source, corpus).exit_code == 0  # other rules award it whatever it is
    asked = lab("compare", corpus, "aga-category", "aga-category")
    assert "1 event is left out" in asked.output
    assert "missing 'section_kind'" in asked.output
    side = "aga-category section_kind=open"
    assert "held back: this would be about 6 members" in lab("compare", corpus, side, side).output


@cases
def test_what_is_given_is_checked_before_a_file_is_read(
    tmp_path: Path, given: str, message: str
) -> None:
    run = lab("import", _made(tmp_path / "made"), tmp_path / "corpus", given)
    assert run.exit_code == 2
    assert message in run.output


def test_what_a_rulebook_asks_is_given_with_it_for_all_events(tmp_path: Path) -> None:
    folder, file = tmp_path / "corpus", tmp_path / "evening.csv"
    file.write_text("pair,score\n" + "".join(f"{k},{70 - k}\n" for k in range(1, 15)))
    made = lab("import", file, folder, "kind=pairs", "boards=24", "sessions=1")
    assert made.exit_code == 0, made.output
    without = lab("compare", folder, "ebu-clubs", "abf-sessions event_grade=green")
    assert "No event is awarded by both" in without.output
    given = lab("compare", folder, "ebu-clubs scale=A", "abf-sessions event_grade=green")
    assert "No event is awarded by both" not in given.output
    assert "ebu-clubs (scale=A for all events that do not say)" in given.output.splitlines()[0]
    run = lab(
        "award",
        folder,
        "--rulebook",
        "abf-sessions event_grade=green",
        "--out",
        tmp_path / "awards",
    )
    assert run.exit_code == 0
    assert "grade=green for all events that do not say" in run.output


@pytest.mark.parametrize(
    ("side", "message"),
    [
        ("ebu-clubs scale=Z", "unknown scale 'Z'"),
        ("ebu-clubs scal=A", "did you mean 'scale'?"),
        ("acbl-sof-2020 masterpoints=5", "of each entrant or player, not of an event"),
        ("abf-sessions tables=5", "works this out of each event"),
    ],
)
def test_what_cannot_be_given_for_all_events_is_refused(
    tmp_path: Path, side: str, message: str
) -> None:
    assert lab("import", _made(tmp_path / "made"), tmp_path / "corpus").exit_code == 0
    refused = lab("compare", tmp_path / "corpus", side, "vbl-2017")
    assert refused.exit_code == 2
    assert message in refused.output


def test_many_events_are_several_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staging, "A_PIECE", 6)
    made = lab("import", _made(tmp_path / "made"), tmp_path / "corpus")
    assert made.exit_code == 0, made.output
    corpus = Corpus.open(tmp_path / "corpus")
    assert len(corpus.shards) > 1
    assert sum(len(shard.ids) for shard in corpus) == len(MADE)
