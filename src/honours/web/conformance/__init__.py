"""Every published figure, and what we get."""
