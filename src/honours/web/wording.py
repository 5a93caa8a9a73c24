"""How pages word what commands say with their options: the same message for a page."""

from __future__ import annotations

from honours.language import DEFAULT, shown_day
from honours.model.message import Message, mark

ON_PAGES = {
    "{key} is a parameter of {rulebook}, not told of an event: amend it with "
    "--set {key}=VALUE": mark(
        "{key} is a number of the rule of {rulebook}, nothing told of an event. Change it there."
    ),
    "{title} has no results of boards: a table of them would be empty. Write its standings "
    "(--to standings), or a .xml or .json, which keep its matches": mark(
        "{title} has no results of boards: a table of them would be empty. Download its standings "
        "instead."
    ),
    "the checkpoint has no root: a proof needs what `ledger audit head` printed": mark(
        "The checkpoint has no root: a proof needs the whole of it."
    ),
    "{title}: no day is known of it, and none is guessed; say e.g. --date 2017-01-14": mark(
        "{title}: its date is not known, and none is guessed. Say the date first."
    ),
    "a number and a name do not belong together: {told}. Mend the file; or, if it is the same "
    "person, change the name in the ledger, or say --numbers-decide": mark(
        "A number and a name do not belong together: {told}. Correct the name or the number; if it "
        "is the same person, change the name in the ledger or let numbers decide."
    ),
    "{count} numbers and names do not belong together: {told}. Mend the file; or, if they are "
    "the same people, change the names in the ledger, or say --numbers-decide": mark(
        "{count} numbers and names do not belong together: {told}. Correct the names or numbers; "
        "if they are the same people, change the names in the ledger or let numbers decide."
    ),
    "{missing}: give e.g. {example}": mark("{missing}"),
    "{missing}. Keys of {rulebook}: {keys}": mark("{missing}."),
    "{name}: {member} ({number})? {score} of 100; --confirm {answer!q}": mark(
        "{name}: is it {member} ({number})? The names are {score} of 100 alike"
    ),
    "say date=2026-01-31": mark("say the date"),
    "tables actually in the event; with comparison=session those of the comparison": mark(
        "tables actually in the event; for the comparison of a session, those of it"
    ),
    "the movement, which says how many winners there are, unless winners=1 or winners=2 is "
    "given": mark("the movement, which says how many winners there are unless that is given"),
    "say club_number=123456": mark("say the club number"),
    "say charge=10; known: {known}": mark("choose the charge code"),
    "say club=NAME": mark("say the club"),
    "name the rulebook, or say heat=yes for the list of a heat": mark(
        "choose the rulebook, or yes under “heat” for the list of a heat"
    ),
    "name them: honours rule FILE name": mark("name them on the tab “Names”"),
    "match a member list (--members) or add it to the results": mark(
        "match a member list on the tab “Awards” or add the number on the tab “Names”"
    ),
    "match a member list (--members), or say guests={who!q}": mark(
        "match a member list on the tab “Awards”, or write {who} under “guests”"
    ),
    "correct it, or say guests={who!q}": mark("correct it, or write {who} under “guests”"),
    "match a member list (--members): the report waits until all have one": mark(
        "match a member list on the tab “Awards”: the report waits until all have one"
    ),
    "member {number} would be both {first!r} and {who!r}: say which with --confirm": mark(
        "member {number} would be both {first!r} and {who!r}: say which of them it is"
    ),
    "{path} has dates, and the event has none: say --date": mark(
        "{path} has dates, and the event has none: say the date of the event first"
    ),
    "a folder made by `honours lab generate`": mark("a corpus"),
    "events rising; `honours lab check` says where": mark("events rising"),
    "{folder}: no such corpus; make one with `honours lab generate`": mark(
        "there is no corpus {folder}; make or bring in one on the page of the lab"
    ),
    "what --draft writes": mark("a plan of the import"),
    "{why}. Taken so far: {taken}. {draft} says so; write in it what the others are, then import "
    "again with --plan {draft!q}": mark(
        "{why}. Taken so far: {taken}. Say in a plan what the others are, and bring it in with the "
        "tables."
    ),
    "Now is the general formula, edition {edition}{pairs}; {strata}; unrestricted events of two "
    "sessions at regionals and sectionals are credited with {credit}. These are readings "
    '(--now "credit=… strata=… edition=…"); the table of readings says what hangs on each.': mark(
        "Now is the general formula, edition {edition}{pairs}; {strata}; unrestricted events of "
        "two sessions at regionals and sectionals are credited with {credit}. These are readings; "
        "the table of readings says what hangs on each."
    ),
    "{text!r} is no checkpoint: expected what `honours ledger audit head` printed, or a file "
    "that it wrote": mark("{text!r} is no checkpoint: expected one that this ledger gave out"),
    "what `ledger audit head` wrote": mark("a checkpoint that this ledger gave out"),
    "the later one does not show it: ask for `ledger audit head --since {line} -o FILE`": mark(
        "the later one does not show it: ask for one since {line}"
    ),
    "one of `ledger audit key`": mark("a key made for this ledger"),
    "points of {schemes} are kept: say whose with --rulebook": mark(
        "points of {schemes} are kept: choose the rulebook"
    ),
    "#{member} was merged into another before: undo that first, with `honours ledger members "
    "unmerge '#{member}'`": mark("#{member} was merged into another before: undo that first"),
    "{title} counts events of a ledger: say which (--ledger)": mark(
        "{title} counts events of a ledger, and there is none here"
    ),
    "no ledger at {where}: make one with `honours ledger init`": mark("there is no ledger yet"),
    "{where} is not a ledger: make one with `honours ledger init`": mark(
        "what is kept in the place of the ledger is none"
    ),
    "one: say --event TITLE or N": mark("one event"),
    "{name}: ends in {ending!r}, expected .xml, .csv or .json; or say --to {endings}": mark(
        "{name}: ends in {ending!r}, expected .xml, .csv or .json"
    ),
    "no award: {reason} [{citation}]; convert without --rulebook": mark(
        "no award: {reason} [{citation}]; download it without a rulebook"
    ),
    "a table of results has no place for awards: --to standings": mark(
        "a table of results has no place for awards: download the standings"
    ),
    "this document is about awards: name a rulebook with --rulebook": mark(
        "this document is about awards: choose a rulebook"
    ),
    "whose award? --entrant {some!q}": mark("whose award? Choose one of {some}"),
    "{called}: its places stay in the document, and these awards are for others: say --order "
    "published, or write a table of standings": mark(
        "{called}: its places stay in the document, and these awards are for others: choose the "
        "published order, or download the standings"
    ),
    "{folder}: a rulebook is a program, and this one is not trusted yet (its content has the hash "
    "{digest}). Look at its rules.py; if you would run them, add --trust (once is enough)": mark(
        "{folder}: a rulebook is a program, and this one (its content has the hash {digest}) is "
        "not trusted on this server"
    ),
    "Swiss: ranked by matchpoints; --scale FILE makes victory points of every match.": mark(
        "Swiss: ranked by matchpoints; a scale among the options makes victory points of every "
        "match."
    ),
}
"""The template of a message as commands say it, and as a page does; what has none stays so."""


_DAYS = frozenset({"day", "date", "since", "until", "at", "first", "last"})
"""Values of messages that are days, as they are kept."""


def on_page(text: str, language: str = DEFAULT) -> str:
    """A text for a page: a message about options of a command in words for a page, and days in it
    as the language writes them."""
    if not isinstance(text, Message):
        return text
    values = {
        name: shown_day(value, language)
        if name in _DAYS and type(value) is str
        else _value(value, language)
        for name, value in text.values.items()
    }
    chosen = text.of_many if text.of_many and text.values["count"] != 1 else text.template
    if chosen in ON_PAGES:
        return Message(ON_PAGES[chosen], **values)
    return Message(text.template, text.of_many, **values)


def _value(value: object, language: str) -> object:
    if isinstance(value, tuple):
        return tuple(_value(one, language) for one in value)
    return on_page(value, language) if isinstance(value, str) else value
