"""Measures the lab beside pandas, Polars and DuckDB doing the same work; see README.md."""
