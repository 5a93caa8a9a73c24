"""Events being scored: kept, ruled on, awarded, downloaded."""
