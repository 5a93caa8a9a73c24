"""The ledger of who was awarded what, by which rule, for which event: written once, never changed.

A *record* is something that happened at one time (an event awarded, a reversal, a merger of
members); its *postings* are the lines that credit people. Records form a chain of hashes. Names are
stored separately, so that a person can be forgotten and every sum still holds.
"""

from honours.rings import require

require("sqlalchemy")
