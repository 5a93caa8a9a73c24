"""From what happened at the tables to who came where: exact, and explained like the awards."""

from honours.scoring.scored import Scored
from honours.scoring.scorer import Options, score

__all__ = ["Options", "Scored", "score"]
