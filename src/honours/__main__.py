"""`python -m honours` is the honours command."""

from honours.cli import main

main()
