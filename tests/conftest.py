"""What holds for all tests. Helpers that tests call are in tests/support.py."""

import os

from hypothesis import settings

# The first call of a compiled function takes seconds, the next one microseconds: a limit on the
# time of one example would only measure the compiler.
settings.register_profile("honours", deadline=None, print_blob=True)
settings.load_profile("honours")

if os.environ.get("NUMBA_DISABLE_JIT") == "1":
    from tests.uncompiled import run_uncompiled

    run_uncompiled()
