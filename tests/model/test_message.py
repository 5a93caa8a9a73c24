"""A message is a value: its English, its template and what is put into it."""

import pickle

import pytest

from honours.model.message import Message, fields, joined, plural


def test_a_message_is_its_english_text() -> None:
    message = Message("{who} is at tables {tables}", who="Pair 4", tables=(2, 3))
    assert message == "Pair 4 is at tables 2, 3"
    assert (message.template, message.values["who"]) == ("{who} is at tables {tables}", "Pair 4")


def test_words_agree_with_a_number() -> None:
    words = [str(plural("{count:,} pair", "{count:,} pairs", count=n)) for n in (0, 1, 2, 1200)]
    assert words == ["0 pairs", "1 pair", "2 pairs", "1,200 pairs"]


def test_what_is_put_in_is_never_a_template() -> None:
    assert Message("{name} is here", name="{count}") == "{count} is here"
    assert Message("100 {braces} without values") == "100 {braces} without values"


def test_a_message_is_frozen() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        Message("final").template = "other"


def test_a_message_survives_being_sent_to_another_process() -> None:
    inner = plural("{count} pair", "{count} pairs", count=2)
    message = Message("{who}: {what}", who="Élan", what=inner)
    copy = pickle.loads(pickle.dumps(message))
    assert (copy, copy.template, dict(copy.values)) == (
        message,
        message.template,
        {"who": "Élan", "what": inner},
    )
    assert copy.values["what"].of_many == "{count} pairs"


def test_messages_are_joined_into_one() -> None:
    message = joined("; ", [Message("final"), "O'Brien"])
    assert message == "final; O'Brien"
    assert message.values["part0"].template == "final"  # type: ignore[attr-defined]


def test_the_places_of_a_template_are_known() -> None:
    assert fields("{count:,} of {all}") == {"count", "all"}
