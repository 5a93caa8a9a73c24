"""The engine that runs a rulebook: exact numbers, rules with citations, explanations, columns."""
