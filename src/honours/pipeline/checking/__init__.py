"""What a file published against what we make of it, line by line, each difference with a reason.

:func:`check` is the one comparison. ``scores`` and ``awards`` say which figures a file publishes
and what ours are by each way of working them out; ``causes`` says in a sentence why two differ.
"""

from __future__ import annotations

from honours.pipeline.checking.awards import check_awarded as check_awarded
from honours.pipeline.checking.awards import check_awards as check_awards
from honours.pipeline.checking.awards import says_awards as says_awards
from honours.pipeline.checking.figures import CandidateReading as CandidateReading
from honours.pipeline.checking.figures import Difference as Difference
from honours.pipeline.checking.figures import FigureCheck as FigureCheck
from honours.pipeline.checking.figures import PublishedFigure as PublishedFigure
from honours.pipeline.checking.figures import check as check
from honours.pipeline.checking.figures import joined_checks as joined_checks
from honours.pipeline.checking.places import check_places as check_places
from honours.pipeline.checking.scores import check_scores as check_scores
