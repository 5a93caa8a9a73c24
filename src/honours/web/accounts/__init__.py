"""Who may sign in, with which roles where, and what was done."""
