"""Figures that the sources of 2011 and 2020 print, and those the synthetic year assumes."""

import tomllib
from importlib.resources import files
from typing import Any

_ALL = tomllib.loads((files(__package__) / "sources.toml").read_text("utf-8"))
PROPOSAL_2020: dict[str, Any] = _ALL["proposal_2020"]
REPORT_2011: dict[str, Any] = _ALL["report_2011"]
CLUB_GAMES: dict[str, Any] = _ALL["club_games"]
YEAR: dict[str, Any] = _ALL["year"]
