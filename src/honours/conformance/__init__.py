"""Every figure and checkable claim the five sources print, and what we get for each.

One TOML file a source. What is ours is worked out when it runs, never stored. The format is in
:mod:`honours.conformance.data`.
"""
