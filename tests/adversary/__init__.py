"""Tries to make the product pay wrongly without a word: ``python -m tests.adversary``."""
