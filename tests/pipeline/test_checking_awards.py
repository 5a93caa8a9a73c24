"""What files awarded against every rulebook: which one it was, and why a figure differs."""

import pytest

from honours.demo import file
from honours.errors import InputError
from honours.pipeline import read_account
from honours.pipeline.checking.awards import check_awards
from honours.rulebooks import load


def test_a_file_without_awards_says_so() -> None:
    with pytest.raises(InputError, match="does not say what was awarded"):
        check_awards(read_account(str(file("tuesday.csv"))), [load("sbu-clubs-2016")], {})
