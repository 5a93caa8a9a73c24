"""The compiled way: a rulebook's graph evaluated over columns of many fields, equal to the exact
way."""
