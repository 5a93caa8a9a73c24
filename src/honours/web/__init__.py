"""The web application and the API: thin, they call what a user of the library calls."""

from honours.rings import TAB, has, require

require("fastapi", "sqlalchemy")

LAB = has("numpy", "pyarrow") and not TAB
"""Without it, nothing leads to the lab."""
