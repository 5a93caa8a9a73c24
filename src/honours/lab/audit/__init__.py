"""Searches a rulebook for counterexamples to what a fair rule should promise.

It knows promises (:mod:`honours.lab.audit.promises`) and rulebooks as they declare themselves, and
no rulebook by name.
"""
