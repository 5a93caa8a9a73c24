"""A corpus from a federation's own tables: of any order and size, with their ids and what was
paid."""
