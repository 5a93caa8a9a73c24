"""What a season file may say, and what the year refuses, each with its clause."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import honours
from honours.cli import cli
from honours.errors import FileProblem, InputError
from honours.ledger.post import POSTED, post
from honours.ledger.season import awards as seasonal
from honours.ledger.season.awards import award_data, awards_text
from honours.ledger.season.plan import read_season, season_of
from honours.ledger.season.standings import SeasonStandings, standings_data, standings_table
from honours.ledger.store import Ledger
from honours.reports.drawing import draw_text
from tests.ledger.guide import people, write_event
from tests.ledger.material import event
from tests.pipeline import thirty
from tests.support import cases

HEAD = 'club = "Club"\nrulebook = "sbu-clubs-2016"\nyear = 2016-09-01\noptions.as_usual = true\n'
DAYS = ("2016-10-01", "2016-11-01", "2016-12-01", "2017-01-01")


def events(folder: Path, days: tuple[str, ...] = DAYS, alone: bool = False) -> Path:
    """Events of nine pairs, or of single players, the same order every time."""
    for i, day in enumerate(days):
        path = write_event(
            folder / f"{day}.csv", {n: 60 - n for n in range(1, 10)}, swap=not alone and i % 2 == 1
        )
        if alone:
            lines = path.read_text().splitlines()
            short = [",".join((*line.split(",")[:3], line.split(",")[-1])) for line in lines]
            path.write_text("\n".join(short) + "\n")
    return folder


def competition(title: str = "Pairs", **changes: str) -> str:
    keys = {
        "title": f'"{title}"',
        "kind": '"pairs"',
        "type": '"aggregate"',
        "events": '{ folder = "events" }',
        "best": "4",
        **changes,
    }
    return "[[competition]]\n" + "\n".join(f"{k} = {v}" for k, v in keys.items() if v) + "\n"


def write(tmp_path: Path, *competitions: str, head: str = HEAD) -> Path:
    file = tmp_path / "season.toml"
    file.write_text(head + "\n".join(competitions), encoding="utf-8")
    return file


def award(file: Path, title: str = "", ledger: Ledger | None = None) -> Any:
    season = read_season(file)
    book = seasonal.rulebook_of(season)
    awards = seasonal.award(season, season.competition(title), book, ledger)
    assert awards_text(book, awards)
    return award_data(book, awards[0])


def table(file: Path, title: str = "", ledger: Ledger | None = None) -> SeasonStandings:
    season = read_season(file)
    return seasonal.standings(season, season.competition(title), ledger)


def refusal(data: Any) -> str:
    return f"{data['refusal']['reason']} [{data['refusal']['citation']}]"


# --- what the rules refuse --------------------------------------------------------------------


def test_a_fourth_major_championship(tmp_path: Path) -> None:
    events(tmp_path / "events")
    events(tmp_path / "more", ("2017-02-01", "2017-03-01"))
    file = write(
        tmp_path,
        competition("First", championship='"major"'),
        competition("Second", championship='"major"', best="2", events='{ folder = "more" }'),
    )
    assert award(file, "First")["awards"][0]["award"] == "225"
    assert "a pairs major championship was already nominated" in refusal(award(file, "Second"))
    assert "p11 HOTMPS" in refusal(award(file, "Second"))


def test_nominations_in_the_ledger_count_for_a_season_that_says_no_year(
    ledger: Ledger, tmp_path: Path
) -> None:
    """Its year is the club's around its last event: the calendar's unless the club settled it."""
    post(ledger, event("Old major", "2016-09-03", championship="major"), "Eve")
    events(tmp_path / "events")
    file = write(
        tmp_path,
        competition("New", championship='"major"', date='"2016-12-31"'),
        head=HEAD.replace("year = 2016-09-01\n", ""),
    )
    assert "already nominated" in refusal(award(file, ledger=ledger))
    season = read_season(file)
    own, book = season.competition(), seasonal.rulebook_of(season)
    later = replace(season, year_begins="09-04")
    [awarded] = seasonal.award(later, own, book, ledger)
    assert award_data(book, awarded)["refusal"] is None
    assert seasonal.to_post(later, awarded, book).year_begins == "09-04"


def test_nominations_in_the_ledger_count(ledger: Ledger, tmp_path: Path) -> None:
    done = post(ledger, event("Old major", "2016-09-03", championship="major"), "Eve")
    assert done.status == POSTED
    events(tmp_path / "events")
    file = write(tmp_path, competition("New", championship='"major"'))
    assert award(file)["refusal"] is None
    assert "already nominated" in refusal(award(file, ledger=ledger))
    later = write(
        tmp_path,
        competition("New", championship='"major"'),
        head=HEAD.replace("2016-09-01", "2016-09-04"),
    )
    assert award(later, ledger=ledger)["refusal"] is None  # the club's year starts when it says


def test_a_major_multiplies_the_bonus_and_not_the_events_that_make_it_up(tmp_path: Path) -> None:
    folder = events(tmp_path / "events")
    file = write(tmp_path, competition("Plain"), competition("Major", championship='"major"'))
    plain, major = (award(file, title) for title in ("Plain", "Major"))
    assert plain["awards"][0]["award"] == "150"
    assert major["awards"][0]["award"] == "225"
    night = honours.score(honours.read(folder / f"{DAYS[0]}.csv"))
    alone = honours.award(night, "sbu-clubs-2016", {"kind": "pairs", "winners": "1"}, as_usual=True)
    assert alone.awards is not None
    assert alone.awards.lists[0].schedule[0].shown == "18"


def test_a_championship_posted_already_is_not_counted_against_itself(
    ledger: Ledger, tmp_path: Path
) -> None:
    events(tmp_path / "events")
    file = write(tmp_path, competition("New", championship='"major"'))
    season = read_season(file)
    book = seasonal.rulebook_of(season)
    [awarded] = seasonal.award(season, season.competition(), book, ledger)
    assert post(ledger, seasonal.to_post(season, awarded, book), "Eve").status == POSTED
    assert award(file, ledger=ledger)["refusal"] is None


def test_a_second_minor_of_a_majors_type(tmp_path: Path) -> None:
    events(tmp_path / "events")
    for name, month in (("b", "02"), ("c", "03"), ("d", "04")):
        events(tmp_path / name, tuple(f"2017-{month}-0{d}" for d in (1, 2, 3)), alone=name in "cd")
    file = write(
        tmp_path,
        competition("Major pairs", championship='"major"'),
        competition("Minor pairs", championship='"minor"', best="3", events='{ folder = "b" }'),
        competition(
            "Major individual",
            championship='"major"',
            kind='"individual"',
            best="3",
            events='{ folder = "c" }',
        ),
        competition(
            "Minor individual",
            championship='"minor"',
            kind='"individual"',
            best="3",
            events='{ folder = "d" }',
        ),
    )
    assert award(file, "Minor pairs")["awards"][0]["award"] == "113"
    assert "only 1 minor championship may be" in refusal(award(file, "Minor individual"))


def test_a_heat_among_the_events(tmp_path: Path) -> None:
    events(tmp_path / "events")
    marked = '{ folder = "events", marked = { "2016-11-01.csv" = "national-heat" } }'
    file = write(tmp_path, competition(championship='"major"', events=marked))
    assert "must not include heats" in refusal(award(file))


def test_events_that_count_for_two_championships(tmp_path: Path) -> None:
    events(tmp_path / "events")
    file = write(
        tmp_path, competition("A", championship='"major"'), competition("B", championship='"minor"')
    )
    assert "designated for it alone" in refusal(award(file, "A"))


def test_individuals_from_pairs_events(tmp_path: Path) -> None:
    events(tmp_path / "events")
    file = write(tmp_path, competition(kind='"individual"'))
    assert len(table(file).rows) == 18
    assert "individuals cannot be ranked from pairs events" in refusal(award(file))


@cases
def test_events_before_a_final(tmp_path: Path, kind: str, days: int, enough: bool) -> None:
    events(tmp_path / "events", DAYS[:days], alone=kind == "individual")
    events(tmp_path, ("2017-06-01",), alone=kind == "individual")
    final = '{ file = "2017-06-01.csv", boards = 24 }'
    file = write(
        tmp_path,
        competition(kind=f'"{kind}"', type='"final"', best="", final=final, played=str(days)),
    )
    data = award(file)
    assert (data["refusal"] is None) == enough
    if not enough:
        assert f"{days} events before the final" in refusal(data)


def test_a_final_is_for_those_who_qualified(tmp_path: Path) -> None:
    events(tmp_path / "events")
    events(tmp_path, ("2017-06-01",))
    final = '{ file = "2017-06-01.csv", boards = 24, places = 8 }'
    file = write(tmp_path, competition(type='"final"', final=final))
    assert "Ann Innes & Bob Innes played the final and did not qualify" in refusal(award(file))
    lower = '{ file = "2017-06-01.csv", boards = 24, score = 51 }'
    assert award(write(tmp_path, competition(type='"final"', final=lower)))["refusal"] is None


def test_a_consolation_is_not_for_finalists(tmp_path: Path) -> None:
    events(tmp_path / "events")
    events(tmp_path, ("2017-06-01",))
    stage = '{ file = "2017-06-01.csv", boards = 24 }'
    file = write(tmp_path, competition(type='"final"', final=stage, consolation=stage))
    season = read_season(file)
    awards = seasonal.award(season, season.competition(), seasonal.rulebook_of(season))
    assert awards[1].refusal is not None
    assert "qualified for the final itself" in awards[1].refusal.reason


@pytest.mark.parametrize("permission", ["yes", "no"])
def test_a_swiss_major_needs_permission(tmp_path: Path, permission: str) -> None:
    write_event(
        tmp_path / "s.csv",
        {n: 60 - n for n in range(1, 21)},
        dict.fromkeys(range(1, 21), ",2,0"),
        ",won,drawn",
    )
    facts = f'{{ boards_per_match = 6, matches = 4, boards = 24, permission = "{permission}" }}'
    file = write(
        tmp_path,
        competition(
            type='"swiss"', championship='"major"', events="", best="", file='"s.csv"', facts=facts
        ),
    )
    data = award(file)
    assert (data["refusal"] is None) == (permission == "yes")


def test_nobody_played_enough(tmp_path: Path) -> None:
    events(tmp_path / "events")
    with pytest.raises(InputError, match="nobody played 9 events"):
        award(write(tmp_path, competition(best="9")))


# --- the table --------------------------------------------------------------------------------


def rows(standings: SeasonStandings) -> dict[str, tuple[str, int, bool]]:
    return {
        "+".join(p.number for p in row.players): (str(row.total), row.played, row.qualified)
        for row in standings.rows
    }


def test_a_pair_is_two_people_in_either_order(tmp_path: Path) -> None:
    events(tmp_path / "events")
    assert len(table(write(tmp_path, competition())).rows) == 9


def test_numbers_and_names_are_one_person(tmp_path: Path) -> None:
    folder = events(tmp_path / "events")
    path = folder / "2017-01-01.csv"
    lines = [
        ",".join((c[0], c[1].upper(), c[3], c[5]))
        for line in path.read_text().splitlines()
        for c in [line.split(",")]
    ]
    path.write_text("\n".join(["pair,player1,player2,score", *lines[1:]]) + "\n")
    assert len(table(write(tmp_path, competition())).rows) == 9


def test_fewer_than_the_best_and_ties_at_the_last_that_counts(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    scores = {"2016-10-01": {1: 60, 2: 50}, "2016-11-01": {1: 50, 2: 50}, "2016-12-01": {1: 50}}
    for day, own in scores.items():
        write_event(folder / f"{day}.csv", dict(own))
    standings = table(write(tmp_path, competition(best="2", played="1")))
    first, second = standings.rows
    assert first.counted == {0, 1}  # of two equal scores the earlier one
    assert (str(first.total), first.played) == ("55", 3)
    assert (str(second.total), second.played, second.place) == ("50", 2, 2)
    few = table(write(tmp_path, competition(best="3", played="2")))
    assert [str(r.total) for r in few.rows] == ["160/3", "50"]  # the second over what it played
    assert "2" in draw_text(standings_table(few, everybody=True))


def test_equal_averages_share_a_place(tmp_path: Path) -> None:
    for day in DAYS[:2]:
        write_event(tmp_path / "events" / f"{day}.csv", {1: 55, 2: 55, 3: 50})
    standings = table(write(tmp_path, competition(best="2")))
    assert [(r.place, r.tied) for r in standings.rows] == [(1, 2), (1, 2), (3, 1)]
    assert "1=" in draw_text(standings_table(standings))


def test_substitutes_by_an_explicit_rule(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    write_event(folder / "2016-10-01.csv", {1: 60, 2: 50})
    path = write_event(folder / "2016-11-01.csv", {1: 40, 2: 50})
    (_, ann), (_, bob) = people(1)
    path.write_text(path.read_text().replace(f"Bob Adair,{bob}", "Zed,99"))
    plain = rows(table(write(tmp_path, competition(best="2", played="1"))))
    assert plain[f"{ann}+{bob}"] == ("60", 1, True)
    rule = f'[{{ date = 2016-11-01, played = ["{ann}", "Zed"], counts_for = ["{ann}", "{bob}"] }}]'
    with_rule = competition(best="2", played="1", substitutes=rule)
    assert rows(table(write(tmp_path, with_rule)))[f"{ann}+{bob}"] == ("50", 2, True)
    limited = competition(best="2", substitutes=rule, most_substitutions="1")
    assert table(write(tmp_path, limited)).rows


def test_too_many_substitutions(tmp_path: Path) -> None:
    folder = tmp_path / "events"
    rules = []
    for day in DAYS[:2]:
        path = write_event(folder / f"{day}.csv", {1: 60, 2: 50})
        path.write_text(path.read_text().replace("Bob Adair,1003", "Zed,99"))
        rules.append(f'{{ day = {day}, played = ["1002", "99"], counts_for = ["1002", "1003"] }}')
    file = write(
        tmp_path, competition(best="2", substitutes=f"[{', '.join(rules)}]", most_substitutions="1")
    )
    with pytest.raises(InputError, match="2 substitutions, at most 1"):
        table(file)


def test_a_league_table_with_points_for_places(tmp_path: Path) -> None:
    for day in DAYS[:2]:
        write_event(tmp_path / "events" / f"{day}.csv", {1: 60, 2: 55, 3: 55, 4: 40})
    file = write(tmp_path, competition(type="", best="", score='"points"', points="[10, 6, 3]"))
    standings = table(file)
    assert [str(r.total) for r in standings.rows] == ["20", "9", "9", "0"]
    assert standings_data(standings)["rows"][1]["total"] == "9.00"
    with pytest.raises(InputError, match="a table without awards"):
        award(file)
    added = table(write(tmp_path, competition(type="", best="", score='"sum"')))
    assert [str(r.total) for r in added.rows][:2] == ["120", "110"]


def test_events_of_another_year_are_left_out(tmp_path: Path) -> None:
    events(tmp_path / "events", (*DAYS, "2017-09-01", "2016-08-31"))
    standings = table(write(tmp_path, competition()))
    assert [e.day for e in standings.events] == list(DAYS)


def test_events_of_the_ledger(ledger: Ledger, tmp_path: Path) -> None:
    for n, day in enumerate(DAYS[:3]):
        order = [1, 2, 3, 4, 5, 6][n:] + [1, 2, 3, 4, 5, 6][:n]
        assert post(ledger, event(f"Tuesday {n}", day, order), "Eve").status == POSTED
    post(ledger, event("Other", "2017-02-02", [6, 5, 4, 3, 2, 1]), "Eve")
    file = write(tmp_path, competition(events='{ ledger = "tuesday*" }', best="3"))
    standings = table(file, ledger=ledger)
    assert len(standings.events) == 3
    assert [r.players[0].number for r in standings.rows][:2] == ["103a", "102a"]
    assert award(file, ledger=ledger)["awards"][0]["award"] == "100"
    with pytest.raises(InputError, match="say which"):
        table(file)


# --- wrong files ------------------------------------------------------------------------------


def _scored(folder: Path) -> None:
    folder.mkdir()
    for day in DAYS[:2]:
        rows = thirty.pairs(8, 4, 6, lines=True)
        (folder / f"{day}.csv").write_text(thirty.paired(rows), encoding="utf-8")


def test_events_are_scored_as_the_season_or_the_command_says(tmp_path: Path) -> None:
    _scored(tmp_path / "events")
    (tmp_path / "members.csv").write_text("number,name\n77,1 Player1\n", encoding="utf-8")
    head = HEAD + 'options.winners = 1\noptions.members = "members.csv"\n'
    file = write(tmp_path, competition(best="2"), competition("Lines", best="2"), head=head)
    season = read_season(file)
    one = seasonal.standings(season, season.competition("Pairs"))
    assert [len(event.lists) for event in one.events] == [1, 1]
    [first] = [row for row in one.rows if "77" in {p.number for p in row.players}]
    assert first.players[0].name == "1 Player1"
    asked = ["season", "standings", str(file), "--competition", "Pairs"]
    plain = CliRunner().invoke(cli, asked)
    in_imps = CliRunner().invoke(cli, [*asked, "--scoring", "cross-imps"])
    assert (plain.exit_code, in_imps.exit_code) == (0, 0)
    assert plain.output != in_imps.output


@pytest.mark.parametrize(
    ("options", "message"),
    [("{ winers = 1 }", "winers"), ("{ winners = 3 }", "expected one of 1, 2")],
)
def test_an_option_of_a_season_is_checked(tmp_path: Path, options: str, message: str) -> None:
    file = write(tmp_path, competition(options=options, events="{ files = [] }"))
    with pytest.raises(FileProblem, match=message):
        read_season(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title =", "not TOML"),
        (HEAD + 'title = "x"\n', "'kind' is missing"),
        (HEAD + 'title = "x"\nkind = "trios"\n', "unknown kind 'trios'"),
        (HEAD + 'title = "x"\nkind = "pairs"\nbets = 12\n', "did you mean 'best'"),
        (HEAD + 'title = "x"\nkind = "pairs"\nevents = { folder = "none" }\n', "no such folder"),
        (HEAD.replace("2016-09-01", '"soon"') + 'title = "x"\nkind = "pairs"\n', "isoformat"),
        (HEAD + competition("x", events="") * 2, "two competitions are called 'x'"),
        ('title = "x"\nkind = "pairs"\n', "'rulebook' is missing"),
        (HEAD + 'competition = "x"\n', r"expected \[\[competition"),
        (HEAD + 'title = "x"\nkind = "pairs"\nevents = "x"\n', "the events of x: 'x', expected"),
        (HEAD + 'title = "x"\nkind = "pairs"\nbest = "many"\n', "best = 'many': expected a whole"),
        (HEAD + 'title = 5\nkind = "pairs"\n', "title = 5: expected some words"),
        (HEAD + 'title = "x"\nkind = "pairs"\nfinal = {file = "f", boards = -1}\n', "boards = -1"),
    ],
)
def test_wrong_season_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileProblem, match=message):
        read_season(write(tmp_path, text, head=""))


def test_a_season_from_a_text_alone_counts_the_ledger(ledger: Ledger) -> None:
    for n, day in enumerate(DAYS[:3]):
        order = [1, 2, 3, 4, 5, 6][n:] + [1, 2, 3, 4, 5, 6][:n]
        post(ledger, event(f"Tuesday {n}", day, order), "Eve")
    season = season_of(HEAD + competition(events='{ ledger = "tuesday*" }', best="3"))
    table = seasonal.standings(season, season.competition(), ledger)
    assert [r.players[0].number for r in table.rows][:2] == ["103a", "102a"]


@pytest.mark.parametrize(
    "keys",
    [
        {"events": '{ folder = "/etc" }'},
        {"events": '{ files = ["/etc/passwd"] }'},
        {"file": '"/etc/passwd"'},
        {"final": '{ file = "/etc/passwd", boards = 2 }'},
    ],
)
def test_a_season_from_a_text_alone_reads_no_files(keys: dict[str, str]) -> None:
    with pytest.raises(FileProblem, match="only events of the ledger can count here"):
        season_of(HEAD + competition(**keys))


def test_types_are_the_rulebooks_words(tmp_path: Path) -> None:
    events(tmp_path / "events")
    with pytest.raises(InputError, match="did you mean 'aggregate'"):
        award(write(tmp_path, competition(type='"agregate"')))
    with pytest.raises(InputError, match="has no awards for competitions"):
        award(write(tmp_path, competition(), head=HEAD.replace("sbu-clubs-2016", "aga-category")))


def test_which_competition(tmp_path: Path) -> None:
    events(tmp_path / "events")
    season = read_season(write(tmp_path, competition("A"), competition("B")))
    with pytest.raises(InputError, match="say which of A, B"):
        season.competition()
    with pytest.raises(InputError, match="unknown competition 'C'"):
        season.competition("C")


def test_rulings_beside_a_file_of_the_folder_are_no_event(tmp_path: Path) -> None:
    events(tmp_path / "events")
    file = write(tmp_path, competition())
    before = table(file)
    (tmp_path / "events" / f"{DAYS[0]}.csv.rulings.toml").write_text("", encoding="utf-8")
    assert table(file) == before
