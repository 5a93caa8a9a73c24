"""Movements: who sits where against whom with which boards, checked, measured and chosen.

A generator only fills in seats; :mod:`honours.movements.movement` knows nothing of how they were
made, and :mod:`honours.movements.balance` measures them.
"""
