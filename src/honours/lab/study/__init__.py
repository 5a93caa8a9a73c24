"""The studies in the sources, repeated table by table on any corpus."""
