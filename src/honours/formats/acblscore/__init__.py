"""ACBLscore's game files (.ACM, .ACA, .ACE …): a heap of records, and the events in them.

``heap`` reads bytes, ``codes`` has the words for codes, ``game`` is the file as it stands,
``event`` what it says in the model's terms.
"""
