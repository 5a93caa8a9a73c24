"""An evening at the club while it is played: who sits where, what was entered, how it stands.

An evening is its journal (:mod:`honours.evening.journal`): an act a line, on the disk before it is
answered. :mod:`honours.evening.acts` says what may be done and what it changes, and everything else
is read off the :class:`~honours.evening.evening.Evening` that comes of it. When play has ended it
is an event like any other.
"""
