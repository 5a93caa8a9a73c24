"""Searches a rulebook for counterexamples to what a fair rule should promise.

It works from the promises (:mod:`honours.lab.audit.promises`) and from what rulebooks declare about
themselves; it knows no rulebook by name.
"""
