"""The web application and the API: thin, they call what a user of the library calls."""

from honours.rings import has, require

require("fastapi", "sqlalchemy")

LAB = has("numpy", "pyarrow")
"""Without it, nothing leads to the lab."""
