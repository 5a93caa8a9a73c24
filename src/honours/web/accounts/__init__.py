"""Accounts: who may sign in, with which roles where, and the log of what was done."""
