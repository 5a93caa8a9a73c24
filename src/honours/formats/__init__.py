"""Readers and writers, one file a format: a file in, an Event or its standings out."""
