"""The documented plain tables, CSV, TSV and XLSX: standings and results. See docs/formats.md."""

from honours.formats.table_results import read_result_events, read_results
from honours.formats.table_standings import StandingsFile, read_standings

__all__ = ["StandingsFile", "read_result_events", "read_results", "read_standings"]
