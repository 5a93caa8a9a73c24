"""What is imported is looked through for garbage neither meanwhile nor later."""

import subprocess
import sys

SCRIPT = """
import gc
from honours.processes.pool import importing
with importing():
    assert not gc.isenabled()
    kept = [[] for _ in range(1000)]
assert gc.isenabled()
assert gc.get_freeze_count() > len(kept)
"""


def test_garbage_is_looked_for_again_once_all_is_imported() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)  # freezing lasts to a process's end
