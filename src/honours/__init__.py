"""Scores bridge and go events, awards federation points and shows why, clause by clause."""

__version__ = "0.1.0"
