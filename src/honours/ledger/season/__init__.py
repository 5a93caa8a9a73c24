"""The club's year: competitions over many events, and what they add to the events' own awards.

A season's table is a ranking made from other rankings, handed to a rulebook like any other.
"""
