"""The studies of the sources done again, table by table, on any corpus."""
