"""The compiled way: the graph of a rulebook over columns of many fields, equal to the exact way."""
