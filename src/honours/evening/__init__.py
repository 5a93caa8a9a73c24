"""An evening at the club while it is played: who sits where, what was entered, how it stands.

An evening is its journal (:mod:`honours.evening.journal`): one act per line, written to disk before
it is answered. :mod:`honours.evening.acts` defines which acts there are and what they change, and
everything else is read from the resulting :class:`~honours.evening.evening.Evening`. When play has
ended, it is an event like any other.
"""
