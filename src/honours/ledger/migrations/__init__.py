"""The steps in which the tables came to be, one a file."""
