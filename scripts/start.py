"""The first start of ./honours: sets up the environment, then becomes the command line."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))

from scripts.environment import become_honours, ensure

ensure("run")
become_honours()
