"""A corpus from files of events: any format that Honours reads, ranked as for awards."""
