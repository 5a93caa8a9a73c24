"""Comparisons with files beside the repository, where `./check beside FOLDER` names their folder;
without one nothing of this folder is a test."""

from tests.ledger.conftest import file_ledger
from tests.support import SHARED
from tests.web.test_evening import client
from tests.web.test_one_way import alone

__all__ = ["alone", "client", "file_ledger"]

collect_ignore_glob = [] if SHARED.is_dir() else ["test_*"]
