"""The ledger: members, drafts, records, seasons and submissions."""
