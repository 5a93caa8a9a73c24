"""Messages are put into the reader's words; what somebody wrote is left alone."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from honours import language
from honours.language import is_translated, words
from honours.model.message import Message, in_context, joined, plural
from scripts import catalogue

FRENCH: dict[str | tuple[str, ...], str | tuple[str, ...]] = {
    "final": "définitif",
    "{name} is {state}": "{name} est {state}",
    ("{count:,} pair", "{count:,} pairs"): ("{count:,} paire", "{count:,} paires"),
    "not yet": "",
}


@pytest.fixture(autouse=True)
def _french(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    catalog = Catalog(locale="fr")
    for text, translation in FRENCH.items():
        catalog.add(text, translation)
    catalog.add("final", "finale", context="match")
    file = io.BytesIO()
    write_po(file, catalog)
    monkeypatch.setattr(language, "_text_of", lambda _: file.getvalue())
    language.catalogue.cache_clear()
    yield
    language.catalogue.cache_clear()


def test_a_message_is_translated_with_the_messages_in_it() -> None:
    message = Message("{name} is {state}", name="Open", state=Message("final"))
    assert words(message, "fr") == "Open est définitif"
    assert words(message) == "Open is final"


def test_a_title_of_somebodys_is_never_translated() -> None:
    assert words("final", "fr") == "final"
    message = Message("{name} is {state}", name="final", state=Message("final"))
    assert words(message, "fr") == "final est définitif"


def test_plurals_and_figures_are_those_of_the_language() -> None:
    def pairs(count: int) -> str:
        return words(plural("{count:,} pair", "{count:,} pairs", count=count), "fr")

    assert (pairs(0), pairs(1), pairs(2)) == ("0 paire", "1 paire", "2 paires")
    assert pairs(12000) == "12\u202f000 paires"


def test_joined_messages_are_each_in_the_language() -> None:
    assert words(joined("; ", [Message("final"), "final"]), "fr") == "définitif; final"


def test_what_has_no_translation_stays_english_and_is_known_to() -> None:
    assert words(Message("unheard of"), "fr") == "unheard of"
    assert [is_translated(m, "fr") for m in (Message("final"), Message("unheard of"))] == [
        True,
        False,
    ]


def test_homonyms_are_told_apart_by_their_context_which_nobody_reads() -> None:
    match = Message(in_context("match", "final"))
    assert (match, words(match, "fr"), words(Message("final"), "fr")) == (
        "final",
        "finale",
        "définitif",
    )


def test_a_language_knows_what_it_lacks() -> None:
    assert language.catalogue("fr").left == 1


def test_what_is_not_translated_is_marked_as_english_where_an_element_may_stand() -> None:
    say = language.catalogue("fr").marks_english().gettext
    page = (
        f'<title>{say("not yet")}</title><p title="{say("not yet")}">{say("not yet")}'
        f" {say('final')}</p><option>{say('not yet')}</option>"
    )
    assert language.mark_english(page) == (
        '<title>not yet</title><p title="not yet"><span lang="en">not yet</span> définitif</p>'
        "<option>not yet</option>"
    )


def test_a_changed_text_keeps_its_translation_until_somebody_has_looked(tmp_path: Path) -> None:
    folder = tmp_path / "fr"
    folder.mkdir()
    before = Catalog(locale="fr")
    before.add("The board was played twice.", "La donne a été jouée deux fois.")
    catalogue.write(before, folder)
    now, kept = Catalog(), catalogue.read(folder)
    now.add("The board was played three times.", locations=[("web/a.py", 0)])
    kept.update(now, update_creation_date=False)
    catalogue.write(kept, folder)
    [one] = catalogue.untranslated(catalogue.read(folder))
    assert (one.string, one.fuzzy) == ("La donne a été jouée deux fois.", True)
    assert [path.name for path in folder.iterdir()] == ["web.po"]
