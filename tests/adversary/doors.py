"""The doors by which an event comes, and what each makes of it: right, asked, refused or wrong."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import honours
from honours.engine.event_awards import EventAwards
from honours.errors import Asked, HonoursError
from honours.model import Entrant, Field, Player, Standing
from honours.pipeline import Report
from honours.reports.convert import ENDINGS, converted_file
from honours.web.calculators.api import as_field as _sent
from honours.web.calculators.api_models import ListSent
from tests.adversary.events import Rows, answers, unusual
from tests.adversary.reading import NOTHING, REFUSED, Competitor, Contest, right, withheld
from tests.lab.workbooks import write_xlsx

MOST_ROUNDS = 8
OPTIONS = ("order", "section", "profile", "strata")
Told = dict[str, str]
Way = Callable[[Told, bool], Report]
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


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it: ``right``, ``asked``, ``refused`` or ``wrong``, and which facts were
    asked on the way."""

    what: str
    asked: tuple[str, ...] = ()
    why: str = ""


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
    members = ""
    if drawn.members:
        members = str(path.with_name("members.csv"))
        Path(members).write_text(text_of(drawn.members), encoding="utf-8")

    def way(told: Told, usual: bool) -> Report:
        choices = {name: told[name] for name in OPTIONS if name in told}
        given = {name: value for name, value in told.items() if name not in choices}
        chosen = {**drawn.options, **choices, **({"members": members} if members else {})}
        report = honours.score(honours.read(path), **chosen)
        return honours.award(report, drawn.contest.source, given, as_usual=usual)

    return way


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
    fields = [_field(one) for one in lists_of(drawn.contest)]

    def way(told: Told, usual: bool) -> Report:
        return honours.award(fields, drawn.contest.source, told, as_usual=usual)

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


Door = Callable[[Drawn, Path], Way]


def by_api(drawn: Drawn, _folder: Path) -> Way:
    """Standings sent as JSON, as the API makes ranking lists of what it is sent."""
    sent = [
        _sent(ListSent(**{k: v for k, v in one.items() if v})) for one in lists_of(drawn.contest)
    ]

    def way(told: Told, usual: bool) -> Report:
        return honours.award(sent, drawn.contest.source, told, as_usual=usual)

    return way


STANDINGS: dict[str, Door] = {
    "CSV": by_text,
    "semicolons": by_semicolons,
    "spreadsheet": by_workbook,
    "JSON": by_json,
    "Field": by_lists,
    "API": by_api,
    "own JSON": lambda drawn, folder: by_own_export(drawn, folder, "json"),
    "own standings": lambda drawn, folder: by_own_export(drawn, folder, "standings"),
}
RESULTS: dict[str, Door] = {
    "results CSV": by_text,
    "results spreadsheet": by_workbook,
    "USEBIO": by_usebio,
    "own USEBIO": lambda drawn, folder: by_own_export(drawn, folder, "usebio"),
    "own results": lambda drawn, folder: by_own_export(drawn, folder, "results"),
    "own JSON of results": lambda drawn, folder: by_own_export(drawn, folder, "json"),
}
NOT_TYPED = ("JSON", "Field", "API", "USEBIO")
"""The doors that take no table as somebody types it, with whatever is wrong in it."""


# --- what came of it ------------------------------------------------------------------------------


def judged(drawn: Drawn, way: Callable[[], Way]) -> Verdict:
    """Whether everybody gets what is right, once every question is answered by what is true."""
    contest = drawn.contest
    true, odd, told, asked = answers(contest), unusual(contest), dict(drawn.told), []
    usual = False
    try:
        door = way()
        for _ in range(MOST_ROUNDS):
            try:
                report = door(told, usual)
            except Asked as open_:
                facts = [fact for question in open_.questions for fact in question.facts]
                asked += [fact for fact in facts if fact not in asked]
                more = {f: true[f] for f in facts if f in true and f not in told}
                bundled = {f for q in open_.questions if q.of == "usual" for f in q.facts}
                more = {f: v for f, v in more.items() if f not in bundled or f in odd}
                if "boards_played" in bundled and withheld(contest):
                    return Verdict("asked", tuple(asked), "who knows better confirms nothing")
                if bundled and not usual:
                    usual = True
                elif not more:
                    return Verdict("asked", tuple(asked), str(open_))
                told |= more
                continue
            assert report.awards is not None
            return _compared(contest, report.awards, tuple(asked))
    except HonoursError as error:
        return Verdict("refused", tuple(asked), str(error))
    return Verdict("asked", tuple(asked), "without end")


def _compared(contest: Contest, awards: EventAwards, asked: tuple[str, ...]) -> Verdict:
    expected = right(contest)
    refused = [str(one.refusal.reason) for one in awards.lists if one.refusal]
    paid = _by_player(awards)
    if expected == REFUSED:
        if any(paid.values()):
            return Verdict("wrong", asked, f"refused by the source, paid {_top(paid)}")
        return Verdict("right", asked)
    assert not isinstance(expected, str)
    none = withheld(contest)
    due: dict[str, Fraction] = {}
    for one in contest.who:
        named = [p.name for p in one.people if p.name in paid]
        due |= {name: NOTHING if name in none else expected[one.id] for name in named or [one.id]}
    if refused and not any(paid.values()):
        return Verdict("refused" if any(due.values()) else "right", asked, refused[0])
    differ = [w for w in {**due, **paid} if due.get(w, NOTHING) != paid.get(w, NOTHING)]
    if not differ:
        return Verdict("right", asked)
    first = differ[0]
    why = f"{first}: {_text(paid.get(first))} for {_text(due.get(first))}, of {len(differ)}"
    told = [k.name for own in awards.lists for k in own.known if k.instead is not None]
    what = "warned" if told else "wrong"
    return Verdict(what, asked, f"{why}; {_top(paid)} for {_top(due)}")


def _by_player(awards: EventAwards) -> dict[str, Fraction]:
    """What each player gets; an entrant of whom no names are known by its number."""
    paid: dict[str, Fraction] = {}
    for who, items in awards.combined.items():
        for one in items:
            none = {player.name for player, _ in one.withheld}
            players = [p.name for p in one.standing.entrant.players if p.name] or [who]
            for name in players:
                earned = NOTHING if name in none else one.amount
                paid[name] = paid.get(name, NOTHING) + earned
    return paid


def _text(amount: Fraction | None) -> str:
    return "0" if amount is None else f"{float(amount):.2f}"


def _top(paid: Mapping[str, Fraction]) -> str:
    return " / ".join(_text(one) for one in sorted(paid.values(), reverse=True)[:3])
