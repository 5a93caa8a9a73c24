"""A federation's own tables as a corpus: any order, any size, their ids, what was paid."""
