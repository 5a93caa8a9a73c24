"""The first start of ./honours: sets up the environment, then becomes the command line.

`--set-up RING …` adds what else there is to the core and stops; `all` is all of it.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.environment import RINGS, become_honours, ensure

asked = sys.argv[2:] if sys.argv[1:2] == ["--set-up"] else []
if "all" in asked:
    asked = list(RINGS)
for ring in asked or ["core"]:
    if ring not in RINGS:
        known = " ".join(RINGS)
        sys.exit(f"honours: unknown {ring}; --set-up takes all, or some of: {known}")
    ensure(ring)
if not asked:
    become_honours()
