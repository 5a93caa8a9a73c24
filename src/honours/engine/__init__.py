"""What runs a rulebook: exact numbers, rules with citations, explanations, columns."""
