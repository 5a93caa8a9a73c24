"""`honours study`: the analyses of the sources, done again on any corpus."""

from honours.cli.lab_declared import question_command
from honours.lab.questions import QUESTIONS

command = question_command(QUESTIONS["study"])
