"""Long work that has progress and can be cancelled."""
