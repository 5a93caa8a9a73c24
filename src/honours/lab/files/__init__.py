"""A corpus from files of events: whatever Honours reads, ranked as it is for awards."""
