"""What pages say: never in the words of a command line, and what is wrong where it is wrong."""

import re
from datetime import date

import httpx
import pytest

from honours.errors import MissingInput
from honours.language import shown_date, shown_day, words
from honours.model.message import Message, by_key, by_option, plural
from honours.scoring.status import Status
from honours.web.templating import on_page
from scripts.catalogue import texts

_OPTION = re.compile(r"(^|[\s(])--[a-z]|`(honours|ledger|lab) ")
_SAID_BY_COMMANDS_ALONE = {
    "files.py": "writing over a file of the person's own machine",
    "reports/site.py": "a folder of theirs",
    "lab/run.py": "a cluster",
    "lab/asking.py": "an event of a simulation as it is typed",
    "lab/history/plan.py": "a plan that is edited by hand",
    "lab/history/sources.py": "a database of theirs",
    "ledger/store.py": "making a ledger",
    "ledger/versions.py": "a ledger that the server would not open",
    "pipeline/checking/programs.py": "files beside each other",
    "web/evening/templates/live.html": "a page that tells of a command",
}


def test_what_a_page_may_say_names_no_option() -> None:
    said = {
        template: file
        for file, text in texts()
        for template in ([text] if isinstance(text, str) else text)
    }
    assert [
        (file, template)
        for template, file in said.items()
        if _OPTION.search(template) and not file.startswith(("cli/", "conformance/"))
        if file not in _SAID_BY_COMMANDS_ALONE
    ] == []


def test_a_remedy_is_worded_by_each_surface() -> None:
    both = (by_option("numbers_decide"), by_key("guests", "Ann Ash"))
    told = plural(
        "{remedy} or {other}", "{remedy}, {other}", count=2, remedy=both[0], other=both[1]
    )
    assert str(told) == "--numbers-decide, guests='Ann Ash'"
    assert on_page(told) == "“numbers decide”, “guests”"
    assert words(on_page(told, "fr"), "fr") == "“les numéros décident”, “invités”"
    missing = MissingInput("section", told).among("bga", ["section"], {"section": "x"})
    assert str(missing.message).endswith(": give e.g. section=x. Keys of bga: section")
    assert on_page(missing.message) == "missing 'section' (“numbers decide”, “guests”)"


def test_what_was_typed_is_kept_where_it_cannot_be_worked_out(client: httpx.Client) -> None:
    page = client.get("/calculators/sbu-clubs-2016?kind=pairs&winners=1&pairs=many&place=x").text
    assert 'value="many"' in page
    asked = "/calculators/sbu-clubs-2016?kind=pairs&winners=1&pairs=many"
    answer = client.get(asked, headers={"accept-language": "fr"}).text
    assert 'data-at="pairs"' in answer
    assert "many : pas un nombre" in answer


def test_a_form_says_what_happens_where_nothing_is_chosen(client: httpx.Client, event: str) -> None:
    page = client.get(event).text
    assert "nothing: the place is shared" in page
    assert "as the event says" not in page


@pytest.mark.parametrize(
    ("language", "day", "moment"),
    [("en", "3 Sept 2026", "17 Nov 2026 04:22"), ("fr", "3 sept. 2026", "17 nov. 2026 04:22")],
)
def test_days_are_written_as_the_reader_does(language: str, day: str, moment: str) -> None:
    assert shown_day("2026-09-03", language) == day
    assert shown_day("2026-11-17 04:22:28+00:00", language) == moment
    assert shown_day("Monday", language) == "Monday"
    assert words(Message("{day}", day=date(2026, 9, 3)), language) == day
    made = Status(Message("final"), since="2026-11-17 04:22:28+00:00")
    assert moment.removesuffix(" 04:22") in words(made.message, language)
    assert "04:22" not in words(made.message, language)


def test_english_months_of_messages_are_those_of_pages() -> None:
    for month in range(1, 13):
        day = date(2026, month, 9)
        assert str(Message("{day}", day=day)) == shown_date(day)
