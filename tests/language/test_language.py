"""Messages are put into the reader's words; what somebody wrote is left alone."""

import io
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from honours import language
from honours.language import is_translated, words
from honours.model.message import Message, joined, plural

FRENCH: dict[str | tuple[str, ...], str | tuple[str, ...]] = {
    "final": "définitif",
    "{name} is {state}": "{name} est {state}",
    ("{count:,} pair", "{count:,} pairs"): ("{count:,} paire", "{count:,} paires"),
}


@pytest.fixture(autouse=True)
def _french(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    catalog = Catalog(locale="fr")
    for text, translation in FRENCH.items():
        catalog.add(text, translation)
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
