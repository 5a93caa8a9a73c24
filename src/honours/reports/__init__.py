"""Data in, documents out: text, CSV and JSON-able data for people and programs."""
