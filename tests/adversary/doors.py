"""The doors by which an event comes, and what each makes of it: right, asked, refused or wrong."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any
from xml.sax.saxutils import escape

import httpx
from click.testing import CliRunner
from sqlalchemy import select

import honours
from honours.cli import cli
from honours.engine.event_awards import EventAwards
from honours.engine.numbers import exact
from honours.errors import Asked, InputError
from honours.lab.corpus import Corpus
from honours.lab.left_out import event_awards
from honours.ledger import submissions
from honours.ledger.schema import kinds, people, postings
from honours.ledger.store import create_ledger, open_ledger
from honours.ledger.submissions import usebio
from honours.model import Entrant, Field, Player, Standing
from honours.pipeline import Report
from honours.reports.convert import ENDINGS, converted_file
from honours.web.settings import Settings
from tests.adversary.events import Rows, answers, unusual
from tests.adversary.reading import NOTHING, Competitor, Contest, withheld
from tests.lab.workbooks import write_xlsx
from tests.web.server import client_of

OPTIONS = ("order", "section", "profile", "strata", "column")
ASKED = 3
"""The exit code of a question."""
DAY, WHY = "2017-01-14", "to compare the doors"
_SCRATCH, _OPEN = TemporaryDirectory(), ExitStack()
Told = dict[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What each player gets, an entrant of whom no names are known by its number; why nobody gets
    anything; and whether it is said that something was told against what the file shows."""

    paid: Mapping[str, Fraction]
    refused: str = ""
    warned: bool = False


class Questions(Exception):
    """What a door asks: facts, and of what they are."""

    def __init__(self, asked: Iterable[tuple[tuple[str, ...], str]]) -> None:
        self.asked = list(asked)
        super().__init__("; ".join(" / ".join(facts) for facts, _ in self.asked))


Way = Callable[[Told, bool], Answer]
"""What a door answers to what is told, and to whether nothing is unusual."""


@dataclass(slots=True)
class Drawn:
    """An event on its way to a door: the rows of its table, of its results, and what is told."""

    contest: Contest
    rows: Rows
    results: Rows
    told: Told = field(default_factory=dict)
    members: Rows = field(default_factory=list)
    changed: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    true: Told = field(default_factory=dict)
    """What is true of it as it came, besides what is true of the event."""


def table(contest: Contest) -> Rows:
    """The standings as somebody would type them."""
    heads = {"individual": "player", "teams": "team", "swiss-teams": "team"}
    number = heads.get(contest.kind, "pair")
    rows = []
    for one in sorted(contest.who, key=lambda w: (-w.score, int(w.id))):
        row = {number if number != "player" else "no": one.id, "score": _shown(one.score)}
        row |= {f"player{k}": p.name for k, p in enumerate(one.people, 1)}
        if contest.source.startswith("acbl-sof"):
            row |= {f"masterpoints{k}": _shown(p.holding) for k, p in enumerate(one.people, 1)}
        if contest.source == "aga-category":
            row["rating1"] = _shown(one.people[0].rating)
        row |= {k: v for k, v in _places(contest, one).items() if v}
        if contest.kind.startswith("swiss"):
            row |= {"won": str(one.won), "drawn": str(one.drawn)}
        told = {f"boards{k}": p.boards for k, p in enumerate(one.people, 1)}
        row |= {name: str(boards) for name, boards in told.items() if boards is not None}
        rows.append(row)
    return rows


def _places(contest: Contest, one: Competitor) -> Told:
    line = {"line": one.line} if contest.winners == 2 else {}
    return {**line, "stratum": one.stratum, "flight": one.group}


def _shown(value: Fraction) -> str:
    return f"{float(value):.2f}" if value.denominator > 1 else str(value)


# --- the doors ------------------------------------------------------------------------------------


def text_of(rows: Rows, mark: str = ",") -> str:
    heads = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, heads, delimiter=mark, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _file(path: Path, drawn: Drawn) -> Way:
    def way(told: Told, usual: bool) -> Answer:
        return _answer(lambda: report_of(path, drawn, told, usual))

    return way


def report_of(path: Path, drawn: Drawn, told: Told, usual: bool) -> Report:
    """A file awarded in Python."""
    choices, given = _parted(drawn, told, path)
    report = honours.score(honours.read(path), **choices)
    return honours.award(report, drawn.contest.source, given, as_usual=usual)


def _parted(drawn: Drawn, told: Told, path: Path) -> tuple[dict[str, Any], Told]:
    """The options among what is told, and the rest of it."""
    choices = {**drawn.options, **{name: told[name] for name in OPTIONS if name in told}}
    if drawn.members:
        listed = path.with_name("members.csv")
        listed.write_text(text_of(drawn.members), encoding="utf-8")
        choices["members"] = str(listed)
    return choices, {name: value for name, value in told.items() if name not in choices}


def _answer(make: Callable[[], Report]) -> Answer:
    try:
        awards = make().awards
    except Asked as asked:
        raise Questions((one.facts, one.of) for one in asked.questions) from None
    assert awards is not None
    refused = [str(one.refusal.reason) for one in awards.lists if one.refusal]
    against = [k.name for own in awards.lists for k in own.known if k.instead is not None]
    return Answer(_by_player(awards), next(iter(refused), ""), bool(against))


def _by_player(awards: EventAwards) -> dict[str, Fraction]:
    paid: dict[str, Fraction] = {}
    for who, items in awards.combined.items():
        for one in items:
            none = {player.name for player, _ in one.withheld}
            players = [p.name for p in one.standing.entrant.players if p.name] or [who]
            for name in players:
                earned = NOTHING if name in none else one.amount
                paid[name] = paid.get(name, NOTHING) + earned
    return paid


def _answer_in_words(data: Mapping[str, Any]) -> Answer:
    """The same, of the JSON that a command or a server answers."""
    paid: dict[str, Fraction] = {}
    for one in data["awards"]:
        none = {each["player"] for each in one.get("withheld", ())}
        for name in [p["name"] for p in one["players"] if p["name"]] or [one["entrant"]]:
            earned = NOTHING if name in none else exact(one["award"])
            paid[name] = paid.get(name, NOTHING) + earned
    refused = [one["refusal"]["reason"] for one in data["lists"] if one["refusal"]]
    against = any(fact.get("instead_of") for fact in data["facts"])
    return Answer(paid, next(iter(refused), ""), against)


def _questions_in_words(data: Mapping[str, Any]) -> Questions:
    return Questions((tuple(one["facts"]), one["of"]) for one in data["questions"])


def by_text(drawn: Drawn, folder: Path, mark: str = ",") -> Way:
    path = folder / "evening.csv"
    path.write_text(text_of(drawn.results or drawn.rows, mark), encoding="utf-8")
    return _file(path, drawn)


def by_semicolons(drawn: Drawn, folder: Path) -> Way:
    return by_text(drawn, folder, ";")


def by_workbook(drawn: Drawn, folder: Path) -> Way:
    rows = drawn.results or drawn.rows
    heads = list(dict.fromkeys(name for row in rows for name in row))
    filled = [{head: _cell(row.get(head, "")) for head in heads} for row in rows]
    path = folder / "evening.xlsx"
    write_xlsx(path, filled)
    return _file(path, drawn)


def _cell(text: str) -> object:
    """A number as a workbook has it; one with thousands marked off stands there as text."""
    if "." in text and len(text.rpartition(".")[2]) == len("000"):
        return text
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text or None


def by_usebio(drawn: Drawn, folder: Path) -> Way:
    """Results as another program would write them."""
    contest, lines = drawn.contest, []
    pairs = "".join(_usebio_pair(one, contest.winners) for one in contest.who)
    boards: dict[tuple[str, str], Rows] = {}
    for row in drawn.results:
        boards.setdefault((row["session"], row["board"]), []).append(row)
    for (_, number), same in boards.items():
        played = "".join(map(_usebio_line, same))
        lines.append(f"<BOARD><BOARD_NUMBER>{number}</BOARD_NUMBER>{played}</BOARD>")
    path = folder / "evening.xml"
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?><USEBIO Version="1.2"><CLUB><CLUB_NAME>Kelso'
        '</CLUB_NAME></CLUB><EVENT EVENT_TYPE="PAIRS"><EVENT_DESCRIPTION>Tuesday'
        f"</EVENT_DESCRIPTION><WINNER_TYPE>{contest.winners}</WINNER_TYPE><PARTICIPANTS>{pairs}"
        f"</PARTICIPANTS>{''.join(lines)}</EVENT></USEBIO>",
        encoding="utf-8",
    )
    return _file(path, drawn)


def _usebio_pair(one: Competitor, winners: int) -> str:
    people = "".join(
        f"<PLAYER><PLAYER_NAME>{escape(p.name)}</PLAYER_NAME></PLAYER>" for p in one.people
    )
    line = f"<DIRECTION>{one.line}</DIRECTION>" if winners == 2 else ""
    return f"<PAIR><PAIR_NUMBER>{one.id}</PAIR_NUMBER>{line}{people}</PAIR>"


def _usebio_line(row: Told) -> str:
    return (
        f"<TRAVELLER_LINE><NS_PAIR_NUMBER>{row['ns']}</NS_PAIR_NUMBER><EW_PAIR_NUMBER>{row['ew']}"
        f"</EW_PAIR_NUMBER><SCORE>{row['score']}</SCORE></TRAVELLER_LINE>"
    )


def by_own_export(drawn: Drawn, folder: Path, kind: str) -> Way:
    """What we write of it, read back."""
    by_text(drawn, folder)
    account = honours.read(folder / "evening.csv")
    report = honours.score(account) if kind == "standings" else None
    path = folder / f"again{ENDINGS[kind]}"
    path.write_bytes(converted_file(account, kind, report).data)
    return _file(path, drawn)


def lists_of(contest: Contest) -> list[dict[str, Any]]:
    """The ranking lists as plain data: what somebody sends or makes in Python."""
    made = []
    for group in sorted({w.group for w in contest.who}):
        for line in ("NS", "EW") if contest.winners == 2 else ("",):
            who = [w for w in contest.who if w.group == group and (not line or w.line == line)]
            rows = [
                {
                    "entrant": one.id,
                    "place": 1 + sum(other.score > one.score for other in who),
                    "score": _shown(one.score),
                    "players": [_player(contest, p) for p in one.people],
                    "facts": _standing_facts(contest, one),
                }
                for one in sorted(who, key=lambda w: -w.score)
            ]
            listed: dict[str, Any] = {"standings": rows, "line": line, "group": group, "facts": {}}
            made.append(listed)
    return [one for one in made if one["standings"]]


def _player(contest: Contest, person: Any) -> dict[str, Any]:
    facts = {}
    if contest.source.startswith("acbl-sof"):
        facts["masterpoints"] = _shown(person.holding)
    if contest.source == "aga-category":
        facts["rating"] = _shown(person.rating)
    if person.boards is not None:
        facts["boards_played"] = person.boards
    return {"name": person.name, "facts": facts}


def _standing_facts(contest: Contest, one: Competitor) -> dict[str, Any]:
    facts: dict[str, Any] = {"stratum": one.stratum} if one.stratum else {}
    if contest.kind.startswith("swiss"):
        facts |= {"won": one.won, "drawn": one.drawn}
    return facts


def by_lists(drawn: Drawn, _folder: Path) -> Way:
    """``Field`` and ``Standing``, made in Python."""
    fields, source = [_field(one) for one in lists_of(drawn.contest)], drawn.contest.source

    def way(told: Told, usual: bool) -> Answer:
        return _answer(lambda: honours.award(fields, source, told, as_usual=usual))

    return way


def _field(listed: Mapping[str, Any]) -> Field:
    standings = tuple(
        Standing(
            Entrant(
                one["entrant"], tuple(Player(p["name"], facts=p["facts"]) for p in one["players"])
            ),
            one["place"],
            score=one["score"],
            facts=one["facts"],
        )
        for one in listed["standings"]
    )
    return Field(listed["facts"], standings, line=listed["line"], group=listed["group"])


def by_json(drawn: Drawn, folder: Path) -> Way:
    """A document in the form of our own JSON, written by somebody else."""
    lists = [
        {
            "facts": _plain(listed["facts"]),
            **{k: listed[k] for k in ("line", "group") if listed[k]},
            "standings": [
                {
                    "entrant": {
                        "id": one["entrant"],
                        "players": [
                            {"name": p["name"], "facts": _plain(p["facts"])} for p in one["players"]
                        ],
                    },
                    "place": one["place"],
                    "score": one["score"],
                    "facts": _plain(one["facts"]),
                }
                for one in listed["standings"]
            ],
        }
        for listed in lists_of(drawn.contest)
    ]
    path = folder / "evening.json"
    document = {"honours": "standings", "version": 1, "lists": lists}
    path.write_text(json.dumps(document), encoding="utf-8")
    return _file(path, drawn)


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    words = {"stratum"}
    return {k: {"word": str(v)} if k in words else str(v) for k, v in facts.items()}


def by_command(drawn: Drawn, folder: Path) -> Way:
    """``honours award``, whose answer and exit code a script reads."""
    by_text(drawn, folder)
    path = folder / "evening.csv"

    def way(told: Told, usual: bool) -> Answer:
        choices, given = _parted(drawn, told, path)
        typed = [f"--{name.replace('_', '-')}={value}" for name, value in choices.items()]
        typed += [f"{name}={value}" for name, value in given.items()]
        typed += ["--as-usual"] * usual
        rulebook = ["--rulebook", drawn.contest.source, "--json"]
        done = CliRunner().invoke(cli, ["award", str(path), *typed, *rulebook])
        if done.exit_code == ASKED:
            raise _questions_in_words(json.loads(done.stdout))
        if done.exit_code:
            assert isinstance(done.exception, SystemExit), done.exception
            raise InputError("{said}", said=done.stderr)
        return _answer_in_words(json.loads(done.stdout))

    return way


@cache
def _server() -> httpx.Client:
    """A client of a server that runs until the program ends."""
    settings = Settings(data=Path(mkdtemp(dir=_SCRATCH.name)), per_minute=10**6)
    return _OPEN.enter_context(client_of(settings))


def _asked_over_http(where: str, body: Mapping[str, Any], query: Mapping[str, Any]) -> Answer:
    done = _server().post(where, params=dict(query), json=dict(body))
    if done.status_code == httpx.codes.CONFLICT:
        raise _questions_in_words(done.json())
    if not done.is_success:
        assert done.is_client_error, done.text
        raise InputError("{said}", said=done.text)
    return _answer_in_words(done.json())


def by_api(drawn: Drawn, _folder: Path) -> Way:
    """Standings sent to a server that keeps nothing."""
    sent = [{k: v for k, v in one.items() if v} for one in lists_of(drawn.contest)]

    def way(told: Told, usual: bool) -> Answer:
        body = {"rulebook": drawn.contest.source, "lists": sent, "given": told, "as_usual": usual}
        return _asked_over_http("/api/v1/awards", body, {})

    return way


def by_upload(drawn: Drawn, folder: Path) -> Way:
    """A file that is brought to a server, which programs and pages ask for its awards."""
    by_text(drawn, folder)
    file = ("evening.csv", (folder / "evening.csv").read_bytes())
    brought = _server().post("/api/v1/events", files={"file": file})
    if not brought.is_success:
        assert brought.is_client_error, brought.text
        raise InputError("{said}", said=brought.text)
    event = brought.json()[0]["id"]

    def way(told: Told, usual: bool) -> Answer:
        choices, given = _parted(drawn, told, folder)
        choices.pop("members", "")  # no request has a list of members
        chosen, source = {**choices, "as_usual": str(usual).lower()}, drawn.contest.source
        body = {"rulebook": source, "given": given}
        answer = _asked_over_http(f"/api/v1/events/{event}/awards", body, chosen)
        typed = {"rulebook": source, **{f"g.{k}": v for k, v in given.items()}, **chosen}
        page = _server().get(f"/events/{event}/download/awards.json", params=typed)
        assert _answer_in_words(page.json()) == answer
        return answer

    return way


def by_return(drawn: Drawn, folder: Path) -> Way:
    """What a club posts and sends in, as its federation takes it in."""
    by_text(drawn, folder)

    def way(told: Told, usual: bool) -> Answer:
        report = report_of(folder / "evening.csv", drawn, told, usual)
        answer = _answer(lambda: report)
        if not any(answer.paid.values()):  # nothing to send
            return answer
        club, federation = (_ledger(folder, name) for name in ("club", "federation"))
        said: dict[str, Any] = {"title": "Tuesday", "date": DAY, "club": "Kelso", "overrule": WHY}
        posted = honours.post(report, club, "Eve", **said)
        if posted.status != "posted":
            raise InputError("{said}", said=f"{posted.status}: {posted.remarks} {posted.like}")
        submissions.submit(open_ledger(club), DAY, DAY, "Eve")
        sent = folder / "return.xml"
        with open_ledger(club).reading() as connection:
            sent.write_bytes(usebio(connection, 1))
        typed = ["--ledger", federation, "--by", "Eve", "--overrule", WHY, "--json"]
        taken = CliRunner().invoke(cli, ["ledger", "returns", "intake", str(sent), *typed])
        [receipt] = json.loads(taken.stdout)["receipts"]
        if receipt["status"] != "posted":
            raise InputError("{said}", said=f"{receipt['status']}: {receipt['said']}")
        return Answer(posted_in(federation))

    def asked(told: Told, usual: bool) -> Answer:
        try:
            return way(told, usual)
        except Asked as open_:
            raise Questions((one.facts, one.of) for one in open_.questions) from None

    return asked


def _ledger(folder: Path, name: str) -> str:
    """A new ledger, copied from one that is empty."""
    empty, path = Path(_SCRATCH.name) / "empty.db", folder / f"{name}.db"
    if not empty.exists():
        create_ledger(str(empty)).close()
    for old in folder.glob(f"{name}.db*"):
        old.unlink()
    shutil.copy(empty, path)
    return str(path)


def posted_in(ledger: str) -> dict[str, Fraction]:
    """What each person is credited with in a ledger."""
    paid: dict[str, Fraction] = {}
    lines = select(people.c.name, postings.c.amount, kinds.c.decimals)
    lines = lines.join(people, people.c.member == postings.c.member)
    lines = lines.join(kinds, kinds.c.id == postings.c.kind)
    with open_ledger(ledger).reading() as connection:
        for name, amount, decimals in connection.execute(lines):
            paid[name] = paid.get(name, NOTHING) + Fraction(amount, 10**decimals)
    return paid


COUNTED = ("sessions", "boards", "boards_per_session", "restrictions", "matches")
SAID = ("class", "kind", "structure", "section_kind", "form", "boards_per_match", *COUNTED)
"""The columns of a table of events that a scorer could fill, and which of them are numbers."""


def by_dataframe(drawn: Drawn, folder: Path) -> Way:
    """A table of events, one of entrants and one of players; each flight is an event."""
    contest, where = drawn.contest, folder / "corpus"
    shutil.rmtree(where, ignore_errors=True)
    true = answers(contest)
    number = (*COUNTED, "boards_per_match")
    whole = {n: v for n, v in true.items() if "/" not in v}
    said = {n: int(whole[n]) if n in number else whole[n] for n in SAID if n in whole}
    groups = sorted({one.group for one in contest.who})
    events = [{"event": n, "limit": contest.limit, **said} for n in range(len(groups))]
    entrants, players = [], []
    for n, w in enumerate(sorted(contest.who, key=lambda one: one.group)):
        at = {"event": groups.index(w.group), "entrant": n}
        entrants.append({**at, **_row(contest, w)})
        for k, person in enumerate(w.people):
            known = _player(contest, person)["facts"]
            figures = {
                "holding": float(known.get("masterpoints", 0)),
                "rating": float(known.get("rating", 0)),
            }
            players.append({**at, "player": 20 * n + k, **figures})
    corpus = Corpus.of(
        where,
        unit="points",
        events=_in_columns(events),
        entrants=_in_columns(entrants),
        players=_in_columns(players),
    )
    ids = [w.id for w in sorted(contest.who, key=lambda one: one.group)]

    def way(_told: Told, _usual: bool) -> Answer:
        untold = {"championship", "supervised"} & unusual(contest).keys()
        if untold or withheld(contest):  # no column says it, and the lab says what it takes
            raise Questions([(tuple(untold), "column")])
        awards = corpus.award(contest.source).to_pydict()
        amounts = zip(awards["entrant"], awards["amount"], strict=True)
        paid = {ids[n]: Fraction(amount, 10_000) for n, amount in amounts}
        try:
            why = "" if any(paid.values()) else str(event_awards(corpus, contest.source, 0))
        except InputError as error:
            why = str(error)
        return Answer(paid, why)

    return way


def _row(contest: Contest, one: Competitor) -> dict[str, Any]:
    """An entrant in a table: its place among those of its flight and line."""
    lines = {"NS": 1, "EW": 2} if contest.winners == 2 else {}
    beside = [w for w in contest.who if w.group == one.group and (not lines or w.line == one.line)]
    scores = [w.score for w in beside]
    swiss = contest.kind.startswith("swiss")
    return {
        "place": 1 + sum(score > one.score for score in scores),
        "tied": scores.count(one.score),
        "overall_place": 1 + sum(w.score > one.score for w in contest.who) if lines else None,
        "line": lines.get(one.line),
        "stratum": contest.strata.index(one.stratum) if one.stratum else None,
        "won": one.won if swiss else None,
        "drawn": one.drawn if swiss else None,
    }


def _in_columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return {k: v for k, v in columns.items() if any(v) or k in ("event", "limit")}


Door = Callable[[Drawn, Path], Way]
STANDINGS: dict[str, Door] = {
    "CSV": by_text,
    "semicolons": by_semicolons,
    "spreadsheet": by_workbook,
    "JSON": by_json,
    "Field": by_lists,
    "DataFrame": by_dataframe,
    "API": by_api,
    "upload": by_upload,
    "command": by_command,
    "return": by_return,
    "own JSON": lambda drawn, folder: by_own_export(drawn, folder, "json"),
    "own standings": lambda drawn, folder: by_own_export(drawn, folder, "standings"),
}
RESULTS: dict[str, Door] = {
    "results CSV": by_text,
    "results spreadsheet": by_workbook,
    "results uploaded": by_upload,
    "results by command": by_command,
    "return of results": by_return,
    "USEBIO": by_usebio,
    "own USEBIO": lambda drawn, folder: by_own_export(drawn, folder, "usebio"),
    "own results": lambda drawn, folder: by_own_export(drawn, folder, "results"),
    "own JSON of results": lambda drawn, folder: by_own_export(drawn, folder, "json"),
}
NOT_TYPED = ("JSON", "Field", "DataFrame", "API", "USEBIO")
"""The doors that take no table as somebody types it, with whatever is wrong in it."""
