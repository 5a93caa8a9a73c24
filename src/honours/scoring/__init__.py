"""From what happened at the tables to the ranking: exact, and explained as awards are."""

from honours.scoring.scored import Scored
from honours.scoring.scorer import Options, score

__all__ = ["Options", "Scored", "score"]
