"""The figures a file published against those we make of it, line by line, each difference with a
reason.

``figures.check`` is the one comparison. ``scores``, ``awards`` and ``places`` say which figures a
file publishes, what ours are by each way of working them out, and in a sentence why two differ.
"""
