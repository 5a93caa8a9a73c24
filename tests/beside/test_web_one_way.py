"""Compared with real files beside the repository: pages give what the library does."""

import httpx
import pytest

from tests.support import shared
from tests.web.test_one_way import SBU
from tests.web.test_one_way import test_a_file_gives_the_same as gives_the_same


@pytest.mark.parametrize("name", ["bws/12-tables-1-section.bws", "usebio/mp-pairs.xml"])
def test_a_real_file_gives_the_same(alone: httpx.Client, name: str) -> None:
    gives_the_same(alone, str(shared(f"real/{name}")), SBU)
