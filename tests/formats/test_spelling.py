"""Results in the letters of the language of whoever types them."""

import pytest

from honours.errors import InputError
from honours.evening.board_lines import tidy_outcome
from honours.formats.notation import spelled
from honours.formats.rulings import ruling_kind, typed_words
from honours.language import words
from honours.model import Denomination, Seat

FRENCH = {
    "4P N =": "4S N =",
    "4cN+1": "4H N +1",
    "2k o -1": "2D W -1",
    "5T E 9": "5C E -2",
    "3SA S =": "3NT S =",
    "3saxO-2": "3NTx W -2",
    "1SAXX N =": "1NTxx N =",
    "4p contré par e -1": "4Sx E -1",
    "6♥ O =": "6H W =",
    "6♣x E =": "6Cx E =",
    "4H W =": "4H W =",
    "4SN=": "4S N =",
    "2D S +1": "2D S +1",
    "3NT N =": "3NT N =",
    "passe": "pass",
    "P": "pass",
    "nj": "np",
    "non jouée": "np",
    "+420": "+420",
    "60-40": "60-40",
}


@pytest.mark.parametrize(("typed", "kept"), FRENCH.items())
def test_french_letters_are_read_beside_the_english_that_mean_nothing_else(
    typed: str, kept: str
) -> None:
    assert tidy_outcome(typed, "fr") == kept
    assert tidy_outcome(spelled(kept, "fr"), "fr") == kept


def test_every_result_is_read_as_it_is_written() -> None:
    for bid in ("NT", *(one.value for one in Denomination if one.value != "N")):
        for seat in Seat:
            for doubled in ("", "x", "xx"):
                kept = f"3{bid}{doubled} {seat.value} +1"
                for language in ("en", "fr"):
                    assert tidy_outcome(spelled(kept, language), language) == kept


def test_english_stays_as_it_is() -> None:
    assert tidy_outcome("4C N =", "en") == "4C N ="
    with pytest.raises(InputError):
        tidy_outcome("4P N =", "en")


@pytest.mark.parametrize(
    ("typed", "fault"),
    [
        ("4C N", "'4C N' demande un déclarant et un résultat, comme 4P N = ou"),
        ("4Z O =", "'4Z O =' n’est pas comme 4P, 3SAx ou passe"),
        ("9T N =", "'9T N =' est au palier 9"),
    ],
)
def test_what_is_wrong_is_said_in_the_letters_that_were_typed(typed: str, fault: str) -> None:
    with pytest.raises(InputError) as error:
        tidy_outcome(typed, "fr")
    assert fault in words(error.value.message, "fr")


def test_a_ruling_takes_the_same_letters() -> None:
    correct = typed_words(ruling_kind("correct"), {"contract": "4CO=", "why": "4C"}, "fr")
    assert (correct["contract"], correct["why"]) == ("4HW=", "4C")
    adjust = {"score": "60% 4CN=, 40% 3SAN-1", "ns": "moy+", "ew": "moy-"}
    made = typed_words(ruling_kind("adjust"), adjust, "fr")
    assert (made["score"], made["ns"], made["ew"]) == ("60% 4HN=, 40% 3NTN-1", "AVE+", "AVE-")
    assert spelled("60-40, ave+/ave-, 60% 4SN=, 40% 4SN-1", "fr") == (
        "60-40, moy+/moy-, 60% 4PN=, 40% 4PN-1"
    )
