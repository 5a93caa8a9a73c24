"""A second scorer, written from the rules by other means, and events to try both on."""
