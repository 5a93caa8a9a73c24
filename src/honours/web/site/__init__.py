"""The first page, and what programmers read."""
