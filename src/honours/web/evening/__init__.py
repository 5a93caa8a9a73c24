"""Evenings while they are played: the director's pages, the tables' phones, the big screen."""
