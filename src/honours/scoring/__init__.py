"""From what happened at the tables to the ranking: exact, and explained as awards are."""

from honours.scoring.scored import ScoredEvent
from honours.scoring.scorer import ScoringOptions, score

__all__ = ["ScoredEvent", "ScoringOptions", "score"]
